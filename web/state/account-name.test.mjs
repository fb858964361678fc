import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { accountName, accountPicture, knowWords, loadWordsBy } from './account-name.js';
import { WORDS } from './bip39.js';

const ADDRESS = `0x${'5c'.repeat(16)}`;

describe('an account', () => {
	test('is called by its address until the words are there, which are asked for once', () => {
		let asked = 0;
		loadWordsBy(() => {
			asked += 1;
		});
		for (const end of ['00000001', '00000800']) {
			assert.equal(accountName(`${ADDRESS}${end}`), `0x5c5c…${end.slice(-4)}`);
		}
		assert.equal(asked, 1);
		knowWords(WORDS);
		assert.equal(accountName(`${ADDRESS}00000800`), 'Ability Abandon');
	});

	test('has two words for a name, as the program has them', () => {
		for (const [end, name] of [
			['00000000', 'Abandon Abandon'],
			['00000001', 'Abandon Ability'],
			['00000800', 'Ability Abandon'],
			['003fffff', 'Zoo Zoo'],
			// Bits before the last 22 say nothing.
			['00ffffff', 'Zoo Zoo'],
			['000017d5', 'Able Wide'],
		])
			assert.equal(accountName(`${ADDRESS}${end}`), name);
	});

	test('has a picture by other bits, the same on both sides', () => {
		const { hue, cells } = accountPicture(`${ADDRESS}00000000`);
		assert.ok(hue >= 0 && hue < 360);
		const is = new Set(cells.map(({ x, y }) => `${x} ${y}`));
		for (const { x, y } of cells) assert.ok(is.has(`${4 - x} ${y}`));
		assert.deepEqual(accountPicture(`${ADDRESS}00000001`), { hue, cells });
		const other = `0x${'5c'.repeat(8)}ff0001${'5c'.repeat(5)}00000000`;
		assert.deepEqual(accountPicture(other), {
			hue: 358,
			cells: [
				{ x: 0, y: 0 },
				{ x: 4, y: 0 },
			],
		});
	});
});
