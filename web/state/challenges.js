// Open challenges.

import { texts } from '../words/page.js';
import { clockText } from './clock.js';
import { accountOf, nameOf } from './seats.js';
import { amountText, isSome, shapeText } from './text.js';

/**
 * @import { Answers, Lists, State } from './types.d.ts'
 * @import { Address, Amount, Challenge, Clock, Hello, OpenChallenge, OpenChallenges, Owed } from '../wire.d.ts'
 */

/**
 * The terms of a challenge: board, clock, stake, and who moves first.
 * @param {Challenge} challenge @param {Hello} hello
 */
export function challengeText(challenge, hello) {
	const { shape, clock, stake, challenger, challenger_first: first } = challenge;
	const time = clock ? bankText(clock) : texts.noClockAtAll;
	const each = isSome(stake) && texts.each(amountText(stake, hello.chain));
	const name = nameOf(hello, challenger);
	const begins = first ? texts.begins(name) : texts.movesSecond(name);
	const expired = hasExpired(challenge) && texts.expired;
	return [shapeText(shape), time, each, begins, expired].filter(Boolean).join(' · ');
}

/** @param {Clock} clock */
const bankText = ({ bank, increment }) =>
	increment ? texts.clockMore(clockText(bank), increment) : clockText(bank);

/**
 * The challenges that the lobby shows: those that it lists, older ones that were asked for, and the own
 * one, however old it is.
 * @param {Pick<State, 'games' | 'older' | 'waits'>} state
 * @returns {OpenChallenge[]}
 */
export function challengesShown({ games, older, waits }) {
	if (!games) return [];
	const shown = [...games.challenges, ...(older?.challenges ?? [])];
	const own = waits?.listed;
	return own && isTooOld(own, games) && !shown.some(({ challenge }) => challenge === own.challenge)
		? [...shown, own]
		: shown;
}

/**
 * Whether a challenge is among those that a list leaves out, or closed. Any other one would be listed if it
 * were open.
 * @param {{ challenge: number }} of @param {Lists} lists
 */
export const isTooOld = ({ challenge }, { older_challenges: newest }) =>
	newest !== null && challenge <= newest;

/**
 * The older challenges once there is another list, which may have pushed some out.
 * @param {State} state @param {Lists} lists
 * @returns {OpenChallenges | null}
 */
export function stillOlder({ games, older }, lists) {
	if (!older || lists.older_challenges === null) return null;
	const known = [...(games?.challenges ?? []), ...older.challenges];
	return { ...older, challenges: known.filter((one) => isTooOld(one, lists)) };
}

/**
 * What the accounts are owed for which this browser has keys.
 * @param {Hello} hello @param {Owed[]} owed
 */
export const owedHere = (hello, owed) => owed.filter(({ account }) => accountOf(hello, account));

/** @param {Challenge} challenge */
function hasExpired({ expires }) {
	return expires !== null && Date.now() / 1000 > expires;
}

/** A clock that players agree on. @param {Clock | null} clock */
export const timeText = (clock) => {
	if (!clock) return texts.noClock;
	return clock.increment
		? texts.clockPerMove(clockText(clock.bank), clock.increment)
		: clockText(clock.bank);
};

/** What is at stake in a game. @param {Amount} stake @param {Amount} prize @param {Hello} hello */
export const stakeText = (stake, prize, { chain }) =>
	isSome(stake)
		? texts.eachAndPrize(amountText(stake, chain), amountText(prize, chain))
		: texts.none;

/**
 * The accounts with which this browser can answer a challenge. Anyone but the challenger can accept
 * an open one.
 * @param {Hello} hello @param {Challenge} challenge
 * @returns {Answers}
 */
export function answers(hello, challenge) {
	const { challenger, opponent } = challenge;
	/** @param {Address | null} address */
	const held = (address) => accountOf(hello, address)?.address ?? null;
	const another = hello.accounts.find(({ address }) => address !== challenger);
	const accepts = opponent ? held(opponent) : (another?.address ?? null);
	return {
		accept: hasExpired(challenge) ? null : accepts,
		decline: held(opponent),
		cancel: held(challenger),
	};
}
