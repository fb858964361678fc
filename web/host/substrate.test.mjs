import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';

import './page-fakes.mjs';
import './fakes.mjs';

import { asked, host } from './page-fakes.mjs';
import { findSubstrate } from './substrate.js';

const HASH = `0x${'ab'.repeat(32)}`;

/** Timers that wait. @type {(() => void)[]} */
const timers = [];
const { setTimeout } = globalThis;
beforeEach(() => {
	asked.length = 0;
	Object.assign(globalThis, { setTimeout: (/** @type {() => void} */ act) => timers.push(act) });
});
afterEach(() => Object.assign(globalThis, { setTimeout }));

/**
 * Follows a transaction.
 * @param {import('./types.d.ts').Sent} [sent] after block 100 as a rule
 */
function follow(sent = { hash: HASH, after: 100 }) {
	Object.assign(globalThis.window, { injectedWeb3: { talisman: { enable: async () => {} } } });
	/** @type {import('./types.d.ts').Wallet[]} */
	const found = [];
	findSubstrate((wallet) => found.push(wallet));
	timers.length = 0;
	const stop = new AbortController();
	/** @type {any[]} */
	const told = [];
	/** @type {{ outcome?: any, error?: any }} */
	const end = {};
	found[0]
		?.follow(sent, (slow) => told.push(slow), stop.signal)
		.then(
			(outcome) => Object.assign(end, { outcome }),
			(error) => Object.assign(end, { error }),
		);
	return { told, end, stop: () => stop.abort() };
}

