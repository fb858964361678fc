// What is said of a fast game: which moves are signed, which are on the chain, and what can be done
// about it. Loaded with the first fast game.

import { texts } from '../words/fast.js';
import { clockText } from './clock.js';
import { other, seats, who } from './seats.js';

/** @import { Due, FastHere as Fast, Shown, ViewedGame } from './types.d.ts'
 * @import { Colour } from '../wire.d.ts' */
/**
 * Who has signed a move that is on no chain: both, or the player who made it.
 * @param {number} turn from 0 @param {Fast} fast @param {Colour} player
 */
export const signedBy = (turn, { signed }, player) =>
	turn < signed ? texts.signedByBoth : texts.signedBy(player);

/** How many moves are where. @param {ViewedGame} view @param {Fast} fast */
export function fastText({ moves: { length }, over }, { on_chain: chain, signed, settled }) {
	if (settled) return texts.allOnChain;
	return (over ? texts.unsettled : texts.fastGame)(chain, length, signed);
}

/**
 * What goes between the players; empty if all is well.
 * @param {Shown} state @param {Fast} fast
 */
export function fastNote(state, { relay_missing: missing, opponent, settled, here, note }) {
	if (settled) return '';
	if (note) return note;
	if (missing) return texts.relayAway(missing);
	const [seat] = here;
	return opponent === false && seat ? texts.notConnected(who(state, other(seat))) : '';
}

/** @type {Record<Due['what'], (time: string) => string>} */
const DUE = {
	'contest by move': texts.contestByMove,
	'contest by wallet': texts.contestByWallet,
	'opponent contests': texts.opponentContests,
	'answer by move': texts.answerByMove,
	'answer by wallet': texts.answerByWallet,
};

/**
 * What has to be done in time, and how much of it is left; empty if nothing.
 * @param {Fast} fast @param {number} now in milliseconds of this machine
 */
export function dueText({ due, here, settled, deadline = null, contested }, now) {
	// Where a program plays the game, it answers by itself as far as it can.
	if (due === undefined && here.length && !settled && deadline !== null) {
		const left = deadline - now / 1000;
		const time = left < 0 ? texts.timeOver : texts.timeLeft(clockText(left));
		return contested ? texts.contested(time) : texts.clockRuns(time);
	}
	if (!due) return '';
	const left = (due.until - now) / 1000;
	if (left < 0) return DUE[due.what](texts.timeOver);
	const answers = due.what !== 'opponent contests';
	return DUE[due.what]((answers ? texts.timeToAnswer : texts.timeLeft)(clockText(left)));
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
