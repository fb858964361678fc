import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hello } from './fixtures.mjs';
import { isLoopback, late, lost, lostBriefly, NOTHING_TRIED, unreached } from './reach.js';

const program = hello().hello;
/** @type {import('../wire.d.ts').Hello} */
const publicHost = { ...program, public: true };
const reach = { ...NOTHING_TRIED, names: ['games.example'] };

test('only who runs a program is told to look after it', () => {
	const here = { ...reach, names: ['127.0.0.1:4040'], isLocal: true };
	assert.match(unreached(here, program), /^The program .* check that it is running, then/);
	const others = [
		unreached(reach, publicHost),
		unreached({ ...reach, isKept: true }, null),
		unreached({ ...reach, isNamed: true }, null),
	];
	for (const said of others) {
		assert.match(said, /^The host games\.example does not answer\. If no other site opens/);
		assert.doesNotMatch(said, /program|running/);
	}
	// It may be either.
	assert.match(unreached(reach, null), /^The server of this page, games\.example, does not answer/);
});

test('a device that has no network is told of where that may be why', () => {
	const offline = { ...reach, isOffline: true };
	for (const hello of [publicHost, program, null]) {
		assert.match(unreached(offline, hello), /and this device has no network: try again when/);
		assert.match(lost(offline, hello), /and this device has no network\. Trying again\./);
	}
	const here = { ...offline, names: ['localhost:4040'], isLocal: true };
	assert.doesNotMatch(unreached(here, program), /network/);
	assert.doesNotMatch(lost(here, program), /network/);
});

test('all hosts that were tried are named, and the one that is slow', () => {
	const two = { ...reach, isNamed: true, names: ['one.example', 'two.example'] };
	assert.match(unreached(two, null), /^None of the hosts one\.example and two\.example answers\. /);
	assert.match(late(two, null, 30_000), /^The host two\.example has not answered for 30 seconds\./);
});

test('what works without a host is told where the page has its files', () => {
	const works = /puzzles and records work without it\.$/;
	assert.match(lost({ ...reach, isKept: true }, publicHost), works);
	assert.match(lost({ ...reach, isNamed: true }, null), works);
	assert.match(
		lost(reach, publicHost),
		/^The host games\.example does not answer\. Trying again\.$/,
	);
	const briefly = [publicHost, program, null].map((hello) => lostBriefly(reach, hello));
	assert.deepEqual(briefly, ['host offline', 'program offline', 'server offline']);
});

test('hosts that need no network are those of this device', () => {
	for (const name of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]']) assert.ok(isLoopback(name));
	for (const name of ['127.example', 'games.example', '10.0.0.1', 'localhost.example'])
		assert.ok(!isLoopback(name));
});
