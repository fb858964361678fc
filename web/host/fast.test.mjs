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
	mine = [await newKey(), await newKey()];
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
