import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';

import './page-fakes.mjs';

import { useContracts } from './contracts.js';
import { WalletError } from './ethereum.js';
import { Locks } from './fakes.mjs';
import { clear, disk, guarded, host, kept } from './page-fakes.mjs';
import { send, showTo } from './send.js';
import { connect, leave, session } from './session.js';
import { forgetSigned, openStakes } from './signed.js';

/** @import { Fate } from './types.d.ts' */

/** A module as a page that is loaded again has it. @param {string} path @returns {Promise<any>} */
const anew = (path) => import(`${path}?anew`);

const STAKES = `0x${'bb'.repeat(20)}`;
const ACCOUNT = `0x${'0a'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const CALL = { contract: 'stakes', message: 'fund', input: '0x01020304' };

/** How often the wallet was asked to sign. */
let asks = 0;
/** What the wallet does when it is asked. @type {() => Promise<void>} */
let answers = async () => {};
/** What becomes of what it has signed, as long as it is followed. @type {() => Promise<any>} */
let follows = async () => ({ hash: HASH, block: 9, failed: false, found: { events: [] } });
/** What its node knows of that later. @type {Fate} */
let fate = 'open';

const STAKE = { payment: 5n * 10n ** 9n };
const pay = (which = 'first') => send(`Pay the ${which} stake`, CALL, STAKE);

beforeEach(async () => {
	leave();
	clear();
	disk.isFull = false;
	disk.isRefused = false;
	asks = 0;
	answers = async () => {};
	follows = async () => ({ hash: HASH, block: 9, failed: false, found: { events: [] } });
	fate = 'open';
	session.chain = /** @type {any} */ ({
		name: 'Here',
		symbol: 'DOT',
		decimals: 10,
		genesis: `0x${'01'.repeat(32)}`,
		chainId: 7,
		ratio: 10n ** 8n,
	});
	useContracts({ stakes: STAKES }, { prove: async () => 'proven' });
	showTo({ show: () => {}, agreed: async () => true });
	host['/api/prepare'] = ({ payment }) => ({
		to: STAKES,
		payment,
		fee: '1',
		deposit: '0',
		balance: '100',
		gas: null,
		unsigned: null,
	});
	await connect(
		/** @type {any} */ ({
			kind: 'ethereum',
			id: 'purse.example',
			name: 'Purse',
			connect: async () => [{ id: ACCOUNT, name: null }],
			listen: () => {},
			leave: () => {},
			useChain: async () => {},
			isOn: async () => true,
			node: null,
			/** @param {import('./types.d.ts').Transaction} of */
			send: async ({ signed }) => {
				await signed('', 0, 3);
				asks += 1;
				try {
					await answers();
				} catch (error) {
					await signed(null, 0);
					throw error;
				}
				await signed(HASH, 0, 3);
				return { hash: HASH };
			},
			follow: () => follows(),
			fateOf: async () => fate,
		}),
	);
});

/** The player waits no longer. */
const gaveUp = async () => {
	throw new WalletError('You stopped waiting.', 'replaced');
};

describe('a stake that a wallet of Ethereum has signed', () => {
	test('is the only one until a block has it, whatever the page is told meanwhile', async () => {
		follows = gaveUp;
		await assert.rejects(pay(), /You stopped waiting/);
		await assert.rejects(
			pay('second'),
			/“Pay the first stake” \(0\.5 DOT\) may still be paid.*Nothing more was signed.*cancel it in Purse/,
		);
		assert.equal(asks, 1);
		// What costs no stake may be done.
		follows = async () => ({ hash: HASH, block: 9, failed: false, found: { events: [] } });
		await send('Resign', CALL);
		assert.equal(asks, 2);
		assert.deepEqual((await openStakes(ACCOUNT)).length, 1);
		// The node of another chain, to which the wallet was moved, knows nothing of it.
		fate = 'final';
		session.isHere = false;
		assert.deepEqual((await openStakes(ACCOUNT)).length, 1);
		session.isHere = true;
		assert.deepEqual(await openStakes(ACCOUNT), []);
		// The player thinks that it has not happened.
		await assert.rejects(pay('second'), /is in a block after all.*nothing was signed now/);
		await pay('second');
		assert.equal(asks, 3);
	});

	test('counts from when the wallet is asked, as the page may be closed before its answer', async () => {
		/** @type {(_?: unknown) => void} */
		let answer = () => {};
		answers = () =>
			new Promise((resolve) => {
				answer = /** @type {any} */ (resolve);
			});
		const asking = pay();
		while (!asks) await new Promise((resolve) => setImmediate(resolve));
		const [asked] = guarded('signed');
		assert.equal(disk.durabilities.at(-1), 'strict');
		assert.deepEqual(
			[asked.what, asked.stake, asked.hash, asked.nonce],
			['Pay the first stake', '0.5 DOT', '', 3],
		);
		// What is under way is shown as that.
		assert.deepEqual(await openStakes(ACCOUNT), []);
		answer();
		await asking;
	});

	test('is none if the player has refused it, or says that the wallet does not show it', async () => {
		answers = async () => {
			throw new WalletError('You refused in Purse: nothing was signed.', 'refused');
		};
		await assert.rejects(pay(), /You refused/);
		answers = async () => {};
		follows = gaveUp;
		await assert.rejects(pay(), /You stopped waiting/);
		const [open] = await openStakes(ACCOUNT);
		if (open) await forgetSigned(open);
		await assert.rejects(pay(), /You stopped waiting/);
		assert.equal(asks, 3);
	});

	test('counts again if a fork has taken it back, until its block is final', async () => {
		await pay();
		fate = 'in block';
		await pay('second');
		fate = 'open';
		await assert.rejects(pay('third'), /“Pay the first stake”.*may still be paid/);
		assert.equal((await openStakes(ACCOUNT)).length, 2);
		fate = 'final';
		await pay('third');
		assert.equal(asks, 3);
		fate = 'open';
		assert.deepEqual(
			(await openStakes(ACCOUNT)).map(({ what }) => what),
			['Pay the third stake'],
		);
	});

	test('is not signed where the browser does not keep it, and the wallet is not asked', async () => {
		const words = /does not keep what has to be on disk before anything is signed, so nothing was/;
		disk.isFull = true;
		await assert.rejects(pay(), words);
		disk.isFull = false;
		disk.isRefused = true;
		await assert.rejects(pay(), words);
		assert.equal(asks, 0);
		disk.isRefused = false;
		await pay();
		assert.equal(asks, 1);
	});

	test('needs no place in the storage that a host can fill', async (t) => {
		const { localStorage } = globalThis.window;
		const refuses = () => {
			throw new Error('QuotaExceededError');
		};
		t.mock.method(localStorage, 'setItem', refuses);
		follows = gaveUp;
		await assert.rejects(pay(), /You stopped waiting/);
		await assert.rejects(pay('second'), /“Pay the first stake”.*may still be paid/);
		assert.equal(guarded('signed').length, 1);
	});

	test('has no end but its fate: not that of a day, nor by the clock of the device', async (t) => {
		follows = gaveUp;
		await assert.rejects(pay(), /You stopped waiting/);
		const now = Date.now();
		t.mock.method(Date, 'now', () => now + 400 * 86_400_000);
		assert.equal((await openStakes(ACCOUNT)).length, 1);
		await assert.rejects(pay('second'), /“Pay the first stake”.*may still be paid/);
		assert.equal(asks, 1);
	});

	test('that an earlier page has kept in the browser’s storage is taken over once', async () => {
		follows = gaveUp;
		await assert.rejects(pay(), /You stopped waiting/);
		const [stake] = guarded('signed');
		clear();
		const { openStakes: opened, forgetSigned: forget } = await anew('./signed.js');
		kept.set('connect4-signed', JSON.stringify([stake]));
		assert.deepEqual(guarded('signed'), undefined);
		assert.equal((await opened(ACCOUNT)).length, 1);
		assert.deepEqual([guarded('signed'), kept.get('connect4-signed')], [[stake], undefined]);
		await forget(stake);
		assert.deepEqual(await opened(ACCOUNT), []);
	});
});

/** The same page in another tab, with the same wallet. @type {typeof import('./send.js')} */
const other = await anew('./send.js');

describe('of two tabs whose player agrees to two stakes', () => {
	/** The questions that are open. @type {(() => void)[]} */
	let questions = [];
	const asked = async (/** @type {number} */ count) => {
		for (let turn = 0; turn < 100 && questions.length < count; turn += 1) {
			await new Promise((resolve) => setTimeout(resolve, 1));
		}
		assert.equal(questions.length, count);
	};

	beforeEach(() => {
		questions = [];
		const to = {
			show: () => {},
			agreed: () =>
				new Promise((/** @type {(yes: boolean) => void} */ resolve) => {
					questions.push(() => resolve(true));
				}),
		};
		showTo(to);
		other.showTo(to);
	});

	/** @param {Locks | undefined} locks */
	const withLocks = (locks) =>
		Object.defineProperty(globalThis, 'navigator', { value: { locks }, configurable: true });

	test('one is told to go to the other one', async () => {
		withLocks(new Locks());
		const first = pay();
		await asked(1);
		await assert.rejects(
			other.send('Pay the second stake', CALL, STAKE),
			/Another tab of this browser is about to pay a stake.*Nothing was signed here/,
		);
		questions[0]?.();
		await first;
		assert.equal(asks, 1);
	});

	test('one signs where the browser has no locks, as what is open is looked at again', async () => {
		withLocks(undefined);
		follows = gaveUp;
		const first = pay();
		await asked(1);
		const second = other.send('Pay the second stake', CALL, STAKE);
		await asked(2);
		questions[0]?.();
		await assert.rejects(first, /You stopped waiting/);
		questions[1]?.();
		await assert.rejects(second, /“Pay the first stake” \(0\.5 DOT\) may still be paid/);
		assert.equal(asks, 1);
	});
});
