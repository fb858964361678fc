// A node that the player has named, by which the page checks what the host says of the chain. Kept in the
// browser for each chain.

import { reason } from '../state/text.js';
import { changeKept, recall } from '../storage.js';
import { texts } from '../words/host.js';
import { isOurs, otherCode } from './code.js';
import { addressOf, connectTo, NodeError } from './rpc.js';

/** @import { Rpc } from './rpc.js' */

/** In the browser's storage: addresses of nodes by the number of their chain, which they can be asked. */
const NODES = 'nodes';
/** @type {Record<number, string>} */
const NONE = {};

/**
 * What a node has to have.
 * @typedef {{ name: string, chainId: number, contracts: Record<string, string | null> }} Wanted
 *
 * `name` is that of the chain. `contracts` are the addresses of those that the game is played by, by their kinds.
 */

/**
 * A node that was named. `asked` until it was found to be one of this game; then `there`, `away` while it
 * does not answer, or `unfit`. `why` says for the player what is wrong.
 * @typedef {{ url: string, name: string, state: 'asked' | 'there' | 'away' | 'unfit', why: string }} NamedNode
 */

/** @type {Wanted | null} */
let wanted = null;
/** @type {{ rpc: Rpc, node: NamedNode, known: Promise<void> } | null} */
let used = null;
/** @type {(() => void)[]} */
const told = [];

/** Calls a function after each change. @param {() => void} changed */
export const onNode = (changed) => told.push(changed);

function tell() {
	for (const changed of told) changed();
}

/** The node that was named on this chain; null if there is none. */
export const namedNode = () => used?.node ?? null;

/** Whether a node can be named: not on a chain without a number of Ethereum, which has none. */
export const canName = () => wanted !== null;

/** Resolves once it is known whether the node answers. */
export const nodeIsKnown = async () => used?.known;

/**
 * Fails if the node that was named is not one of this game, so that it can't be asked: the host, whose word
 * would have to do, may be what is wrong.
 */
export async function needFit() {
	await nodeIsKnown();
	const node = namedNode();
	if (node?.state !== 'unfit') return;
	throw new NodeError(texts.nodeUnfit(node.why), 'unfit');
}

/**
 * Uses the node that was named on a chain before, if there is one.
 * @param {Wanted | null} now null for a chain that has no such nodes
 */
export function checkOn(now) {
	if (JSON.stringify(now) === JSON.stringify(wanted)) return;
	wanted = now;
	const kept = now && recall(NODES, NONE)[now.chainId];
	if (!now || !kept) return use(null, null);
	try {
		const url = addressOf(kept, location.protocol);
		use(connectTo(url), { url: kept, name: url.host, state: 'asked', why: '' });
	} catch {
		use(null, null);
	}
}

/**
 * Names a node, once it was found to be one of this chain. The one before stays if it is not.
 * @param {string} text its address
 */
export async function nameNode(text) {
	const on = wanted;
	if (!on) throw new NodeError(texts.noNodes, 'unfit');
	const url = addressOf(text, location.protocol);
	const rpc = connectTo(url);
	try {
		await checkNode(rpc, url.host, on);
	} catch (error) {
		rpc.close();
		throw error;
	}
	changeKept(NODES, NONE, (kept) => ({ ...kept, [on.chainId]: url.href }));
	if (wanted !== on) return;
	use(rpc, { url: url.href, name: url.host, state: 'there', why: '' });
}

/** Uses the named node no more. */
export function forgetNode() {
	const chain = wanted?.chainId ?? 0;
	changeKept(NODES, NONE, ({ [chain]: _, ...others }) => others);
	use(null, null);
}

/** @param {Rpc | null} rpc @param {NamedNode | null} node */
function use(rpc, node) {
	used?.rpc.close();
	used = rpc && node && { rpc, node, known: Promise.resolve() };
	if (used && node?.state === 'asked') used.known = lookForNode();
	tell();
}

/** Looks whether a node that was away is back, and is still one of this game. */
export async function lookForNode() {
	const of = used;
	if (!of || !wanted || of.node.state === 'there') return;
	try {
		await checkNode(of.rpc, of.node.name, wanted);
		change(of, 'there', '');
	} catch (error) {
		const isUnfit = error instanceof NodeError && error.kind === 'unfit';
		change(of, isUnfit ? 'unfit' : 'away', reason(error));
	}
}

/** @param {NonNullable<typeof used>} of @param {NamedNode['state']} state @param {string} why */
function change(of, state, why) {
	if (used !== of || (of.node.state === state && of.node.why === why)) return;
	of.node = { ...of.node, state, why };
	tell();
}

/**
 * Asks the named node; null if there is none, or it can't be asked now.
 * @param {string} method @param {unknown[]} params
 * @returns {Promise<string | null>}
 */
export async function askNode(method, params) {
	await nodeIsKnown();
	const of = used;
	if (of?.node.state !== 'there') return null;
	try {
		return await of.rpc.request(method, params);
	} catch (error) {
		if (error instanceof NodeError && error.kind === 'refused') {
			throw new NodeError(texts.nodeSays(of.node.name, error.message), 'refused');
		}
		const isUnfit = error instanceof NodeError && error.kind === 'unfit';
		change(of, isUnfit ? 'unfit' : 'away', isUnfit ? error.message : UNREACHED(of.node.name));
		return null;
	}
}

/** @param {string} name */
const UNREACHED = (name) => texts.nodeUnreached(name);

/**
 * Fails if a node is not one of this chain with the contracts of the game.
 * @param {Pick<Rpc, 'request'>} rpc @param {string} name of the node
 * @param {Pick<Wanted, 'name' | 'chainId' | 'contracts'>} of
 */
export async function checkNode({ request }, name, { name: chain, chainId, contracts }) {
	/** @param {string} method @param {unknown[]} [params] */
	const asked = (method, params) =>
		request(method, params).catch((error) => {
			throw inWords(error, name);
		});
	const id = Number(await asked('eth_chainId'));
	if (id !== chainId) {
		throw new NodeError(texts.nodeOfOtherChain(name, id, chain, chainId), 'unfit');
	}
	for (const [kind, contract] of Object.entries(contracts)) {
		if (!contract) continue;
		const code = await asked('eth_getCode', [contract, 'latest']);
		if (typeof code === 'string' && code.length > '0x'.length) {
			if (await isOurs(kind, code)) continue;
			throw new NodeError(otherCode(contract, texts.named(name), texts.dontUseHost), 'unfit');
		}
		throw new NodeError(texts.nodeWithoutContract(name, contract), 'unfit');
	}
}

/** @param {unknown} error @param {string} name of the node */
function inWords(error, name) {
	if (!(error instanceof NodeError) || error.kind === 'unfit') return error;
	if (error.kind === 'refused' || error.kind === 'strange') {
		return new NodeError(texts.nodeOtherLanguage(name, error.message), error.kind);
	}
	return new NodeError(UNREACHED(name), error.kind);
}
