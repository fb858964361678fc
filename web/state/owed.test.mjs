import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { owedHere } from './challenges.js';
import { ALICE, alice, BOB, bob, hello } from './fixtures.mjs';

describe('what accounts are owed', () => {
	const owed = [
		{ account: ALICE, amount: '5', games: [] },
		{ account: BOB, amount: '7', games: ['3'] },
	];

	test('is told to those who have a key for the account', () => {
		assert.deepEqual(owedHere(hello(bob).hello, owed), [owed[1]]);
		assert.deepEqual(owedHere(hello(alice, bob).hello, owed), owed);
		assert.deepEqual(owedHere(hello().hello, owed), []);
	});
});
