import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { chainTime, clockWarning, timeOfChain } from './chain-time.js';

test('a clock that is fast is found out by new blocks, and one that is slow by any', () => {
	let machine = 10_000;
	const time = chainTime(() => machine);
	assert.equal(time.now(), 10_000);
	// The newest block may be old because nobody has sent a transaction since.
	time.see(9_400);
	assert.deepEqual([time.now(), time.ahead], [10_000, 0]);
	machine += 4;
	time.see(9_400);
	assert.equal(time.ahead, 0);
	// A block comes, and is ten minutes old already.
	machine += 4;
	time.see(9_406);
	assert.deepEqual([time.now(), time.ahead], [9_406, 602]);
	machine += 10;
	assert.equal(time.now(), 9_416);

	// The clock is set right.
	machine = 9_420;
	time.see(9_418);
	assert.deepEqual([time.now(), time.ahead], [9_420, 0]);

	machine = 9_000;
	time.see(9_424);
	assert.deepEqual([time.now(), time.ahead], [9_424, -424]);
	machine += 5;
	assert.equal(time.now(), 9_429);
	// It was set right, and no block has come since.
	machine = 9_430;
	time.see(9_424);
	assert.deepEqual([time.now(), time.ahead], [9_430, 0]);
});

test('a node that was a day ahead once is believed no more when it is not', () => {
	let machine = 10_000;
	const time = chainTime(() => machine);
	time.see(96_400);
	assert.deepEqual([time.block(), time.now()], [96_400, 96_400]);
	machine += 4;
	time.see(10_002);
	assert.deepEqual([time.block(), time.now(), time.ahead], [10_002, 10_004, 0]);
});

test('the time of a block is known for a while after the last look', () => {
	let machine = 10_000;
	const time = chainTime(() => machine);
	assert.equal(time.block(), 0);
	// The block may be old.
	time.see(5_000);
	machine += 60;
	assert.equal(time.block(), 5_000);
	machine += 1;
	assert.equal(time.block(), 0);
	time.see(5_000);
	assert.equal(time.block(), 5_000);
});

test('the time is never before that of the newest block', () => {
	let machine = 10_000;
	const time = chainTime(() => machine);
	time.see(9_400);
	machine += 4;
	time.see(9_402);
	assert.equal(time.ahead, 602);
	// The machine is put back by an hour.
	machine -= 3_600;
	assert.equal(time.now(), 9_402);
});

test('a page that has slept learns nothing from the first block, and small differences are left alone', () => {
	let machine = 10_000;
	const time = chainTime(() => machine);
	time.see(9_998);
	machine += 600;
	time.see(10_010);
	assert.deepEqual([time.now(), time.ahead], [10_600, 0]);
	machine += 4;
	time.see(10_590);
	assert.deepEqual([time.now(), time.ahead], [10_604, 0]);
	time.see(10_609);
	assert.deepEqual([time.now(), time.ahead], [10_609, 0], 'never before the newest block');
});

test('how far a block was behind is kept from when it was seen first', () => {
	let machine = 10_000;
	const time = chainTime(() => machine);
	assert.equal(time.first(), null);
	time.see(9_996);
	machine += 600;
	time.see(9_996);
	assert.equal(time.first(), 4);
	time.see(10_500);
	assert.equal(time.first(), 100);
});

test('a clock that differs much is told in words', () => {
	assert.equal(clockWarning(0), '');
	assert.match(clockWarning(602), /10 minutes ahead of the chain’s.*set it right/);
	assert.match(clockWarning(-45), /a minute behind the chain’s/);
});

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
