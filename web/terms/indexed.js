// A game by signed terms in the index of the host: there is what the chain has of it.

import { current } from '../store.js';
import { get } from '../transport.js';

/** @import { GameId, IndexedGame } from '../state/types.d.ts' */

/**
 * The game as the host's index has it; null if it has none, or does not know the game.
 * @param {GameId} game
 * @returns {Promise<IndexedGame | null>}
 */
export async function indexed(game) {
	if (!current().hello?.index) return null;
	const { game: found } = await get(`/api/search?q=${game}`);
	return found?.game === game ? found : null;
}
