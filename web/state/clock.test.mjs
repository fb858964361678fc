import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { clockLeft, clockText } from './clock.js';
import { game, playing, won } from './fixtures.mjs';

describe('the clock', () => {
	const left = { red: 300, blue: 280 };

	test('runs for who is to move only, from when it was told', () => {
		const state = playing([], game('', { left }));
		assert.equal(clockLeft(state, 'red', 10_000), 290);
		assert.equal(clockLeft(state, 'blue', 10_000), 280);
	});

	test('stands still after the end', () => {
		assert.equal(clockLeft(playing([], won({ left })), 'red', 10_000), 300);
	});

	test('reads as minutes and seconds, and never below nothing', () => {
		assert.deepEqual([0, -5, 9.2, 65, 3723].map(clockText), [
			'0:00',
			'0:00',
			'0:10',
			'1:05',
			'1:02:03',
		]);
	});
});
