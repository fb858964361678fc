import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import './page-fakes.mjs';

import { kept } from './page-fakes.mjs';
import { judge } from './pins.js';

/** @param {string} byte */
const address = (byte) => `0x${byte.repeat(20)}`;
/** @type {import('./pins.js').Pin} */
const HERE = {
	genesis: `0x${'01'.repeat(32)}`,
	chainId: 7,
	decimals: 10,
	symbol: 'DOT',
	ratio: '100000000',
	games: address('aa'),
	matches: address('bb'),
	fast: address('cc'),
};

beforeEach(() => kept.clear());

test('a chain is kept at the first visit, and is the same at the next', () => {
	assert.equal(judge(HERE), null);
	assert.equal(judge({ ...HERE }), null);
	// Another chain is another one.
	assert.equal(judge({ ...HERE, genesis: `0x${'02'.repeat(32)}`, chainId: 8 }), null);
	assert.equal(judge(HERE), null);
});

test('a chain that differs from what was used before is asked about, and used when the player agrees', () => {
	/** @type {[Partial<typeof HERE>, RegExp][]} */
	const lies = [
		[{ genesis: `0x${'02'.repeat(32)}` }, /has the number 7 of a chain.* and is another one/],
		[{ chainId: null }, /has the number none.*used it with the number 7/],
		[{ chainId: 8 }, /has the number 8.*used it with the number 7/],
		[{ decimals: 12, ratio: '1000000' }, /has 12 decimals. This browser has used it with 10/],
		[{ symbol: 'KSM' }, /calls the token KSM/],
		[{ matches: address('66') }, /another contract \(0x6666…6666\) than this browser has used/],
		[{ games: address('66') }, /another contract/],
		[{ fast: null }, /another contract \(none\)/],
	];
	for (const [lie, words] of lies) {
		kept.clear();
		judge(HERE);
		const now = { ...HERE, ...lie };
		const asked = judge(now);
		assert.match(asked?.text ?? '', words);
		// It is asked again as long as the player has not agreed.
		assert.ok(judge(now)?.accept);
		assert.equal(judge(HERE), null);
		asked?.accept?.();
		assert.equal(judge(now), null);
		assert.ok(judge(HERE), 'what was used before is the other one now');
	}
});

test('an amount that is shown is the one that is paid: units that do not fit together are not used', () => {
	for (const lie of [
		{ ratio: '10000000000' },
		{ decimals: 12 },
		{ decimals: null },
		{ ratio: '1' },
	]) {
		const asked = judge({ ...HERE, ...lie });
		assert.match(asked?.text ?? '', /do not fit together.*Nothing is signed/);
		assert.equal(asked?.accept, null);
	}
	assert.equal(judge({ ...HERE, decimals: 12, ratio: '1000000' }), null);
});
