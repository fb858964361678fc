// The time limit of a variant.

import { away } from '../connection.js';
import { isGame } from './seats.js';

/** @import { ShownVariant } from './types.d.ts' */

/**
 * The seconds that the player to move has left; null without a limit. The chain counts whole seconds,
 * and the last one is in time: it is over a second below 0.
 * @param {ShownVariant} state @param {number} now in milliseconds of the browser's clock
 */
export function timeLeft({ variant: view, told }, now) {
	if (!isGame(view) || view.left === null || !view.to_move) return null;
	return view.left - Math.max(0, now - told) / 1000;
}

/** Whether so many seconds mean that the time is over. @param {number} left */
export const isLate = (left) => left <= -1;

/**
 * The account of this browser that can remove the player to move, who is late; null if there is none.
 * @param {ShownVariant} state @param {number} now in milliseconds of the browser's clock
 */
export function remover(state, now) {
	const left = timeLeft(state, now);
	if (left === null || !isLate(left) || state.at !== null || away(state)) return null;
	return state.hello?.accounts[0]?.address ?? null;
}
