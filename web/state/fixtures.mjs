// Fixtures of the tests in this folder: accounts, a game, and events that lead to a state.

import { initial, reduce } from './reduce.js';
import { routeOf } from './route.js';

/** @import { Event, Series, View, ViewedGame } from './types.d.ts'
 * @import { Colour, Level, Move, OpenAccount, Line as ViewedLine } from '../wire.d.ts' */

/**
 * An event of one type.
 * @template {Event['type']} Type
 * @typedef {Extract<Event, { type: Type }>} Told
 */

export const ALICE = '0x9621dde636de098b43efb0fa9b61facfe328f99d';
export const BOB = '0x41dccbd49b26c50d34355ed86ff0fa9e489d1e01';
export const EVE = '0x5555cbd49b26c50d34355ed86ff0fa9e489d1e01';

/** @param {string} address @param {string} name @param {string} key @returns {OpenAccount} */
export const account = (address, name, key) => ({
	address,
	name,
	account: '5G',
	balance: '10000000000',
	key,
	ethereum: false,
});
export const alice = account(ALICE, 'alice', 'key-a');
export const bob = account(BOB, 'bob', 'key-b');

const SHAPE = { bins: 7, capacity: 6, line: 4 };
export const CHAIN = {
	name: 'local',
	place: 'here',
	contract: null,
	variants: null,
	symbol: 'DOT',
	decimals: 10,
};

/** @param {OpenAccount[]} accounts @returns {Told<'hello'>} */
export const hello = (...accounts) => ({
	type: 'hello',
	hello: {
		token: 't',
		version: '0.3.0',
		api: 3,
		host: true,
		accounts,
		names: { [ALICE]: 'alice', [BOB]: 'bob' },
		unknown_keys: [],
		public: false,
		signing: null,
		chain: { ...CHAIN },
		witness: null,
		witnesses: [],
		index: false,
		levels: ['hard'],
		shape: { standard: SHAPE, least: SHAPE, most: SHAPE },
		terms: {
			least_players: 2,
			most_players: 4,
			most_power: 9,
			least_limit: 10,
			most_limit: 2_592_000,
		},
	},
});

/** @type {Series} */
const SERIES = {
	drawOffer: null,
	rematchOffer: null,
	previous: null,
	next: null,
	score: { red: 0, blue: 0, draws: 0 },
};

/** @typedef {{ red?: any, blue?: any }} Sides values of the players */
/**
 * @typedef {Partial<Omit<ViewedGame, 'players'>> & {
 *   accounts?: string[], left?: Sides, computers?: Sides,
 * }} Changes
 */

const NO_POWERS = { take: 0, clear: 0, float: 0 };
/** @type {('red' | 'blue')[]} */
const PAIR = ['red', 'blue'];

/**
 * A position after drops into bins, counted from 1 as in a move string.
 * @param {string} moves
 */
function position(moves) {
	/** @type {Colour[][]} */
	const board = Array.from({ length: SHAPE.bins }, () => []);
	/** @type {Move[]} */
	const made = [...moves].map((character, index) => {
		const bin = Number(character) - 1;
		const column = board[bin] ?? [];
		const player = PAIR[index % 2] ?? 'red';
		column.push(player);
		const at = { block: index, hash: `0x${index}`, fee: '1000000000' };
		return { kind: 'drop', player, bin, row: column.length - 1, transaction: at };
	});
	const mover = PAIR[moves.length % 2] ?? 'red';
	return {
		terms: {
			shape: SHAPE,
			players: 2,
			pop_out: false,
			pie_rule: false,
			powers: NO_POWERS,
			limit: null,
		},
		board,
		swapped: false,
		targets: {
			drop: board.map(({ length }) => length),
			pop: [],
			take: [],
			clear: [],
			float: [],
			swap: false,
		},
		refusals: { drop: board.map(() => /** @type {string | null} */ (null)) },
		to_move: mover,
		turns: moves.length,
		over: false,
		standing: `${mover} to move`,
		end: null,
		winner: null,
		winning_cells: [],
		moves: made,
		moves_missing: null,
		notation: moves,
	};
}

/**
 * The two players.
 * @param {Pick<Changes, 'accounts' | 'left' | 'computers'>} of
 */
const players = ({ accounts = [], left = {}, computers = {} }) =>
	PAIR.map((colour, seat) => ({
		colour,
		account: accounts[seat] ?? null,
		name: null,
		joined: true,
		out: false,
		powers: NO_POWERS,
		left: left[colour] ?? null,
		computer: computers[colour] ?? null,
	}));

/**
 * Game 5 after moves.
 * @param {string} moves @param {Changes} changes
 * @returns {ViewedGame}
 */
export const game = (
	moves = '',
	{ accounts = [ALICE, BOB], left, computers, ...changes } = {},
) => ({
	...position(moves),
	game: '5',
	contract: '0x',
	started: true,
	named: true,
	payer: ALICE,
	deadline: null,
	departures: [],
	freed: false,
	last_block: null,
	...changes,
	players: players({ accounts, left, computers }),
});

/**
 * A game by signed terms, of which these colours are played here.
 * @param {ViewedGame} told @param {Colour[]} here @param {Partial<Series>} [series]
 * @returns {ViewedGame}
 */
export const signed = (told, here, series) => ({
	...told,
	series: { ...SERIES, ...series },
	byTerms: /** @type {any} */ ({ here, guests: [], programs: [], runs: null }),
});

/** A line of moves, which is no game. @param {string} moves @returns {ViewedLine} */
export const line = (moves) => ({ ...position(moves), game: null, players: players({}) });

/** @type {Changes} */
const WON = {
	over: true,
	to_move: null,
	end: 'line',
	winner: 'red',
	standing: 'winner: red',
	winning_cells: [0, 1, 2, 3].map((row) => ({ bin: 3, row })),
};

/** Game 5, which red has won. @param {Changes} changes */
export const won = (changes = {}) => game('4142434', { ...WON, ...changes });

/** A computer that plays. @param {string | null} error */
export const computer = (error = null) => ({ level: /** @type {Level} */ ('hard'), error });

/** The state after events. @param {Event[]} events */
export const after = (...events) => events.reduce(reduce, initial);

/** @param {string} path @param {string} [search] @returns {Told<'route'>} */
export const at = (path, search) => ({ type: 'route', route: routeOf(path, search) });

/** @param {View} told @returns {Told<'view'>} */
export const view = (told, now = 0) => ({ type: 'view', view: told, now });

/**
 * @param {boolean} up
 * @param {string | null} why
 * @param {number | null} since
 * @returns {Told<'chain'>}
 */
export const chain = (up, why = null, since = null) => ({
	type: 'chain',
	up,
	block: up ? 7 : null,
	why,
	since,
});

/** @param {boolean} up @returns {Told<'link'>} */
export const link = (up) => ({ type: 'link', up });

/** @param {number} bin from 0 */
export const drop = (bin) => ({ kind: /** @type {const} */ ('drop'), bin });

/** @param {number} bin @returns {Told<'sending'>} */
export const sending = (bin) => ({ type: 'sending', id: 1, what: 'move', move: drop(bin) });

/**
 * Game 5 in a browser that has the keys of these accounts.
 * @param {OpenAccount[]} accounts @param {View} told @param {Event[]} events
 */
export const playing = (accounts, told = game(), ...events) =>
	after(at('/game/5'), link(true), chain(true), hello(...accounts), view(told), ...events);
