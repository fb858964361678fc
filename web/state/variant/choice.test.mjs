import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { plan } from '../plan.js';
import { targetCells } from '../position.js';
import { choices, moveAt, numbered, picking, powersAt } from './choice.js';
import { alice, bob, move, playing, TAKEN, variant, view } from './fixtures.mjs';

const pick = (kind, bin = null) => ({ type: 'pick', picked: picking(variant(), kind, bin) });

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
		const told = variant();
		told.targets.take = [];
		told.refusals.take = 'this power is used up';
		const [take] = choices(playing([alice], told));
		assert.equal(take.can, false);
		assert.match(take.title, /Not now: this power is used up/);
	});

	test('is a swap only while the program names it', () => {
		const told = variant();
		told.targets.swap = true;
		assert.ok(choices(playing([alice], told)).some(({ kind, can }) => kind === 'swap' && can));
	});
});

describe('targets', () => {
	const cells = (...events) => [...targetCells(playing([alice], variant(), ...events))];

	test('are those that the program names for what is picked', () => {
		assert.deepEqual(cells(), []);
		assert.deepEqual(cells(pick('take')), [
			['1 0', 'Enter to take it'],
			['2 1', 'Enter to take it'],
		]);
		assert.deepEqual(cells(pick('float')), [['2 3', 'Enter to float a disc here']]);
		assert.deepEqual(cells(pick('pop')), [['0 0', 'Enter to pop it out']]);
		assert.deepEqual(
			cells(pick('clear')).map(([cell]) => cell),
			['0 0', '1 0', '2 0', '3 0', '4 0'],
		);
	});

	test('are those of one bin once it is named', () => {
		assert.deepEqual(cells(pick('take', 2)), [['2 1', 'Enter to take it']]);
		assert.equal(picking(variant(), 'take', 2).prompt, 'Bin 3: choose the row. Escape cancels.');
	});

	test('are gone once somebody has moved', () => {
		const state = playing([alice], variant(), pick('take'), view(variant(TAKEN)));
		assert.equal(state.picked, null);
		// Also if nobody has, but it is the turn of another.
		const gone = view(variant([], { to_move: 'blue' }));
		assert.equal(playing([alice, bob], variant(), pick('take'), gone).picked, null);
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
	const typed = (picked, number) => numbered(variant(), picked, number);
	const clear = pick('clear').picked;
	assert.deepEqual(typed(clear, 3), { move: { kind: 'clear', row: 2 } });
	assert.deepEqual(typed(pick('pop').picked, 3), { move: { kind: 'pop', bin: 2 } });
	const first = typed(pick('float').picked, 3);
	assert.deepEqual(first, { picked: picking(variant(), 'float', 2) });
	assert.deepEqual(typed(first.picked, 4), { move: { kind: 'float', bin: 2, row: 3 } });
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

test('powers are those of the position shown', () => {
	const used = move('red', { kind: 'float', bin: 0, row: 2 });
	used.powers[0] = { take: 1, clear: 1, float: 0 };
	const told = variant([...TAKEN, used]);
	const at = (turns) => powersAt(playing([alice], told, { type: 'show', at: turns }))[0];
	assert.equal(at(4).float, 1);
	assert.equal(at(0).float, 1);
	told.players[0].powers = { take: 1, clear: 1, float: 0 };
	assert.equal(at(5).float, 0);
});
