// The clock of a game.

/** @import { Colour, FastHere, Shown, ViewedGame } from './types.d.ts' */

/** The player whose clock runs: in a fast game it is that of who is to move on the chain. @param {ViewedGame} view */
export function running({ fast, over, to_move: mover }) {
	const { runs } = /** @type {FastHere | null} */ (fast) ?? {};
	return runs === undefined ? (over ? null : mover) : runs;
}

/**
 * The seconds that a player has left, below 0 once the time is over; null without a clock.
 * @param {Shown} state @param {Colour} colour
 * @param {number} now in milliseconds of the browser's clock
 */
export function clockLeft({ view, told }, colour, now) {
	if (view.game === null || !view.left) return null;
	const runs = running(view) === colour;
	return view.left[colour] - (runs ? Math.max(0, now - told) / 1000 : 0);
}

/** @param {number} seconds @returns {string} such as 4:05 or 1:02:03 */
export function clockText(seconds) {
	const whole = Math.max(0, Math.ceil(seconds));
	const parts = [Math.floor(whole / 60) % 60, whole % 60];
	if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
	return parts.map((part, index) => (index ? String(part).padStart(2, '0') : part)).join(':');
}
