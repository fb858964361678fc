// Where a transaction is, as the host has it.

import { get } from '../transport.js';
import { texts } from '../words/host.js';
import { WalletError } from './ethereum.js';

/** @import { Searched } from '../wire.d.ts' */

/** @param {any} said @returns {said is Searched} */
function isSearched(said) {
	const { found, next, best, last_final } = said;
	const numbers = [next, best, last_final, ...(found ? [found.transaction?.block] : [])];
	const isTold = !found || (Array.isArray(found.events) && found.events.every(Boolean));
	return isTold && numbers.every(Number.isSafeInteger);
}

/**
 * Looks for a transaction, and for the newest blocks.
 * @param {string} hash @param {number} from the first block to look at
 * @returns {Promise<Searched>}
 * @throws if the host does not answer, or with what can't be read
 */
export async function search(hash, from) {
	const said = await get(`/api/transactions/${hash}?from=${from}`);
	if (isSearched(said)) return said;
	throw new WalletError(texts.transactionUnreadable, 'failed');
}
