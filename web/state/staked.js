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

/** What is awaited in a game with a stake, in words; empty if a move is. @param {StakeSeen} of */
export function stakeNote({ stage, awaited, each, trouble, owed }) {
	if (trouble) return trouble;
	const of = awaited?.of;
	if (stage === 'refunded') return awaited ? texts.awaits.refunding : texts.awaits.refunded;
	if (stage === 'over') return owed ? texts.owed(owed) : '';
	switch (awaited?.what) {
		case 'taker':
			return texts.awaits.theyPayFirst;
		case 'payment':
			return of === 'opponent' ? texts.awaits.theyPay(each) : texts.awaits.youPay;
		case 'begin':
			return texts.awaits.begins;
		case 'bring':
			return of === 'program' ? texts.awaits.bring : texts.awaits.theyBring;
		case 'claim':
			return texts.awaits.claim;
		case 'contest':
			return texts.awaits.contest;
		case 'move':
			if (awaited.until !== null) return texts.awaits.pressed;
			return of === 'opponent' ? texts.awaits.silent : '';
		default:
			return '';
	}
}

/** What kind of game it is. @param {StakeSeen} of */
export const stakeText = ({ each }) => texts.staked(each);

/** What this player can have done on the chain. @typedef {'press' | 'refund' | 'settle' | 'withdraw' | 'now'} StakeAct */

/**
 * @param {StakeSeen} of
 * @returns {Record<StakeAct, boolean>}
 */
export function stakeActions({ stage, awaited, owed, isDue }) {
	const is = (/** @type {string} */ who, /** @type {string} */ what) =>
		awaited?.of === who && awaited.what === what;
	return {
		press: stage === 'playing' && is('opponent', 'move') && awaited?.until === null,
		refund: stage === 'funding' || stage === 'offered',
		settle: stage === 'ending' && is('opponent', 'bring'),
		withdraw: Boolean(owed) && ['over', 'refunded'].includes(stage),
		now: isDue,
	};
}