/** @param {number} looks */
async function looked(looks) {
	for (let look = 0; look < looks; look += 1) {
		for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
		for (const act of timers.splice(0)) act();
	}
	for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** @param {number} block */
const landed = (block) => ({ transaction: { block, hash: HASH }, failure: null, events: [] });

test('a host that does not tell what became of a transaction is told, and need not be waited for', async () => {
	host['/api/transactions/'] = () => new Error('the node has discarded the state of block 101');
	const { told, end, stop } = follow();
	await looked(10);
	assert.deepEqual([told, end], [[], {}]);
	await looked(20);
	assert.deepEqual([told, end], [['untold'], {}]);
	stop();
	await looked(2);
	assert.match(end.error?.message, /You stopped waiting/);
});

test('a transaction that a fork puts into a block of a number that was looked at is found there', async () => {
	let block = 200;
	let best = 105;
	host['/api/transactions/'] = (_, path) => {
		const from = Number(/from=(\d+)/.exec(path)?.[1]);
		const found = from <= block && block <= best ? landed(block) : null;
		return { found, next: best + 1, best, last_final: 90 };
	};
	const { end } = follow();
	await looked(2);
	assert.deepEqual(end, {});
	block = 103;
	best = 106;
	await looked(2);
	assert.equal(end.outcome?.block, 103);
});

const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const PAYLOAD = { address: ALICE, blockNumber: '0x00000060', method: '0x3c07' };
const UNSIGNED = { maps: false, head: '0x8400', tail: '0x3c07', payload: PAYLOAD };

/** How often the wallet was asked. */
let asks = 0;

/**
 * Has a wallet sign, and the host pass it on as it does.
 * @param {() => unknown} submit @param {(count: number) => Promise<void>} [keeps] what is told, after so much before
 */
async function sent(submit, keeps = async () => {}) {
	host['/api/submit'] = submit;
	const accounts = { get: async () => [{ address: ALICE }] };
	const signer = {
		async signPayload() {
			asks += 1;
			return { signature: `0x01${'09'.repeat(64)}` };
		},
	};
	Object.assign(globalThis.window, {
		injectedWeb3: { talisman: { enable: async () => ({ accounts, signer }) } },
	});
	/** @type {import('./types.d.ts').Wallet[]} */
	const found = [];
	findSubstrate((wallet) => found.push(wallet));
	const [wallet] = found;
	/** @type {any} */
	const chain = { chainId: 7 };
	await wallet?.connect(chain, false);
	/** @type {unknown[]} */
	const signed = [];
	const account = { id: ALICE, name: null };
	/** @type {any} */
	const prepared = { unsigned: UNSIGNED };
	const sending = wallet?.send({
		account,
		chain,
		prepared,
		data: '0x',
		payment: 0n,
		signed: async (...of) => {
			await keeps(signed.length);
			signed.push(of);
		},
	});
	return { signed, sending };
}

test('a transaction is followed though no host has answered when it was passed on', async () => {
	Object.assign(globalThis, { setTimeout });
	const honest = await sent(() => ({ hash: 'of the host', after: 100 }));
	const { hash, after } = (await honest.sending) ?? {};
	assert.match(hash ?? '', /^0x[0-9a-f]{64}$/, 'the page knows the hash by itself');
	assert.equal(after, 100);
	assert.deepEqual(honest.signed, [
		['', 96],
		[hash, 96],
	]);

	// From a block beyond its time it would not be found.
	for (const after of [95, 96 + 65, 10_000]) {
		const other = await sent(() => ({ hash: 'of the host', after }));
		assert.deepEqual(await other.sending, { hash, after: 96 });
	}

	const away = await sent(() => {
		throw new TypeError('Failed to fetch');
	});
	const { again: _, ...unconfirmed } = (await away.sending) ?? {};
	assert.deepEqual(unconfirmed, { hash, after: 96 });
	const twice = await sent(() => new Error('Transaction Already Imported'));
	assert.deepEqual(await twice.sending, { hash, after: 96 });
	// Behind a proxy the host may have passed it on before it was lost, and a block taken it since.
	for (const status of [502, 504]) {
		const { again, ...lost } = (await (await sent(() => status)).sending) ?? {};
		assert.deepEqual([lost, typeof again], [{ hash, after: 96 }, 'function']);
	}
	const refused = await sent(() => new Error('the account cannot pay'));
	await assert.rejects(refused.sending ?? Promise.resolve(), /cannot pay/);
	assert.equal(refused.signed.length, 2);
});

test('what the browser does not keep is neither asked for nor passed on', async () => {
	asked.length = 0;
	asks = 0;
	for (const full of [0, 1]) {
		const keeps = async (/** @type {number} */ count) => {
			if (count === full) throw new Error('the disk is full');
		};
		const { sending } = await sent(() => ({ hash: 'of the host', after: 100 }), keeps);
		await assert.rejects(sending ?? Promise.resolve(), /the disk is full/);
		assert.equal(asks, full, 'the wallet is asked once it is known that answers are kept');
	}
	assert.deepEqual(asked, []);
});

test('a transaction that no host has confirmed is passed on again until one has it', async () => {
	Object.assign(globalThis, { setTimeout });
	/** @type {unknown[]} */
	const submitted = [];
	let isAway = true;
	const { sending } = await sent((body) => {
		submitted.push(body);
		if (isAway) throw new TypeError('Failed to fetch');
		return { hash: 'of the host', after: 100 };
	});
	const first = await sending;
	assert.ok(first);
	Object.assign(globalThis, {
		setTimeout: (/** @type {() => void} */ act) => timers.push(act),
	});
	let best = 96;
	host['/api/transactions/'] = () => ({
		found: best > 96 ? landed(best) : null,
		next: best + 1,
		best,
		last_final: 90,
	});
	const { end } = follow(first);
	await looked(3);
	assert.ok(submitted.length > 3, 'the host is away');
	isAway = false;
	await looked(2);
	const count = submitted.length;
	await looked(4);
	assert.equal(submitted.length, count, 'it is known to be passed on');
	assert.deepEqual(new Set(submitted.map((body) => JSON.stringify(body))).size, 1, 'the same one');
	best = 97;
	await looked(2);
	assert.equal(end.outcome?.block, 97);
});
