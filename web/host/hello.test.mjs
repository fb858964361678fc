import assert from 'node:assert/strict';
import { test } from 'node:test';

import './page-fakes.mjs';

import { hello } from '../state/fixtures.mjs';
import { greet } from '../transport.js';

/** What the host answers to every request. @param {string} body */
const answers = (body) => {
	globalThis.fetch = async () => new Response(body);
};

test('what can’t be read of a host is told with what to do', async () => {
	const { hello: told } = hello();
	const ofAnotherVersion = JSON.stringify({ ...told, api: told.api + 1 });
	const bodies = ['<html>', 'null', '{}', '{"accounts":[],"chain":null}', ofAnotherVersion];
	for (const body of bodies) {
		answers(body);
		await assert.rejects(greet({}), /can’t be read.*reload the page, or use another host/, body);
	}
});

test('an answer is read up to a limit, so that no host fills memory or storage', async () => {
	const { hello: told } = hello();
	let given = 0;
	globalThis.fetch = async () =>
		new Response(
			new ReadableStream({
				pull(stream) {
					given += 1;
					stream.enqueue(new Uint8Array(1_000_000).fill(32));
				},
			}),
		);
	await assert.rejects(
		greet({}),
		/has sent more than this page reads: load the page again, or use another host/,
	);
	assert.ok(given < 10, `${given} MB`);
	answers(JSON.stringify({ ...told, padding: 'x'.repeat(1_000_000) }));
	assert.deepEqual(await greet({}), told);
});
