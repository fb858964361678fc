// Reading from the contracts: by a node of the player's choice where there is one, so that the host need
// not be trusted, else by the host.

import { challengesShown } from '../state/challenges.js';
import { current } from '../store.js';
import { tell } from '../transport.js';
import { texts } from '../words/host.js';
import { needContract } from './contracts.js';
import { WalletError } from './ethereum.js';
import { askNode, namedNode } from './node.js';
import { session } from './session.js';
import { ask as encode } from './wasm.js';

/** Asks the wallet's own node; null if the wallet has none, or one of another chain. */
const walletNode = () => (session.isHere ? (session.wallet?.node ?? null) : null);

/** The block in which is read: its name, or its number in hexadecimal digits. @typedef {string} At */

/** Whether a host has named the wallet's node to it: it may be the host's own. */
const isGiven = () => Boolean(session.chain && session.wallet?.hasGivenNode?.(session.chain));

/** The wallet's node, within a sentence. */
const ofWallet = () => (isGiven() ? texts.givenNode : texts.walletNode);

/**
 * By what the page reads the chain, in words that stand within a sentence: the node that was named while
 * it answers, else the wallet's own. Null if there is none, so that the host's word has to do.
 */
export function ownNode() {
	const named = namedNode();
	if (named?.state === 'there') return texts.named(named.name);
	return walletNode() && !isGiven() ? texts.walletNode : null;
}

/** The wallet's node if a host has named it, within a sentence, while there is no other one; else null. */
export const givenNode = () => (walletNode() && !ownNode() ? texts.givenNode : null);

/** Whether what is read comes from another node than this host's, as far as the page knows. */
export const readsByItself = () => ownNode() !== null || walletNode() !== null;

/**
 * Asks a node of the player's choice.
 * @param {string} method @param {unknown[]} params
 * @returns {Promise<{ by: string, answer: any } | null>} null if there is none that answers
 */
export async function askOwn(method, params) {
	const answer = await askNode(method, params);
	const named = namedNode();
	if (answer !== null && named) return { by: texts.named(named.name), answer };
	const own = walletNode();
	return own && { by: ofWallet(), answer: await own(method, params) };
}

/** Asks a contract by such a node. @param {string} to @param {string} data @param {At} [at] */
const callOwn = (to, data, at = 'latest') => askOwn('eth_call', [{ to, data }, at]);

/** The time of the newest block in seconds since 1970, by such a node; null if there is none. */
export async function timeOfBlock() {
	const own = await askOwn('eth_getBlockByNumber', ['latest', false]);
	const { timestamp } = /** @type {any} */ (own?.answer) ?? {};
	return timestamp ? Number(timestamp) : null;
}

/** The number of the newest block, by such a node; null if there is none. */
export async function bestBlock() {
	const own = await askOwn('eth_blockNumber', []);
	return own && Number(own.answer);
}

/**
 * How many transactions of an account are in blocks, by such a node; null if there is none.
 * @param {string} address @param {'latest' | 'finalized'} [at]
 */
export async function countOf(address, at = 'latest') {
	const own = await askOwn('eth_getTransactionCount', [address, at]);
	return own && Number(own.answer);
}

/** The code of a contract, by such a node. @param {string} address */
export const codeOf = (address) => askOwn('eth_getCode', [address, 'latest']);

/** @param {string} message @param {object} values */
async function prepare(message, values) {
	const { contract, input } = await encode({ read: asking(message, values) });
	return { contract, input, to: needContract(contract) };
}

/**
 * Asks a contract; answers its bytes.
 * @param {string} message @param {object} values
 */
async function ask(message, values) {
	const { contract, input, to } = await prepare(message, values);
	const own = await callOwn(to, input);
	if (own) return own.answer;
	return /** @type {string} */ (
		(await tell('/api/ask', { contract, data: input }, { isIdempotent: true })).data
	);
}

/**
 * Reads from a contract.
 * @param {string} message @param {object} values
 * @returns {Promise<any>} what was read, under the name of its kind
 */
export async function read(message, values) {
	return decode(message, values, await ask(message, values));
}

/**
 * The answer of a contract to a read.
 * @param {string} message @param {object} values @param {string} output
 * @returns {Promise<any>} what was read, under the name of its kind
 */
const decode = (message, values, output) =>
	encode({ decode: { read: asking(message, values), output } });

/**
 * Reads from a contract without the host.
 * @param {string} message @param {object} values @param {At} [at]
 * @returns {Promise<{ by: string, found: any } | null>} null if no node of the player's choice answers
 */
export async function readOwn(message, values, at) {
	const { input, to } = await prepare(message, values);
	const own = await callOwn(to, input, at);
	if (!own) return null;
	return { by: own.by, found: await decode(message, values, own.answer) };
}

/** @param {string} message @param {object} values @returns {any} */
const asking = (message, values) => ({ [message]: values });

/**
 * A challenge as it is shown, in the units of contracts: who accepts it sends it along, and the contract
 * refuses if the chain has another one under its number.
 * @param {number} number
 */
export function shownChallenge(number) {
	const shown = challengesShown(current()).find(({ challenge }) => challenge === number);
	if (!shown) throw new WalletError(texts.challengeGone, 'failed');
	const { challenger, opponent, challenger_first, expires, shape, clock, stake } = shown;
	const ratio = session.chain?.ratio ?? 1n;
	return {
		challenger,
		opponent,
		challenger_first,
		expires,
		shape,
		clock,
		stake: String(BigInt(stake) * ratio),
	};
}
