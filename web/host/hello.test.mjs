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
