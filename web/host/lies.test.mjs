// A host that lies at random, to players who try to play. Nothing is signed that they have not chosen by what
// the page has shown. `node web/host/lies/run.mjs SEED 1` plays one visit again.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { PLANTS } from './lies/plants.mjs';

const RUN = fileURLToPath(new URL('./lies/run.mjs', import.meta.url));
/** Visits in each run, with some thirty lies each. */
const VISITS = 120;
/** Visits after which a check that is left out has to have been missed. */
const MOST = 400;

/** @param {...(string | number)} of seed, visits, what is left out, how often is lied */
async function run(...of) {
	const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...of.map(String)], {
		maxBuffer: 2 ** 26,
	});
	return JSON.parse(stdout);
}

test('of a host that says the truth, all is done and signed as it was chosen', async () => {
	// With wallets of both kinds, and with a node that the host has named.
	const { fault, ends, signed } = await run(7, 6, '', 0);
	assert.equal(fault, null);
	assert.equal(Object.keys(ends).length, 7);
	for (const [name, end] of Object.entries(ends)) assert.deepEqual(end, { done: 6 }, name);
	assert.equal(signed, 6 * 21);
});

test('of a host that lies at random, nothing is signed but what was chosen and shown', async (t) => {
	const { fault, lies, signed } = await run(1, VISITS);
	t.diagnostic(`${lies} lies, ${signed} signatures`);
	assert.equal(fault, null, JSON.stringify(fault, null, '\t'));
	assert.ok(lies > 2_500 && signed > 500, `${lies} lies, ${signed} signatures`);
});

test('each check that is left out of the page is missed', async (t) => {
	const waiting = Object.entries(PLANTS);
	/** Takes one after the other. */
	const work = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			const [name, { seed }] = next;
			// The visit in which it was missed first; if the page asks otherwise by now, one is looked for.
			const known = await run(seed, 1, name);
			const { fault, lies } = known.fault ? known : await run(1, MOST, name);
			t.diagnostic(`without ${name}: after ${lies} lies`);
			assert.notEqual(fault, null, `without ${name}`);
		}
	};
	await Promise.all([work(), work()]);
});
