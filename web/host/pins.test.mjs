import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import './page-fakes.mjs';

import { clear, disk, guarded, kept } from './page-fakes.mjs';
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
	variants: address('bb'),
	stakes: address('cc'),
};

beforeEach(() => {
	clear();
	disk.isFull = false;
});

test('a chain is kept at the first visit, and is the same at the next', async () => {
	assert.equal(await judge(HERE), null);
	assert.equal(await judge({ ...HERE }), null);
	// Another chain is another one.
	assert.equal(await judge({ ...HERE, genesis: `0x${'02'.repeat(32)}`, chainId: 8 }), null);
	assert.equal(await judge(HERE), null);
});

test('a chain that differs from what was used before is asked about, and used when the player agrees', async () => {
	/** @type {[Partial<typeof HERE>, RegExp][]} */
	const lies = [
		[{ genesis: `0x${'02'.repeat(32)}` }, /has the number 7 of a chain.* and is another one/],
		[{ chainId: null }, /has the number none.*used it with the number 7/],
		[{ chainId: 8 }, /has the number 8.*used it with the number 7/],
		[{ decimals: 12, ratio: '1000000' }, /has 12 decimals. This browser has used it with 10/],
		[{ symbol: 'KSM' }, /calls the token KSM/],
		[{ games: address('66') }, /another contract \(0x6666…6666\) than this browser has used/],
		[{ games: null }, /another contract \(none\)/],
		[{ stakes: address('66') }, /another contract \(0x6666…6666\)/],
		[{ variants: address('66') }, /another contract \(0x6666…6666\)/],
	];
	for (const [lie, words] of lies) {
		clear();
		await judge(HERE);
		const now = { ...HERE, ...lie };
		const asked = await judge(now);
		assert.match(asked?.text ?? '', words);
		// It is asked again as long as the player has not agreed.
		assert.ok((await judge(now))?.accept);
		assert.equal(await judge(HERE), null);
		await asked?.accept?.();
		assert.equal(await judge(now), null);
		assert.ok(await judge(HERE), 'what was used before is the other one now');
	}
});

test('an amount that is shown is the one that is paid: units that do not fit together are not used', async () => {
	for (const lie of [
		{ ratio: '10000000000' },
		{ decimals: 12 },
		{ decimals: null },
		{ ratio: '1' },
	]) {
		const asked = await judge({ ...HERE, ...lie });
		assert.match(asked?.text ?? '', /do not fit together.*Nothing is signed/);
		assert.equal(asked?.accept, null);
	}
	assert.equal(await judge({ ...HERE, decimals: 12, ratio: '1000000' }), null);
});

test('a chain that the browser does not keep is not signed for: the next visit would ask nothing', async () => {
	disk.isFull = true;
	const asked = await judge(HERE);
	assert.match(asked?.text ?? '', /does not keep what has to be on disk/);
	assert.equal(asked?.accept, null);
	disk.isFull = false;
	assert.equal(await judge(HERE), null);
	assert.deepEqual(guarded('chains'), [HERE]);
	assert.equal(disk.durabilities.at(-1), 'strict');
});

test('what an earlier page has kept of chains is taken over once', async () => {
	const path = './pins.js?anew';
	/** @type {typeof import('./pins.js')} */
	const { judge: judgeAnew } = await import(path);
	kept.set('connect4-chains', JSON.stringify([HERE]));
	const asked = await judgeAnew({ ...HERE, games: address('66') });
	assert.match(asked?.text ?? '', /another contract/);
	assert.deepEqual([guarded('chains'), kept.get('connect4-chains')], [[HERE], undefined]);
});

for (const kind of ['variants', 'stakes']) {
	test(`a contract of the ${kind} is kept as soon as a host has one, and a host without one is asked nothing about it`, async () => {
		const { [kind]: _, ...earlier } = /** @type {any} */ (HERE);
		for (const first of [{ ...HERE, [kind]: null }, earlier]) {
			clear();
			disk.records.set('guard chains', { key: 'guard chains', value: [first] });
			assert.equal(await judge(HERE), null);
			assert.deepEqual(guarded('chains'), [HERE]);
			assert.equal(await judge({ ...HERE, [kind]: null }), null);
			// Nor is it forgotten by what else is agreed to there.
			const asked = await judge({ ...HERE, symbol: 'KSM', [kind]: null });
			await asked?.accept?.();
			assert.deepEqual(guarded('chains'), [{ ...HERE, symbol: 'KSM' }]);
			const other = await judge({ ...HERE, symbol: 'KSM', [kind]: address('66') });
			assert.match(other?.text ?? '', /another contract/);
		}
	});
}
