// What a wallet is asked to do on the chain.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import './page-fakes.mjs';

import { openDuties } from './duties.js';

/** @param {string} input */
const call = (input) => ({ contract: 'stakes', message: 'm', input });

/** Duties whose wallet answers when it is told to. */
function open() {
	/** @type {string[]} */
	const asked = [];
	/** @type {(() => void)[]} */
	const answers = [];
	const duties = openDuties({
		transact: (call) => {
			asked.push(call.input);
			return new Promise((resolve) => answers.push(resolve));
		},
		due: () => {},
		complain: () => {},
	});
	return { duties, asked, answer: () => answers.shift()?.() };
}

test('what a player wants is done after what the wallet is asked for, and the same once', async () => {
	const { duties, asked, answer } = open();
	duties.consider(call('0x01'));
	const same = duties.now(call('0x01'));
	const other = duties.now(call('0x02'));
	assert.deepEqual(asked, ['0x01']);
	answer();
	await same;
	await new Promise((resolve) => setImmediate(resolve));
	assert.deepEqual(asked, ['0x01', '0x02']);
	answer();
	await other;
	assert.deepEqual(asked, ['0x01', '0x02']);
});
