// What a wallet is asked to do on the chain.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';

import './page-fakes.mjs';

import { openDuties } from './duties.js';
import { WalletError } from './ethereum.js';

/** @param {string} input */
const call = (input) => ({ contract: 'stakes', message: 'm', input });

/** What was asked is answered, and taken. */
const taken = () => new Promise((resolve) => setImmediate(resolve));

/** Duties whose wallet answers when it is told to. */
function open() {
	/** @type {string[]} */
	const asked = [];
	/** @type {((error?: Error) => void)[]} */
	const answers = [];
	/** @type {((why: string) => void)[]} */
	const silences = [];
	const shown = { due: /** @type {string | null} */ (null), trouble: '' };
	const duties = openDuties({
		transact: ({ input }, unanswered) => {
			asked.push(input);
			silences.push(unanswered);
			return new Promise((resolve, reject) =>
				answers.push((error) => (error ? reject(error) : resolve())),
			);
		},
		due: (now) => {
			shown.due = now?.input ?? null;
		},
		complain: (trouble) => {
			shown.trouble = trouble;
		},
	});
	/** The wallet answers what it is asked. @param {Error} [error] */
	const answer = async (error) => {
		answers.shift()?.(error);
		await taken();
	};
	return { duties, asked, shown, silences, answer };
}

test('what a player wants is done after what the wallet is asked for, and the same once', async () => {
	const { duties, asked, answer } = open();
	duties.consider(call('0x01'));
	const same = duties.now(call('0x01'));
	const other = duties.now(call('0x02'));
	assert.deepEqual(asked, ['0x01']);
	answer();
	await same;
	await taken();
	assert.deepEqual(asked, ['0x01', '0x02']);
	answer();
	await other;
	assert.deepEqual(asked, ['0x01', '0x02']);
});

describe('what is due on the chain', () => {
	beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 }));
	afterEach(() => mock.timers.reset());

	test('is due again after an error, not at once, and the error is told', async () => {
		const { duties, asked, shown, answer } = open();
		duties.consider(call('0x01'));
		for (const pause of [5, 10, 20, 40, 60, 60]) {
			const before = asked.length;
			await answer(new Error('the node is away'));
			assert.deepEqual([shown.due, shown.trouble], ['0x01', 'the node is away']);
			mock.timers.tick(pause * 1_000 - 1);
			duties.consider(call('0x01'));
			assert.equal(asked.length, before, `${pause} s`);
			mock.timers.tick(1);
			duties.consider(call('0x01'));
			assert.equal(asked.length, before + 1, `${pause} s`);
		}
		await answer();
		duties.consider(null);
		assert.deepEqual(shown, { due: null, trouble: '' });
	});

	test('is not asked for again by itself once the player has refused', async () => {
		const { duties, asked, shown, answer } = open();
		duties.consider(call('0x01'));
		await answer(new WalletError('You refused in Purse', 'refused'));
		assert.equal(shown.trouble, 'You refused in Purse');
		mock.timers.tick(3_600_000);
		duties.consider(call('0x01'));
		assert.deepEqual([asked.length, shown.due], [1, '0x01']);
		duties.now(call('0x01'));
		assert.equal(asked.length, 2);
	});

	test('is asked for again if the player wants it, or if something else is due', async () => {
		const { duties, asked, shown, silences } = open();
		duties.consider(call('0x01'));
		const clicked = duties.now(call('0x01'));
		assert.equal(asked.length, 1, 'it waits for the answer');
		silences[0]?.('Purse has not answered.');
		await clicked;
		assert.equal(shown.trouble, 'Purse has not answered.');
		mock.timers.tick(3_600_000);
		duties.consider(call('0x01'));
		assert.equal(asked.length, 1, 'not by itself');
		duties.now(call('0x01'));
		assert.equal(asked.length, 2);
		silences[1]?.('Purse has not answered.');
		await taken();
		duties.consider(call('0x02'));
		assert.deepEqual(asked, ['0x01', '0x01', '0x02']);
	});
});
