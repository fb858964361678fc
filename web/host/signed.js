// Signatures of which it is not known what became of them: a host that says that no block has one in its time
// may keep it, and have it happen after another one that the player signs in its place.

import { keep, recall } from '../storage.js';
import { countOf } from './chain.js';
import { WalletError } from './ethereum.js';
import { search } from './search.js';

/** In the browser's storage: the signatures. */
const SIGNED = 'signed';
/** Milliseconds after which no block takes a signature any more, on however slow a chain. */
const DAY = 86_400_000;

/**
 * A signature: `nonce` is the number of the account's transactions before it. `hash` is that of
 * the transaction, which is in no block up to `after`. `hasFailed` is whether a host has said that it is in one
 * and did nothing: if that is not true, it may still happen.
 * @typedef {{
 *   account: string, genesis: string, nonce: number, what: string, time: number,
 *   hash: string, after: number, hasFailed?: boolean,
 * }} Signed
 */
/** @typedef {Pick<Signed, 'account' | 'genesis'>} Signer */

/** @returns {Signed[]} */
const all = () => recall(SIGNED, []).filter(({ time }) => Date.now() - time < DAY);

/** @param {Signer} one @param {Signer} other */
const isOf = (one, other) => one.account === other.account && one.genesis === other.genesis;

/** Keeps a signature, in place of another one with its number. @param {Signed} signed */
export const keepSigned = (signed) =>
	keep(SIGNED, [
		...all().filter((one) => !isOf(one, signed) || one.nonce !== signed.nonce),
		signed,
	]);

/** Forgets what can't happen any more, as a transaction with this number is in a block. @param {Signer} of @param {number} nonce */
export const dropSigned = (of, nonce) =>
	keep(
		SIGNED,
		all().filter((one) => !isOf(one, of) || one.nonce > nonce),
	);

/**
 * The signatures of an account that may happen beside one with another number.
 * @param {Signer & { address: string }} of `address` is the account as contracts know it
 * @param {number} nonce of what is to be signed
 * @returns {Promise<Signed[]>}
 * @throws {WalletError} if one is in a block after all, which the player has to know before
 */
export async function mayHappenToo(of, nonce) {
	const mine = all().filter((one) => isOf(one, of));
	for (const one of mine) {
		if (!(await isInBlock(one, of.address))) continue;
		dropSigned(of, one.nonce);
		throw new WalletError(
			`What you signed before (“${one.what}”) is in a block after all, or another transaction with its number: nothing was signed now. Look at the board, then do what is left to do.`,
			'replaced',
		);
	}
	return mine.filter((one) => one.nonce !== nonce);
}

/** @param {Signed} signed @param {string} address */
async function isInBlock({ hash, after, nonce, hasFailed }, address) {
	const count = await countOf(address).catch(() => null);
	if (count !== null) return count > nonce;
	if (hasFailed) return false;
	const searched = await search(hash, after + 1).catch(() => null);
	return Boolean(searched?.found);
}
