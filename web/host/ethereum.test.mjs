import assert from 'node:assert/strict';
import { test } from 'node:test';

import { findEthereum, WalletError } from './ethereum.js';

// As much of a page as wallets announce themselves in.
const page = new EventTarget();
Object.assign(globalThis, {
	addEventListener: page.addEventListener.bind(page),
	dispatchEvent: page.dispatchEvent.bind(page),
});

const FROM = `0x${'0a'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const SENT = { hash: HASH, from: FROM, nonce: 3 };
const PENDING = { nonce: '0x3', blockNumber: null };
/** Looks after which the player is told that it takes long, and a few more. */
const LONG = 65;

/** What waits for its time, which passes when a test says so. @type {(() => void)[]} */
const timers = [];
Object.assign(globalThis, { setTimeout: (/** @type {() => void} */ act) => timers.push(act) });

/** A wallet whose node answers these things by method; an error for what is missing. @param {Record<string, unknown>} answers */
function wallet(answers) {
	const provider = {
		request: async (/** @type {{ method: string }} */ { method }) => {
			if (method in answers) return answers[method];
			throw new Error('the network is away');
		},
	};
	/** @type {import('./types.d.ts').Wallet[]} */
	const found = [];
	findEthereum((one) => found.push(one));
	const info = { uuid: '', name: 'Purse', rdns: 'purse.example' };
	page.dispatchEvent(
		Object.assign(new Event('eip6963:announceProvider'), { detail: { info, provider } }),
	);
	const [made] = found;
	assert.ok(made);
	return made;
}

/**
 * Follows a transaction to its block.
 * @param {Record<string, unknown>} answers @param {AbortSignal} [stop]
 */
function follow(answers, stop) {
	/** @type {unknown[]} */
	const told = [];
	/** @type {{ outcome?: unknown, error?: any }} */
	const end = {};
	wallet(answers)
		.follow(SENT, 0, (progress) => told.push(progress), stop)
		.then(
			(outcome) => Object.assign(end, { outcome }),
			(error) => Object.assign(end, { error }),
		);
	return { told, end };
}

/** Lets the wallet's node be looked at so often. @param {number} looks */
async function looked(looks) {
	for (let look = 0; look < looks; look += 1) {
		await new Promise((resolve) => setImmediate(resolve));
		for (const act of timers.splice(0)) act();
	}
	await new Promise((resolve) => setImmediate(resolve));
}

test('a transaction that waits for long is told once, and is there when a block has it', async () => {
	/** @type {Record<string, unknown>} */
	const answers = {
		eth_getTransactionReceipt: null,
		eth_getTransactionByHash: PENDING,
		eth_getTransactionCount: '0x3',
	};
	const { told, end } = follow(answers);
	await looked(LONG - 10);
	assert.deepEqual(told, []);
	await looked(2 * LONG);
	assert.deepEqual(told, [{ slow: 'pending' }]);
	answers.eth_getTransactionReceipt = { blockNumber: '0x7', status: '0x1' };
	answers.eth_blockNumber = '0x7';
	await looked(2);
	assert.deepEqual(end, { outcome: { hash: HASH, block: 7, failed: false } });
});

test('a transaction that was dropped, and whose nonce nothing has used, is told and can be given up', async () => {
	/** @type {Record<string, unknown>} */
	const answers = {
		eth_getTransactionReceipt: null,
		eth_getTransactionByHash: PENDING,
		eth_getTransactionCount: '0x3',
	};
	const stop = new AbortController();
	const { told, end } = follow(answers, stop.signal);
	await looked(LONG);
	answers.eth_getTransactionByHash = null;
	await looked(5);
	assert.deepEqual(told, [{ slow: 'pending' }, { slow: 'unknown' }]);
	// Nobody knows that it will not happen: so it is waited for until the player gives it up.
	await looked(2 * LONG);
	assert.deepEqual(end, {});
	stop.abort();
	await looked(2);
	assert.ok(end.error instanceof WalletError);
	assert.match(
		end.error.message,
		/You stopped waiting.*if it gets into one after all, the board shows it/,
	);
	assert.equal(told.length, 2);
});

test('a transaction whose nonce another one has used was replaced', async () => {
	/** @type {Record<string, unknown>} */
	const answers = {
		eth_getTransactionReceipt: null,
		eth_getTransactionByHash: null,
		eth_getTransactionCount: '0x3',
	};
	const { told, end } = follow(answers);
	await looked(3);
	assert.deepEqual(end, {});
	answers.eth_getTransactionCount = '0x4';
	await looked(2);
	assert.match(end.error?.message, /replaced or cancelled in Purse: it will not happen/);
	assert.deepEqual(told, []);
});

test('a wallet whose node does not answer says nothing of a transaction', async () => {
	/** @type {Record<string, unknown>} */
	const answers = { eth_getTransactionCount: '0x4' };
	const { told, end } = follow(answers);
	await looked(LONG);
	// Its nonce is used, by itself for all that is known.
	assert.deepEqual([told, end], [[{ slow: 'silent' }], {}]);
	answers.eth_getTransactionReceipt = { blockNumber: '0x7', status: '0x0' };
	await looked(2);
	assert.deepEqual(end, { outcome: { hash: HASH, block: 7, failed: true } });
});
