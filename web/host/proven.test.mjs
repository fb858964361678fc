import assert from 'node:assert/strict';
import { test } from 'node:test';

import { areProven, useContracts } from './contracts.js';
import './fakes.mjs';
import { INIT_CODES } from './init-code.js';
import { lookAtAddresses } from './proven.js';
import { ask } from './wasm.js';

const DEPLOYER = '0x9621dde636de098b43efb0fa9b61facfe328f99d';
const OTHER = `0x${'66'.repeat(20)}`;

test('contracts are those of the game if they are where the deployer’s are', async () => {
	const { matches: init_code, records: records_init_code } = INIT_CODES;
	const there = await ask({ deployed: { deployer: DEPLOYER, init_code, records_init_code } });
	const named = { ...there, deployer: DEPLOYER };
	assert.equal(await lookAtAddresses(named), 'proven');
	const upper = named.matches.toUpperCase().replace('X', 'x');
	assert.equal(await lookAtAddresses({ ...named, matches: upper }), 'proven');
	assert.equal(await lookAtAddresses({ ...named, records: null }), 'proven', 'there is none');
	assert.equal(await lookAtAddresses({ ...named, deployer: null }), 'unknown');
	for (const lie of [
		{ matches: OTHER },
		{ games: OTHER },
		{ games: null },
		{ records: OTHER },
		{ games: there.matches, matches: there.games },
		{ deployer: OTHER },
	]) {
		assert.equal(await lookAtAddresses({ ...named, ...lie }), 'wrong', JSON.stringify(lie));
	}
	useContracts({}, { prove: () => lookAtAddresses({ ...named, matches: OTHER }) });
	await assert.rejects(areProven(), /not where it says that they were deployed/);
});
