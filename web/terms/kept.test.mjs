// What a browser keeps of games by signed terms: records on the disk, and the list of them.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, test } from 'node:test';

import '../host/page-fakes.mjs';

import { Database, KEYS, SECRETS } from '../host/fakes.mjs';
import { clear, disk } from '../host/page-fakes.mjs';
import { beginGame } from '../player/game.js';
import { openModule, provide } from '../player/module.js';
import { openRecords } from '../player/records.js';
import { accountName } from '../state/account-name.js';
import { recall } from '../storage.js';

provide(await readFile(new URL('../../artifacts/player.wasm', import.meta.url)));
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
Object.assign(globalThis, {
	addEventListener: () => {},
	// Nothing is there.
	WebSocket: class {
		readyState = 0;
		close() {}
	},
});

const { begin, close, hasBegun, recallBegun, tableOf } = await import('./tables.js');
const { kept } = await import('./kept.js');

/** @type {import('../ask.d.ts').SignedPlace} */
const place = { chain_id: 1, genesis: `0x${'ab'.repeat(32)}`, stakes: null };
const WITNESS = `0x${'99'.repeat(20)}`;
const RELAY = 'ws://relay.example';
const seconds = () => Math.floor(Date.now() / 1000);
let nonce = 0;

beforeEach(() => {
	clear();
	disk.isFull = false;
	disk.records.set(KEYS[0], { key: KEYS[0], secret: SECRETS[0] });
});
/** @type {any[]} */
const open = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((one) => one()));
});

/** An offer of another guest, and how its browser answers who takes it. */
async function friend() {
	const other = new Database();
	const [, by = ''] = KEYS;
	const [, secret = ''] = SECRETS;
	other.records.set(by, { key: by, secret });
	const ask = await openModule();
	nonce += 1;
	const offer = ask({
		offer: {
			...{ place, secret, account: null, session: null, program: false },
			...{ shape: { bins: 7, capacity: 6, line: 4 }, witness: WITNESS, stake: '0' },
			rules: { pie_rule: false, pool: 0, clock: null },
			...{ event: null, colours: 'coin', taker: null, relay: RELAY },
			...{ until: seconds() + 60, nonce },
		},
	});
	/** @type {string[]} */
	const letters = [];
	const records = await openRecords(/** @type {any} */ (other));
	const send = (/** @type {string} */ letter) => letters.push(letter);
	const game = await beginGame({ place, by, game: { offer }, records, send, locks: undefined });
	open.push(game.close);
	return {
		offer,
		/** @param {string} letter */
		async answer(letter) {
			await game.receive(letter);
			return letters.at(-1) ?? '';
		},
	};
}

/** Takes the friend's offer. @param {Awaited<ReturnType<typeof friend>>} of */
async function take({ offer }) {
	const common = { account: null, session: null, program: false, colour: null };
	const game = { take: { ...common, offer, time: seconds(), nonce: 7 } };
	return begin({ place, by: KEYS[0] ?? '', relay: RELAY, game });
}

/** A game that has just begun. */
async function begun() {
	const of = await friend();
	const table = await take(of);
	await table.game.receive(await of.answer(table.letters.at(-1) ?? ''));
	assert.ok(hasBegun(table.game.standing));
	return table;
}

test('a game that the disk does not take does not begin, in words', async () => {
	const of = await friend();
	disk.isFull = true;
	await assert.rejects(take(of), /could not store the record|has to be on disk/);
	assert.deepEqual(kept(), {});
});

test('a game is there after a reload though the browser’s storage was full, or is lost', async () => {
	const table = await begun();
	const [[number = '', before] = []] = Object.entries(kept());
	assert.equal(before?.opponent, `guest ${accountName(KEYS[1] ?? '')}`);
	assert.equal(disk.durabilities.at(-1), 'strict');
	close(table);
	// Another page, which finds nothing in that storage.
	window.localStorage.removeItem('connect4-signed');
	assert.deepEqual(recall('signed', {}), {});
	await recallBegun(kept());
	assert.deepEqual(kept(), { [number]: before });
	const again = await tableOf(number);
	assert.ok(again);
	close(again);
});

test('a game is found by its number, and an offer that nobody took is forgotten', async () => {
	assert.equal(await tableOf(`0x${'12'.repeat(32)}`), null);
	const ask = await openModule();
	const { forget } = await import('./tables.js');
	const offer = ask({
		offer: {
			...{ place, secret: SECRETS[0] ?? '', account: null, session: null, program: false },
			...{ shape: { bins: 7, capacity: 6, line: 4 }, witness: WITNESS, stake: '0' },
			rules: { pie_rule: false, pool: 0, clock: null },
			...{ event: null, colours: 'red', taker: null, relay: RELAY },
			...{ until: seconds() + 60, nonce: 1 },
		},
	});
	const table = await begin({ place, by: KEYS[0] ?? '', relay: RELAY, game: { offer } });
	const row = `game ${table.game.standing.name}`;
	assert.equal(disk.records.get(row).relay, RELAY);
	await forget(table);
	assert.equal(disk.records.has(row), false);
	// What was signed is not.
	const played = await begun();
	const other = `game ${played.game.standing.name}`;
	await forget(played);
	assert.ok(disk.records.has(other));
});

test('all who have taken an offer for a stake are remembered, but no more than are looked for', async () => {
	const all = await openRecords(/** @type {any} */ (new Database()));
	const [by = ''] = KEYS;
	await all.write({ name: 'one', by, place, record: '0x01' }, [null], []);
	const takers = Array.from({ length: 18 }, (_, index) => `0x${index}`);
	for (const taker of [...takers, '0x5']) await all.tell('one', taker);
	const told = (await all.read('one'))?.told ?? [];
	assert.deepEqual(told, [...takers.slice(2).filter((taker) => taker !== '0x5'), '0x5']);
	// An earlier page kept the last one alone.
	await all.write(/** @type {any} */ ({ ...(await all.read('one')), told: '0x1' }), ['0x01'], []);
	await all.tell('one', '0x2');
	assert.deepEqual((await all.read('one'))?.told, ['0x1', '0x2']);
	all.close();
});

test('a taker for a stake who can’t be remembered is not taken, as it pays when this page may be away', async () => {
	const ask = await openModule();
	const at = { ...place, stakes: `0x${'77'.repeat(20)}` };
	const [[by = '', other = ''], [secret = '', taker = '']] = [KEYS, SECRETS];
	const who = { account: null, session: null, program: false };
	const offer = ask({
		offer: {
			...{ place: at, secret, ...who, account: by, shape: { bins: 7, capacity: 6, line: 4 } },
			...{ witness: null, stake: '5', event: null, colours: 'red', taker: null, relay: RELAY },
			rules: { pie_rule: false, pool: 0, clock: { bank: 300, increment: 5 } },
			...{ until: seconds() + 60, nonce: 1 },
		},
	});
	const taken = { ...who, account: other, offer, colour: null, time: seconds(), nonce: 1 };
	const { letter } = ask({ complete: { secret: taker, taken } });
	const table = await begin({ place: at, by, relay: RELAY, game: { offer } });
	open.push(() => table.game.close());
	const told = () => disk.records.get(`game ${table.game.standing.name}`).told;
	disk.isFull = true;
	assert.equal(await table.game.receive(letter), false);
	assert.match(table.game.standing.trouble, /QuotaExceededError/);
	assert.equal(told(), undefined);
	disk.isFull = false;
	assert.equal(await table.game.receive(letter), true);
	assert.deepEqual(told(), [letter]);
	table.stake?.close();
});
