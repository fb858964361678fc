import assert from 'node:assert/strict';
import { test } from 'node:test';

import { linePath, proofText, shownGame, titleText } from './records.js';

const TERMS = {
	shape: { bins: 7, capacity: 6, line: 4 },
	players: 2,
	pop_out: false,
	pie_rule: false,
	powers: { take: 0, clear: 0, float: 0 },
	limit: null,
};
const WRITTEN = {
	line: 1,
	game: null,
	players: [],
	terms: TERMS,
	moves: '4453',
	result: '1-0',
	end: 'by resignation',
	time: null,
	proof: /** @type {const} */ ('nothing'),
	why: null,
};

test('a game of a file leads to the line of its moves', () => {
	assert.equal(linePath(WRITTEN), '/line?bins=7&capacity=6&line=4&moves=4453');
	const pie = { ...WRITTEN, terms: { ...TERMS, pie_rule: true }, moves: '4s' };
	assert.match(linePath(pie) ?? '', /pie_rule=true.*moves=4s$/);
	// A line has no players who leave.
	assert.equal(linePath({ ...WRITTEN, moves: null }), null);
});

test('what proves a game is said', () => {
	assert.equal(proofText(WRITTEN), 'Nobody has signed it.');
	assert.match(
		proofText({ ...WRITTEN, proof: 'witnessed' }),
		/^Proven: .* the witness how it ended/,
	);
	assert.match(
		proofText({ ...WRITTEN, proof: 'earlier' }),
		/^Not checked: .* no signature of a kind that is checked\.$/,
	);
	assert.equal(proofText({ ...WRITTEN, proof: 'forged', why: 'x' }), 'Not this game: x.');
	assert.equal(titleText(WRITTEN), '1-0 by resignation');
	assert.match(titleText({ ...WRITTEN, game: `0x${'ab'.repeat(32)}` }), /^0xab.* · 1-0/);
});

test('a game is saved by the seats of its players', () => {
	const player = (/** @type {string} */ colour) => ({ colour, account: colour });
	const view = /** @type {any} */ ({
		game: '3',
		contract: 'c',
		over: true,
		moves_missing: null,
		players: [player('red'), player('blue')],
		terms: TERMS,
		notation: '4s',
		departures: [],
		end: 'resignation',
		winner: 'red',
		swapped: false,
	});
	const saved = shownGame(view);
	assert.deepEqual([saved?.winner, saved?.players], [0, ['red', 'blue']]);
	// After a swap player two is red.
	const swapped = shownGame({ ...view, swapped: true });
	assert.deepEqual([swapped?.winner, swapped?.players], [1, ['blue', 'red']]);
	assert.equal(shownGame({ ...view, over: false }), null);
	// A game of this page is of no chain.
	const here = shownGame({ ...view, game: 'h1' });
	assert.deepEqual([here?.game, here?.players], [null, []]);
});
