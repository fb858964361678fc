import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';

import './page-fakes.mjs';

import * as shown from '../state/fixtures.mjs';
import { dispatch } from '../store.js';
import { useContracts } from './contracts.js';
import { moved, started } from './fakes.mjs';
import { asked, clear, host } from './page-fakes.mjs';
import * as player from './program.js';
import { connect, leave, session } from './session.js';

const GAME = '5';
const CODE = `0x${readFileSync('artifacts/connect4.polkavm').toString('hex')}`;
const GAMES = `0x${'aa'.repeat(20)}`;

/** What the wallet's node answers to reads of the game. */
let game = started();
/** Whether the node tells the code of the contract. */
let hasCode = false;
/** How often the wallet was asked to sign. */
let signed = 0;

const [RED, BLUE] = ['0a', '0b'].map((byte) => `0x${byte.repeat(20)}`);

/** Shows a game that has just begun. @param {import('../state/fixtures.mjs').Changes} [changes] */
const show = (changes) => {
	dispatch(shown.at(`/game/${GAME}`));
	dispatch(shown.view(shown.game('', { accounts: [RED, BLUE], ...changes })));
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
				if (method === 'eth_getCode' && hasCode) return CODE;
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

test('what a player does because of a move names the block of that move', async () => {
	hasCode = true;
	// The code of an address that was looked at before is not looked at again.
	useContracts({ games: `0x${'de'.repeat(20)}` });
	dispatch(shown.at(`/game/${GAME}`));
	const last = { block: 17, hash: `0x${'17'.repeat(32)}` };
	const view = shown.game('1', { accounts: [RED, BLUE], last_block: last });
	const at = { block: 17, hash: '0x1', fee: '0' };
	const moves = view.moves.map((move) => ({ ...move, transaction: at }));
	dispatch(shown.view({ ...view, moves }));
	game = moved();
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
