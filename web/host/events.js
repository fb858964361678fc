// What a contract has emitted in final blocks: by a node of the player's choice where one answers, else by the host. It is
// news of what to look at, and nothing is believed for it.

import { tell } from '../transport.js';
import { askOwn } from './chain.js';
import { needContract } from './contracts.js';
import { quantity } from './hex.js';

/** @import { AskEvents, FinalEvents } from '../wire.d.ts' */

/** Blocks that are asked for at once, at most. */
const MOST = 64;

/** @param {AskEvents['contract']} contract @param {number} from number of the first block @returns {Promise<FinalEvents>} */
export const eventsFrom = async (contract, from) =>
	(await ownEvents(needContract(contract), from).catch(() => null)) ??
	tell('/api/events', { contract, from }, { isIdempotent: true });

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
