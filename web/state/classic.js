// Terms of games of two without rules of their own.

/** @import { Terms } from '../wire.d.ts' */

/** The standard board. @type {Terms['shape']} */
export const STANDARD = { bins: 7, capacity: 6, line: 4 };

/** The terms of a game of two on this board. @param {Terms['shape']} shape @returns {Terms} */
export const classic = (shape) => ({
	shape,
	players: 2,
	pop_out: false,
	pie_rule: false,
	powers: { take: 0, clear: 0, float: 0 },
	limit: null,
});
