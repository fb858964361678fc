import assert from 'node:assert/strict';
import { test } from 'node:test';

import { compare } from './compare.js';
import './fakes.mjs';
import { ask } from './wasm.js';

const SHAPE = { bins: 7, capacity: 6, line: 4 };
const [RED, BLUE] = ['0a', '0b'].map((byte) => `0x${byte.repeat(20)}`);

/** A game after moves, as a node has it. @param {number[]} moves @param {object} [more] @returns {Promise<any>} */
const after = async (moves, more) => ({
	...(await ask({ position: { shape: SHAPE, moves } })),
	players: [RED, BLUE],
	...more,
});

/** The same as a host tells it. @param {number[]} moves @param {object} [more] @returns {Promise<any>} */
const shownAfter = async (moves, more) => ({
	...(await after(moves)),
	players: [RED, BLUE].map((account) => ({ account })),
	moves: moves.map((bin) => ({ kind: 'drop', bin })),
	moves_missing: null,
	...more,
});

test('a node has the game that is shown, or an earlier position of it', async () => {
	const shown = await shownAfter([3, 3, 4]);
	assert.equal(await compare(shown, await after([3, 3, 4])), 'same');
	assert.equal(await compare(shown, await after([3, 3])), 'behind');
	assert.equal(await compare(shown, await after([])), 'behind');
	assert.equal(await compare(shown, await after([3, 3, 4, 4])), 'ahead');
	// Keys in another order, or more of them, are the same board.
	const terms = { ...shown.terms, shape: { line: 4, capacity: 6, bins: 7 } };
	assert.equal(await compare(shown, await after([3, 3, 4], { terms })), 'same');
});

test('a node has another game than the one that is shown', async () => {
	const shown = await shownAfter([3, 3, 4]);
	for (const moves of [[3, 4, 3], [3, 3, 5], [2], [3, 2]]) {
		assert.equal(await compare(shown, await after(moves)), 'other', String(moves));
	}
	assert.equal(await compare(shown, await after([3, 3, 4], { players: [BLUE, RED] })), 'other');
	const small = { ...shown.terms, shape: { bins: 6, capacity: 4, line: 4 } };
	assert.equal(await compare(shown, await after([3, 3, 4], { terms: small })), 'other');
	// A move that is no drop is none of such a game.
	const pops = { ...shown, moves: [{ kind: 'pop', bin: 3 }, ...shown.moves.slice(1)] };
	await assert.rejects(compare(pops, await after([3, 3])));
	// Where the host knows no moves, an earlier position says nothing, and the same number of discs does.
	const without = { ...shown, moves: [], moves_missing: 'the node has discarded them' };
	assert.equal(await compare(without, await after([2])), 'behind');
	assert.equal(await compare(without, await after([3, 3, 5])), 'other');
});

test('an end that one of the two does not know, and another winner', async () => {
	const resigned = { over: true, end: 'resigned', winner: 'blue' };
	const shown = await shownAfter([3, 3, 4], resigned);
	const ended = await after([3, 3, 4], resigned);
	assert.equal(await compare(await shownAfter([3, 3, 4]), ended), 'ahead');
	assert.equal(await compare(shown, await after([3, 3, 4])), 'behind');
	assert.equal(await compare(shown, ended), 'same');
	assert.equal(await compare(shown, { ...ended, winner: 'red' }), 'other');
});
