// What a page makes of a game as a host tells it: the moves, who plays and on which terms. All else is worked out here, so
// that a host cannot have another board drawn than the one that is compared.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import './fakes.mjs';
import './page-fakes.mjs';

import * as shown from '../state/fixtures.mjs';
import { discsAt } from '../state/position.js';
import { variant } from '../state/variant/fixtures.mjs';
import { oddity, readGame } from './read.js';

/** @import { ViewedGame } from '../state/types.d.ts' */

const [RED, BLUE] = ['0a', '0b'].map((byte) => `0x${byte.repeat(20)}`);
const CONTRACT = `0x${'cc'.repeat(20)}`;
const NOW = 1_000;
Date.now = () => NOW * 1_000;

/** Game 5 after three moves, as an honest host tells it. @param {object} [lie] @returns {any} */
const plain = (lie) => ({
	...shown.game('442', { game: '5', contract: CONTRACT, accounts: [RED, BLUE], payer: RED }),
	...lie,
});

const powers = { take: 1, clear: 0, float: 0 };
const TERMS = {
	...{ shape: { bins: 7, capacity: 6, line: 4 }, players: 2, pop_out: true, pie_rule: false },
	...{ powers, limit: 60 },
};
const seat = (/** @type {string | null} */ account, more = {}) => ({
	...{ account, joined: account !== null, out: false, powers, name: null, left: null },
	...{ computer: null, ...more },
});

/** Game v3, in which red has moved, as an honest host tells it. @param {object} [lie] @returns {any} */
const ofVariant = (lie) => ({
	...variant([], /** @type {any} */ ({ payer: RED, named: false, terms: TERMS })),
	contract: CONTRACT,
	...{ turns: 1, to_move: 'blue', deadline: NOW + 30, started: true },
	board: [['red'], [], [], [], [], [], []],
	moves: [{ player: 'red', kind: 'drop', bin: 0, row: 0, transaction: null }],
	players: [seat(RED, { colour: 'red' }), seat(BLUE, { colour: 'blue' })],
	...lie,
});

/** The discs that are drawn. @param {ViewedGame} view */
const drawn = (view) =>
	discsAt(view, null).map(({ bin, row, player }) => `${player} ${bin} ${row}`);

test('of an honest host it is the same game', async () => {
	const view = await readGame(plain());
	assert.deepEqual(drawn(view), ['red 3 0', 'blue 3 1', 'red 1 0']);
	assert.deepEqual([view.turns, view.to_move, view.notation], [3, 'blue', '442']);
	assert.equal(oddity(view), '');
	const variants = await readGame(ofVariant());
	assert.deepEqual(drawn(variants), ['red 0 0']);
	assert.deepEqual(
		variants.players.map(({ colour, left }) => [colour, left]),
		[
			['red', null],
			['blue', 30],
		],
	);
	assert.equal(oddity(variants), '');
});

test('what is drawn are the discs of the moves, whoever is said to have moved, and whatever else they are said to have done', async () => {
	const { moves } = plain();
	for (const lie of [
		{ moves: moves.map((/** @type {any} */ move) => ({ ...move, player: 'blue' })) },
		{ moves: moves.map((/** @type {any} */ move) => ({ ...move, row: 4 })) },
		{
			moves: moves.map((/** @type {any} */ move) => ({
				...move,
				removed: [{ colour: 'red', bin: 3, row: 0 }],
				fallen: [{ bin: 3, row: 1 }],
			})),
		},
		{ targets: { ...plain().targets, drop: Array(7).fill(null) } },
		{ departures: [{ player: 'blue', late: false, turns: 3, transaction: null }] },
		{ refusals: { drop: Array(7).fill('the bin is full') } },
	]) {
		const view = await readGame(plain(lie));
		assert.deepEqual(drawn(view), ['red 3 0', 'blue 3 1', 'red 1 0'], JSON.stringify(lie));
		assert.deepEqual(view.refusals.drop, Array(7).fill(null));
		assert.deepEqual(view.targets.drop, [0, 1, 0, 2, 0, 0, 0]);
	}
	// Where it does not tell the moves, the board is drawn that is compared.
	const missing = await readGame(plain({ moves_missing: 'they are gone' }));
	assert.deepEqual(drawn(missing), ['red 1 0', 'red 3 0', 'blue 3 1']);
	assert.deepEqual(missing.moves, []);
	assert.deepEqual(missing.targets.drop, [0, 1, 0, 2, 0, 0, 0]);
	assert.deepEqual([missing.targets.float, missing.targets.swap], [[], false]);
	const variants = await readGame(ofVariant({ moves_missing: 'they are gone' }));
	assert.deepEqual(variants.targets.float, []);
});

