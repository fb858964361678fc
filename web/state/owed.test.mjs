import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { ALICE, alice, BOB, bob, hello } from './fixtures.mjs';
import { owedHere } from './owed.js';

describe('what accounts are owed', () => {
	const owed = [
		{ account: ALICE, amount: '5', games: [] },
		{ account: BOB, amount: '7', games: [3] },
	];

	test('is told to those who have a key for the account', () => {
		assert.deepEqual(owedHere(hello(bob).hello, owed), [owed[1]]);
		assert.deepEqual(owedHere(hello(alice, bob).hello, owed), owed);
		assert.deepEqual(owedHere(hello().hello, owed), []);
	});
});
