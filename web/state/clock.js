// The clock of a game.

import { isGame, seats } from './seats.js';

/** @import { Shown, View } from './types.d.ts'
 * @import { Colour } from '../wire.d.ts' */

/** The clock of a game that a relay finds an opponent for, unless another is asked for: that of `connect4 seek`. */
export const USUAL_CLOCK = { bank: 180, increment: 2 };
/** Seconds of a clock in a game with a stake, at least. */
export const LEAST_BANK = 300;

/** The player whose clock runs. @param {View} view */
function running(view) {
	if (isGame(view) && view.byTerms) return view.byTerms.runs;
	return view.over ? null : view.to_move;
}

/**
 * The seconds that a player has left, below 0 once the time is over; null without a clock.
 * @param {Shown} state @param {Colour} colour
 * @param {number} now in milliseconds of the browser's clock
 */
export function clockLeft({ view, told }, colour, now) {
	const left = view.players.find((player) => player.colour === colour)?.left ?? null;
	if (left === null || running(view) !== colour) return left;
	return left - Math.max(0, now - told) / 1000;
}

/**
 * The player whose time is over; null if there is none.
 * @param {Shown} state @param {number} now in milliseconds of the browser's clock
 */
export function lateOne(state, now) {
	const runs = running(state.view);
	const left = runs && clockLeft(state, runs, now);
	return left !== null && isLate(left) ? runs : null;
}

/**
 * Whether so many seconds mean that the time is over. The chain counts whole seconds, and the last one is in
 * time: it is over a second below 0.
 * @param {number} left
 */
export const isLate = (left) => left <= -1;

/** From how many seconds on a clock is marked, and a player told of the own one. */
export const LOW = 20;

/**
 * The signed game and the player here whose clock runs, and has little time left; null if there is none.
 * @param {Shown} state @param {number} now in milliseconds of the browser's clock
 */
export function shortOfTime(state, now) {
	const { view } = state;
	// The time for each move of a variant may be less at its beginning.
	if (!isGame(view) || !view.byTerms) return null;
	const runs = running(view);
	const left = runs && clockLeft(state, runs, now);
	const isShort = left !== null && left > 0 && left <= LOW;
	return isShort && runs && seats(state).includes(runs) ? `${view.game} ${runs}` : null;
}

/**
 * What a clock shows. That of an opponent is not over before the witness says so.
 * @param {Shown} state @param {Colour} colour @param {number} left in seconds
 */
export function clockShown(state, colour, left) {
	const { view } = state;
	// The chain counts whole seconds, a witness milliseconds.
	const isExact = isGame(view) && Boolean(view.byTerms) && running(view) === colour;
	if (!isExact || left >= TENTHS) return clockText(left);
	const least = seats(state).includes(colour) ? 0 : 0.1;
	return `0:0${Math.max(least, left).toFixed(1)}`;
}

/** Below how many seconds a clock of a witness shows tenths. */
const TENTHS = 9.95;

/** @param {number} seconds @returns {string} such as 4:05 or 1:02:03 */
export function clockText(seconds) {
	const whole = Math.max(0, Math.ceil(seconds));
	const parts = [Math.floor(whole / 60) % 60, whole % 60];
	if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
	return parts.map((part, index) => (index ? String(part).padStart(2, '0') : part)).join(':');
}
