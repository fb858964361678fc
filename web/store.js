// Holds the page's state, and tells those who show it when it changes.

import { initial, reduce } from './state/reduce.js';
import { keep, recall } from './storage.js';

/** @import { Event, State } from './state/types.d.ts' */

/** The games whose seats are kept. */
const MOST_GAMES = 200;

/** @type {State} */
let state = { ...initial, ...recallSeats() };

/** The state that was told last. */
let told = state;

/** @type {((before: State) => void)[]} */
const subscribers = [];

/** The state as it is now. */
export const current = () => state;

/**
 * Calls a function with the former state after each change, in the order of subscription.
 * @param {(before: State) => void} changed
 */
export const subscribe = (changed) => subscribers.push(changed);

/** @param {Event} event */
export function dispatch(event) {
	dispatchSilently(event);
	tell();
}

/** Changes the state. Who shows it is told with the next change, or by `tell`. @param {Event} event */
export function dispatchSilently(event) {
	const before = state;
	state = reduce(state, event);
	if (state.plays !== before.plays || state.place !== before.place) keepSeats();
}

/** Tells of what has changed since it was told last. */
export function tell() {
	const before = told;
	if (state === before) return;
	told = state;
	for (const changed of subscribers) changed(before);
}

// Two tabs may play two seats of one game, so that the tab's own memory comes first.
function recallSeats() {
	/** @type {Pick<State, 'place' | 'plays'>} */
	const none = { place: null, plays: {} };
	return recall('plays', recall('plays', none), 'sessionStorage');
}

function keepSeats() {
	const plays = Object.fromEntries(Object.entries(state.plays).slice(-MOST_GAMES));
	/** @type {Pick<State, 'place' | 'plays'>} */
	const kept = { place: state.place, plays };
	keep('plays', kept);
	keep('plays', kept, 'sessionStorage');
}
