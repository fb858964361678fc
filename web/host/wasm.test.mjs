import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';

import { classic, STANDARD } from '../state/classic.js';
import { ask, provide } from './wasm.js';

const bytes = await readFile(new URL('../../artifacts/page.wasm', import.meta.url));
const terms = classic(STANDARD);
/** @param {number[]} bins */
const drops = (...bins) => bins.map((bin) => /** @type {const} */ ({ kind: 'drop', bin }));

describe('the module', () => {
	test('answers by the rules', async () => {
		provide(bytes);
		const position = await ask({ position: { terms, moves: drops(3, 4, 3, 4, 3, 4, 3) } });
		assert.equal(position.winner, 'red');
		assert.equal(position.notation, '4545454');
	});

	test('says by name and in words why it does not answer', async () => {
		provide(bytes);
		await assert.rejects(ask({ position: { terms, moves: drops(7) } }), {
			name: 'NoSuchBin',
			message: /bin/,
		});
		await assert.rejects(ask(/** @type {any} */ ({ nothing: 1 })), { name: 'BadRequest' });
	});

	test('is loaded once, and again if that has failed', async () => {
		provide(/** @type {any} */ (Uint8Array.of(1, 2, 3)));
		await assert.rejects(ask({ session: '0x' }), { name: 'NotLoaded' });
		provide(bytes);
		assert.equal((await ask({ read: { read_domain: {} } })).message, 'domain');
	});

	test('is thrown away after a trap', async () => {
		// (module (memory (export "memory") 1)
		//   (func (export "allocate") (param i32) (result i32) i32.const 0)
		//   (func (export "ask") (param i32 i32) (result i64) unreachable)
		//   (func (export "release") (param i32 i32)))
		const traps = Buffer.from(
			'0061736d01000000011103' +
				'60017f017f60027f7f017e60027f7f00' +
				'0304030001020503010001' +
				'072504' +
				'066d656d6f72790200' +
				'08616c6c6f636174650000' +
				'0361736b0001' +
				'0772656c656173650002' +
				'0a0d03' +
				'040041000b' +
				'0300000b' +
				'02000b',
			'hex',
		);
		provide(traps);
		await assert.rejects(ask({ read: { read_domain: {} } }), { name: 'Trapped' });
		await assert.rejects(ask({ read: { read_domain: {} } }), { name: 'Trapped' });
		provide(bytes);
		assert.equal((await ask({ read: { read_domain: {} } })).contract, 'stakes');
	});
});

test('the module is loaded with the hash that index.html names', async (t) => {
	const { pathname } = new URL('./page.wasm', import.meta.url);
	const textContent = JSON.stringify({ integrity: { [pathname]: 'sha256-hash' } });
	Object.assign(globalThis, { document: { querySelector: () => ({ textContent }) } });
	const bytes = await readFile(new URL('../../artifacts/page.wasm', import.meta.url));
	/** @type {unknown[]} */
	const asked = [];
	t.mock.method(globalThis, 'fetch', async (/** @type {URL} */ url, /** @type {object} */ how) => {
		asked.push([url.pathname, how]);
		return { ok: true, arrayBuffer: async () => bytes };
	});
	const fresh = await import(new URL('./wasm.js?fresh', import.meta.url).href);
	await fresh.ask({ account: `0x${'0a'.repeat(20)}` });
	assert.deepEqual(asked, [[pathname, { integrity: 'sha256-hash' }]]);
});
