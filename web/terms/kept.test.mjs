import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import '../host/page-fakes.mjs';

import { KEYS, SECRETS } from '../host/fakes.mjs';
import { clear, disk, kept as stored } from '../host/page-fakes.mjs';
import { forget } from '../storage.js';
import { agreed, PLACE } from './fakes.mjs';

/** A page that is loaded anew. @returns {Promise<typeof import('./kept.js')>} */
const page = async () => {
	pages += 1;
	return import(`./kept.js?page=${pages}`);
};
let pages = 0;

const AT = { place: PLACE, relay: 'wss://relay.example' };
const WHO = { key: KEYS[0] ?? '', secret: SECRETS[0] ?? '' };

Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });

beforeEach(() => {
	clear();
	disk.isFull = false;
	disk.records.set(WHO.key, { ...WHO, made: 0, books: {} });
});

test('a game whose terms the disk does not take does not begin, in words', async () => {
	const signed = await agreed();
	const { begin, kept } = await page();
	disk.isFull = true;
	await assert.rejects(
		begin(signed, AT, WHO),
		/does not begin here: This browser does not keep what has to be on disk/,
	);
	assert.deepEqual(Object.keys(kept()), []);
	assert.deepEqual(disk.records.get(WHO.key).books, {});
});

test('a game is there after a reload though the browser’s storage was full, or is lost', async (t) => {
	const signed = await agreed({ random: 5 });
	const { begin, kept } = await page();
	t.mock.method(window.localStorage, 'setItem', () => {
		throw new Error('QuotaExceededError');
	});
	await begin(signed, AT, WHO);
	const [before] = Object.values(kept());
	assert.equal(before?.terms, signed.terms);
	t.mock.restoreAll();
	assert.equal(disk.durabilities.at(-1), 'strict');
	// Another page, which finds nothing in that storage.
	forget('by-terms');
	assert.equal(stored.get('connect4-by-terms'), undefined);
	const again = await page();
	await again.recallBegun();
	assert.deepEqual(again.kept(), { [signed.game]: before });
});
