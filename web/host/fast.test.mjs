import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';

import './page-fakes.mjs';

import * as shown from '../state/fixtures.mjs';
import { current, dispatch } from '../store.js';
import { useContracts } from './contracts.js';
import {
	CHAIN_ID,
	CONTRACT,
	Database,
	Disk,
	GAME,
	KEYS,
	Locks,
	matchFor,
	pressed,
	Relay,
	SECRETS,
	started,
	until,
} from './fakes.mjs';
import { newKey, overlay, tableOf } from './fast.js';
import { asked, clear, host } from './page-fakes.mjs';
import { openSeat } from './seat.js';
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
	return /** @type {any} */ (shown.game('', { game: GAME, accounts: [RED, BLUE], fast }));
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
	clear();
	asked.length = 0;
	session.chain = /** @type {any} */ ({ name: 'Here', chainId: CHAIN_ID, ratio: 1n, relay: null });
	session.account = { id: RED ?? '', name: null };
	useContracts({ fast: CONTRACT });
	host['/api/ask'] = ({ data }) => ({ data: data.startsWith(terms) ? matchFor(0) : chain });
	dispatch(shown.at(`/game/${GAME}`));
});
const { setTimeout } = globalThis;
afterEach(() => {
	mock.timers.reset();
	Object.assign(globalThis, { setTimeout });
	relay.latest = null;
	overlay(shown.game());
});

/** A wallet without a node of its own. */
const purse = () => {
	session.wallet = /** @type {any} */ ({
		kind: 'substrate',
		name: 'Purse',
		leave: () => {},
		useChain: async () => {},
	});
};

/** The same game after a disc of red in the first bin. @param {string} game */
const moved = (game) =>
	game
		.replace(`${'00'.repeat(32)}070604`, `01${'00'.repeat(31)}070604`)
		.replace('02000200', '00010200');

const turn = () => new Promise((resolve) => setImmediate(resolve));

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

	test('is played once the player is shown in its own place', async () => {
		chain = started([OTHER, mine[0] ?? '']);
		tell();
		await until(() => read.includes(OTHER), 'the key of the other place is looked up');
		await until(() => /does not have the key/.test(now().fast.note), 'it is watched');
		looks += 1;
		chain = started([OTHER, mine[0] ?? ''], [BLUE ?? '', RED ?? '']);
		const told = view();
		for (const [seat, account] of [BLUE, RED].entries()) told.players[seat].account = account;
		dispatch(shown.view(overlay(told)));
		await until(() => read.includes(mine[0] ?? ''), 'the own key is looked up');
		await tableOf(GAME);
		await until(() => now().fast.note === '', 'it is played');
		assert.deepEqual(now().fast.here, ['blue']);
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
		assert.equal(now().terms.shape.line, 4);
	});
});

describe('what a fast game here has to do with the chain', () => {
	test('a disc for a stake is not signed before what it answers is final', async () => {
		mine = [await newKey({ ...AGREED, stake: '5' }), OTHER];
		session.account = { id: BLUE ?? '', name: null };
		purse();
		chain = moved(started([OTHER, mine[0] ?? '']));
		host['/api/ask'] = ({ data }) => ({ data: data.startsWith(terms) ? matchFor(5) : chain });
		let best = 9;
		host['/api/transactions/'] = () => ({ found: null, next: best + 1, best, last_final: 4 });
		host['/api/prepare'] = () => new Error('it is tried');
		tell();
		await until(() => read.includes(mine[0] ?? ''), 'the key is looked up');
		const table = await tableOf(GAME);
		const dropped = table?.drop(2);
		const looks = () => asked.filter(({ path }) => path.startsWith('/api/transactions/')).length;
		await until(() => looks() > 0, 'it waits');
		assert.ok(asked.every(({ path }) => path !== '/api/prepare'));
		best = 10;
		await assert.rejects(async () => dropped, /it is tried/);
	});

	test('a wallet that does not answer what is due is told', async () => {
		purse();
		const table = await sitWith(0);
		await table?.drop(3);
		host['/api/prepare'] = () => new Promise(() => {});
		// It is waited for half a minute.
		const hurried = (/** @type {() => void} */ act, /** @type {number} */ time) =>
			setTimeout(act, time === 30_000 ? 0 : time);
		Object.assign(globalThis, { setTimeout: hurried });
		chain = pressed(2_000_000_000, chain);
		tell();
		await until(() => /Purse has not answered/.test(now().fast.note), 'it is told');
	});

	test('the day for a first move is that of the clock that was agreed on', async () => {
		const DAY = 86_400;
		const month = { bank: 30 * DAY, increment: 0 };
		mine = [await newKey({ ...AGREED, clock: month }), OTHER];
		const began = 1_900_000_000;
		const bank = Buffer.alloc(8);
		bank.writeUInt32LE(month.bank);
		// In place of no clock, after the stake and what says that it is not settled.
		const agreed = matchFor(0).replace(/^(.{40})00/, `$101${bank.toString('hex')}`);
		host['/api/ask'] = ({ data }) => ({ data: data.startsWith(terms) ? agreed : chain });
		chain = pressed(began + 30 * DAY, started([mine[0] ?? '', OTHER]));
		tell();
		await until(() => now().fast.due !== undefined && now().fast.due !== null, 'it is due');
		const left = (now().fast.due.until - Date.now()) / 1_000;
		assert.ok(Math.abs(left - (began + DAY - Date.now() / 1_000)) < 60, String(left));
	});

	test('is shown as it is now, if the answer to an older look comes later', async () => {
		const table = await sitWith(0);
		await table?.drop(3);
		/** @type {(_?: unknown) => void} */
		let release = () => {};
		const late = new Promise((resolve) => {
			release = resolve;
		});
		const before = chain;
		const answers = host['/api/ask'];
		host['/api/ask'] = async () => {
			await late;
			return { data: before };
		};
		tell();
		await turn();
		host['/api/ask'] = answers ?? (() => null);
		chain = pressed(2_000_000_000, chain);
		tell();
		await until(() => now().fast.due?.what === 'answer by wallet', 'the clock runs');
		release();
		for (let turns = 0; turns < 50; turns += 1) await turn();
		assert.equal(now().fast.due?.what, 'answer by wallet');
	});

	test('is told if it can not be read, and looked at again', async () => {
		mock.timers.enable({ apis: ['setInterval'] });
		const table = await sitWith(0);
		await table?.drop(3);
		const answers = host['/api/ask'];
		host['/api/ask'] = () => new Error('too much was asked');
		tell();
		const said = /The chain can’t be read.*your clock: too much was asked/;
		await until(() => said.test(now().fast.note), 'it is told');
		host['/api/ask'] = answers ?? (() => null);
		chain = pressed(2_000_000_000, chain);
		mock.timers.tick(4_000);
		await until(() => now().fast.due?.what === 'answer by wallet', 'the clock is seen');
		await until(() => !said.test(now().fast.note), 'it is told no more');
	});

	test('is looked at again by itself after what was not true', async () => {
		mock.timers.enable({ apis: ['setInterval'] });
		const table = await sitWith(0);
		await table?.drop(3);
		chain = started([mine[1] ?? '', OTHER]);
		tell();
		await until(() => /other players, session keys/.test(now().fast.note), 'it is told');
		chain = started([mine[0] ?? '', OTHER]);
		mock.timers.tick(4_000);
		await until(() => now().fast.note === '', 'the truth is back');
	});
});

