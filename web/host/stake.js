// What a transaction in a game answers to, and how a disc is sent for a stake.

import { current } from '../store.js';
import { read } from './chain.js';
import { session } from './session.js';

/** @import { Answered } from './final.js' */
/** @import { How } from './send.js' */

/**
 * The moves of a game that are answered; null if there are none.
 * @param {number | string} game
 * @param {number} [turns] how many; all that are shown if they are not given
 * @returns {Answered | null}
 */
export function answered(game, turns) {
	const { view } = current();
	const shown = view?.game === game && view.game !== null ? view : null;
	const count = turns ?? shown?.turns ?? 0;
	return count > 0
		? { game, turns: count, transaction: shown?.moves[count - 1]?.transaction ?? null }
		: null;
}

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
	const { turns } = isFast ? found.fast_game.game : found.game;
	const answers = answered(game, turns);
	if (!isStaked) return { answers };
	return { answers, isStaked, depth: Math.max(1, session.chain?.confirmations ?? 1) };
}
