// What a player can do in a game, apart from moves.

import { lateOne } from './clock.js';
import { away } from './connection.js';
import { held, isGame, isHere, isVariant, seats } from './seats.js';
import { isSome } from './text.js';

/** @import { Actions, Shown, State, View } from './types.d.ts'
 * @import { Colour } from '../wire.d.ts' */

/**
 * What can be done now, and for which seat.
 * @param {Shown} state
 * @param {number} now in milliseconds of the browser's clock
 * @returns {Actions}
 */
export function actions(state, now = state.told) {
	const { view, hello } = state;
	/** @type {Actions} */
	const can = {
		resign: null,
		offer: null,
		accept: null,
		claim: null,
		next: null,
		declineRematch: null,
		withdraw: null,
		review: !isVariant(view) && view.moves.length > 0 && (view.over || !isGame(view)),
		busy: Boolean(state.pending || away(state)),
	};
	if (!isGame(view) || !view.started) return can;
	const { match, to_move: mover } = view;
	if (isHere(view.game)) {
		const mine = seats(state);
		if (view.over) can.next = held(state);
		else if (view.players.length === 2) {
			can.resign = (mover && mine.includes(mover) ? mover : mine[0]) ?? null;
		}
		return can;
	}
	if (!match && view.over) {
		// The same again can be started by a browser that has the keys of all.
		const all = held(state);
		can.next = hello?.host && all.length === view.players.length ? all : null;
		return can;
	}
	const mine = seats(state);
	const [first] = mine;
	if (!first) return can;
	/** The seat here that faces another one. @param {Colour | null} colour */
	const against = (colour) => (colour && mine.find((seat) => seat !== colour)) ?? null;
	if (!view.over) can.resign = mover && mine.includes(mover) ? mover : first;
	if (!match) return can;
	if (!view.over) {
		// A draw of signed moves is offered after the own move.
		const waits = mine.find((colour) => colour !== mover) ?? null;
		can.offer = match.draw_offer ? null : view.byTerms ? waits : can.resign;
		can.accept = against(match.draw_offer);
		// The witness ends a game by signed terms by itself.
		can.claim = view.byTerms ? null : against(lateOne(state, now));
		return can;
	}
	can.withdraw =
		view.players.find(({ colour, owed }) => mine.includes(colour) && isSome(owed))?.colour ?? null;
	if (match.next === null && !view.freed && !view.byTerms?.stake) {
		const offered = against(match.rematch_offer);
		// Who wants no rematch of a game by terms leaves.
		can.declineRematch = view.byTerms ? null : offered;
		can.next = match.rematch_offer && !offered ? null : mine;
	}
	return can;
}

/**
 * The next game of the series, if the page should open it now: it has just begun, and a watcher
 * is not looking at an older position.
 * @param {View | null} before the view before this one @param {State} state
 */
export function follows(before, state) {
	const { view, at } = state;
	if (!view || !isGame(view) || !before || !isGame(before) || before.game !== view.game)
		return null;
	if (!view.match || before.match?.next !== null) return null;
	return seats(state).length || at === null ? view.match.next : null;
}
