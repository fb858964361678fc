import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';

import './page-fakes.mjs';

import * as shown from '../state/fixtures.mjs';
import { current, dispatch } from '../store.js';
import { useContracts } from './contracts.js';
import {
	CHAIN_ID,
	CONTRACT,
	Database,
	GAME,
	KEYS,
	Locks,
	matchFor,
	Relay,
	started,
	until,
} from './fakes.mjs';
import { newKey, overlay, tableOf } from './fast.js';
import { host, kept } from './page-fakes.mjs';
import { leave, session } from './session.js';
import { ask } from './wasm.js';

const [RED, BLUE] = ['0a', '0b'].map((byte) => `0x${byte.repeat(20)}`);
/** Selector of the message that reads the terms. */
const terms = (await ask({ read: { fast_match_of: { game: GAME } } })).input.slice(0, 10);

const database = new Database();
const relay = new Relay();
/** @param {string} url */
function Socket(url) {
	return relay.socket(url);
}
Object.assign(globalThis, { indexedDB: database, WebSocket: Socket });
Object.defineProperty(globalThis, 'navigator', {
	value: { locks: new Locks() },
	configurable: true,
});
const OTHER = KEYS[1] ?? '';
/** On the standard board, as the chain has it. */
const AGREED = { shape: { bins: 7, capacity: 6, line: 4 }, clock: null, stake: '0' };
/** Session keys whose secrets were read. @type {string[]} */
let read = [];
database.records.get = (key) => {
	read.push(key);
	return Map.prototype.get.call(database.records, key);
};
/** Two session keys of this browser. @type {string[]} */
let mine = [];
/** In how many games each of them has signed. */
const books = () =>
	mine.map((key) => Object.keys(Map.prototype.get.call(database.records, key).books).length);

/** What the host says of the chain. */
let chain = started();

/** What the host shows of the game; `looks` is another number once the chain has changed. */
let looks = 0;
const view = () => {
	const fast = {
		on_chain: looks,
		signed: 0,
		settled: false,
		here: [],
		press: null,
		relay_missing: null,
		opponent: null,
	};
	return /** @type {any} */ (shown.game('', { game: GAME, red: RED, blue: BLUE, fast }));
};

/** The host shows the game, in which the chain has changed. */
function tell() {
	looks += 1;
	dispatch(shown.view(overlay(view())));
}

/** The game as it is shown. @returns {any} */
const now = () => current().view;

beforeEach(async () => {
	mine = [await newKey(AGREED), await newKey(AGREED)];
	read = [];
	leave();
	kept.clear();
	session.chain = /** @type {any} */ ({ name: 'Here', chainId: CHAIN_ID, ratio: 1n, relay: null });
	session.account = { id: RED ?? '', name: null };
	useContracts({ fast: CONTRACT });
	host['/api/ask'] = ({ data }) => ({ data: data.startsWith(terms) ? matchFor(0) : chain });
	dispatch(shown.at(`/game/${GAME}`));
});
afterEach(() => {
	relay.latest = null;
	overlay(shown.game());
});

/** The game is shown with one of the two keys, and the seat is there. @param {number} key */
async function sitWith(key) {
	chain = started([mine[key] ?? '', OTHER]);
	tell();
	await until(() => read.includes(mine[key] ?? ''), 'the key is looked up');
	const table = await tableOf(GAME);
	await until(() => now().fast.here.length === 1, 'the seat is there');
	return table;
}

test('a game that a host calls one of this browser is none, as it would be compared with nothing', () => {
	session.account = null;
	const said = view();
	const { fast } = overlay({ ...said, fast: { ...said.fast, here: ['red'] } });
	assert.deepEqual(fast?.here, []);
	const settled = { ...said.fast, here: ['red', 'blue'], settled: true };
	assert.deepEqual(overlay({ ...said, fast: settled }).fast?.here, ['red', 'blue']);
});

describe('a fast game that was shown with another key of this browser', () => {
	test('is played once the truth is back', async () => {
		await sitWith(1);
		const table = await sitWith(0);
		await table?.drop(3);
		assert.equal(now().turns, 1);
		assert.deepEqual(books(), [1, 0], 'signed by the key that the chain knows');
	});

	test('is not played with that key if a move was signed before', async () => {
		const table = await sitWith(0);
		await table?.drop(3);
		read = [];
		chain = started([mine[1] ?? '', OTHER]);
		tell();
		await until(() => /other players, session keys/.test(now().fast.note), 'it is told');
		const same = await tableOf(GAME);
		await assert.rejects(async () => same?.drop(4), { name: 'OtherGame' });
		assert.deepEqual(read.includes(mine[1] ?? ''), false);
		assert.deepEqual(books(), [1, 0]);
		chain = started([mine[0] ?? '', OTHER]);
		tell();
		await until(() => now().fast.note === '', 'the truth is back');
		assert.equal(now().turns, 1);
	});
});

describe('a fast game that is shown otherwise than it was agreed on', () => {
	/** The same with lines of three. @param {string} game */
	const shorter = (game) => game.replace('070604', '070603');
	const refused = () => current().error?.text ?? '';

	test('is not played, whatever else differs, until the truth is shown', async () => {
		for (const [lie, stake, said] of /** @type {const} */ ([
			[shorter, 0, /the board is 7x6, line 3, where 7x6, line 4 was agreed/],
			[(/** @type {string} */ game) => game, 5, /the stake is 5, where 0 was agreed/],
		])) {
			host['/api/ask'] = ({ data }) => ({ data: data.startsWith(terms) ? matchFor(stake) : chain });
			chain = lie(started([mine[0] ?? '', OTHER]));
			tell();
			await until(() => said.test(refused()), 'it is told');
			assert.equal(await tableOf(GAME), null);
			overlay(shown.game());
			dispatch({ type: 'dismiss' });
		}
		host['/api/ask'] = ({ data }) => ({ data: data.startsWith(terms) ? matchFor(0) : chain });
		const table = await sitWith(0);
		await table?.drop(3);
		assert.equal(now().turns, 1);
	});

	test('is judged by the board that was agreed on, also if the lie comes later', async () => {
		await sitWith(0);
		chain = shorter(chain);
		tell();
		await until(() => /line 3, where 7x6, line 4/.test(refused()), 'it is told');
		assert.equal(await tableOf(GAME), null);
		assert.deepEqual(books(), [0, 0]);
	});

	test('goes on by what was true if something was signed', async () => {
		const table = await sitWith(0);
		await table?.drop(3);
		chain = shorter(chain);
		tell();
		for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
		assert.equal(now().turns, 1);
		assert.equal(now().shape.line, 4);
	});
});
