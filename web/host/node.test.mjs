import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { beforeEach, test } from 'node:test';

import {
	askNode,
	canName,
	checkOn,
	forgetNode,
	lookForNode,
	namedNode,
	nameNode,
	needFit,
	nodeIsKnown,
} from './node.js';

/** @type {Map<string, string>} */
const kept = new Map();
const localStorage = {
	getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
	setItem: (/** @type {string} */ name, /** @type {string} */ value) => kept.set(name, value),
};
Object.assign(globalThis, { window: { localStorage }, location: { protocol: 'https:' } });

const CONTRACT = `0x${'cc'.repeat(20)}`;
/** @type {import('./node.js').Wanted} */
const HERE = { name: 'Here', chainId: 7, contracts: { games: CONTRACT } };
/** The built contract of the games. */
const CODE = `0x${readFileSync('artifacts/connect4.polkavm').toString('hex')}`;

/** Calls the contract by the node that was named. */
const called = () => askNode('eth_call', [{ to: CONTRACT, data: '0x' }, 'latest']);

beforeEach(() => {
	checkOn(null);
	kept.clear();
});

/**
 * A node of the chain `HERE`, whose answers can be changed.
 * @param {import('node:test').TestContext} t
 */
async function node(t) {
	/** @type {Record<string, unknown>} */
	const answers = { eth_chainId: '0x7', eth_getCode: CODE, eth_call: '0xabcd' };
	const server = createServer(async (asked, answer) => {
		let text = '';
		for await (const part of asked) text += part;
		const { id, method } = JSON.parse(text);
		const result = answers[method];
		const error = { code: 3, message: 'execution reverted' };
		answer.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
	});
	const listen = (/** @type {number} */ port) =>
		new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(null)));
	const stop = () => {
		server.closeAllConnections();
		return new Promise((resolve) => server.close(resolve));
	};
	await listen(0);
	const { port } = /** @type {any} */ (server.address());
	t.after(stop);
	return { url: `http://127.0.0.1:${port}/`, answers, stop, again: () => listen(port) };
}

test('a node is named on its chain, kept there, and removed', async (t) => {
	const { url } = await node(t);
	assert.equal(canName(), false);
	await assert.rejects(nameNode(url), /no nodes/);
	checkOn(HERE);
	assert.equal(canName(), true);
	await nameNode(` ${url} `);
	assert.equal(namedNode()?.state, 'there');
	assert.equal(await called(), '0xabcd');

	// On another chain there is none, and back on this one it is asked again.
	checkOn({ ...HERE, chainId: 9 });
	assert.equal(namedNode(), null);
	assert.equal(await called(), null);
	checkOn(HERE);
	assert.equal(namedNode()?.state, 'asked');
	await nodeIsKnown();
	assert.equal(namedNode()?.state, 'there');

	forgetNode();
	assert.equal(namedNode(), null);
	checkOn(null);
	checkOn(HERE);
	assert.equal(namedNode(), null);
});

test('a node of another chain or without the contract is not used, and the one before stays', async (t) => {
	const [one, other] = [await node(t), await node(t)];
	checkOn(HERE);
	await nameNode(one.url);
	other.answers.eth_chainId = '0x8';
	await assert.rejects(
		nameNode(other.url),
		/another chain: its chain has the number 8, and Here has 7/,
	);
	other.answers.eth_chainId = '0x7';
	other.answers.eth_getCode = '0x';
	await assert.rejects(nameNode(other.url), /knows no contract at 0xcc/);
	other.answers.eth_getCode = `${CODE}00`;
	await assert.rejects(
		nameNode(other.url),
		/contract at 0xcc.*has other code than this page was made for/,
	);
	other.answers.eth_chainId = undefined;
	await assert.rejects(
		nameNode(other.url),
		/does not speak Ethereum’s JSON-RPC \(execution reverted\)/,
	);
	await other.stop();
	await assert.rejects(nameNode(other.url), /does not answer this page/);
	await assert.rejects(nameNode('http://rpc.example'), /without encryption/);
	assert.equal(namedNode()?.url, one.url);

	// The host names other contracts: it is asked again.
	await needFit();
	one.answers.eth_getCode = '0x';
	checkOn({ ...HERE, contracts: { games: `0x${'66'.repeat(20)}` } });
	await assert.rejects(needFit(), /knows no contract at 0x66.*Nothing was signed.*remove the node/);
	assert.deepEqual(namedNode()?.state, 'unfit');
	assert.equal(await called(), null);
	forgetNode();
	await needFit();
});

test('a node that goes away is not asked until it is back', async (t) => {
	const { url, answers, stop, again } = await node(t);
	checkOn(HERE);
	await nameNode(url);
	// What it refuses is an answer.
	answers.eth_call = undefined;
	await assert.rejects(called(), /says: execution reverted/);
	assert.equal(namedNode()?.state, 'there');
	answers.eth_call = '0xabcd';

	await stop();
	assert.equal(await called(), null);
	assert.equal(namedNode()?.state, 'away');
	await lookForNode();
	assert.match(namedNode()?.why ?? '', /does not answer this page/);
	await again();
	assert.equal(await called(), null);
	await lookForNode();
	assert.equal(await called(), '0xabcd');

	// It may be one of another chain by then.
	await stop();
	assert.equal(await called(), null);
	answers.eth_chainId = '0x8';
	await again();
	await lookForNode();
	assert.equal(namedNode()?.state, 'unfit');
});
