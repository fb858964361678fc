import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ALICE, BOB } from './fixtures.mjs';
import { binsOf, isAsHere, recordAfter, recordedView } from './recorded.js';

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
		signed: { pool: 2, pie_rule: true, programs: [false, true], dispute: 'f3' },
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
	bins: [0, 1, 2, 3, 4, 5, 6],
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
	assert.match(view.byTerms.chain.found ?? '', /on time/);
});

test('what was recorded of a game that had not ended is shown as far as it goes', () => {
	const view = recordedView(found({ how: null, winner: null, moves: '41' }), played);
	assert.deepEqual([view.over, view.end, view.winner, view.to_move], [false, null, null, 'red']);
	assert.match(view.byTerms.chain.found ?? '', /this much/);
});

test('a record of something else is not that of a game as it stands here', () => {
	const position = { end: 'line', winner: 'red', swapped: false };
	const here = /** @type {any} */ ({ notation: '4141414', position });
	const same = { moves: '4141414', how: 'by a line', winner: 0 };
	assert.ok(isAsHere(found(same), here));
	for (const other of [
		{ moves: '41', how: null, winner: null },
		{ moves: '414141', how: 'on time', winner: 0 },
		{ how: 'on time' },
		{ how: null },
		{ winner: 1 },
		{ winner: null },
	]) {
		assert.ok(!isAsHere(found({ ...same, ...other }), here), JSON.stringify(other));
	}
	// After a swap player two is red.
	const swapped = { notation: '4s14', position: { ...position, swapped: true } };
	const of = { moves: '4s14', how: 'by a line' };
	assert.ok(isAsHere(found({ ...of, winner: 1 }), /** @type {any} */ (swapped)));
	assert.ok(!isAsHere(found({ ...of, winner: 0 }), /** @type {any} */ (swapped)));
});

test('a record that the chain has no more is none, once the index is there', () => {
	const position = { end: 'line', winner: 'red', swapped: false };
	const state = /** @type {any} */ ({ notation: '4141414', position, record: { file: 'mine' } });
	const game = found({ moves: '4141414', how: 'by a line', winner: 0 });
	const at = { block: 9, behind: 0, trouble: null, missing: [] };
	/** @param {object | null} has @param {object} [index] @param {object} [before] */
	const after = (has, index = {}, before = {}) => {
		const said = /** @type {any} */ ({ game: has, index: { ...at, ...index } });
		return recordAfter({ recorded: 'mine', block: 7, lost: null, ...before }, said, state);
	};
	const stays = { recorded: 'mine', block: 7, lost: null };
	const gone = { recorded: null, block: 0, lost: 'replaced' };
	const instead = { ...gone, lost: 'other' };
	assert.deepEqual(after(game), stays);
	assert.deepEqual(after(null), gone);
	assert.deepEqual(after(found({ how: null })), instead, 'another record is not this one');
	for (const index of [
		{ block: 6 },
		{ block: null },
		{ behind: 1 },
		{ behind: null },
		{ trouble: 'no node' },
		{ missing: [{ first: 1, last: 2 }] },
	]) {
		assert.deepEqual(after(null, index), stays, JSON.stringify(index));
	}
	assert.deepEqual(after(game, {}, gone), { recorded: 'mine', block: 9, lost: null });
	assert.deepEqual(after(null, {}, gone), gone);
	const other = { recorded: 'other', block: 7, lost: null };
	assert.deepEqual(after(null, {}, other), other, 'what was recorded before the end');
});
