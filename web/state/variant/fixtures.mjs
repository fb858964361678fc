// Fixtures of the tests in this folder: a game of four on a small board, as the program would tell it.

import { ALICE, after, alice, at, BOB, bob, chain, EVE, hello, link } from '../fixtures.mjs';

/** @import { Event, OpenAccount } from '../types.d.ts' */
/** @import { ShownVariant, VariantColour, ViewedMove, ViewedVariant } from './types.d.ts' */

export const CARL = '0x6666cbd49b26c50d34355ed86ff0fa9e489d1e01';
const ACCOUNTS = [ALICE, BOB, CARL, EVE];
/** @type {VariantColour[]} */
const COLOURS = ['red', 'blue', 'green', 'yellow'];
const ONE_EACH = { take: 1, clear: 1, float: 1 };

/**
 * A move with what it does to the discs.
 * @param {VariantColour} player @param {any} move @param {Partial<ViewedMove['change']>} change
 * @returns {ViewedMove}
 */
export const move = (player, move, change = {}) => ({
	player,
	...move,
	text: '',
	change: { added: [], removed: [], fallen: [], ...change },
	powers: COLOURS.map(() => ONE_EACH),
	transaction: null,
});

/** @param {VariantColour} player @param {number} bin @param {number} row */
export const drop = (player, bin, row) =>
	move(player, { kind: 'drop', bin }, { added: [{ colour: player, bin, row }] });

/** Red and green on top of blue in one bin, then yellow takes the blue disc out. */
export const TAKEN = [
	drop('red', 0, 0),
	drop('blue', 1, 0),
	drop('green', 1, 1),
	move(
		'yellow',
		{ kind: 'take', bin: 1, row: 0 },
		{
			removed: [{ colour: 'blue', bin: 1, row: 0 }],
			fallen: [{ colour: 'green', from: { bin: 1, row: 1 }, to: { bin: 1, row: 0 } }],
		},
	),
];

/**
 * Game v3 of four players on a board of 5 x 4, with pop out and one of each power.
 * @param {ViewedMove[]} moves @param {Partial<ViewedVariant>} changes
 * @returns {ViewedVariant}
 */
export const variant = (moves = [], changes = {}) => ({
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
	players: COLOURS.map((colour) => ({ colour, powers: ONE_EACH, left: false })),
	swapped: false,
	started: true,
	named: true,
	seats: COLOURS.map((colour, seat) => {
		return { colour, account: ACCOUNTS[seat] ?? null, name: null, joined: true };
	}),
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
	obstacles: {
		drop: [null, null, null, null, 'the bin is full'],
		pop: null,
		take: null,
		clear: null,
		float: null,
		swap: 'this game is played without such moves',
	},
	standing: '',
	terms_words: '',
	moves,
	moves_missing: null,
	notation: '',
	departures: [],
	computers: [null, null, null, null],
	left: null,
	freed: false,
	...changes,
});

/** @param {ViewedVariant} view @param {string} [text] @returns {Event} */
export const told = (view, text = '') => ({ type: 'variant', view, now: 0, text });

/**
 * Game v3 in a browser that has the keys of these accounts.
 * @param {OpenAccount[]} accounts @param {ViewedVariant} view @param {Event[]} events
 */
export const playing = (accounts, view = variant(), ...events) =>
	/** @type {ShownVariant} */ (
		after(at('/game/v3'), link(true), chain(true), hello(...accounts), told(view), ...events)
	);

export { alice, bob };
