import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, test } from 'node:test';

import './page-fakes.mjs';

import * as shown from '../state/fixtures.mjs';
import { variant } from '../state/variant/fixtures.mjs';
import { dispatch } from '../store.js';
import { useContracts } from './contracts.js';
import { moved, started, table, variantMoved } from './fakes.mjs';
import { asked, clear, host } from './page-fakes.mjs';
import * as player from './program.js';
import { connect, leave, session } from './session.js';
import { ask } from './wasm.js';

const GAME = '5';
/** @param {string} name */
const codeOf = (name) => `0x${readFileSync(`artifacts/${name}.polkavm`).toString('hex')}`;
/** The contracts whose code the node tells, the last one for any address. */
let codes = ['connect4'];
const GAMES = `0x${'aa'.repeat(20)}`;

/** What the wallet's node answers to reads of the game. */
let game = started();
/** Whether the node tells the code of the contract. */
let hasCode = false;
/** How often the wallet was asked to sign. */
let signed = 0;

const [RED, BLUE, OTHER] = ['0a', '0b', '0c'].map((byte) => `0x${byte.repeat(20)}`);

/** Shows a game that has just begun. @param {import('../state/fixtures.mjs').Changes} [changes] */
const show = (changes) => {
	dispatch(shown.at(`/game/${GAME}`));
	const of = { accounts: [RED, BLUE], payer: RED, ...changes };
	dispatch(shown.view(shown.game('', of)));
};

const { setTimeout } = globalThis;
// Nobody waits for a node that is behind.
Object.assign(globalThis, {
	setTimeout: (/** @type {() => void} */ act, /** @type {number} */ time) =>
		setTimeout(act, time === 1_000 ? 0 : time),
});

beforeEach(async () => {
	leave();
	clear();
	signed = 0;
	hasCode = false;
	codes = ['connect4'];
	game = started();
	asked.length = 0;
	session.chain = /** @type {any} */ ({ name: 'Here', chainId: 7, ratio: 1n });
	useContracts({ games: GAMES });
	host['/api/prepare'] = () => new Error('it is tried');
	await connect(
		/** @type {any} */ ({
			kind: 'ethereum',
			id: 'purse.example',
			name: 'Purse',
			connect: async () => [{ id: `0x${'0a'.repeat(20)}`, name: null }],
			listen: () => {},
			leave: () => {},
			isOn: async () => true,
			useChain: async () => {},
			send: async () => {
				signed += 1;
			},
			node: async (/** @type {string} */ method) => {
				if (method === 'eth_call') return game;
				if (method === 'eth_getCode' && hasCode) return codeOf(codes.at(-1) ?? '');
				throw new Error(method === 'eth_getCode' ? 'the code is asked for' : 'it is away');
			},
		}),
		{ silently: true },
	);
});

test('a game is started between the accounts that were typed in, whatever names the host has', async () => {
	const friend = `0x${'0f'.repeat(20)}`;
	const evil = `0x${'66'.repeat(20)}`;
	const { hello } = shown.hello();
	dispatch({ type: 'hello', hello: { ...hello, names: { [evil]: friend, [`${evil}`]: 'alice' } } });
	/** @type {string[]} */
	const calls = [];
	host['/api/prepare'] = ({ data }) => {
		calls.push(data);
		return new Error('it is tried');
	};
	hasCode = true;
	useContracts({ games: `0x${'dd'.repeat(20)}` });
	const terms = shown.game().terms;
	for (const account of [friend, 'alice', ` ${friend.toUpperCase().replace('X', 'x')} `]) {
		const seats = [RED, account].map((of) => ({ account: of, level: null }));
		await assert.rejects(player.startGame({ kind: 'classic', terms, seats }), /it is tried/);
	}
	const alice = '9621dde636de098b43efb0fa9b61facfe328f99d';
	assert.equal(calls.length, 3);
	assert.ok(calls.every((data) => !data.includes(evil.slice(2))));
	for (const [at, address] of [friend.slice(2), alice, friend.slice(2)].entries()) {
		assert.ok(calls[at]?.includes(address), String(at));
	}
});

test('nothing is signed on another board than that on the chain', async () => {
	/** What a player does because of what is shown. */
	const does = [
		() => player.act(GAME, { act: 'resign', account: RED }),
		() => player.move(GAME, { move: shown.drop(0) }),
	];
	for (const one of does) {
		// What a host may say of other games, which are compared with nothing.
		for (const other of [{}, { freed: true }]) {
			show({ accounts: [BLUE, RED], ...other });
			await assert.rejects(one(), /The board on the chain.*another one.*nothing was signed/);
		}
		show();
		// What is shown is on the chain: it goes on to what comes next.
		await assert.rejects(one(), /the code is asked for/);
	}
	assert.equal(signed, 0);
});

