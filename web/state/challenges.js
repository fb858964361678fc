// Open challenges.

import { clockText } from './clock.js';
import { accountOf, nameOf } from './seats.js';
import { amountText, shapeText } from './text.js';

/** @import { Answers, Challenge, Hello } from './types.d.ts' */

/**
 * The terms of a challenge: board, clock, stake, and who moves first.
 * @param {Challenge} challenge
 */
export function termsText({ shape, clock, stake, challenger_first: first, challenger }) {
	const increment = clock?.increment ? ` + ${clock.increment} s` : '';
	const time = clock ? `${clockText(clock.bank)}${increment}` : 'no clock';
	const begins = `${nameOf(challenger)} ${first ? 'begins' : 'moves second'}`;
	return [shapeText(shape), time, stake && `${amountText(stake)} each`, begins]
		.filter(Boolean)
		.join(' · ');
}

/**
 * The accounts with which this browser can answer a challenge. Anyone but the challenger can accept
 * an open one.
 * @param {Hello} hello @param {Challenge} challenge
 * @returns {Answers}
 */
export function answers(hello, { challenger, opponent }) {
	/** @param {string | undefined} address */
	const held = (address) => accountOf(hello, address)?.address ?? null;
	const another = hello.accounts.find(({ address }) => address !== challenger.address);
	const asked = held(opponent?.address);
	return {
		accept: opponent ? asked : (another?.address ?? null),
		decline: asked,
		cancel: held(challenger.address),
	};
}
