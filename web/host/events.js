// What a contract has emitted in final blocks: by a node of the player's choice where one answers, and by the host, as a
// node of Ethereum tells nothing of calls that came by the chain's own RPC. It is news of what to look at, and nothing is
// believed for it.

import { tell } from '../transport.js';
import { askOwn } from './chain.js';
import { needContract } from './contracts.js';
import { quantity } from './hex.js';

/** @import { AskEvents, FinalEvents } from '../wire.d.ts' */

/** Blocks that are asked for at once, at most. */
const MOST = 64;
/** Milliseconds for which the host is waited for. */
const PATIENCE = 5_000;

/**
 * Reads what a contract has emitted from this block on, each time what is new; the same event may come twice.
 * @param {AskEvents['contract']} contract @param {number} from number of the first block
 * @returns {() => Promise<string[]>} rejects if neither a node nor the host answers
 */
export function openEvents(contract, from) {
	/** How far each has told; a host that says something else holds up no node. */
	const sources = [
		{ next: from, read: (/** @type {number} */ next) => ownEvents(needContract(contract), next) },
		{
			next: from,
			/** @param {number} next @returns {Promise<FinalEvents>} */
			read: (next) =>
				tell('/api/events', { contract, from: next }, { isIdempotent: true, patience: PATIENCE }),
		},
	];
	return async () => {
		const told = await Promise.allSettled(
			sources.map(async (source) => {
				const found = await source.read(source.next);
				if (!found) return null;
				source.next = Math.max(source.next, found.next);
				return found.events;
			}),
		);
		const events = told.flatMap((of) => (of.status === 'fulfilled' && of.value ? [of.value] : []));
		const failed = told.find((of) => of.status === 'rejected');
		if (!events.length && failed) throw failed.reason;
		return events.flat();
	};
}

/** @param {string} address @param {number} from @returns {Promise<FinalEvents | null>} null without an own node */
async function ownEvents(address, from) {
	const found = await askOwn('eth_getBlockByNumber', ['finalized', false]);
	if (!found) return null;
	const last = Math.min(Number(found.answer.number), from + MOST - 1);
	if (last < from) return { events: [], next: from };
	const [fromBlock, toBlock] = [from, last].map(quantity);
	const logs = await askOwn('eth_getLogs', [{ address, fromBlock, toBlock }]);
	if (!logs) return null;
	return { events: logs.answer.map((/** @type {any} */ log) => log.data), next: last + 1 };
}
