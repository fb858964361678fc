import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { discsAt } from '../position.js';
import { drop, move, TAKEN, variant } from './fixtures.mjs';

const where = (discs) => discs.map(({ key, player, bin, row }) => `${key} ${player} ${bin},${row}`);

describe('the discs', () => {
	test('are those that the moves put, took and let come down', () => {
		const view = variant(TAKEN);
		assert.deepEqual(where(discsAt(view, 3)), [
			'0 0 0 red 0,0',
			'1 1 0 blue 1,0',
			'2 1 1 green 1,1',
		]);
		assert.deepEqual(where(discsAt(view, null)), ['0 0 0 red 0,0', '2 1 1 green 1,0']);
		assert.deepEqual(discsAt(view, 0), []);
	});

	test('keep the gaps under those that float when they come down', () => {
		const moves = [
			move('red', { kind: 'float', bin: 0, row: 2 }),
			move('blue', { kind: 'clear', row: 1 }, { fallen: [{ bin: 0, row: 2 }] }),
		];
		assert.deepEqual(where(discsAt(variant(moves), null)), ['0 0 2 red 0,1']);
	});

	test('of a move in the place of one that was undone are others', () => {
		const keys = (bin) => discsAt(variant([drop('red', bin, 0)]), null).map(({ key }) => key);
		assert.notDeepEqual(keys(0), keys(1));
	});

	test('come from the board where the moves are missing', () => {
		const board = [['red', null, 'blue'], [], [], [], []];
		const view = variant([], { turns: 2, board, moves_missing: 'no events' });
		assert.deepEqual(where(discsAt(view, null)), ['0 0 red 0,0', '0 2 blue 0,2']);
	});
});
