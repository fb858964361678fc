import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Database, KEYS, SECRETS } from './fakes.mjs';
import { keepsNote, openJournal } from './journal.js';

const [KEY, OTHER] = KEYS;
const PLAYER = { key: KEY, secret: SECRETS[0], account: KEY, made: 1, books: {} };

test('a player is kept before the browser answers whether it keeps data, which some ask the user', async () => {
	const storage = { persist: () => new Promise(() => {}) };
	Object.defineProperty(globalThis, 'navigator', { value: { storage }, configurable: true });
	const journal = await openJournal(/** @type {any} */ (new Database()));
	await journal.setPlayer('one', PLAYER);
	assert.equal(keepsNote(), '');
	storage.persist = async () => false;
	await journal.setPlayer('two', PLAYER);
	assert.match(keepsNote(), /may delete the keys/);
});

test('games that earlier versions of the page have begun are read, and what those kept is left as it is', async () => {
	const database = new Database();
	const begun = { game: '0x01', terms: '0x02', turns: 0 };
	const kept = [
		{ ...PLAYER, books: { signed: '0x03' }, begun: { signed: begun } },
		// The key of a fast game by challenge, for which there was a stake.
		{ key: OTHER, secret: SECRETS[1], made: 2, books: { fast: '0x04' }, agreed: { stake: '5' } },
	];
	for (const session of kept) database.records.set(session.key ?? '', structuredClone(session));
	const journal = await openJournal(/** @type {any} */ (database));
	assert.deepEqual(await journal.begun(), [begun]);
	assert.equal(await journal.bookOf(KEY ?? '', 'signed'), '0x03');
	assert.equal(await journal.bookOf(KEY ?? '', 'another'), null);
	assert.equal(await journal.bookOf(`0x${'00'.repeat(20)}`, 'signed'), null);
	assert.deepEqual(await journal.guests(), []);
	assert.deepEqual([...database.records.values()], kept);
});
