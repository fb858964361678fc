import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { CHAIN_ID, CONTRACT, Database, GAME, KEYS, SECRETS } from './fakes.mjs';
import { JournalError, keepsNote, openJournal } from './journal.js';

const AGREED = { shape: { bins: 7, capacity: 6, line: 4 }, clock: null, stake: '0' };
const NAME = `${CHAIN_ID}/${CONTRACT}/${GAME}`;

const opened = async () => {
	const database = new Database();
	const journal = await openJournal(/** @type {any} */ (database));
	return { database, journal };
};

test('a key is made before the browser answers whether it keeps data, which some ask the user', async () => {
	const storage = { persist: () => new Promise(() => {}) };
	Object.defineProperty(globalThis, 'navigator', { value: { storage }, configurable: true });
	const journal = await openJournal(/** @type {any} */ (new Database()));
	assert.match(await journal.create(AGREED), /^0x/);
	assert.equal(keepsNote(), '');
	storage.persist = async () => false;
	await journal.create(AGREED);
	assert.match(keepsNote(), /may delete the keys/);
});

describe('the session keys of a browser', () => {
	test('are on disk with their books, and read back by another page', async () => {
		const { database, journal } = await opened();
		const key = await journal.create(AGREED);
		assert.match(key, /^0x[0-9a-f]{40}$/);
		assert.equal((await journal.read(key, NAME)).book, null);
		await journal.keep(key, NAME, '0x01');
		await journal.keep(key, NAME, '0x02');
		await journal.keep(key, 'another game', '0x03');
		const other = await openJournal(/** @type {any} */ (database));
		const { secret, book } = await other.read(key, NAME);
		assert.deepEqual([secret.length, book], [66, '0x02']);
		assert.equal((await other.read(key, 'another game')).book, '0x03');
		assert.deepEqual(await other.agreed(key), AGREED);
		assert.equal(await other.agreed(KEYS[0] ?? ''), null);
		// The disk has it when the page goes on.
		assert.deepEqual(new Set(database.durabilities), new Set(['strict']));
		assert.notEqual(await journal.create(AGREED), key);
	});

	test('forget the book of one game alone', async () => {
		const { journal } = await opened();
		const key = await journal.create(AGREED);
		await journal.keep(key, NAME, '0x01');
		await journal.keep(key, 'another game', '0x02');
		await journal.forgetBook(key, NAME);
		await journal.forgetBook(KEYS[0] ?? '', NAME);
		assert.equal((await journal.read(key, NAME)).book, null);
		assert.equal((await journal.read(key, 'another game')).book, '0x02');
	});

	test('that are gone, or are not what was written, are told as such', async () => {
		const { database, journal } = await opened();
		const key = await journal.create(AGREED);
		const refused = (/** @type {string} */ kind) => (/** @type {unknown} */ error) =>
			error instanceof JournalError && error.kind === kind && error.message.includes('wallet');
		await assert.rejects(journal.read(KEYS[0] ?? '', NAME), refused('missing'));
		await assert.rejects(journal.keep(KEYS[0] ?? '', NAME, '0x01'), refused('missing'));
		const record = database.records.get(key);
		for (const damage of [{ secret: SECRETS[0] }, { secret: '0x' }, { books: undefined }]) {
			database.records.set(key, { ...record, ...damage });
			await assert.rejects(journal.read(key, NAME), refused('damaged'));
		}
	});

	test('are not kept on a full disk, and the books before stay', async () => {
		const { database, journal } = await opened();
		const key = await journal.create(AGREED);
		await journal.keep(key, NAME, '0x01');
		database.isFull = true;
		await assert.rejects(journal.keep(key, NAME, '0x02'), /QuotaExceeded/);
		await assert.rejects(journal.create(AGREED), JournalError);
		assert.equal((await journal.read(key, NAME)).book, '0x01');
	});
});

test('a game is kept with its terms as it begins, and forgotten with its book', async () => {
	const { database, journal } = await opened();
	const key = await journal.create(AGREED);
	/** @type {any} */
	const begun = { game: GAME, terms: '0x01', turns: 0 };
	await journal.keep(key, NAME, '0x02', begun);
	await journal.keep(key, NAME, '0x03');
	const other = await openJournal(/** @type {any} */ (database));
	assert.deepEqual(await other.begun(), [begun]);
	assert.equal((await other.read(key, NAME)).book, '0x03');
	await other.forgetBook(key, NAME);
	assert.deepEqual(await other.begun(), []);
	database.isFull = true;
	await assert.rejects(other.check(key), JournalError);
});
