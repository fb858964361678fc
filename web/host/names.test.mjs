import assert from 'node:assert/strict';
import { test } from 'node:test';

import { namesOf } from './names.js';

const GENESIS = `0x${'11'.repeat(32)}`;
const HUB = '0x68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f';

/** @param {string | null} name @param {string | null} [symbol] */
const shown = (name, symbol = null) => namesOf({ genesis: GENESIS, chainId: 7, name, symbol });

test('a token has a short name of letters and digits, or none of its own', () => {
	for (const symbol of ['DOT', 'xcDOT', 'USD.e', 'A$', 'ДОТ', 'a-1', '123456789012', null]) {
		assert.equal(shown(null, symbol).symbol, symbol);
	}
	const marks = '\u2066DOT\u2069 \u202e.0 fo daetsni';
	for (const symbol of [marks, '', 'DO T', 'DOT\n', '1234567890123', 'D\u200bOT', 'DOT!', '<b>']) {
		assert.equal(shown(null, symbol).symbol, 'units', JSON.stringify(symbol));
	}
});

test('a chain has a name of limited length, without what changes other text', () => {
	assert.equal(shown('Connect Four').name, 'Connect Four');
	assert.equal(shown('\u202eA \u2066chain\u2069\n\tof\u0000 mine ').name, 'A chain of mine');
	assert.equal(shown(null).name, null);
	assert.equal(shown('\u200b\u202e ').name, null);
	const long = shown('🂡'.repeat(100)).name ?? '';
	assert.deepEqual([[...long].length, [...long].at(-1)], [41, '…']);
});

test('a chain that is known has the names of the page, and no other one has them', () => {
	const said = { name: 'Evil', symbol: 'EVIL' };
	const known = { name: 'Polkadot Hub', symbol: 'DOT' };
	for (const chainId of [null, 420420419]) {
		assert.deepEqual(namesOf({ genesis: HUB, chainId, ...said }), known);
	}
	// Its first block alone is not what a wallet of Ethereum signs for.
	assert.deepEqual(namesOf({ genesis: HUB, chainId: 1, ...said }), said);
	for (const name of ['Polkadot Hub', 'polkadot-hub', 'Polkadot\u00a0Hub\u200b']) {
		assert.equal(shown(name).name, null);
	}
});
