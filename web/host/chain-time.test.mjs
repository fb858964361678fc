import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { timeOfChain } from './chain-time.js';

test('a challenge is open for a day of the chain, not of a clock that is a year ahead', async () => {
	mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 2_000_000_000_000 });
	const machine = 2_000_000_000;
	/** @param {(number | null)[]} blocks that are the newest one after the other */
	const asked = async (...blocks) => {
		/** @type {{ time?: number }} */
		const told = {};
		timeOfChain(async () => (blocks.length > 1 ? blocks.shift() : blocks[0]) ?? null).then(
			(time) => {
				told.time = time - Math.floor(Date.now() / 1000) + machine;
			},
		);
		for (let turn = 0; turn < 10; turn += 1) {
			await new Promise((resolve) => setImmediate(resolve));
			if (told.time === undefined) mock.timers.tick(2_000);
		}
		return told.time;
	};
	const YEAR = 31_536_000;
	const early = await asked(machine - YEAR, machine - YEAR, machine - YEAR + 6);
	assert.ok(Math.abs((early ?? 0) - (machine - YEAR)) < 20);
	// Nobody has sent a transaction for long: the clock is believed.
	assert.equal(await asked(machine - YEAR), machine);
	assert.equal(await asked(null), machine);
	assert.equal(await asked(machine - 20), machine);
	const now = Math.floor(Date.now() / 1000);
	assert.equal(await asked(now + 400), machine + 400);
	mock.timers.reset();
});
