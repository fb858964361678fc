// What a player can do in a game, apart from drops.

import { clockLeft, running } from './clock.js';
import { away } from './connection.js';
import { seats } from './seats.js';
import { isSome } from './text.js';

/** @import { Actions, Colour, Shown, State, View } from './types.d.ts' */

/**
 * What can be done now, and for which seat.
 * @param {Shown} state
 * @param {number} now in milliseconds of the browser's clock
 * @returns {Actions}
 */
export function actions(state, now = state.told) {
	const { view } = state;
	/** @type {Actions} */
	const can = {
		resign: null,
		offer: null,
		accept: null,
		claim: null,
		next: null,
		declineRematch: null,
		withdraw: null,
		review: view.moves.length > 0 && (view.over || view.game === null),
		busy: Boolean(state.pending || away(state)),
	};
	const mine = seats(state);
	const [first] = mine;
	if (!first || view.game === null) return can;
	/** The seat here that faces another one. @param {Colour | null} colour */
	const against = (colour) => (colour && mine.find((seat) => seat !== colour)) ?? null;
	const { match, owed, to_move: mover } = view;
	if (!view.over) {
		can.resign = mover && mine.includes(mover) ? mover : first;
		// A draw of signed moves is offered after the own move.
		const waits = mine.find((colour) => colour !== mover) ?? null;
		can.offer = match.draw_offer ? null : view.fast ? waits : can.resign;
		can.accept = against(match.draw_offer);
		const runs = running(view);
		const left = runs && clockLeft(state, runs, now);
		if (left !== null && left < 0) can.claim = against(runs);
		return can;
	}
	if (view.fast && !view.fast.settled) return can;
	can.withdraw = mine.find((colour) => isSome(owed[colour])) ?? null;
	if (match.next === null && !view.freed) {
		can.declineRematch = against(match.rematch_offer);
		can.next = match.rematch_offer && !can.declineRematch ? null : mine;
	}
	return can;
}

/**
 * The next game of the series, if the page should open it now: it has just begun, and whoever only
 * watches is not looking at an older position.
 * @param {View | null} before the view before this one @param {State} state
 */
export function follows(before, state) {
	const { view, at } = state;
	if (!view || view.game === null || before?.game !== view.game) return null;
	if (before.match.next !== null) return null;
	return seats(state).length || at === null ? view.match.next : null;
}
