import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { choices, moveAt, numbered, plan, prompt, targetCells } from './choice.js';
import { alice, bob, playing, TAKEN, variant } from './fixtures.mjs';

const pick = (kind, bin = null) => ({ type: 'pick', picked: { kind, bin } });

describe('what can be picked', () => {
	test('is what the terms have, and how much of it is left', () => {
		const all = choices(playing([alice]));
		assert.deepEqual(
			all.map(({ kind, left, can }) => [kind, left, can]),
			[
				['take', 1, true],
				['clear', 1, true],
				['float', 1, true],
				['pop', null, true],
			],
		);
	});

	test('is nothing in the turn of somebody else', () => {
		assert.ok(choices(playing([bob])).every(({ can }) => !can));
	});

	test('says why it cannot be used', () => {
		const view = variant();
		view.targets.take = [];
		view.obstacles.take = 'this power is used up';
		const [take] = choices(playing([alice], view));
		assert.equal(take.can, false);
		assert.match(take.title, /Not now: this power is used up/);
	});

	test('is a swap only while the program names it', () => {
		const view = variant();
		view.targets.swap = true;
		assert.ok(choices(playing([alice], view)).some(({ kind, can }) => kind === 'swap' && can));
	});
});

describe('targets', () => {
	const cells = (...events) => [...targetCells(playing([alice], variant(), ...events))];

	test('are those that the program names for what is picked', () => {
		assert.deepEqual(cells(), []);
		assert.deepEqual(cells(pick('take')), [
			['1 0', 'take it'],
			['2 1', 'take it'],
		]);
		assert.deepEqual(cells(pick('float')), [['2 3', 'float a disc here']]);
		assert.deepEqual(cells(pick('pop')), [['0 0', 'pop it out']]);
		assert.deepEqual(
			cells(pick('clear')).map(([cell]) => cell),
			['0 0', '1 0', '2 0', '3 0', '4 0'],
		);
	});

	test('are those of one bin once it is named', () => {
		assert.deepEqual(cells(pick('take', 2)), [['2 1', 'take it']]);
		assert.equal(prompt({ kind: 'take', bin: 2 }), 'Bin 3: choose the row. Escape cancels.');
	});

	test('are gone once somebody has moved', () => {
		const state = playing([alice], variant(), pick('take'), {
			type: 'variant',
			view: variant(TAKEN),
			now: 0,
			text: '',
		});
		assert.equal(state.picked, null);
	});
});

test('a cell stands for the move that is picked', () => {
	const cell = { bin: 2, row: 1 };
	assert.deepEqual(moveAt(null, cell), { kind: 'drop', bin: 2 });
	assert.deepEqual(moveAt({ kind: 'pop', bin: null }, cell), { kind: 'pop', bin: 2 });
	assert.deepEqual(moveAt({ kind: 'clear', bin: null }, cell), { kind: 'clear', row: 1 });
	assert.deepEqual(moveAt({ kind: 'take', bin: null }, cell), { kind: 'take', bin: 2, row: 1 });
});

test('numbers name the bin, or the row; for a cell the bin and then the row', () => {
	assert.deepEqual(numbered(null, 3), { move: { kind: 'drop', bin: 2 } });
	assert.deepEqual(numbered({ kind: 'clear', bin: null }, 3), { move: { kind: 'clear', row: 2 } });
	const first = numbered({ kind: 'float', bin: null }, 3);
	assert.deepEqual(first, { picked: { kind: 'float', bin: 2 } });
	assert.deepEqual(numbered(first.picked, 4), { move: { kind: 'float', bin: 2, row: 3 } });
});

describe('a move', () => {
	const take = { kind: 'take', bin: 4, row: 3 };

	test('is sent even if the program has not named it: its refusal says why', () => {
		assert.deepEqual(plan(playing([alice]), take), { send: take });
	});

	test('beyond the board is not sent', () => {
		assert.match(plan(playing([alice]), { kind: 'drop', bin: 5 }).error, /no bin 6/);
		assert.match(plan(playing([alice]), { kind: 'clear', row: 4 }).error, /no row 5/);
	});

	test('into a full bin is not sent', () => {
		const { error, bin } = plan(playing([alice]), { kind: 'drop', bin: 4 });
		assert.equal(error, 'Bin 5: the bin is full. Choose another.');
		assert.equal(bin, 4);
	});

	test('waits for its turn, the game and the connection', () => {
		assert.match(plan(playing([bob]), take).error, /red’s turn: wait for alice/);
		assert.match(plan(playing([]), take).error, /only watches/);
		const table = variant([], { started: false, to_move: null });
		assert.match(plan(playing([alice], table), take).error, /all seats are taken/);
		const over = variant([], { over: true, to_move: null });
		assert.match(plan(playing([alice], over), take).error, /over/);
		const past = playing([alice], variant(TAKEN), { type: 'show', at: 1 });
		assert.match(plan(past, take).error, /after move 1/);
	});
});
