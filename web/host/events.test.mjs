// Events of a contract in final blocks, by the host and by a node of the player's choice.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import './page-fakes.mjs';

import { useContracts } from './contracts.js';
import { eventsFrom } from './events.js';
import { session } from './session.js';

const STAKES = `0x${'77'.repeat(20)}`;
/** What the host was asked. @type {any[]} */
let asked = [];

beforeEach(() => {
	asked = [];
	useContracts({ stakes: STAKES });
	Object.assign(session, { wallet: null, isHere: null, chain: { chainId: 7 } });
	globalThis.fetch = /** @type {any} */ (
		async (/** @type {string} */ url, /** @type {any} */ { body }) => {
			asked.push([new URL(url, 'http://host').pathname, JSON.parse(body)]);
			return new Response(JSON.stringify({ events: ['0xaa'], next: 9 }));
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

test('without a node of the player’s own the host is asked', async () => {
	assert.deepEqual(await eventsFrom('stakes', 4), { events: ['0xaa'], next: 9 });
	assert.deepEqual(asked, [['/api/events', { contract: 'stakes', from: 4 }]]);
});

test('a node of the player’s own is asked for the logs of some final blocks', async () => {
	const ranges = /** @type {string[][]} */ ([]);
	wallet((method, [what]) => {
		if (method === 'eth_getBlockByNumber') return { number: '0x50' };
		assert.deepEqual([method, what.address], ['eth_getLogs', STAKES]);
		ranges.push([what.fromBlock, what.toBlock]);
		return [{ data: '0xbb' }, { data: '0xcc' }];
	});
	assert.deepEqual(await eventsFrom('stakes', 4), { events: ['0xbb', '0xcc'], next: 68 });
	assert.deepEqual(await eventsFrom('stakes', 68), { events: ['0xbb', '0xcc'], next: 81 });
	assert.deepEqual(await eventsFrom('stakes', 81), { events: [], next: 81 });
	assert.deepEqual(ranges, [
		['0x4', '0x43'],
		['0x44', '0x50'],
	]);
	assert.deepEqual(asked, []);
});

test('a node that tells no logs leaves that to the host, of whom nothing is believed for it', async () => {
	wallet((method) => {
		if (method === 'eth_getLogs') throw new Error('the method does not exist');
		return { number: '0x50' };
	});
	assert.deepEqual(await eventsFrom('stakes', 4), { events: ['0xaa'], next: 9 });
});
