import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';

import {
	askedIn,
	dayOf,
	dayText,
	givenAway,
	hinted,
	isClear,
	isKept,
	nextOf,
	nothing,
	ofDay,
	ofEdition,
	read,
	solve,
	streakOf,
	wrongText,
} from './puzzles.js';
import { routeOf, screen } from './route.js';

const FILE = `connect4 puzzles 7
1 win 1
1122334
2 hold 5
4444441
4444442
`;

describe('the file', () => {
	test('is read with its edition, grades and goals', () => {
		const { edition, puzzles } = read(FILE);
		assert.equal(edition, '7');
		assert.deepEqual(puzzles, [
			{ number: 1, grade: 1, goal: 'win', moves: '112233', answer: 3 },
			{ number: 2, grade: 2, goal: 'hold', moves: '444444', answer: 0 },
			{ number: 3, grade: 2, goal: 'hold', moves: '444444', answer: 1 },
		]);
	});

	test('of the program has a puzzle for each day, by the rule of the program', async () => {
		const url = new URL('../../crates/opponent/src/puzzles.txt', import.meta.url);
		const { puzzles } = read(await readFile(url, 'utf8'));
		// The same as in crates/opponent/src/puzzle.rs.
		const week = Array.from({ length: 7 }, (_, day) => ofDay(puzzles, 20_780 + day));
		assert.deepEqual(
			week.map((puzzle) => puzzle?.grade),
			[2, 2, 3, 3, 4, 4, 5],
		);
		const graded = puzzles.filter(({ grade }) => grade === 2);
		assert.equal(ofDay(puzzles, 20_781), graded[(20_781 * 7_919) % graded.length]);
	});
});

describe('what was solved', () => {
	test('is kept by number, with a streak of days', () => {
		let solved = solve({ ...nothing, edition: '7' }, 1, 10);
		solved = solve(solved, 2, 11);
		solved = solve(solved, 2, 11);
		solved = solve(solved, 3, null);
		assert.deepEqual(solved.numbers, [1, 2, 3]);
		assert.deepEqual(
			[11, 12, 13].map((day) => streakOf(solved, day)),
			[2, 2, 0],
		);
		solved = solve(solved, 1, 13);
		assert.deepEqual([solved.streak, solved.best], [1, 2]);
		assert.equal(streakOf(nothing, 0), 0);
	});

	test('of another edition is not taken over, but the streak is', () => {
		const solved = solve({ ...nothing, edition: '7' }, 1, 10);
		assert.equal(ofEdition(solved, '7'), solved);
		assert.deepEqual(ofEdition(solved, '8').numbers, []);
		assert.equal(streakOf(ofEdition(solved, '8'), 10), 1);
	});

	test('leads to the next puzzle of a grade', () => {
		const { puzzles } = read(FILE);
		assert.equal(nextOf(puzzles, solve(nothing, 2, null), 2)?.number, 3);
		const all = solve(solve(nothing, 2, null), 3, null);
		assert.equal(nextOf(puzzles, all, 2)?.number, 2);
		assert.equal(nextOf(puzzles, nothing, 9), null);
	});
});

describe('a drop', () => {
	test('keeps a win if it wins, and a draw if it does not lose', () => {
		const worths = /** @type {const} */ ([{ wins_in: 2 }, 'draw', { loses_in: 3 }]);
		assert.deepEqual(
			worths.map((worth) => isKept('win', worth)),
			[true, false, false],
		);
		assert.deepEqual(
			worths.map((worth) => isKept('hold', worth)),
			[true, true, false],
		);
	});

	test('that gave away a win or a draw makes a task', () => {
		assert.equal(givenAway({ best: { wins_in: 2 }, made: 'draw' }), 'win');
		assert.equal(givenAway({ best: { wins_in: 2 }, made: { wins_in: 9 } }), null);
		assert.equal(givenAway({ best: 'draw', made: { loses_in: 1 } }), 'hold');
		assert.equal(givenAway({ best: { loses_in: 5 }, made: { loses_in: 1 } }), null);
		assert.equal(givenAway({ best: { chance: 0.9 }, made: { chance: 0.1 } }), null);
	});

	test('that is wrong is told with what it loses to', () => {
		assert.equal(wrongText(0, { loses_in: 2 }, [3, 0, 4]), 'Bin 1 loses to 4, 1, 5.');
		assert.equal(wrongText(6, 'draw', [3]), 'Bin 7 is only a draw to 4.');
		assert.equal(wrongText(6, 'draw', []), 'Bin 7 is only a draw.');
	});
});

/** @param {(import('../wire.d.ts').Worth)[]} worths @param {number[]} best */
const hintOf = (worths, best) =>
	/** @type {any} */ ({ bins: worths.map((worth, bin) => ({ bin, worth })), best_bins: best });

test('a draw is held once no bin loses; a win is played to its line', () => {
	const all = hintOf(['draw', { wins_in: 2 }], [1]);
	assert.equal(isClear('hold', all), true);
	assert.equal(isClear('hold', hintOf(['draw', { loses_in: 2 }], [0])), false);
	assert.equal(isClear('win', hintOf([{ wins_in: 2 }], [0])), false);
});

test('hints name two bins, and then the right one', () => {
	const hint = hintOf(['draw', { loses_in: 1 }, { loses_in: 1 }], [0]);
	assert.deepEqual(hinted(hint, 11, 1), [0, 2]);
	assert.deepEqual(hinted(hint, 11, 2), [0]);
	assert.deepEqual(hinted(hintOf(['draw'], [0]), 11, 1), [0]);
});

test('addresses name a day’s puzzle, a grade, a number, a game, mistakes and openings', () => {
	assert.deepEqual(routeOf('/puzzles', '?grade=2'), { page: 'puzzles', of: '?grade=2' });
	assert.equal(screen(/** @type {any} */ ({ route: routeOf('/puzzles') })), 'puzzles');
	assert.deepEqual(askedIn(''), { kind: 'daily' });
	assert.deepEqual(askedIn('?grade=2'), { kind: 'grade', value: 2 });
	assert.deepEqual(askedIn('?number=12'), { kind: 'number', value: 12 });
	assert.deepEqual(askedIn('?game=4433&colour=red'), {
		kind: 'game',
		moves: '4433',
		colour: 'red',
	});
	assert.deepEqual(askedIn('?game=44x'), { kind: 'daily' });
	assert.deepEqual(askedIn('?openings='), { kind: 'openings', moves: '', colour: null });
	assert.deepEqual(askedIn('?mistakes'), { kind: 'mistakes', account: null });
	assert.deepEqual(askedIn('?mistakes=alice'), { kind: 'mistakes', account: 'alice' });
});

test('days are those of UTC', () => {
	assert.equal(dayOf(Date.UTC(2026, 10, 24, 23, 59)), 20_781);
	assert.equal(dayText(20_781), '2026-11-24');
});
