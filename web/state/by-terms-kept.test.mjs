import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MOST_FINISHED, pruned } from './by-terms-kept.js';

/** @param {number} count @param {boolean} over @returns {Record<string, any>} */
const games = (count, over, from = 0) =>
	Object.fromEntries(Array.from({ length: count }, (_, at) => [`0x${from + at}`, { over }]));

test('of finished games the newest are listed', () => {
	const listed = pruned(games(MOST_FINISHED + 3, true));
	assert.equal(Object.keys(listed).length, MOST_FINISHED);
	assert.ok(!('0x2' in listed) && '0x3' in listed);
});

test('games that go on are listed all', () => {
	const listed = pruned({ ...games(300, false), ...games(MOST_FINISHED, true, 300) });
	assert.equal(Object.keys(listed).length, 300 + MOST_FINISHED);
});
