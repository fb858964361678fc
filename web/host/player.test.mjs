import assert from 'node:assert/strict';
import { test } from 'node:test';

import './page-fakes.mjs';

import { hello as saidBy } from '../state/fixtures.mjs';

/** @import { Hello } from '../wire.d.ts' */

/** What a server says that calls itself a public host, or a program. @param {boolean} isPublic @returns {Hello} */
const said = (isPublic) => ({
	...saidBy().hello,
	public: isPublic,
	signing: /** @type {any} */ ({ genesis: '0x' }),
	// A guest of a program has nothing but signed games there.
	host: false,
});

/**
 * A page that is told these things, one after the other; what it does with them.
 * @param {string} name @param {Hello[]} told
 */
async function page(name, told) {
	const { choosePlayer, hello } = await import(`../player.js?${name}`);
	/** @type {string[]} */
	const did = [];
	let load = () => {};
	const loading = new Promise((resolve) => {
		load = () => resolve(null);
	});
	const by = (/** @type {string} */ who) => ({
		join: async (/** @type {Hello} */ of) => {
			did.push(`${who} joins`);
			return of;
		},
		sit: async () => did.push(`${who} sits`),
	});
	choosePlayer({
		program: { ...by('program'), greet: async () => told.shift() },
		host: () => loading.then(() => by('host')),
	});
	return { hello, did, load };
}

test('a server is a program or a host, and never both: what a program says is compared with nothing', async () => {
	const program = await page('program', [said(false), said(true)]);
	await program.hello();
	// The second answer comes while what the first one needs is being loaded.
	const second = program.hello();
	program.load();
	await assert.rejects(second, /does not say the same of itself as before/);
	await new Promise(setImmediate);
	assert.deepEqual(program.did, ['program joins', 'host sits']);

	const host = await page('host', [said(true), said(false)]);
	const first = host.hello();
	const other = host.hello();
	host.load();
	await assert.rejects(other, /does not say the same of itself as before/);
	await first;
	assert.deepEqual(host.did, ['host joins']);
});