describe('a variant', () => {
	const VARIANT = 'v2';
	const TABLE = 'v3';
	const powers = { take: 1, clear: 0, float: 0 };
	const terms = {
		...{ shape: { bins: 7, capacity: 6, line: 4 }, players: 2, pop_out: true, pie_rule: false },
		...{ powers, limit: 60 },
	};
	const seat = (/** @type {string | null} */ account, more = {}) => ({
		...{ colour: /** @type {const} */ ('red'), name: null, computer: null, left: null },
		...{ account, joined: account !== null, out: false, powers, ...more },
	});
	/** A game in which red has dropped a disc into the first bin. */
	const playing = {
		terms,
		named: false,
		turns: 1,
		to_move: 'blue',
		deadline: 1_060,
		payer: RED,
		board: [['red'], [], [], [], [], [], []],
		moves: [{ player: 'red', kind: 'drop', bin: 0, row: 0, transaction: null }],
		players: [seat(RED), seat(BLUE, { colour: 'blue' })],
	};
	/** @param {string} id @param {object} [changes] */
	const showVariant = (id, changes) => {
		dispatch(shown.at(`/game/${id}`));
		const of = /** @type {any} */ ({ ...playing, ...changes, game: id, started: true });
		dispatch(shown.view(variant([], of)));
	};
	/** Of what a wallet is asked to have tried. @type {any[]} */
	let tried = [];

	beforeEach(() => {
		tried = [];
		hasCode = true;
		codes.push('connect4_variants');
		game = variantMoved([RED, BLUE]);
		useContracts({ games: GAMES, variants: `0x${'bb'.repeat(20)}` });
		host['/api/prepare'] = (asked) => {
			tried.push(asked);
			return new Error('it is tried');
		};
	});

	test('nothing is signed in one that the chain has otherwise', async () => {
		const move = { kind: /** @type {const} */ ('take'), bin: 0, row: 0 };
		const does = [
			() => player.move(VARIANT, { move }),
			() => player.act(VARIANT, { act: 'leave', account: BLUE }),
			() => player.act(VARIANT, { act: 'remove_late', account: BLUE }),
		];
		const others = {
			'the players': { players: [seat(BLUE), seat(RED)] },
			'lines of five': { terms: { ...terms, shape: { bins: 7, capacity: 6, line: 5 } } },
			'more powers': { terms: { ...terms, powers: { take: 2, clear: 0, float: 0 } } },
			'no pop out': { terms: { ...terms, pop_out: false } },
			'another limit': { terms: { ...terms, limit: 600 } },
			'more time': { deadline: 1_061 },
			'a power that is left': {
				players: [seat(RED), seat(BLUE, { powers: { ...powers, take: 9 } })],
			},
			'who is to move': { to_move: 'red' },
			'who has paid': { payer: BLUE },
			'the board': {
				board: [[], ['red'], [], [], [], [], []],
				moves: [{ player: 'red', kind: 'drop', bin: 1, row: 0, transaction: null }],
			},
		};
		for (const one of does) {
			for (const [what, other] of Object.entries(others)) {
				showVariant(VARIANT, other);
				await assert.rejects(one(), /another one.*nothing was signed/, what);
			}
			assert.deepEqual(tried, []);
			showVariant(VARIANT);
			await assert.rejects(one(), /it is tried|another account/);
			tried = [];
		}
		assert.equal(signed, 0);
	});

	test('a table is joined on the terms that the chain has, and nobody joins one that is not shown as it is', async () => {
		game = table(RED);
		const at = {
			started: false,
			turns: 0,
			to_move: null,
			deadline: null,
			board: Array(7).fill([]),
		};
		const waits = { ...at, moves: [], players: [seat(RED), seat(null, { colour: 'blue' })] };
		const join = () => player.act(TABLE, { act: 'join', account: BLUE });
		for (const other of [
			{ terms: { ...terms, limit: null } },
			{ named: true },
			{ players: [seat(OTHER), seat(null)] },
		]) {
			showVariant(TABLE, { ...waits, ...other });
			await assert.rejects(join(), /another one.*nothing was signed/, JSON.stringify(other));
		}
		assert.deepEqual(tried, []);
		showVariant(TABLE, waits);
		// The wallet has another account than the one that was to join.
		await assert.rejects(join(), /another account/);
		await assert.rejects(player.act(TABLE, { act: 'join', account: RED }), /it is tried/);
	});

	test('what is done there is no message of plain games, nor the other way round', async () => {
		showVariant(VARIANT);
		await assert.rejects(player.act(VARIANT, { act: 'resign', account: RED }), /not done/);
		show();
		await assert.rejects(player.act(GAME, { act: 'leave', account: RED }), /not done/);
		const swap = { kind: /** @type {const} */ ('swap') };
		await assert.rejects(player.move(GAME, { move: swap }), /not done/);
		assert.equal(signed, 0);
	});

	test('a table is opened on the terms that were asked for, for who was named', async () => {
		const friend = `0x${'0f'.repeat(20)}`;
		const asked = { account: RED, terms, players: [RED, ` ${friend} `] };
		await assert.rejects(player.openTable(asked), /it is tried/);
		const { limit, ...rules } = terms;
		const meant = { players: [RED, friend], variant: rules, limit };
		const { input } = await ask({ call: { open_table: meant } });
		assert.deepEqual(
			tried.map(({ contract, data, payment }) => [contract, data, payment]),
			[['variants', input, '0']],
		);
	});
});

