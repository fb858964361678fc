// What a transaction in a game relies on, and how a disc is sent for a stake.

import { isGame } from '../state/seats.js';
import { current } from '../store.js';
import { read } from './chain.js';
import { session } from './session.js';

/** @import { Answered } from './final.js' */
/** @import { How } from './send.js' */
/** @import { GameId } from '../wire.d.ts' */

/**
 * The moves of a game that are answered; null if there are none.
 * @param {GameId} game
 * @param {number} [turns] how many; all that are shown if they are not given
 * @returns {Answered | null}
 */
export function answered(game, turns) {
	const shown = shownGame(game);
	const count = turns ?? shown?.turns ?? 0;
	if (count <= 0) return null;
	const transaction = shown?.moves[count - 1]?.transaction ?? null;
	const last = shown?.last_block ?? null;
	const base = last && last.block === transaction?.block ? last : null;
	return { game, turns: count, transaction, base };
}

/** A game, if it is shown. @param {GameId} game */
function shownGame(game) {
	const { view } = current();
	return view?.game === game && isGame(view) ? view : null;
}

/**
 * How a disc is sent: for a stake it relies on final moves, and is followed as deep. Whether there
 * is one, and how many moves are answered, is not the host's word if there is a node of the player's choice.
 * @param {GameId} game
 * @returns {Promise<How>}
 */
export async function safely(game) {
	const [{ match }, found] = await Promise.all([
		read('match_of', { game }),
		read('read_game', { game }),
	]);
	const shown = shownGame(game);
	const isStaked = BigInt(match.stake) > 0n || BigInt(shown?.match?.stake ?? 0) > 0n;
	const answers = answered(game, found.game.turns);
	if (!isStaked) return { answers };
	return { answers, isStaked, depth: Math.max(1, session.chain?.confirmations ?? 1) };
}
