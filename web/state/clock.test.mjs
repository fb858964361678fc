import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';

import { clockLeft, clockShown, clockText, LEAST_BANK, shortOfTime, USUAL_CLOCK } from './clock.js';
import { alice, game, playing, won } from './fixtures.mjs';

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

	test('of a game with a stake has the least bank that contracts take', async () => {
		const file = new URL('../../crates/protocol/src/signed/terms.rs', import.meta.url);
		const least = /MIN_STAKED_BANK: u32 = (?<minutes>\d+) \* 60;/.exec(
			await readFile(file, 'utf8'),
		);
		assert.equal(LEAST_BANK, 60 * Number(least?.groups?.minutes));
	});

	const signed = (/** @type {string} */ runs) => ({
		here: ['red'],
		runs,
		guests: [],
		programs: [],
	});

	test('of a player here is short from twenty seconds on, and in that game', () => {
		const red = (/** @type {number} */ seconds) =>
			playing([alice], game('', { left: { red: seconds, blue: 280 }, byTerms: signed('red') }));
		assert.equal(shortOfTime(red(21), 0), null);
		assert.equal(shortOfTime(red(21), 1_500), '5 red');
		assert.equal(shortOfTime(red(21), 22_000), null, 'it is over');
		// The opponent's is the opponent's business.
		const blue = playing(
			[alice],
			game('4', { left: { red: 300, blue: 10 }, byTerms: signed('blue') }),
		);
		assert.equal(shortOfTime(blue, 0), null);
		// A move of a variant may have less time at its beginning.
		assert.equal(shortOfTime(playing([alice], game('', { left: { red: 5, blue: 5 } })), 0), null);
	});

	test('of a witness shows tenths, and is not over before the witness says so', () => {
		const byTerms = { here: ['red'], runs: 'red', guests: [], programs: [] };
		const of = (/** @type {string} */ runs) =>
			playing([alice], game('', { left, byTerms: { ...byTerms, runs } }));
		const shown = (/** @type {any} */ colour, /** @type {number} */ seconds) =>
			clockShown(of(colour), colour, seconds);
		assert.deepEqual(
			[shown('red', 12.3), shown('red', 9.44), shown('red', -0.3)],
			['0:13', '0:09.4', '0:00.0'],
		);
		assert.equal(shown('blue', -0.3), '0:00.1');
		// The one that stands still is what the witness has counted.
		assert.equal(clockShown(of('red'), 'blue', 8), '0:08');
		assert.equal(clockShown(playing([alice]), 'red', 8.2), '0:09', 'the chain counts seconds');
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
