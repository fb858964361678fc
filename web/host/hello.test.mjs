import assert from 'node:assert/strict';
import { test } from 'node:test';

import './page-fakes.mjs';

import { greet } from '../transport.js';

/** What the host answers to every request. @param {string} body */
const answers = (body) => {
	globalThis.fetch = async () => new Response(body);
};

test('what can’t be read of a host is told with what to do', async () => {
	for (const body of ['<html>', 'null', '{}', '{"accounts":[],"chain":null}']) {
		answers(body);
		await assert.rejects(greet({}), /can’t be read.*reload the page, or use another host/, body);
	}
});
