import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { CHAIN, EVE } from './fixtures.mjs';
import { amountText, short } from './text.js';

describe('amounts', () => {
	test('are as exact as people ask', () => {
		for (const [exact, shown] of [
			['62363310', '0.0062 DOT'],
			['1', '0.0000000001 DOT'],
			['0', '0 DOT'],
			['10000000000', '1 DOT'],
			['123456780000', '12.35 DOT'],
			['10000000000000000', '1000000 DOT'],
		])
			assert.equal(amountText(exact, CHAIN), shown);
	});
});

test('addresses and hashes are shortened, names are not', () => {
	assert.equal(short(EVE), '0x5555…1e01');
	assert.equal(short('alice'), 'alice');
});