test('who plays which colour, whether it has begun, and how much time is left do not hang on its word', async () => {
	const [red, blue] = ofVariant().players;
	const lies = {
		colours: {
			players: [
				{ ...red, colour: 'blue' },
				{ ...blue, colour: 'red' },
			],
		},
		computer: { players: [red, { ...blue, computer: { level: 'hard', error: null } }] },
		time: { players: [red, { ...blue, left: 9_999 }] },
		'another one to move': { to_move: 'red' },
		'not begun': { started: false },
		'a signed game': { byTerms: { here: [], guests: [] }, series: { next: 'v9' } },
	};
	for (const [what, lie] of Object.entries(lies)) {
		const view = await readGame(ofVariant(lie));
		assert.deepEqual(
			view.players.map(({ colour, computer, left }) => [colour, computer, left]),
			[
				['red', null, null],
				['blue', null, 30],
			],
			what,
		);
		assert.deepEqual([view.to_move, view.started], ['blue', true], what);
		assert.deepEqual([view.byTerms, view.series], [undefined, undefined], what);
	}
	const waits = await readGame(
		ofVariant({
			...{ turns: 0, moves: [], board: Array(7).fill([]), started: true, deadline: null },
			players: [red, seat(null)],
		}),
	);
	assert.deepEqual([waits.started, waits.to_move], [false, null]);
	assert.match(waits.refusals.drop[0] ?? '', /waits for players/);
});

test('a board that its moves do not lead to is said to be one', async () => {
	const board = plain().board.map((/** @type {any} */ bin, /** @type {number} */ at) =>
		at === 6 ? ['red'] : bin,
	);
	assert.match(oddity(await readGame(plain({ board }))), /another board than its moves/);
	const won = shown.game('4545454', {
		game: '5',
		contract: CONTRACT,
		accounts: [RED, BLUE],
		payer: RED,
	});
	const other = { ...won, winner: /** @type {const} */ ('blue') };
	assert.match(oddity(await readGame(other)), /another result/);
	const over = { over: true, end: /** @type {const} */ ('last left'), winner: 'blue' };
	const ended = await readGame(ofVariant(over));
	assert.match(oddity(ended), /another result/);
	assert.deepEqual([ended.over, ended.winner, ended.to_move], [false, null, 'blue']);
	await assert.rejects(readGame(plain({ moves: [{ kind: 'pop', bin: 3, transaction: null }] })), {
		message: /move that the rules don’t allow. Don’t trust this host/,
	});
});

test('what is no game is not shown', async () => {
	const honest = ofVariant();
	const without = (/** @type {string} */ name) => {
		const { [name]: _, ...rest } = honest;
		return rest;
	};
	const [red, blue] = honest.players;
	const junk = [
		...['players', 'moves', 'departures', 'board', 'turns', 'over'].map(without),
		{ ...honest, players: [red] },
		{ ...honest, players: [red, { ...blue, powers: undefined }] },
		{ ...honest, players: [red, blue, red, blue, red] },
		{ ...honest, turns: '1' },
		{ ...honest, deadline: Number.POSITIVE_INFINITY },
		{ ...honest, terms: { ...TERMS, limit: Number.POSITIVE_INFINITY } },
		{ ...honest, terms: { ...TERMS, shape: { bins: 1e9, capacity: 6, line: 4 } } },
		{ ...honest, winner: Number.POSITIVE_INFINITY },
		{ ...honest, moves: Array(1_000).fill(honest.moves[0]) },
		{ ...honest, end: 'constructor' },
		{ ...honest, payer: '__proto__' },
		{ ...honest, contract: '0x' },
	];
	for (const [at, of] of junk.entries()) {
		await assert.rejects(readGame(/** @type {any} */ (of)), /Don’t trust this host/, String(at));
	}
});
