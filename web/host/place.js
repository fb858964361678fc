// For which contract of which chain this page signs what is no transaction: terms, moves and session keys, for guests and
// wallets alike. It is what was accepted of the host, whatever the host says now.

import { texts } from '../words/host.js';
import { contractOf, openQuestion } from './contracts.js';
import { session } from './session.js';

/** @import { Place } from '../ask.d.ts' */

/** The place; null if the host has none, or the player has not accepted it. @returns {Place | null} */
export function place() {
	const { chain } = session;
	const contract = contractOf('fast');
	if (!chain || chain.chainId === null || !contract) return null;
	return { chain_id: chain.chainId, contract };
}

/** Why there is no place, in words. */
const noPlace = () => openQuestion() || texts.noPlace;

/** The place, to sign for it. @returns {Place} @throws {Error} with words for the player */
export function needPlace() {
	const found = place();
	if (found) return found;
	throw new Error(noPlace());
}

/**
 * Why nothing is signed for a place now, in words; empty if it is. One that was accepted once stays, also where another
 * host is used, as long as nothing is asked about the present one.
 * @param {Place} at @param {{ isFresh?: boolean }} [how] `isFresh` if it has to be the place that is accepted now
 */
export function notSigned(at, { isFresh = false } = {}) {
	const question = openQuestion();
	if (question || !isFresh) return question;
	const now = place();
	const isSame =
		now?.chain_id === at.chain_id && now.contract.toLowerCase() === at.contract.toLowerCase();
	return isSame ? '' : now ? texts.otherContracts : noPlace();
}
