// Fixtures of the tests in this folder: a game of four on a small board, as the program would tell it.

import { ALICE, after, alice, at, BOB, bob, chain, EVE, hello, link, view } from '../fixtures.mjs';

/** @import { Event, Shown, ViewedGame } from '../types.d.ts'
 * @import { Colour, Move, OpenAccount } from '../../wire.d.ts' */

export const CARL = '0x6666cbd49b26c50d34355ed86ff0fa9e489d1e01';
const ACCOUNTS = [ALICE, BOB, CARL, EVE];
/** @type {Colour[]} */
const COLOURS = ['red', 'blue', 'green', 'yellow'];
const ONE_EACH = { take: 1, clear: 1, float: 1 };

/**
 * A move with what it does to the discs.
 * @param {Colour} player @param {any} move @param {Pick<Move, 'removed' | 'fallen'>} change
 * @returns {Move}
 */
export const move = (player, move, change = {}) => ({
	player,
	...move,
	...change,
	powers: COLOURS.map(() => ONE_EACH),
	transaction: null,
});

/** @param {Colour} player @param {number} bin @param {number} row */
export const drop = (player, bin, row) => move(player, { kind: 'drop', bin, row });

/** Red and green on top of blue in one bin, then yellow takes the blue disc out. */
export const TAKEN = [
	drop('red', 0, 0),
	drop('blue', 1, 0),
	drop('green', 1, 1),
	move(
		'yellow',
		{ kind: 'take', bin: 1, row: 0 },
		{ removed: [{ colour: 'blue', bin: 1, row: 0 }], fallen: [{ bin: 1, row: 1 }] },
	),
];

/**
 * Game v3 of four players on a board of 5 x 4, with pop out and one of each power.
 * @param {Move[]} moves @param {Partial<ViewedGame> & { time?: number }} changes `time` is left to the player to move
 * @returns {ViewedGame}
 */
export const variant = (moves = [], { time, ...changes } = {}) => ({
	game: 'v3',
	contract: '0x',
	terms: {
		shape: { bins: 5, capacity: 4, line: 4 },
		players: 4,
		pop_out: true,
		pie_rule: false,
		powers: ONE_EACH,
		limit: null,
	},
	turns: moves.length,
	to_move: COLOURS[moves.length % 4] ?? null,
	over: false,
	end: null,
	winner: null,
	winning_cells: [],
	board: [[], [], [], [], []],
	players: COLOURS.map((colour, seat) => ({
		colour,
		account: ACCOUNTS[seat] ?? null,
		name: null,
		joined: true,
		out: false,
		powers: ONE_EACH,
		left: seat === moves.length % 4 ? (time ?? null) : null,
		computer: null,
		owed: null,
	})),
	swapped: false,
	started: true,
	named: true,
	payer: ALICE,
	deadline: null,
	targets: {
		drop: [0, 0, 0, 0, null],
		pop: [0],
		take: [
			{ bin: 1, row: 0 },
			{ bin: 2, row: 1 },
		],
		clear: [0],
		float: [{ bin: 2, row: 3 }],
		swap: false,
	},
	refusals: {
		drop: [null, null, null, null, 'the bin is full'],
		swap: 'colours can be exchanged once',
	},
	standing: '',
	moves,
	moves_missing: null,
	notation: '',
	departures: [],
	freed: false,
	last_block: null,
	...changes,
});

/**
 * Game v3 in a browser that has the keys of these accounts.
 * @param {OpenAccount[]} accounts @param {ViewedGame} told @param {Event[]} events
 */
export const playing = (accounts, told = variant(), ...events) =>
	/** @type {Shown} */ (
		after(at('/game/v3'), link(true), chain(true), hello(...accounts), view(told), ...events)
	);

export { alice, bob, view };
