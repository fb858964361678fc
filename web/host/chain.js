// Reading from the contracts: by a node of the player's choice where there is one, so that the host need
// not be trusted, else by the host.

import { tell } from '../api.js';
import { challengesShown } from '../state/challenges.js';
import { current } from '../store.js';
import { contractOf } from './contracts.js';
import { WalletError } from './ethereum.js';
import { askNode, namedNode } from './node.js';
import { session } from './session.js';
import { ask as encode } from './wasm.js';

/** Asks the wallet's own node; null if the wallet has none, or can't be asked now. */
const walletNode = () => (session.trouble ? null : (session.wallet?.node ?? null));

/** @typedef {'latest' | 'finalized'} At */

const OF_WALLET = 'your wallet’s own node';

/**
 * By what the page reads the chain, in words that stand within a sentence: the node that was named while
 * it answers, else the wallet's own. Null if there is none, so that the host's word has to do.
 */
export function ownNode() {
	const named = namedNode();
	if (named?.state === 'there') return `the node ${named.name}`;
	return walletNode() ? OF_WALLET : null;
}

/** Whether what is read comes from a node of the player's choice. */
export const readsByItself = () => ownNode() !== null;

/**
 * Asks a node of the player's choice.
 * @param {string} method @param {unknown[]} params
 * @returns {Promise<{ by: string, answer: string } | null>} null if there is none that answers
 */
async function askOwn(method, params) {
	const answer = await askNode(method, params);
	const named = namedNode();
	if (answer !== null && named) return { by: `the node ${named.name}`, answer };
	const own = walletNode();
	return own && { by: OF_WALLET, answer: await own(method, params) };
}

/** Asks a contract by such a node. @param {string} to @param {string} data @param {At} [at] */
const callOwn = (to, data, at = 'latest') => askOwn('eth_call', [{ to, data }, at]);

/** The code of a contract, by such a node. @param {string} address */
export const codeOf = (address) => askOwn('eth_getCode', [address, 'latest']);

/** @param {string} message @param {object} values */
async function prepare(message, values) {
	const { contract, input } = await encode({ read: asking(message, values) });
	const to = contractOf(contract);
	if (!to) throw new WalletError(`There is no contract of the ${contract} games here.`, 'failed');
	return { contract, input, to };
}

/**
 * Asks a contract; answers its bytes.
 * @param {string} message @param {object} values
 */
export async function ask(message, values) {
	const { contract, input, to } = await prepare(message, values);
	const own = await callOwn(to, input);
	if (own) return own.answer;
	return /** @type {string} */ ((await tell('/api/ask', { contract, data: input })).data);
}

/**
 * Reads from a contract.
 * @param {string} message @param {object} values
 * @returns {Promise<any>} what was read, under the name of its kind
 */
export async function read(message, values) {
	const output = await ask(message, values);
	return encode({ decode: { read: asking(message, values), output } });
}

/**
 * Reads from a contract without the host.
 * @param {string} message @param {object} values @param {At} [at]
 * @returns {Promise<{ by: string, found: any } | null>} null if no node of the player's choice answers
 */
export async function readOwn(message, values, at) {
	const { input, to } = await prepare(message, values);
	const own = await callOwn(to, input, at);
	if (!own) return null;
	const decode = { read: asking(message, values), output: own.answer };
	return { by: own.by, found: await encode({ decode }) };
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
	if (!shown) throw new WalletError('This challenge is not open any more.', 'failed');
	const { challenger, opponent, challenger_first, expires, key, shape, clock, stake } = shown;
	const ratio = session.chain?.ratio ?? 1n;
	return {
		challenger,
		opponent,
		challenger_first,
		expires,
		key,
		shape,
		clock,
		stake: String(BigInt(stake) * ratio),
	};
}
