import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { beforeEach, describe, test } from 'node:test';

import './page-fakes.mjs';

import { asked, host, kept } from './page-fakes.mjs';
import './fakes.mjs';

import { useContracts } from './contracts.js';
import { checkOn, forgetNode, lookForNode, nameNode } from './node.js';
import { send } from './send.js';
import { connect, leave, session } from './session.js';

const MATCHES = `0x${'bb'.repeat(20)}`;
const CODE = `0x${readFileSync('artifacts/connect4_matches.polkavm').toString('hex')}`;
const ACCOUNT = `0x${'0a'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
/** A call of the page. */
const CALL = { contract: 'matches', message: 'resign', input: '0x01020304' };

/** @type {import('./types.d.ts').Chain} */
const CHAIN = {
	name: 'Here',
	symbol: 'DOT',
	decimals: 10,
	genesis: `0x${'01'.repeat(32)}`,
	chainId: 7,
	rpc: null,
	relay: null,
	ratio: 100_000_000n,
	confirmations: 1,
};

/** What a host prepares for a wallet of Ethereum. */
const PREPARED = {
	to: MATCHES,
	payment: '0',
	fee: '1',
	deposit: '0',
	balance: '100',
	gas: '5',
	unsigned: null,
};

/** Connects a wallet of Ethereum, which is on another chain until it is asked to switch. */
async function purse({ code = CODE } = {}) {
	/** @type {string[]} */
	const did = [];
	let isHere = false;
	/** @type {import('./types.d.ts').Wallet} */
	const wallet = {
		kind: 'ethereum',
		id: 'purse.example',
		name: 'Purse',
		icon: null,
		connect: async () => [{ id: ACCOUNT, name: null }],
		listen: () => {},
		leave: () => {},
		useChain: async () => {
			did.push('useChain');
			isHere = true;
		},
		isOn: async () => isHere,
		send: async () => {
			did.push('send');
			return { hash: HASH };
		},
		follow: async (sent) => ({ hash: sent.hash, block: 9, failed: false, found: LANDED }),
		node: async (method) => {
			assert.ok(isHere, 'the node of another chain is not asked');
			did.push(method);
			if (method === 'eth_getCode') return code;
			throw new Error('the network is away');
		},
	};
	await connect(wallet, { silently: true });
	return did;
}

/** @type {any} */
const LANDED = { transaction: { hash: HASH, block: 9 }, failure: null, events: [] };

beforeEach(() => {
	leave();
	forgetNode();
	checkOn(null);
	kept.clear();
	asked.length = 0;
	session.chain = CHAIN;
	useContracts({ matches: MATCHES });
	host['/api/prepare'] = () => PREPARED;
});

describe('a wallet that is on another chain', () => {
	test('is put on the chain first, and its node is asked for the code before it signs', async () => {
		const did = await purse();
		assert.match(session.trouble, /Purse is on another chain/);
		assert.equal(await send('Resign', CALL), LANDED);
		assert.deepEqual(did, ['useChain', 'eth_getCode', 'eth_gasPrice', 'send']);
		assert.equal(session.trouble, '');
	});

	test('signs nothing for a contract of the host’s own', async () => {
		// What was asked once is not asked again: another address.
		useContracts({ matches: `0x${'66'.repeat(20)}` });
		const did = await purse({ code: `${CODE}00` });
		await assert.rejects(send('Resign', CALL), /has other code.*nothing was signed/);
		assert.deepEqual(did, ['useChain', 'eth_getCode']);
	});
});

test('nothing is signed by the host’s word while the node that was named does not fit', async (t) => {
	let id = '0x7';
	const server = createServer(async (request, answer) => {
		let text = '';
		for await (const part of request) text += part;
		const { id: of, method } = JSON.parse(text);
		const result = method === 'eth_chainId' ? id : CODE;
		answer.end(JSON.stringify({ jsonrpc: '2.0', id: of, result }));
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
	t.after(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = /** @type {any} */ (server.address());
	const on = { name: 'Here', chainId: 7, contracts: { matches: MATCHES } };
	checkOn(on);
	await nameNode(`http://127.0.0.1:${port}`);
	checkOn(null);
	id = '0x8';
	checkOn(on);
	await lookForNode();
	const did = await purse();
	await assert.rejects(send('Resign', CALL), /one of another chain.*Nothing was signed.*remove/);
	assert.deepEqual(did, []);
	forgetNode();
	await send('Resign', CALL);
	assert.ok(did.includes('send'));
});

test('nothing is signed before the player has accepted what a host says of a chain', async () => {
	const why = 'This host names another contract than this browser has used.';
	useContracts({}, { why });
	const did = await purse();
	await assert.rejects(send('Resign', CALL), /names another contract than this browser has used/);
	assert.deepEqual(did, []);
	assert.deepEqual(asked, []);
});
