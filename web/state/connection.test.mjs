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
	assert.equal(
		away(after(chain(false), link(false))),
		'The program that serves this page does not answer. Trying again.',
	);
});
