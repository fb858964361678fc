import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Database, KEYS, SECRETS } from './fakes.mjs';
import { keepsNote, openJournal } from './journal.js';

const [KEY] = KEYS;
const PLAYER = { key: KEY, secret: SECRETS[0], account: KEY, made: 1 };

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
