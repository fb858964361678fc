// Signatures of which it is not known what became of them: a host that says that no block has one in its time
// may keep it, and have it happen after another one that the player signs in its place. Of stakes they are kept
// until their number is used in a final block, as a fork may take them back, and for wallets of Ethereum as well.

import { texts } from '../words/host.js';
import { countOf } from './chain.js';
import { WalletError } from './ethereum.js';
import { guard } from './guards.js';
import { MORTALITY } from './public-chains.js';
import { search } from './search.js';
import { session } from './session.js';

/** @import { Fate } from './types.d.ts' */

/**
 * A signature: `nonce` is the number of the account's transactions before it. `hash` is that of
 * the transaction, which is in no block up to `after`. `hasFailed` is whether a host has said that it is in one
 * and did nothing: if that is not true, it may still happen. `stake` is what it pays, as the player reads it; then
 * `isDone` is whether the player was told that a block has it. A wallet of Ethereum numbers its transactions
 * itself: `ethereum` is there for what it has signed, or was asked to, without a hash until it has answered;
 * `isTold` is whether a node has told the number, which is an estimate before. One of another wallet without a hash
 * was asked for and never left the page.
 * @typedef {{
 *   account: string, genesis: string, nonce: number, what: string, time: number,
 *   hash: string, after: number, hasFailed?: boolean,
 *   stake?: string, isDone?: boolean, ethereum?: { isTold: boolean },
 * }} Signed
 */
/** @typedef {Pick<Signed, 'account' | 'genesis'>} Signer */

/** The times of signatures that the page follows now, and shows anyway. @type {Set<number>} */
export const followed = new Set();

/** @param {Signer} one @param {Signer} other */
const isOf = (one, other) => one.account === other.account && one.genesis === other.genesis;

/** @typedef {Signer & Pick<Signed, 'time' | 'what'>} Named */
/** Whether both are the same signature. @param {Named} one @param {Named} other */
const isSame = (one, other) =>
	isOf(one, other) && one.time === other.time && one.what === other.what;

/** Whether it is the same, or only one of the two can happen, as they have the same number. @param {Signed} one @param {Signed} other */
const isInstead = (one, other) =>
	isSame(one, other) ||
	(isOf(one, other) && !one.ethereum && !other.ethereum && one.nonce === other.nonce);

/**
 * The signatures, until their fate is known, however long that takes: those of Ethereum have no end, and by the
 * clock of this device none has one.
 */
const signatures = guard('signed', /** @type {Signed[]} */ ([]), (kept, before) => [
	...before.filter((one) => !kept.some((other) => isSame(one, other))),
	...kept,
]);
/** Forgets all that are not so. @param {(one: Signed) => unknown} stays */
const keepThose = (stays) => signatures.change((kept) => kept.filter(stays));

/**
 * Keeps a signature, in place of another one with its number. It is on disk when this returns.
 * @param {Signed} signed @throws {import('./database.js').JournalError}
 */
export const keepSigned = (signed) =>
	signatures.change((kept) => [...kept.filter((one) => !isInstead(one, signed)), signed]);

/** Forgets a signature. @param {Named} signed */
export const forgetSigned = (signed) => keepThose((one) => !isSame(one, signed));

/** Forgets what can't happen any more, as a transaction with this number is in a block. @param {Signer} of @param {number} nonce */
export const dropSigned = (of, nonce) =>
	keepThose((one) => !isOf(one, of) || one.nonce > nonce || (one.stake && one.isDone));

/** Those that may have left the page. */
const left = async () =>
	(await signatures.read()).filter(({ hash, ethereum }) => hash !== '' || ethereum);

/**
 * The signatures of an account that may happen beside one with another number.
 * @param {Signer & { address: string }} of `address` is the account as contracts know it
 * @param {number | null} nonce of what is to be signed; null if its wallet chooses it
 * @returns {Promise<(Signed & { fate: Fate })[]>}
 * @throws {WalletError} if one is in a block after all, which the player has to know before
 */
export async function mayHappenToo(of, nonce) {
	const open = [];
	for (const one of (await left()).filter((each) => isOf(each, of))) {
		const fate = await fateOf(one, of.address);
		if (fate === 'open' || fate === 'over') {
			if (one.nonce !== nonce || one.ethereum) open.push({ ...one, fate });
			continue;
		}
		if (one.isDone) {
			if (fate === 'final') await forgetSigned(one);
			continue;
		}
		// By one write: if it fails nothing is forgotten, and the player is told the next time.
		if (one.ethereum) await forgetSigned(one);
		else await dropSigned(of, one.nonce);
		throw new WalletError(texts.signedAfterAll(one.what), 'replaced');
	}
	return open;
}

/**
 * The stakes of the account that plays which may still be paid, and are in no block.
 * @param {string} address of the account as contracts know it
 * @returns {Promise<Signed[]>}
 */
export async function openStakes(address) {
	const { account, chain } = session;
	const of = { account: account?.id ?? '', genesis: chain?.genesis ?? '' };
	const stakes = (await left()).filter(
		(one) => one.stake && isOf(one, of) && !followed.has(one.time),
	);
	const fates = await Promise.all(stakes.map((one) => fateOf(one, address).catch(() => 'open')));
	for (const [at, one] of stakes.entries()) {
		// Of another one the player is told before the next.
		if (fates[at] === 'final' && one.isDone) await forgetSigned(one);
	}
	return stakes.filter((_, at) => fates[at] === 'open');
}

/** @param {Signed} signed @param {string} address @returns {Promise<Fate>} */
async function fateOf(signed, address) {
	const { hash, after, nonce, hasFailed, ethereum } = signed;
	if (ethereum) {
		const { wallet, isHere } = session;
		if (!isHere || !wallet?.fateOf) return 'open';
		// It is looked up again if it can't be kept.
		const told = (/** @type {number} */ number) => {
			keepSigned({ ...signed, nonce: number, ethereum: { isTold: true } }).catch(() => {});
		};
		const sent = { hash, from: address, nonce, ...ethereum };
		return wallet.fateOf(sent, told).catch(() => /** @type {const} */ ('open'));
	}
	const count = await countOf(address).catch(() => null);
	if (count !== null) {
		if (count <= nonce) return 'open';
		const final = await countOf(address, 'finalized').catch(() => count);
		return (final ?? count) > nonce ? 'final' : 'in block';
	}
	if (hasFailed) return 'over';
	const searched = await search(hash, after + 1).catch(() => null);
	if (!searched) return 'open';
	const { found, best, last_final } = searched;
	if (found) return last_final >= found.transaction.block ? 'final' : 'in block';
	return best > after + MORTALITY ? 'over' : 'open';
}
