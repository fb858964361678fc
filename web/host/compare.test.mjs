import assert from 'node:assert/strict';
import { test } from 'node:test';

import { classic, STANDARD } from '../state/classic.js';
import { compare } from './compare.js';
import './fakes.mjs';
import { ask } from './wasm.js';

const [RED, BLUE] = ['0a', '0b'].map((byte) => `0x${byte.repeat(20)}`);

const TERMS = classic(STANDARD);

/** @param {number[]} moves */
const drops = (moves) => moves.map((bin) => /** @type {const} */ ({ kind: 'drop', bin }));

/** @param {string[]} accounts */
const seats = (...accounts) =>
	accounts.map((account) => ({ account, joined: true, out: false, powers: TERMS.powers }));

/** A game after moves, as a node has it. @param {number[]} moves @param {object} [more] @returns {Promise<any>} */
const after = async (moves, more) => ({
	...(await ask({ position: { terms: TERMS, moves: drops(moves) } })),
	players: seats(RED, BLUE),
	named: true,
	deadline: null,
	...more,
});

/** The same as a host tells it. @param {number[]} moves @param {object} [more] @returns {Promise<any>} */
const shownAfter = async (moves, more) => ({
	...(await after(moves)),
	moves: drops(moves),
	departures: [],
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
	assert.equal(
		await compare(shown, await after([3, 3, 4], { players: seats(BLUE, RED) })),
		'other',
	);
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

/** Four moves of three, of whom green has left after two of them. */
const THREE = {
	terms: { ...TERMS, players: 3, powers: { take: 1, clear: 0, float: 0 } },
	moves: [
		...drops([0, 1]),
		/** @type {const} */ ({ kind: 'take', bin: 1, row: 0 }),
		.../** @type {const} */ ([{ kind: 'drop', bin: 5 }]),
	],
	departures: [{ player: /** @type {const} */ ('green'), turns: 2 }],
};

/** A game of three after so many moves, with the third player out or not. @param {number} count @param {boolean} out @returns {Promise<any>} */
const ofThree = async (count, out) => ({
	...(await ask({
		position: {
			...THREE,
			moves: THREE.moves.slice(0, count),
			departures: out ? THREE.departures : [],
		},
	})),
	terms: THREE.terms,
	players: [RED, BLUE, `0x${'0c'.repeat(20)}`].map((account, seat) => ({
		...{ account, joined: true, out: out && seat === 2 },
		powers: { ...THREE.terms.powers, take: Number(!(seat === 0 && count > 2)) },
	})),
	named: false,
	deadline: null,
});

test('a variant is compared by its terms, its players, who has left, and what they have left', async () => {
	const shown = { ...(await ofThree(4, true)), ...THREE, moves_missing: null };
	assert.equal(await compare(shown, await ofThree(4, true)), 'same');
	// Before the move the player who has left was still there.
	assert.equal(await compare(shown, await ofThree(3, true)), 'behind');
	assert.equal(await compare(shown, await ofThree(2, false)), 'behind');
	const before = { ...shown, ...(await ofThree(2, false)), departures: [] };
	assert.equal(await compare(before, await ofThree(2, true)), 'ahead');
	assert.equal(await compare(before, await ofThree(3, true)), 'ahead');
	const spent = await ofThree(4, true);
	spent.players[0].powers.take = 1;
	assert.equal(await compare(shown, spent), 'other');
	const other = { ...(await ofThree(2, false)), board: [['blue'], ['red'], [], [], [], [], []] };
	assert.equal(await compare(shown, other), 'other');
});

test('colours that were exchanged are the same accounts at the same seats', async () => {
	const terms = { ...TERMS, pie_rule: true };
	const moves = [...drops([3]), /** @type {const} */ ({ kind: 'swap' }), ...drops([4])];
	/** @param {number} count @param {string[]} accounts @returns {Promise<any>} */
	const at = async (count, ...accounts) => ({
		...(await ask({ position: { terms, moves: moves.slice(0, count) } })),
		...{ terms, players: seats(...accounts), named: true, deadline: null },
	});
	const shown = { ...(await at(3, BLUE, RED)), moves, departures: [], moves_missing: null };
	assert.equal(shown.swapped, true);
	assert.equal(await compare(shown, await at(3, BLUE, RED)), 'same');
	assert.equal(await compare(shown, await at(1, RED, BLUE)), 'behind');
	assert.equal(await compare(shown, await at(1, BLUE, RED)), 'other');
});

test('of a table that waits for players the node may have fewer or more', async () => {
	const [red, free] = [
		...seats(RED),
		{ account: null, joined: false, out: false, powers: TERMS.powers },
	];
	const known = { ...(await after([])), named: false, to_move: null };
	const shown = /** @type {any} */ ({
		...known,
		players: [red, free],
		moves: [],
		departures: [],
		moves_missing: null,
	});
	assert.equal(await compare(shown, { ...known, players: [red, free] }), 'same');
	assert.equal(await compare(shown, { ...known, players: seats(RED, BLUE) }), 'ahead');
	const full = { ...shown, players: seats(RED, BLUE) };
	assert.equal(await compare(full, { ...known, players: [red, free] }), 'behind');
	assert.equal(await compare(shown, { ...known, players: [...seats(BLUE), free] }), 'other');
});
