// All terms of a challenge. Loaded once they are wanted.

import { texts } from '../words/challenge.js';
import { stakeText, timeText } from './challenges.js';
import { nameOf } from './seats.js';

/** @import { Address, Hello, OpenChallenge } from '../wire.d.ts' */

/**
 * All terms of a challenge, for the account that is about to accept it: each with its name.
 * @param {OpenChallenge} challenge @param {Hello} hello @param {Address} by
 * @returns {[string, string][]}
 */
export function allTerms(challenge, hello, by) {
	const { shape, clock, stake, prize, challenger, challenger_first: first } = challenge;
	const name = hello.names[challenger];
	return [
		[texts.opponent, name ? `${name}, ${challenger}` : challenger],
		[texts.board, texts.boardOf(`${shape.bins} × ${shape.capacity}`, shape.line)],
		[texts.begins, first ? nameOf(hello, challenger) : texts.you(nameOf(hello, by))],
		[texts.clock, timeText(clock)],
		[texts.stake, stakeText(stake, prize, hello)],
	];
}
