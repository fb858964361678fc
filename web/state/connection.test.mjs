import assert from 'node:assert/strict';
import { test } from 'node:test';

import { away } from './connection.js';
import { after, alice, chain, hello, link } from './fixtures.mjs';
import { reduce } from './reduce.js';

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
		away(after(hello(alice), chain(false), link(false))),
		'The program that serves this page does not answer. Trying again.',
	);
});

test('what the page shows by itself needs no program', () => {
	const lost = after(hello(alice), link(false));
	const route = (/** @type {any} */ route) => ({ ...lost, route });
	assert.match(away(lost) ?? '', /^The program .* does not answer/);
	const reach = { ...lost.reach, isKept: true };
	const ofHost = { ...lost, reach, hello: /** @type {any} */ ({ ...lost.hello, public: true }) };
	assert.match(
		away(ofHost) ?? '',
		/^The host does not answer.* puzzles and records work without it/,
	);
	assert.equal(away(route({ page: 'puzzles', of: '' })), null);
	const line = route({ page: 'line', query: '', move: null });
	assert.match(away(line) ?? '', /does not answer/, 'it is not there yet');
	assert.equal(away({ ...line, view: /** @type {any} */ ({}) }), null);
	assert.match(away({ ...line, hello: null, view: /** @type {any} */ ({}) }) ?? '', /answer/);
});

test('what a host says of itself and is of no use is told with what to do, as nothing else is shown then', () => {
	const why = 'What the program says of itself can’t be read: reload the page.';
	const waits = after({ type: 'unread', why }, link(true), chain(true));
	assert.equal(away(waits), why);
	assert.equal(reduce(waits, { type: 'unread', why }), waits, 'it is said once');
	const known = reduce(waits, hello(alice));
	assert.equal(away(known), null);
	assert.equal(
		away(reduce(known, { type: 'unread', why })),
		null,
		'the page goes on with the former',
	);
});
