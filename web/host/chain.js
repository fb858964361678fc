// Reading from the chain and its contracts by a node of the player's choice, so that the host need not be trusted.

import { texts } from '../words/host.js';
import { needContract } from './contracts.js';
import { askNode, namedNode } from './node.js';
import { session } from './session.js';
import { ask as encode } from './wasm.js';

/** Asks the wallet's own node; null if the wallet has none, or one of another chain. */
const walletNode = () => (session.isHere ? (session.wallet?.node ?? null) : null);

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

/**
 * Reads from a contract without the host.
 * @param {string} message @param {object} values
 * @returns {Promise<{ by: string, found: any } | null>} what was read, under the name of its kind; null if no node of
 * the player's choice answers
 */
export async function readOwn(message, values) {
	/** @type {any} */
	const read = { [message]: values };
	const { contract, input } = await encode({ read });
	const own = await askOwn('eth_call', [{ to: needContract(contract), data: input }, 'latest']);
	if (!own) return null;
	return { by: own.by, found: await encode({ decode: { read, output: own.answer } }) };
}
