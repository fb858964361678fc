import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';

import { clockLeft, clockText, USUAL_CLOCK } from './clock.js';
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

	test('of a game that nobody asks more of is that of the program', async () => {
		const file = new URL('../../crates/protocol/src/clock_spec.rs', import.meta.url);
		const [, usual = ''] = (await readFile(file, 'utf8')).split('pub const USUAL');
		const { bank, increment } =
			/bank: (?<bank>\d+),\s+increment: (?<increment>\d+),/.exec(usual)?.groups ?? {};
		assert.deepEqual(USUAL_CLOCK, { bank: Number(bank), increment: Number(increment) });
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
