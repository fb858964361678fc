import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MOST_FINISHED, pruned } from './by-terms-kept.js';

const DAY = 86_400;
const NOW = 100 * DAY;

/** @param {number} count @param {object} of @returns {Record<string, any>} */
const games = (count, of, from = 0) =>
	Object.fromEntries(Array.from({ length: count }, (_, at) => [`0x${from + at}`, of]));

const FINISHED = { over: true, agreed: true, time: NOW - 5 * DAY };

test('of finished games the newest are kept', () => {
	const { stay, gone } = pruned(games(MOST_FINISHED + 3, FINISHED), NOW);
	assert.deepEqual(
		gone.map(([name]) => name),
		['0x0', '0x1', '0x2'],
	);
	assert.equal(Object.keys(stay).length, MOST_FINISHED);
	assert.ok(!('0x2' in stay) && '0x3' in stay);
});

test('a game goes neither before its end is signed, nor while it can be disputed', () => {
	for (const of of [
		{ over: false, time: NOW - 5 * DAY },
		{ over: true, agreed: false, time: NOW - 5 * DAY },
		{ over: true, agreed: false, recorded: '0x01', time: NOW - 5 * DAY },
		{ over: true, agreed: true, time: NOW - DAY },
		// Of an earlier page, which has not said when it was.
		{ over: true, agreed: true },
	]) {
		const all = { ...games(3, of), ...games(MOST_FINISHED + 1, FINISHED, 3) };
		const { gone } = pruned(/** @type {any} */ (all), NOW);
		assert.deepEqual(
			gone.map(([name]) => name),
			['0x3'],
			JSON.stringify(of),
		);
	}
});

test('a game that no chain takes any more goes as a finished one', () => {
	const old = { over: false, time: NOW - 40 * DAY };
	const all = { ...games(1, old), ...games(MOST_FINISHED, FINISHED, 1) };
	assert.deepEqual(
		pruned(/** @type {any} */ (all), NOW).gone.map(([name]) => name),
		['0x0'],
	);
});
