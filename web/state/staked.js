// Signed games with a stake: what the page says of them, and what their players can do on the chain.

import { texts } from '../words/stakes.js';

/** @import { PlayerShown } from '../ask.d.ts' */
/** @import { StakeSeen } from './types.d.ts' */

/** No amount of contracts. */
const NONE = '0';

/**
 * What the page shows of a stake; null of a game without one.
 * @param {PlayerShown} shown
 * @param {{ due: unknown, trouble: string } | null} chain what is done there
 * @param {(units: string) => string} text an amount of contracts in words
 * @returns {StakeSeen | null}
 */
export function stakeSeen({ stage, stake, owed, awaited, is_on_chain: isOnChain }, chain, text) {
	if (stake === NONE) return null;
	return {
		each: text(stake),
		owed: owed === NONE ? '' : text(owed),
		stage,
		awaited,
		isOnChain,
		isDue: Boolean(chain?.due),
		trouble: chain?.trouble ?? '',
	};
}

/** Stages before the game. @type {StakeSeen['stage'][]} */
const BEFORE = ['offered', 'funding', 'refunded'];

/**
 * What is waited for before a move can be signed, in a few words; empty if nothing is. A block that shows the game is
 * waited for after the page was loaded again, too.
 * @param {StakeSeen | null} of
 */
export function waitsFor(of) {
	if (!of) return '';
	if (of.stage === 'refunded') return texts.noGame;
	if (BEFORE.includes(of.stage)) return texts.waitsForStakes;
	return of.awaited?.what === 'begin' ? texts.waitsForBlock : '';
}

/**
 * What is awaited in a game with a stake, in words; empty if it is a move of somebody who is there.
 * @param {StakeSeen} of @param {boolean} [isAway] whether the opponent is not in the room
 */
export function stakeNote({ stage, awaited, each, trouble, owed, isOnChain }, isAway = false) {
	if (trouble) return trouble;
	const of = awaited?.of;
	if (stage === 'refunded') return awaited ? texts.awaits.refunding : texts.awaits.refunded;
	if (stage === 'over') return owed ? texts.owed(owed) : '';
	switch (awaited?.what) {
		case 'taker':
			return texts.awaits.theyPayFirst;
		case 'payment':
			if (of === 'chain') return texts.awaits.looks;
			if (of === 'program') return texts.awaits.youPay;
			return stage === 'offered' ? texts.awaits.theyPayFirst : texts.awaits.theyPay(each);
		case 'begin':
			return texts.awaits.begins;
		case 'bring':
			return of === 'program' ? texts.awaits.bring : texts.awaits.theyBring;
		case 'claim':
			return texts.awaits.claim;
		case 'contest':
			return of === 'you' ? texts.awaits.contestYou : texts.awaits.contest;
		case 'move':
			if (of === 'opponent') {
				if (awaited.until !== null) return texts.awaits.pressed;
				return isAway ? texts.awaits.away : '';
			}
			// A move that is made there starts the clock, too.
			return [
				...(awaited.until === null ? [] : [texts.awaits.pressedYou]),
				...(isOnChain ? [texts.awaits.onChain] : []),
			].join(' ');
		default:
			return '';
	}
}

/** What kind of game it is. @param {StakeSeen} of */
export const stakeText = ({ each }) => texts.staked(each);

/** What this player can have done on the chain; `cancel` calls off a game that the player has not paid for. @typedef {'press' | 'refund' | 'cancel' | 'settle' | 'withdraw' | 'now'} StakeAct */

/**
 * @param {StakeSeen} of
 * @returns {Record<StakeAct, boolean>}
 */
export function stakeActions({ stage, awaited, owed, isDue }) {
	const is = (/** @type {string} */ who, /** @type {string} */ what) =>
		awaited?.of === who && awaited.what === what;
	const hasPaid = stage === 'funding' && is('opponent', 'payment');
	return {
		press: stage === 'playing' && is('opponent', 'move') && awaited?.until === null,
		refund: hasPaid,
		cancel: BEFORE.includes(stage) && stage !== 'refunded' && !hasPaid,
		settle: stage === 'ending' && is('opponent', 'bring'),
		withdraw: Boolean(owed) && ['over', 'refunded'].includes(stage),
		now: isDue,
	};
}
