import assert from 'node:assert/strict';
import { test } from 'node:test';

import { alice, hello } from './fixtures.mjs';
import { readHello } from './hello.js';

const told = hello(alice).hello;
const SIGNING = {
	genesis: `0x${'01'.repeat(32)}`,
	chain_id: 7,
	wallet_rpc: null,
	relay: 'wss://relay.example',
	games: `0x${'aa'.repeat(20)}`,
	variants: null,
	stakes: `0x${'bb'.repeat(20)}`,
	deployer: null,
	ratio: '100000000',
	returns_deposits: true,
};

test('what a program says of itself has what the page shows of it', () => {
	assert.deepEqual(readHello(told), told);
	assert.deepEqual(readHello({ ...told, public: true, signing: SIGNING }), {
		...told,
		public: true,
		signing: SIGNING,
	});
	const lacking = [null, 'text', [], {}, { ...told, chain: null }, { ...told, accounts: 3 }];
	const ofOtherVersions = [2, 4, '3', undefined].map((api) => ({ ...told, api }));
	for (const said of [...lacking, ...ofOtherVersions]) {
		assert.equal(readHello(said), null, JSON.stringify(said));
	}
});

test('what the page does not know is not kept of it', () => {
	const much = 'x'.repeat(1_000_000);
	const padded = {
		...told,
		padding: much,
		chain: { ...told.chain, padding: much },
		public: true,
		signing: { ...SIGNING, padding: [much] },
	};
	assert.deepEqual(readHello(padded), { ...told, public: true, signing: SIGNING });
});

/** All places in a value in which another one can stand. @param {any} value @returns {[any, string][]} */
const places = (value) =>
	Object.keys(value).flatMap((name) => [
		/** @type {[any, string]} */ ([value, name]),
		...(typeof value[name] === 'object' && value[name] !== null ? places(value[name]) : []),
	]);

test('no field is of any length, wherever it stands', () => {
	const all = { ...told, public: true, signing: SIGNING };
	const much = ['x'.repeat(2_000), Array(2_000).fill('x'), { x: 'x'.repeat(2_000) }];
	for (let at = 0; at < places(all).length; at += 1) {
		for (const value of much) {
			const said = structuredClone(all);
			const [within, name] = places(said)[at] ?? [];
			within[name] = value;
			const read = readHello(said);
			assert.ok(JSON.stringify(read).length < 4_000, name);
		}
	}
	const names = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`0x${at}`, 'x']));
	assert.equal(readHello({ ...all, names }), null);
});