describe('a fast game of two accounts of one browser', () => {
	test('is played by the one that is chosen', async () => {
		chain = started(mine);
		tell();
		await until(() => read.includes(mine[0] ?? ''), 'the first key is looked up');
		await (await tableOf(GAME))?.drop(3);
		session.account = { id: BLUE ?? '', name: null };
		tell();
		await until(() => read.includes(mine[1] ?? ''), 'the second key is looked up');
		await until(() => now().turns === 1, 'the move has come by the relay');
		await (await tableOf(GAME))?.drop(4);
		assert.deepEqual(books(), [1, 1]);
	});

	test('is left, and free for another tab, if another game is shown before it is open', async () => {
		chain = started([mine[0] ?? '', OTHER]);
		tell();
		dispatch(shown.at('/'));
		dispatch(shown.view(shown.game()));
		await tableOf(GAME);
		for (let turns = 0; turns < 50; turns += 1) await turn();
		const { locks } = /** @type {any} */ (navigator);
		assert.deepEqual(
			[...locks.held.keys()].filter((name) => name.includes(mine[0] ?? '')),
			[],
		);
	});

	test('is not played on the chain meanwhile by a second tab', async () => {
		const name = `connect4-fast/${mine[0]}/${CHAIN_ID}/${CONTRACT}/${GAME}`;
		let release = () => {};
		const held = () => new Promise((resolve) => (release = () => resolve(null)));
		/** @type {any} */ (navigator).locks.request(name, {}, held);
		chain = started([mine[0] ?? '', OTHER]);
		tell();
		await until(() => now()?.fast?.note !== '' && now()?.fast?.note !== undefined, 'it is told');
		await assert.rejects(tableOf(GAME), /another tab/);
		release();
	});
});

test('without the key what both have signed is brought to the chain before a disc follows it there', async () => {
	const disks = KEYS.map((key, at) => new Disk(key, SECRETS[at] ?? ''));
	const pages = disks.map((disk, at) =>
		openSeat({
			game: GAME,
			chainId: CHAIN_ID,
			contract: CONTRACT,
			relay: 'wss://relay.example',
			key: KEYS[at] ?? null,
			journal: disk,
			changed: () => {},
			transact: async () => {},
			locks: new Locks(),
			socket: relay.socket,
		}),
	);
	await Promise.all(pages.map((page) => page.see(started(), 0)));
	await until(() => pages.every((page) => page.shown.relay === null), 'they are connected');
	for (const [at, bin] of [3, 4].entries()) {
		await pages[at]?.drop(bin);
		const has = (/** @type {any} */ page) => page.shown.state?.moves?.length === at + 1;
		await until(() => pages.every(has), 'it has arrived');
	}
	purse();
	/** @type {any[]} */
	const prepared = [];
	host['/api/prepare'] = (body) => {
		prepared.push(body);
		return new Error('it is tried');
	};
	// Its keys are in none of the books of this browser.
	chain = started();
	looks += 1;
	dispatch(shown.view(overlay({ ...view(), turns: 2 })));
	await until(() => now().fast.here.length === 1, 'it is watched');
	await assert.rejects(tableOf(GAME), /it is tried/);
	assert.equal(prepared.length, 1);
	assert.ok(prepared[0].data.includes('080304'), 'with both moves');
	await Promise.all(pages.map((page) => page.close()));
});
