// What the page knows, and how events change it. Pure, like everything in this folder: no DOM, no
// requests, no timers, no clock. Nothing here knows the rules of the game: the program tells whose
// turn it is, why a bin takes no disc, where discs lie and who has won.

import { capital } from '../words/forms.js';
import { texts } from '../words/page.js';
import { news } from './announce.js';
import { away } from './connection.js';
import { isSameMove } from './position.js';
import { NOTHING_TRIED } from './reach.js';

/** @import { Complaint, Event, State, Transitions, View } from './types.d.ts' */

/** @type {State} */
export const initial = {
	route: { page: 'loading' },
	hello: null,
	unread: null,
	link: 'opening',
	reach: NOTHING_TRIED,
	chain: null,
	games: null,
	view: null,
	picked: null,
	premove: null,
	tapped: null,
	told: 0,
	missing: null,
	at: null,
	film: false,
	pending: null,
	error: null,
	aim: null,
	place: null,
	plays: {},
	invite: null,
	seek: null,
	seeks: null,
	counts: null,
	review: null,
	asking: false,
	says: { text: '' },
};

/** The state after an event. @param {State} state @param {Event} event */
export function reduce(state, event) {
	const transition = /** @type {(state: State, event: Event) => State} */ (EVENTS[event.type]);
	return transition(state, event);
}

/** @param {State} state @param {Partial<Complaint> & { text: string }} error */
const fail = (state, { text, bin = null, soft = false }) => ({
	...state,
	error: { text, bin, soft },
});

