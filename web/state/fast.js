// What is said of a fast game: which moves are signed, which are on the chain, and what can be done
// about it. Loaded with the first fast game.

import { clockText } from './clock.js';
import { other, seats, who } from './seats.js';

/** @import { Colour, Due, FastHere as Fast, Shown, ViewedGame } from './types.d.ts' */
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

/** @type {Record<Due['what'], string>} */
const DUE = {
	'contest by move': 'Contest the line by your move',
	'contest by wallet': 'Contest the line: sign in your wallet',
	'opponent contests': 'The opponent can contest your line',
	'answer by move': 'Your clock runs on the chain: make your move',
	'answer by wallet': 'Your clock runs on the chain: sign in your wallet',
};

/**
 * What has to be done in time, and how much of it is left; empty if nothing.
 * @param {Fast} fast @param {number} now in milliseconds of this machine
 */
export function dueText({ due, here, settled, deadline = null, contested }, now) {
	// Where a program plays the game, it answers by itself as far as it can.
	if (due === undefined && here.length && !settled && deadline !== null) {
		const left = deadline - now / 1000;
		const time = left < 0 ? 'the time is over' : `${clockText(left)} left`;
		return contested
			? `A line on the chain can still be contested, by another move (${time}).`
			: `The clock of the player to move runs on the chain (${time}).`;
	}
	if (!due) return '';
	const left = (due.until - now) / 1000;
	const time = left < 0 ? 'the time is over' : `${clockText(left)} left`;
	const toAnswer = left < 0 || due.what === 'opponent contests' ? '' : ' to answer';
	return `${DUE[due.what]} (${time}${toAnswer}).`;
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
