import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ALICE, BOB } from './fixtures.mjs';
import { binsOf, recordedView } from './recorded.js';

/** A game as the index has it. @param {object} changes */
const found = (changes) =>
	/** @type {any} */ ({
		game: '0x1',
		moves: '4s1',
		players: [
			{ address: ALICE, name: null },
			{ address: BOB, name: null },
		],
		clock: null,
		started: 9,
		how: 'on time',
		winner: 1,
		signed: { pool: 2, pie_rule: true, programs: [false, true] },
		...changes,
	});

const played = /** @type {any} */ ({
	terms: { shape: { bins: 7, capacity: 6, line: 4 }, players: 2, powers: {} },
	turns: 2,
	to_move: 'red',
	over: false,
	end: null,
	winner: null,
	winning_cells: [],
	board: [['blue'], [], [], ['red'], [], [], []],
	swapped: false,
	targets: { drop: [0, 0, 0, 0, 0, 0, 0], pop: [], take: [], clear: [], float: [], swap: false },
	notation: '41',
});

test('moves as text are bins, without the swap', () => {
	assert.deepEqual(binsOf('4s1ap'), [3, 0, 9, 24]);
});

test('a recorded game is shown in the colours of its board, and is over', () => {
	const view = recordedView(found({}), played);
	assert.deepEqual(
		[view.over, view.end, view.winner, view.to_move],
		[true, 'timeout', 'red', null],
	);
	assert.deepEqual(
		view.players.map(({ colour, account }) => [colour, account]),
		[
			['red', BOB],
			['blue', ALICE],
		],
	);
	assert.equal(view.turns, view.moves.length);
	assert.deepEqual(view.byTerms.programs, ['red']);
	assert.deepEqual(view.byTerms.here, []);
	assert.match(view.byTerms.found, /on time/);
});

test('what was recorded of a game that had not ended is shown as far as it goes', () => {
	const view = recordedView(found({ how: null, winner: null, moves: '41' }), played);
	assert.deepEqual([view.over, view.end, view.winner, view.to_move], [false, null, null, 'red']);
	assert.match(view.byTerms.found, /this much/);
});
