import assert from 'node:assert/strict';
import { test } from 'node:test';

import { away } from './connection.js';
import { after, chain, link } from './fixtures.mjs';

test('what is wrong with the chain is said once, as a sentence', () => {
	assert.equal(away(after(chain(true), link(true))), null);
	assert.equal(
		away(after(chain(false, 'the node does not answer.'))),
		'The chain cannot be reached: the node does not answer. Trying again.',
	);
	const since = new Date(2026, 0, 1, 9, 5, 7).getTime() / 1000;
	assert.equal(
		away(after(chain(false, 'nothing answers', since))),
		'The chain cannot be reached since 09:05:07: nothing answers. Trying again.',
	);
	assert.equal(
		away(after(chain(false), link(false))),
		'The program that serves this page does not answer. Trying again.',
	);
});
