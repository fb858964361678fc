// What is said of a fast game: which moves are signed, which are on the chain, and what can be done
// about it. Loaded with the first fast game.

import { other, seats, who } from './seats.js';

/** @import { Colour, Fast as Told, Shown, ViewedGame } from './types.d.ts' */
/** @typedef {Told & { note?: string }} Fast with what this page adds */

/** @param {number} count */
const moves = (count) => (count === 1 ? '1 move' : `${count} moves`);

/**
 * Who has signed a move that is on no chain: both, or the player who made it.
 * @param {number} turn from 0 @param {Fast} fast @param {Colour} player
 */
export const signedBy = (turn, { signed }, player) =>
	turn < signed ? 'signed by both' : `signed by ${player}`;

/** How many moves are where. @param {ViewedGame} view @param {Fast} fast */
export function fastText({ moves: { length }, over }, { on_chain: chain, signed, settled }) {
	if (settled) return 'A fast game: all of it is on the chain.';
	const where = `${moves(chain)} of ${length} on the chain, ${signed} signed by both`;
	return over ? `Not settled yet: ${where}.` : `A fast game: ${where}.`;
}

/**
 * What goes between the players; empty if all is well.
 * @param {Shown} state @param {Fast} fast
 */
export function fastNote(state, { relay_missing: missing, opponent, settled, here, note }) {
	if (settled) return '';
	if (note) return note;
	if (missing)
		return `The relay is not there: ${missing}. Moves that are signed go out once it is.`;
	const [seat] = here;
	if (opponent === false && seat) {
		return `${who(state, other(seat))} is not connected.`;
	}
	return '';
}

/**
 * What can be done now, and for which seat.
 * @param {Shown} state @param {Fast} fast
 * @returns {{ press: Colour | null, settle: Colour | null }}
 */
export function fastActions(state, { on_chain: chain, settled, here, press }) {
	const mine = seats(state).filter((colour) => here.includes(colour));
	const [first = null] = mine;
	const isAhead = !settled && (state.view.over || state.view.moves.length > chain);
	return {
		press: press && mine.includes(press) ? press : null,
		settle: isAhead ? first : null,
	};
}
