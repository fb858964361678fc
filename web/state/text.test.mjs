import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { EVE } from './fixtures.mjs';
import { amountText, short } from './text.js';

describe('amounts', () => {
	test('are as exact as people ask', () => {
		for (const [exact, shown] of [
			['0.006236331 DOT', '0.0062 DOT'],
			['0.0000000001 DOT', '0.0000000001 DOT'],
			['0 DOT', '0 DOT'],
			['1 DOT', '1 DOT'],
			['12.345678 DOT', '12.35 DOT'],
			['1000000 DOT', '1000000 DOT'],
		])
			assert.equal(amountText(exact), shown);
	});
});

test('addresses and hashes are shortened, names are not', () => {
	assert.equal(short(EVE), '0x5555…1e01');
	assert.equal(short('alice'), 'alice');
});
