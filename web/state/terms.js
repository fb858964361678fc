// All terms of a challenge. Loaded once they are wanted.

import { stakeText, timeText } from './challenges.js';
import { nameOf } from './seats.js';
import { LINES } from './status.js';

/** @import { Address, Hello, OpenChallenge } from './types.d.ts' */

/** @type {[string, string]} */
const FAST = ['Moves', 'signed and sent to the opponent, settled on the chain'];

/**
 * All terms of a challenge, for the account that is about to accept it: each with its name.
 * @param {OpenChallenge} challenge @param {Hello} hello @param {Address} by
 * @returns {[string, string][]}
 */
export function allTerms(challenge, hello, by) {
	const { key, shape, clock, stake, prize, challenger, challenger_first: first } = challenge;
	const name = hello.names[challenger];
	return [
		['Opponent', name ? `${name}, ${challenger}` : challenger],
		['Board', `${shape.bins} × ${shape.capacity}, ${LINES[shape.line]} in a row`],
		['Begins', first ? nameOf(hello, challenger) : `${nameOf(hello, by)} (you)`],
		['Clock', timeText(clock)],
		['Stake', stakeText(stake, prize, hello)],
		...(key ? [FAST] : []),
	];
}
