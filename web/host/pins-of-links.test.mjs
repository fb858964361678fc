import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import './page-fakes.mjs';

import { clear, disk, guarded } from './page-fakes.mjs';

// The page names a host, and the player has agreed to that of a link in this tab.
/** What the tab keeps. @type {Map<string, string>} */
const tab = new Map();
const sessionStorage = {
	getItem: (/** @type {string} */ name) => tab.get(name) ?? null,
	setItem: (/** @type {string} */ name, /** @type {string} */ value) => tab.set(name, value),
};
Object.assign(globalThis.window, { sessionStorage });
Object.assign(globalThis.document, {
	querySelector: () => ({ getAttribute: () => 'https://games.example' }),
});
tab.set('connect4-host', JSON.stringify('https://evil.example'));
const { isOfLink, keepHost } = await import('../hosts.js');
/** The page, loaded anew. @returns {Promise<typeof import('./pins.js')>} */
const page = (of = '') => import(`./pins.js?${of}`);

/** @param {string} byte */
const address = (byte) => `0x${byte.repeat(20)}`;
/** @type {import('./pins.js').Pin} */
const HERE = {
	genesis: `0x${'01'.repeat(32)}`,
	chainId: 7,
	decimals: 10,
	symbol: 'DOT',
	ratio: '100000000',
	games: address('aa'),
	variants: null,
	stakes: null,
};
const OTHER = { ...HERE, games: address('66') };

beforeEach(() => {
	clear();
	tab.delete('connect4-link-chains');
	disk.isFull = false;
});

test('what the host of a link says of a chain stays in the tab until something is signed there', async () => {
	assert.ok(isOfLink());
	const { judge, keepChain } = await page('first');
	assert.equal(await judge(HERE), null);
	assert.equal(guarded('chains'), undefined);
	// The page is loaded again, and the host says something else.
	const again = await page('again');
	assert.match((await again.judge(OTHER))?.text ?? '', /another contract/);
	assert.equal(await again.judge(HERE), null);
	await again.keepChain();
	assert.deepEqual(guarded('chains'), [HERE]);
	await keepChain();
	assert.deepEqual(guarded('chains'), [HERE]);
});

test('what was signed for before is compared with what the host of a link says, and stays unless something is signed there', async () => {
	const before = await page('before');
	await before.judge(HERE);
	await before.keepChain();
	tab.delete('connect4-link-chains');
	const { judge, keepChain } = await page('now');
	const asked = await judge(OTHER);
	assert.match(asked?.text ?? '', /another contract/);
	await keepChain();
	assert.deepEqual(guarded('chains'), [HERE], 'nothing was accepted');
	await asked?.accept?.();
	assert.equal(await judge(OTHER), null);
	assert.deepEqual(guarded('chains'), [HERE], 'nothing was signed');
	await keepChain();
	assert.deepEqual(guarded('chains'), [OTHER]);
});

test('nothing is signed for the host of a link that the browser can not keep', async () => {
	const { judge, keepChain } = await page('full');
	assert.equal(await judge(HERE), null);
	disk.isFull = true;
	await assert.rejects(keepChain(), /does not keep what has to be on disk/);
	disk.isFull = false;
	await keepChain();
	assert.deepEqual(guarded('chains'), [HERE]);
});

test('what a host says that the player uses for good is kept at once', async () => {
	keepHost();
	const { judge } = await page('kept');
	assert.equal(await judge(HERE), null);
	assert.deepEqual(guarded('chains'), [HERE]);
});
