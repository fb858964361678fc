// A game by signed terms in the index of the host: there is what the chain has of it.

import { current } from '../store.js';
import { get } from '../transport.js';

/** @import { GameId, IndexedGame, IndexLag } from '../wire.d.ts' */

/**
 * The game as the host's index has it, null if it does not know the game, and how far the index is; null without one.
 * @param {GameId} asked
 * @returns {Promise<{ game: IndexedGame | null, index: IndexLag } | null>}
 */
export async function indexed(asked) {
	if (!current().hello?.index) return null;
	const { game, index } = await get(`/api/search?q=${asked}`);
	return { game: game?.game === asked ? game : null, index };
}
