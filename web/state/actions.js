// What a player can do in a game, apart from moves.

import { away } from './connection.js';
import { accountOf, held, isGame, isHere, isVariant, seats } from './seats.js';

/** @import { Actions, Shown, State, View } from './types.d.ts'
 * @import { Colour } from '../wire.d.ts' */

/**
 * What can be done now, and for which seat.
 * @param {Shown} state
 * @returns {Actions}
 */
export function actions(state) {
	const { view, hello } = state;
	/** @type {Actions} */
	const can = {
		resign: null,
		offer: null,
		accept: null,
		free: null,
		review: !isVariant(view) && view.moves.length > 0 && (view.over || !isGame(view)),
		next: false,
		busy: Boolean(state.pending || away(state)),
	};
	if (!isGame(view) || !view.started) return can;
	const { byTerms, series, to_move: mover } = view;
	const mine = seats(state);
	const [first] = mine;
	if (isHere(view.game)) {
		if (view.over) can.next = true;
		else if (view.players.length === 2) {
			can.resign = (mover && mine.includes(mover) ? mover : first) ?? null;
		}
		return can;
	}
	if (!byTerms && view.over) {
		const payer = view.freed ? null : view.payer;
		if (accountOf(hello, payer)) can.free = payer;
		// The same again can be started by a browser that has the keys of all.
		can.next = Boolean(hello?.host) && held(state).length === view.players.length;
		return can;
	}
	// Without a limit a game may stop for ever: who has left it can free it after 30 days.
	const payer = view.players.find(({ account, out }) => out && account === view.payer);
	if (isVariant(view) && payer && accountOf(hello, view.payer)) can.free = view.payer;
	if (!first) return can;
	if (!view.over) can.resign = mover && mine.includes(mover) ? mover : first;
	if (!byTerms || !series) return can;
	/** The seat here that faces another one. @param {Colour | null} colour */
	const against = (colour) => (colour && mine.find((seat) => seat !== colour)) ?? null;
	if (!view.over) {
		// A draw is offered after the own move.
		const waits = mine.find((colour) => colour !== mover) ?? null;
		can.offer = series.drawOffer ? null : waits;
		can.accept = against(series.drawOffer);
	} else if (series.next === null && (!byTerms.stake || byTerms.stake.stage === 'over')) {
		can.next = !series.rematchOffer || against(series.rematchOffer) !== null;
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
	if (!view.series || before.series?.next !== null) return null;
	return seats(state).length || at === null ? view.series.next : null;
}
