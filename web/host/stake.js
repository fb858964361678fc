// How a disc is sent in a game for a stake.

import { current } from '../store.js';
import { read } from './chain.js';
import { session } from './session.js';

/** @import { How } from './send.js' */

/**
 * How a disc is sent: for a stake it answers what can't be taken back, and is followed as deep. Whether there
 * is one, and how many moves are answered, is not the host's word if there is a node of the player's choice.
 * @param {number | string} game
 * @returns {Promise<How>}
 */
export async function safely(game) {
	const isFast = typeof game === 'string';
	const [{ match }, found] = await Promise.all([
		read(isFast ? 'fast_match_of' : 'match_of', { game }),
		read(isFast ? 'read_fast' : 'read_game', { game }),
	]);
	const { view } = current();
	const shown = view?.game === game && view.game !== null ? view : null;
	const isStaked = BigInt(match.stake) > 0n || BigInt(shown?.match.stake ?? 0) > 0n;
	if (!isStaked) return {};
	const { turns } = isFast ? found.fast_game.game : found.game;
	const transaction = shown?.moves[turns - 1]?.transaction ?? null;
	const depth = session.chain?.confirmations ?? 1;
	return { depth, answers: turns > 0 ? { game, turns, transaction } : null };
}
