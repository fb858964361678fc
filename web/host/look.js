// What a contract answers in the newest block and in the newest final one: by a node of the player's choice where there is
// one, so that the host need not be trusted, else by the host.

import { tell } from '../transport.js';
import { texts } from '../words/host.js';
import { askOwn } from './chain.js';
import { needContract } from './contracts.js';
import { NO_TAG } from './ethereum.js';

/** @import { Look, Looked, LookedAt } from '../wire.d.ts' */

/**
 * What a contract answers in a block; null in place of the answer of a message that it refuses, where a node does not tell
 * why. A node of Ethereum has another hash for a block than the chain itself: of those there is none.
 * @typedef {Omit<LookedAt, 'data' | 'hash'> & { hash: string | null, data: (string | null)[] }} Seen
 */

/** Whether a node of the player's choice has told something. */
let hasOwn = false;

/** What nodes say of a call that a contract refuses. */
const REFUSED = /revert/i;

/**
 * @param {Look['contract']} contract @param {string[]} inputs selector and arguments of each message
 * @returns {Promise<{ newest: Seen, last_final: Seen }>}
 */
export async function look(contract, inputs) {
	/** @returns {Promise<Looked>} */
	const byHost = () => tell('/api/look', { contract, data: inputs }, { isIdempotent: true });
	const to = needContract(contract);
	// In this order, so that the newest block is not older than the final one.
	const lastFinal = await seenBy('finalized', to, inputs).catch((error) => {
		if (NO_TAG.test(error instanceof Error ? error.message : '')) return null;
		throw error;
	});
	const newest = await seenBy('latest', to, inputs);
	// What the own node has shown, one answer of a host could undo.
	if (!newest && hasOwn) throw new Error(texts.ownNodeSilent);
	if (!newest) return byHost();
	hasOwn = true;
	return { newest, last_final: lastFinal ?? (await byHost()).last_final };
}

/**
 * The same by a node of the player's choice; null if there is none.
 * @param {string} tag @param {string} to @param {string[]} inputs
 * @returns {Promise<Seen | null>}
 */
async function seenBy(tag, to, inputs) {
	const found = await askOwn('eth_getBlockByNumber', [tag, false]);
	if (!found) return null;
	const { number, timestamp } = found.answer;
	const asked = inputs.map((data) => answerOf(to, data, number));
	const data = await Promise.all(asked);
	return { block: Number(number), hash: null, time: Number(timestamp), data };
}

/** @param {string} to @param {string} data @param {string} at @returns {Promise<string | null>} */
async function answerOf(to, data, at) {
	try {
		return (await askOwn('eth_call', [{ to, data }, at]))?.answer ?? null;
	} catch (error) {
		if (error instanceof Error && REFUSED.test(error.message)) return null;
		throw error;
	}
}
