import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { alice, bob, game, playing, sending, won } from './fixtures.mjs';
import { board } from './position.js';
import { reduce } from './reduce.js';

describe('the board', () => {
	test('shows the discs as told, the last one marked', () => {
		const { discs, turns, at: where } = board(playing([], game('445')));
		assert.deepEqual(
			discs.map(({ bin, row, player, last }) => [bin, row, player, last]),
			[
				[3, 0, 'red', false],
				[3, 1, 'blue', false],
				[4, 0, 'red', true],
			],
		);
		assert.equal(turns, 3);
		assert.equal(where, 'live');
	});

	test('is right even where the moves are not there', () => {
		const { discs, turns } = board(playing([], game('44', { moves: [], moves_missing: 'pruned' })));
		assert.equal(discs.length, 2);
		assert.equal(turns, 2);
	});

	test('shows an older position by its first moves', () => {
		const { discs, turns, at: where } = board(playing([], game('4455'), { type: 'show', at: 1 }));
		assert.deepEqual(
			discs.map(({ bin }) => bin),
			[3],
		);
		assert.equal(turns, 1);
		assert.equal(where, 1);
	});

	test('shows who has won at the end, and only there', () => {
		const state = playing([], won());
		assert.equal(
			board(state).discs.some(({ winning }) => winning),
			true,
		);
		assert.equal(
			board(reduce(state, { type: 'show', at: 3 })).discs.some(({ winning }) => winning),
			false,
		);
	});

	test('has a ghost above the aimed bin for who may move, and for nobody else', () => {
		const aim = { type: 'aim', bin: 2 };
		assert.deepEqual(board(playing([alice], game(), aim)).ghost, {
			bin: 2,
			player: 'red',
			pulsing: false,
			refused: false,
			waits: false,
		});
		assert.equal(board(playing([bob], game(), aim)).ghost, null);
		assert.equal(board(playing([], game(), aim)).ghost, null);
		assert.equal(board(playing([alice], game('44'), aim, { type: 'show', at: 1 })).ghost, null);
	});

	test('does not change while a move is under way: its ghost waits', () => {
		const state = playing([alice], game(), sending(3), { type: 'aim', bin: 0 });
		assert.deepEqual(board(state).discs, []);
		const still = { refused: false, waits: false };
		assert.deepEqual(board(state).ghost, { ...still, bin: 3, player: 'red', pulsing: true });
	});
});
