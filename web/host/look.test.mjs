// What a contract answers and has emitted, by the host and by a node of the player's choice.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import './page-fakes.mjs';

import { useContracts } from './contracts.js';
import { openEvents } from './events.js';
import { look } from './look.js';
import { session } from './session.js';

const STAKES = `0x${'77'.repeat(20)}`;
const AT = { block: 9, hash: '0x09', time: 90, data: ['0xaa', '0xbb'] };
/** What the host answers. @type {Record<string, unknown>} */
const ANSWERS = {
	'/api/look': { newest: AT, last_final: { ...AT, block: 8 } },
	'/api/events': { events: ['0xaa'], next: 9 },
};
/** What the host was asked. @type {any[]} */
let asked = [];

beforeEach(() => {
	asked = [];
	useContracts({ stakes: STAKES });
	Object.assign(session, { wallet: null, isHere: null, chain: { chainId: 7 } });
	globalThis.fetch = /** @type {any} */ (
		async (/** @type {string} */ url, /** @type {any} */ { body }) => {
			const path = new URL(url, 'http://host').pathname;
			asked.push([path, JSON.parse(body)]);
			return new Response(JSON.stringify(ANSWERS[path]));
		}
	);
});

/** A wallet whose node answers so. @param {(method: string, params: any[]) => unknown} answers */
const wallet = (answers) =>
	Object.assign(session, {
		isHere: true,
		wallet: {
			node: async (/** @type {string} */ method, /** @type {any} */ params) =>
				answers(method, params),
		},
	});

test('without a node of the player’s own the host is asked, once for both blocks', async () => {
	const { newest, last_final: lastFinal } = await look('stakes', ['0x01', '0x02']);
	assert.deepEqual([newest, lastFinal.block], [AT, 8]);
	assert.deepEqual(asked, [['/api/look', { contract: 'stakes', data: ['0x01', '0x02'] }]]);
});

test('a node of the player’s own is asked in the same block for all, and the host is not', async () => {
	/** @type {Record<string, any>} */
	const blocks = {
		latest: { number: '0x5', hash: '0x55', timestamp: '0x64' },
		finalized: { number: '0x4', hash: '0x44', timestamp: '0x5a' },
	};
	wallet((method, [what, at]) => {
		if (method === 'eth_getBlockByNumber') return blocks[what];
		assert.equal(what.to, STAKES);
		if (what.data === '0x01' && at === '0x4') throw new Error('Wallet says: execution reverted');
		return `${what.data}${at.slice(2)}`;
	});
	const { newest, last_final: lastFinal } = await look('stakes', ['0x01', '0x02']);
	assert.deepEqual(newest, { block: 5, hash: null, time: 100, data: ['0x015', '0x025'] });
	assert.deepEqual(lastFinal, { block: 4, hash: null, time: 90, data: [null, '0x024'] });
	assert.deepEqual(asked, []);
});

test('a node that does not know which block is final leaves that to the host', async () => {
	wallet((method, [what]) => {
		if (what === 'finalized') throw new Error('unknown block tag');
		return method === 'eth_call' ? '0xcc' : { number: '0x5', hash: '0x55', timestamp: '0x64' };
	});
	const { newest, last_final: lastFinal } = await look('stakes', ['0x01']);
	assert.deepEqual([newest.data, lastFinal.block], [['0xcc'], 8]);
});

test('a node that fails is no reason to believe the host', async () => {
	wallet(() => {
		throw new Error('the node is away');
	});
	await assert.rejects(look('stakes', ['0x01']), /the node is away/);
	assert.deepEqual(asked, []);
});

test('once a node of the player’s own has told something, no host is believed in its place', async () => {
	wallet((method) =>
		method === 'eth_call' ? '0xcc' : { number: '0x5', hash: '0x55', timestamp: '0x64' },
	);
	await look('stakes', ['0x01']);
	Object.assign(session, { wallet: null, isHere: null });
	await assert.rejects(look('stakes', ['0x01']), /your own node does not answer/);
	assert.deepEqual(asked, []);
});

test('what a contract has emitted is asked of the host without a node of the player’s own', async () => {
	const read = openEvents('stakes', 4);
	assert.deepEqual([await read(), await read()], [['0xaa'], ['0xaa']]);
	assert.deepEqual(asked, [
		['/api/events', { contract: 'stakes', from: 4 }],
		['/api/events', { contract: 'stakes', from: 9 }],
	]);
});

// It saw no payment by a wallet of Polkadot, or by the program at a terminal.
test('a node of the player’s own is asked for the logs of some final blocks, and the host for what that does not see', async () => {
	const ranges = /** @type {string[][]} */ ([]);
	wallet((method, [what]) => {
		if (method === 'eth_getBlockByNumber') return { number: '0x50' };
		assert.deepEqual([method, what.address], ['eth_getLogs', STAKES]);
		ranges.push([what.fromBlock, what.toBlock]);
		return [{ data: '0xbb' }, { data: '0xcc' }];
	});
	const read = openEvents('stakes', 4);
	assert.deepEqual(await read(), ['0xbb', '0xcc', '0xaa']);
	assert.deepEqual(await read(), ['0xbb', '0xcc', '0xaa']);
	assert.deepEqual(await read(), ['0xaa'], 'a host that repeats itself holds up no node');
	assert.deepEqual(ranges, [
		['0x4', '0x43'],
		['0x44', '0x50'],
	]);
});

test('a node that tells no logs leaves that to the host, of whom nothing is believed for it', async () => {
	wallet((method) => {
		if (method === 'eth_getLogs') throw new Error('the method does not exist');
		return { number: '0x50' };
	});
	assert.deepEqual(await openEvents('stakes', 4)(), ['0xaa']);
});
