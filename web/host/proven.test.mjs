import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isProven, useContracts } from './contracts.js';
import './fakes.mjs';
import { INIT_CODES } from './init-code.js';
import { hasItsNumber, lookAtAddress } from './proven.js';
import { CHAINS } from './public-chains.js';
import { ask } from './wasm.js';

const DEPLOYER = '0x9621dde636de098b43efb0fa9b61facfe328f99d';
const OTHER = `0x${'66'.repeat(20)}`;
const [GENESIS, OTHER_GENESIS] = ['01', '02'].map((byte) => `0x${byte.repeat(32)}`);

test('contracts are those of the game if they are where the deployer’s are', async () => {
	const of = { deployer: DEPLOYER, ...INIT_CODES };
	const there = await ask({ deployed: { ...of, genesis: GENESIS } });
	const named = { ...there, deployer: DEPLOYER, genesis: GENESIS };
	/** @param {'games' | 'variants' | 'stakes'} kind @param {object} [lie] */
	const look = (kind, lie) => lookAtAddress({ ...named, ...lie }, kind);
	for (const kind of /** @type {const} */ (['games', 'variants', 'stakes'])) {
		assert.equal(await look(kind), 'proven');
		assert.equal(await look(kind, { deployer: null }), 'unknown');
		for (const lie of [{ [kind]: OTHER }, { [kind]: null }, { deployer: OTHER }]) {
			assert.equal(await look(kind, lie), 'wrong', JSON.stringify(lie));
		}
		// Another one of the host's says nothing of it.
		const other = kind === 'games' ? 'variants' : 'games';
		assert.equal(await look(kind, { [other]: OTHER }), 'proven');
	}
	// The same contracts of the same account on another chain, of which that of the stakes alone is made for it.
	const elsewhere = await ask({ deployed: { ...of, genesis: OTHER_GENESIS } });
	assert.equal(elsewhere.games, there.games);
	assert.notEqual(elsewhere.stakes, there.stakes);
	const upper = named.games.toUpperCase().replace('X', 'x');
	assert.equal(await look('games', { games: upper }), 'proven');
	for (const lie of [{ stakes: elsewhere.stakes }, { genesis: OTHER_GENESIS }]) {
		assert.equal(await look('stakes', lie), 'wrong', JSON.stringify(lie));
	}
	assert.equal(await look('games', { games: there.stakes, stakes: there.games }), 'wrong');
	useContracts({}, { prove: (kind) => look(kind, { games: OTHER }) });
	await assert.rejects(isProven('games'), /not where it says that they were deployed/);
	assert.equal(await isProven('variants'), true);
});

test('a chain that the page knows has its own number and no other one', () => {
	for (const { genesis, chainId } of CHAINS) {
		assert.equal(hasItsNumber({ genesis, chainId }), true);
		assert.equal(hasItsNumber({ genesis, chainId: chainId + 1 }), false);
		assert.equal(hasItsNumber({ genesis, chainId: null }), false);
	}
	assert.equal(hasItsNumber({ genesis: GENESIS ?? '', chainId: 7 }), null);
});
