import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import './page-fakes.mjs';

import { findEthereum, WalletError } from './ethereum.js';
import { clear, disk, guarded } from './page-fakes.mjs';

// As much of a page as wallets announce themselves in.
const page = new EventTarget();
Object.assign(globalThis, {
	addEventListener: page.addEventListener.bind(page),
	dispatchEvent: page.dispatchEvent.bind(page),
});

const FROM = `0x${'0a'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const SENT = { hash: HASH, from: FROM, nonce: 3, chain: '0x7' };
const PENDING = { nonce: '0x3', blockNumber: null };
/** Looks after which the player is told that it takes long, and a few more. */
const LONG = 65;

/** What waits for its time, which passes when a test says so. @type {(() => void)[]} */
const timers = [];
Object.assign(globalThis, { setTimeout: (/** @type {() => void} */ act) => timers.push(act) });

/** What wallets were asked. @type {{ method: string, params?: any }[]} */
let requests = [];

/** A wallet whose node answers these things by method; an error for what is missing. @param {Record<string, unknown>} answers */
function wallet(answers) {
	const provider = {
		request: async (/** @type {{ method: string, params?: unknown }} */ { method, params }) => {
			requests.push({ method, params });
			const answer = answers[method];
			if (typeof answer === 'function') return answer(params);
			if (method in answers) return answer;
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
		.follow(SENT, (slow) => told.push(slow), stop)
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
	assert.deepEqual(told, ['pending']);
	answers.eth_getTransactionReceipt = { blockNumber: '0x7', status: '0x1' };
	answers.eth_blockNumber = '0x7';
	await looked(2);
	assert.deepEqual(end, { outcome: { hash: HASH, block: 7, failed: false } });
});

test('a transaction that was dropped, and whose nonce nothing has used, is told and can be given up', async () => {
	/** @type {Record<string, unknown>} */
	const answers = {
		eth_chainId: '0x7',
		eth_getTransactionReceipt: null,
		eth_getTransactionByHash: PENDING,
		eth_getTransactionCount: '0x3',
	};
	const stop = new AbortController();
	const { told, end } = follow(answers, stop.signal);
	await looked(LONG);
	answers.eth_getTransactionByHash = null;
	await looked(5);
	assert.deepEqual(told, ['pending', 'unknown']);
	// Nobody knows that it will not happen: so it is waited for until the player gives it up.
	await looked(2 * LONG);
	assert.deepEqual(end, {});
	stop.abort();
	await looked(2);
	assert.ok(end.error instanceof WalletError);
	assert.match(
		end.error.message,
		/You stopped waiting.*if one has it after all, the board shows it/,
	);
	assert.equal(told.length, 2);
});

test('a transaction whose number another one has taken was replaced, if a node has told that number', async () => {
	/** @type {Record<string, unknown>} */
	const answers = {
		eth_chainId: '0x7',
		eth_getTransactionReceipt: null,
		eth_getTransactionByHash: PENDING,
		eth_getTransactionCount: '0x3',
	};
	const { told, end } = follow(answers);
	await looked(3);
	answers.eth_getTransactionByHash = null;
	answers.eth_getTransactionCount = '0x4';
	await looked(3);
	assert.deepEqual(end, {}, 'nodes behind one name may differ');
	await looked(5);
	assert.match(end.error?.message, /replaced, cancelled or sped up in Purse. Look at the board/);
	assert.deepEqual(told, []);
});

test('it is not said of a transaction that it will not happen while it may', async () => {
	const unknown = { eth_getTransactionReceipt: null, eth_getTransactionByHash: null };
	// Another page has sent one meanwhile: the number is a guess.
	const guessed = follow({ ...unknown, eth_chainId: '0x7', eth_getTransactionCount: '0x4' });
	await looked(10);
	assert.deepEqual([guessed.told, guessed.end], [['overtaken'], {}]);
	// The wallet was moved to another chain, on which the account has sent more.
	const moved = follow({ ...unknown, eth_chainId: '0x1', eth_getTransactionCount: '0x9' });
	await looked(LONG);
	assert.deepEqual([moved.told, moved.end], [['silent'], {}]);
});

test('a wallet whose node does not answer says nothing of a transaction', async () => {
	/** @type {Record<string, unknown>} */
	const answers = { eth_getTransactionCount: '0x4' };
	const { told, end } = follow(answers);
	await looked(LONG);
	// Its nonce is used, by itself for all that is known.
	assert.deepEqual([told, end], [['silent'], {}]);
	answers.eth_getTransactionReceipt = { blockNumber: '0x7', status: '0x0' };
	await looked(2);
	assert.deepEqual(end, { outcome: { hash: HASH, block: 7, failed: true } });
});

/** @type {import('./types.d.ts').Chain} */
const CHAIN = {
	name: 'Here',
	symbol: 'DOT',
	decimals: 10,
	genesis: '0x01',
	chainId: 7,
	rpc: null,
	relay: null,
	ratio: 100_000_000n,
};

test('a transaction names its chain, so that a wallet that was moved to another one refuses it', async () => {
	requests = [];
	const sent = await wallet({
		eth_accounts: [FROM],
		eth_chainId: '0x7',
		eth_getTransactionCount: '0x3',
		eth_sendTransaction: HASH,
	}).send({
		account: { id: FROM, name: null },
		chain: CHAIN,
		prepared: /** @type {any} */ ({ to: `0x${'cc'.repeat(20)}`, gas: '16' }),
		data: '0x0102',
		payment: 5n,
		signed: async () => {},
	});
	assert.equal(sent.hash, HASH);
	const { params } = requests.find(({ method }) => method === 'eth_sendTransaction') ?? {};
	assert.deepEqual(params, [
		{
			from: FROM,
			to: `0x${'cc'.repeat(20)}`,
			chainId: '0x7',
			data: '0x0102',
			value: '0x1dcd6500',
			gas: '0x10',
		},
	]);
});

test('a wallet that was given its node by a host is known to have it from there, also later', async () => {
	let id = '0x1';
	const answers = {
		eth_chainId: () => id,
		wallet_switchEthereumChain: () => {
			throw Object.assign(new Error('Unrecognized chain ID.'), { code: 4902 });
		},
		wallet_addEthereumChain: () => {
			// The page may be gone when its owner agrees.
			assert.deepEqual(guarded('given-nodes'), { 'purse.example 7': chain.rpc });
			id = '0x7';
			return null;
		},
	};
	const first = wallet(answers);
	const chain = { ...CHAIN, rpc: 'https://rpc.evil.example' };
	assert.equal(await first.isOn(chain), false);
	assert.equal(first.hasGivenNode?.(chain), false);
	await first.useChain(chain);
	assert.equal(first.hasGivenNode?.(chain), true);
	assert.equal(wallet(answers).hasGivenNode?.(CHAIN), true);
	assert.equal(first.hasGivenNode?.({ ...CHAIN, chainId: 8 }), false);
});

describe('a wallet that is to add the host’s node', () => {
	const chain = { ...CHAIN, rpc: 'https://rpc.evil.example' };
	let adds = 0;
	/** @param {() => unknown} add */
	const adding = (add) =>
		wallet({
			eth_chainId: '0x1',
			wallet_switchEthereumChain: () => {
				throw Object.assign(new Error('Unrecognized chain ID.'), { code: 4902 });
			},
			wallet_addEthereumChain: () => {
				adds += 1;
				return add();
			},
		});
	const refuses = () => {
		throw Object.assign(new Error('no'), { code: 4001 });
	};

	test('has its own one if its owner refuses, unless it was given one before', async () => {
		clear();
		const refusing = adding(refuses);
		await assert.rejects(refusing.useChain(chain), /You refused/);
		assert.equal(await refusing.isOn(chain), false);
		assert.equal(refusing.hasGivenNode?.(chain), false);
		const agreeing = adding(() => null);
		await assert.rejects(agreeing.useChain(chain), /is on another chain/);
		await assert.rejects(refusing.useChain(chain), /You refused/);
		assert.equal(refusing.hasGivenNode?.(chain), true);
	});

	test('is not asked where the browser does not keep that it was', async () => {
		clear();
		disk.isFull = true;
		adds = 0;
		const words = /does not keep what has to be on disk/;
		await assert.rejects(adding(() => null).useChain(chain), words);
		disk.isFull = false;
		assert.equal(adds, 0);
	});
});

test('a wallet that knows the chain already has its own node', async () => {
	clear();
	let id = '0x1';
	const own = wallet({
		eth_chainId: () => id,
		wallet_switchEthereumChain: () => {
			id = '0x7';
			return null;
		},
	});
	await own.useChain({ ...CHAIN, rpc: 'https://rpc.evil.example' });
	assert.equal(own.hasGivenNode?.(CHAIN), false);
});

test('a wallet may write numbers and addresses in digits of either case', async () => {
	const shouting = wallet({ eth_chainId: '0x190F1B45', eth_accounts: [FROM.toUpperCase()] });
	assert.equal(await shouting.isOn({ ...CHAIN, chainId: 0x190f1b45 }), true);
	assert.equal(await shouting.isOn(CHAIN), false);
	assert.deepEqual(await shouting.connect(CHAIN, true), [{ id: FROM, name: null }]);
});

describe('a stake that the wallet has passed on, or was asked for', () => {
	const chain = /** @type {any} */ ({ name: 'Here', chainId: 7, ratio: 1n });
	/** @param {Record<string, unknown>} answers @param {object} [of] */
	const fateOf = async (answers, of = {}) => {
		/** @type {number[]} */
		const told = [];
		const { fateOf: ask } = wallet(answers);
		const sent = { hash: HASH, from: FROM, nonce: 3, isTold: false, ...of };
		return [await ask?.(sent, (nonce) => told.push(nonce)), ...told];
	};
	const none = { eth_getTransactionReceipt: null, eth_getTransactionByHash: null };

	test('has a fate that its node tells, and that nobody guesses', async () => {
		const count = (/** @type {string} */ final, latest = '0x9') => ({
			...none,
			eth_getTransactionCount: ([, at]) => (at === 'finalized' ? final : latest),
		});
		assert.deepEqual(await fateOf(count('0x3')), ['open']);
		// The number was an estimate, by a node that tells nothing that waits.
		assert.deepEqual(await fateOf(count('0x4')), ['open']);
		assert.deepEqual(await fateOf(count('0x4'), { isTold: true }), ['final']);
		assert.deepEqual(await fateOf(count('0x3'), { isTold: true }), ['open']);
		const pending = { ...count('0x4'), eth_getTransactionByHash: { nonce: '0x5' } };
		assert.deepEqual(await fateOf(pending), ['open', 5]);
		// Nobody knows what the owner has done with what the wallet was asked for.
		assert.deepEqual(await fateOf(count('0x3'), { hash: '' }), ['open']);
		assert.deepEqual(await fateOf(count('0x4'), { hash: '' }), ['final']);
		const landed = {
			...count('0x4'),
			eth_getTransactionReceipt: { blockNumber: '0x9', status: '0x1' },
		};
		const final = (/** @type {string} */ number) => ({
			...landed,
			eth_getBlockByNumber: { number },
		});
		assert.deepEqual(await fateOf(final('0x8')), ['in block']);
		assert.deepEqual(await fateOf(final('0x9')), ['final']);
		const old = {
			...none,
			eth_getTransactionCount: ([, at]) => {
				if (at === 'finalized') throw new Error('unknown block tag');
				return '0x4';
			},
		};
		assert.deepEqual(await fateOf(old, { isTold: true }), ['final']);
		await assert.rejects(fateOf(none), /the network is away/);
	});

	test('is remembered before its owner is asked, and forgotten if nothing was signed', async () => {
		/** @type {Record<string, unknown>} */
		const answers = {
			eth_accounts: [FROM],
			eth_chainId: '0x7',
			eth_getTransactionCount: '0x3',
			eth_sendTransaction: HASH,
		};
		const account = { id: FROM, name: null };
		const prepared = /** @type {any} */ ({ to: FROM, gas: null });
		const send = async () => {
			/** @type {unknown[]} */
			const told = [];
			const signed = async (/** @type {unknown[]} */ ...of) => {
				told.push(of);
			};
			const of = { account, chain, prepared, data: '0x', payment: 1n, signed };
			await wallet(answers)
				.send(of)
				.catch(() => told.push('failed'));
			return told;
		};
		assert.deepEqual(await send(), [
			['', 0, 3],
			[HASH, 0, 3],
		]);
		const failing = (/** @type {number} */ code, message = 'no') => {
			answers.eth_sendTransaction = () => {
				throw Object.assign(new Error(message), { code });
			};
		};
		failing(4001);
		assert.deepEqual(await send(), [['', 0, 3], [null, 0], 'failed']);
		failing(-32000, 'insufficient funds for gas * price + value');
		assert.deepEqual(await send(), [['', 0, 3], [null, 0], 'failed']);
		// Its node may have it, and only the answer was lost.
		failing(-32603, 'Internal JSON-RPC error.');
		assert.deepEqual(await send(), [['', 0, 3], 'failed']);
	});

	test('is cancelled by something else with its number', async () => {
		requests = [];
		await wallet({ eth_chainId: '0x7', eth_sendTransaction: HASH }).cancel?.(chain, FROM, 3);
		assert.deepEqual(requests.at(-1)?.params, [
			{ from: FROM, to: FROM, value: '0x0', nonce: '0x3', chainId: '0x7' },
		]);
	});
});
