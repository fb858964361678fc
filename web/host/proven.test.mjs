import assert from 'node:assert/strict';
import { test } from 'node:test';

import { areProven, useContracts } from './contracts.js';
import './fakes.mjs';
import { INIT_CODES } from './init-code.js';
import { hasItsNumber, lookAtAddresses } from './proven.js';
import { CHAINS } from './public-chains.js';
import { ask } from './wasm.js';

const DEPLOYER = '0x9621dde636de098b43efb0fa9b61facfe328f99d';
const OTHER = `0x${'66'.repeat(20)}`;
const [GENESIS, OTHER_GENESIS] = ['01', '02'].map((byte) => `0x${byte.repeat(32)}`);

test('contracts are those of the game if they are where the deployer’s are', async () => {
	const of = { deployer: DEPLOYER, ...INIT_CODES };
	const there = await ask({ deployed: { ...of, genesis: GENESIS } });
	const named = { ...there, deployer: DEPLOYER, genesis: GENESIS };
	assert.equal(await lookAtAddresses(named), 'proven');
	// The same contracts of the same account on another chain, of which that of the stakes alone is made for it.
	const elsewhere = await ask({ deployed: { ...of, genesis: OTHER_GENESIS } });
	assert.equal(elsewhere.games, there.games);
	assert.notEqual(elsewhere.stakes, there.stakes);
	const upper = named.games.toUpperCase().replace('X', 'x');
	assert.equal(await lookAtAddresses({ ...named, games: upper }), 'proven');
	for (const kind of ['variants', 'stakes']) {
		assert.equal(await lookAtAddresses({ ...named, [kind]: null }), 'proven', 'there is none');
	}
	assert.equal(await lookAtAddresses({ ...named, deployer: null }), 'unknown');
	for (const lie of [
		{ games: OTHER },
		{ games: null },
		{ stakes: OTHER },
		{ variants: OTHER },
		{ stakes: elsewhere.stakes },
		{ genesis: OTHER_GENESIS },
		{ games: there.stakes, stakes: there.games },
		{ deployer: OTHER },
	]) {
		assert.equal(await lookAtAddresses({ ...named, ...lie }), 'wrong', JSON.stringify(lie));
	}
	useContracts({}, { prove: () => lookAtAddresses({ ...named, games: OTHER }) });
	await assert.rejects(areProven(), /not where it says that they were deployed/);
});

test('a chain that the page knows has its own number and no other one', () => {
	for (const { genesis, chainId } of CHAINS) {
		assert.equal(hasItsNumber({ genesis, chainId }), true);
		assert.equal(hasItsNumber({ genesis, chainId: chainId + 1 }), false);
		assert.equal(hasItsNumber({ genesis, chainId: null }), false);
	}
	assert.equal(hasItsNumber({ genesis: GENESIS ?? '', chainId: 7 }), null);
});