test('what a player does because of a move names the block of that move', async () => {
	hasCode = true;
	// The code of an address that was looked at before is not looked at again.
	useContracts({ games: `0x${'de'.repeat(20)}` });
	dispatch(shown.at(`/game/${GAME}`));
	const last = { block: 17, hash: `0x${'17'.repeat(32)}` };
	const of = { accounts: [BLUE, RED], payer: BLUE, last_block: last };
	const view = shown.game('1', of);
	const at = { block: 17, hash: '0x1', fee: '0' };
	const moves = view.moves.map((move) => ({ ...move, transaction: at }));
	dispatch(shown.view({ ...view, moves }));
	game = moved([BLUE, RED]);
	/** @type {Record<string, () => Promise<unknown>>} */
	const acts = {
		drop: () => player.move(GAME, { move: shown.drop(0) }),
		resign: () => player.act(GAME, { act: 'resign', account: RED }),
	};
	for (const [name, does] of Object.entries(acts)) {
		asked.length = 0;
		await assert.rejects(does(), /it is tried/);
		const [{ body: told = null } = {}] = asked.filter(({ path }) => path === '/api/prepare');
		assert.deepEqual(told?.answers, last, name);
	}
});

test('what is freed is freed on any board', async () => {
	hasCode = true;
	useContracts({ games: `0x${'df'.repeat(20)}` });
	game = moved([BLUE, RED]);
	asked.length = 0;
	await assert.rejects(player.act(GAME, { act: 'free', account: RED }), /it is tried/);
	const [{ body: told = null } = {}] = asked.filter(({ path }) => path === '/api/prepare');
	assert.equal(told?.answers, null);
	assert.ok(told?.data.endsWith(GAME.padStart(2, '0').padEnd(8, '0')), told?.data);
});

test('nothing else is done in such a game', async () => {
	for (const act of /** @type {const} */ (['offer_draw', 'join'])) {
		await assert.rejects(player.act(GAME, { act, account: RED }), /not done in this game/);
	}
});

test('nothing is signed if the board has changed since it was chosen', async () => {
	hasCode = true;
	useContracts({ games: `0x${'d9'.repeat(20)}` });
	const last = shown.game('1', { accounts: [BLUE, RED], payer: BLUE });
	// What the host shows is not on the chain yet, and then it is another move.
	game = started([BLUE, RED]);
	dispatch(shown.at(`/game/${GAME}`));
	dispatch(shown.view({ ...shown.game('4', { accounts: [BLUE, RED], payer: BLUE }) }));
	const signing = player.move(GAME, { move: shown.drop(0) });
	await new Promise(setImmediate);
	game = moved([BLUE, RED]);
	dispatch(shown.view(last));
	await assert.rejects(signing, /another one|has changed since you chose/);
	assert.equal(signed, 0);
});

test('nobody but the account that was chosen signs', async () => {
	hasCode = true;
	useContracts({ games: `0x${'d8'.repeat(20)}` });
	show();
	await assert.rejects(player.act(GAME, { act: 'resign', account: BLUE }), /another account/);
	await assert.rejects(player.act(GAME, { act: 'free', account: BLUE }), /another account/);
	assert.equal(signed, 0);
});
