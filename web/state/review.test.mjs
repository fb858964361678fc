import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { game, playing } from './fixtures.mjs';
import { reduce } from './reduce.js';
import { reviewSummary, reviewText } from './review.js';

describe('the review', () => {
	const move = (turn, mark) => ({
		turn,
		player: turn % 2 ? 'blue' : 'red',
		bin: 0,
		made_words: 'loses in 20',
		mark,
		best_words: 'wins in 21',
		best_bins: [3],
		spent: null,
	});
	const state = playing([], game('4455'), { type: 'reviewing' });

	test('says what was better where it was', () => {
		assert.equal(reviewText(move(0, '')), 'loses in 20');
		assert.equal(reviewText(move(0, '??')), 'loses in 20; best: bin 4 (wins in 21)');
		assert.equal(
			reviewText({ ...move(0, '?'), best_bins: [3, 4] }),
			'loses in 20; best: bins 4 and 5 (wins in 21)',
		);
	});

	test('says what a move cost of the time', () => {
		const slow = { ...move(0, '??'), spent: 40_400 };
		assert.equal(reviewText(slow), 'loses in 20; best: bin 4 (wins in 21); 40 s spent here');
		assert.equal(reviewText({ ...move(0, ''), spent: 2_340 }), 'loses in 20; 2.3 s spent here');
	});

	test('tells how far it is, then sums up', () => {
		const half = ['??', '', '??'].reduce(
			(so, mark, turn) => reduce(so, { type: 'reviewed', move: move(turn, mark) }),
			state,
		);
		assert.deepEqual(reviewSummary(half), { progress: '3 of 4', lines: [] });
		const whole = [{ type: 'reviewed', move: move(3, '?') }, { type: 'review over' }].reduce(
			reduce,
			half,
		);
		assert.deepEqual(
			reviewSummary(whole).lines.map(({ text }) => text),
			['red: 2 blunders', 'blue: 1 inaccuracy'],
		);
	});

	test('that broke off sums up nothing', () => {
		const broken = reduce(state, { type: 'review over', error: 'the board is too big' });
		assert.deepEqual(reviewSummary(broken).lines, []);
		assert.equal(broken.review.error, 'the board is too big');
	});
});