/** @type {Transitions} */
const EVENTS = {
	route: (state, { route }) => ({
		...state,
		route,
		view: route.page === 'game' && route.game === state.route.game ? state.view : null,
		picked: null,
		premove: null,
		tapped: null,
		missing: route.page === 'unknown' ? texts.nothingHere : null,
		at: route.move ?? null,
		film: false,
		pending: null,
		error: null,
		aim: null,
		review: null,
		asking: false,
	}),

	seek: (state, { seek }) => ({ ...state, seek }),
	seeks: (state, { seeks }) => ({ ...state, seeks }),
	counts: (state, { counts }) => ({ ...state, counts }),
	invite: (state, { game, key }) => ({ ...state, invite: { game, key } }),
	hello(state, { hello }) {
		// Another chain has other games under the same numbers.
		const plays = [null, hello.chain.place].includes(state.place) ? state.plays : {};
		const place = hello.chain.place;
		const next = { ...state, hello, unread: null, place, plays, invite: null };
		const { invite } = state;
		if (!invite) return next;
		const account = hello.accounts.find(({ key }) => key === invite.key);
		if (account) return { ...next, plays: { ...next.plays, [invite.game]: [account.address] } };
		return fail(next, {
			text: texts.inviteGone,
		});
	},

	unread: (state, { why }) => (state.unread === why ? state : { ...state, unread: why }),
	link: (state, { up, reach = state.reach }) =>
		reconnected(state, { ...state, link: up ? 'open' : 'lost', reach }),
	chain: (state, { up, block, why, since }) =>
		reconnected(state, { ...state, chain: { up, block, why, since } }),
	games: (state, lists) => ({ ...state, games: lists }),
	missing: (state, { error }) => ({ ...state, missing: error, view: null }),

	view(state, { view, now }) {
		if (view.game !== (state.route.game ?? null)) return state; // of a page that was left
		const before = state.view;
		const next = { ...state, view, told: now, missing: null };
		if (view.over) Object.assign(next, { asking: false, picked: null, premove: null });
		if (next.at !== null && next.at >= view.moves.length) {
			Object.assign(next, { at: null, film: false });
		}
		if (!before) return next;
		const hasMoved = view.turns !== before.turns;
		if (hasMoved || view.to_move !== before.to_move || view.over) {
			Object.assign(next, { picked: null, tapped: null });
		}
		if (state.pending?.what === 'move' && view.turns > (state.pending.turns ?? 0)) {
			Object.assign(next, { pending: null, error: null });
		} else if (state.error?.soft && hasMoved) {
			next.error = null;
		}
		const lost = takenBack(before, view);
		if (lost) return fail(next, { text: lost, soft: true });
		const text = news(before, next);
		return text ? { ...next, says: { text } } : next;
	},
	pick: (state, { picked }) => ({ ...state, picked, premove: null, tapped: null, error: null }),
	tap: (state, { bin }) => ({
		...state,
		tapped: bin,
		error: null,
		says: { text: texts.tapAgain(bin + 1) },
	}),
	premove: (state, { bin }) => ({
		...state,
		premove: bin,
		error: null,
		says: { text: bin === null ? texts.noPremove : texts.premove(bin + 1) },
	}),

	aim: (state, { bin }) => (state.aim === bin ? state : { ...state, aim: bin }),

	sending: (state, { id, what, move = null }) => ({
		...state,
		asking: false,
		tapped: null,
		error: null,
		pending: { id, what, move, turns: state.view?.turns },
	}),
	// A move is under way until the chain's board shows it.
	sent(state, { id }) {
		if (!isPending(state, id)) return state; // Its error, if there is one, is of something later.
		const pending = state.pending?.what === 'move' ? state.pending : null;
		return { ...state, error: null, pending };
	},
	settle: (state, { id }) => (isPending(state, id) ? { ...state, pending: null } : state),
	failed: (state, { id, text, bin }) =>
		fail(
			{ ...state, pending: isPending(state, id) ? null : state.pending },
			{ text: capital(text), bin },
		),
	refuse: fail,
	dismiss: (state) => ({ ...state, error: null }),

	show(state, { at }) {
		const { view } = state;
		if (!view) return state;
		const shown = at >= view.moves.length ? null : Math.max(0, at);
		return { ...state, film: false, picked: null, tapped: null, at: shown };
	},
	film: (state, { on }) => ({ ...state, film: on, at: on ? (state.at ?? 0) : state.at }),
	frame(state) {
		const at = (state.at ?? 0) + 1;
		if (at < (state.view?.moves.length ?? 0)) return { ...state, at };
		return { ...state, at: null, film: false };
	},

	ask: (state, { on }) => ({ ...state, asking: on }),
	plays: (state, { game, accounts }) => ({ ...state, plays: { ...state.plays, [game]: accounts } }),
	say: (state, { text }) => ({ ...state, says: { text } }),

	reviewing: (state) => ({ ...state, review: { moves: {}, running: true, error: null } }),
	reviewed(state, { move }) {
		if (!state.review) return state;
		const moves = { ...state.review.moves, [move.turn]: move };
		return { ...state, review: { ...state.review, moves } };
	},
	'review over': (state, { error = null }) => ({
		...state,
		review: state.review && { ...state.review, running: false, error },
	}),
};

/**
 * The state once the connection changed: errors about a lost connection go when it is back.
 * @param {State} before @param {State} state
 * @returns {State}
 */
function reconnected(before, state) {
	const isBack = away(before) && !away(state);
	return isBack && state.error?.soft ? { ...state, error: null } : state;
}

/**
 * That blocks of moves which were shown were replaced; null if none was.
 * @param {View} before @param {View} view
 */
function takenBack(before, view) {
	if (view.game === null || view.game !== before.game) return null;
	const known = before.moves.length === before.turns && view.moves.length === view.turns;
	let common = Math.min(before.turns, view.turns);
	if (known) {
		for (let at = 0; at < common; at += 1) {
			if (!isSameMove(before.moves[at], view.moves[at])) common = at;
		}
	}
	const count = before.turns - common;
	if (count <= 0) return null;
	if (count === 1) return texts.moveUndone;
	return texts.movesUndone(count);
}

/** @param {State} state @param {number} id */
const isPending = ({ pending }, id) => pending?.id === id;
