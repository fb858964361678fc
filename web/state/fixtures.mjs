// Fixtures of the tests in this folder: accounts, a game, and events that lead to a state.

import { initial, reduce } from './reduce.js';
import { routeOf } from './route.js';

/** @import { Account, Colour, Event, View } from './types.d.ts' */

/**
 * An event of one type.
 * @template {Event['type']} Type
 * @typedef {Extract<Event, { type: Type }>} Told
 */

export const ALICE = '0x9621dde636de098b43efb0fa9b61facfe328f99d';
export const BOB = '0x41dccbd49b26c50d34355ed86ff0fa9e489d1e01';
export const EVE = '0x5555cbd49b26c50d34355ed86ff0fa9e489d1e01';

/** @param {string} address @param {string} name @param {string} key @returns {Account} */
export const account = (address, name, key) => ({
	address,
	name,
	account: '5G',
	balance: '1 DOT',
	key,
});
export const alice = account(ALICE, 'alice', 'key-a');
export const bob = account(BOB, 'bob', 'key-b');

const SHAPE = { bins: 7, capacity: 6, line: 4 };

/** @param {Account[]} accounts @returns {Told<'hello'>} */
export const hello = (...accounts) => ({
	type: 'hello',
	hello: {
		token: 't',
		version: '0.2.0',
		host: true,
		accounts,
		unknown_keys: [],
		chain: { name: 'local', place: 'here', contract: null, symbol: 'DOT' },
		levels: ['hard'],
		shape: { standard: SHAPE, least: SHAPE, most: SHAPE },
	},
});

/**
 * A game after drops into bins, counted from 1 as in a move string.
 * @param {string} moves @param {Partial<View>} more what is different
 * @returns {View}
 */
export const game = (moves = '', more = {}) => {
	/** @type {Colour[][]} */
	const columns = Array.from({ length: SHAPE.bins }, () => []);
	const told = [...moves].map((character, index) => {
		const bin = Number(character) - 1;
		const column = columns[bin] ?? [];
		column.push(index % 2 ? 'blue' : 'red');
		return {
			player: /** @type {Colour} */ (index % 2 ? 'blue' : 'red'),
			bin,
			row: column.length - 1,
			block: index,
			transaction: `0x${index}`,
			fee: '0.1 DOT',
		};
	});
	const mover = moves.length % 2 ? 'blue' : 'red';
	return {
		game: 5,
		shape: SHAPE,
		players: {
			red: { address: ALICE, name: 'alice', computer: null, error: null },
			blue: { address: BOB, name: 'bob', computer: null, error: null },
		},
		board: columns,
		refusals: columns.map(() => null),
		to_move: mover,
		turns: moves.length,
		over: false,
		standing: `${mover} to move`,
		end: null,
		winner: null,
		winning: [],
		moves: told,
		moves_missing: null,
		notation: moves,
		score: { red: 0, blue: 0, draws: 0 },
		previous: null,
		next: null,
		rematch: null,
		draw_offer: null,
		clock: null,
		stake: null,
		owed: { red: null, blue: null },
		freed: false,
		...more,
	};
};

/** @type {Partial<View>} */
export const WON = {
	over: true,
	to_move: null,
	end: 'line',
	winner: 'red',
	standing: 'winner: red',
	winning: [0, 1, 2, 3].map((row) => ({ bin: 3, row })),
};
/** @param {Partial<View>} more */
export const won = (more = {}) => game('4142434', { ...WON, ...more });

/** The state after events. @param {Event[]} events */
export const after = (...events) => events.reduce(reduce, initial);

/** @param {string} path @param {string} [search] @returns {Told<'route'>} */
export const at = (path, search) => ({ type: 'route', route: routeOf(path, search) });

/** @param {View} told @returns {Told<'view'>} */
export const view = (told, now = 0) => ({ type: 'view', view: told, now });

/** @param {boolean} up @param {string} [why] @returns {Told<'chain'>} */
export const chain = (up, why) => ({ type: 'chain', up, block: 7, why });

/** @param {boolean} up @returns {Told<'link'>} */
export const link = (up) => ({ type: 'link', up });

/** @param {number} bin @returns {Told<'sending'>} */
export const sending = (bin) => ({ type: 'sending', id: 1, what: 'drop', bin });

/**
 * Game 5 in a browser that has the keys of these accounts.
 * @param {Account[]} accounts @param {View} told @param {Event[]} events
 */
export const playing = (accounts, told = game(), ...events) =>
	after(at('/game/5'), link(true), chain(true), hello(...accounts), view(told), ...events);
