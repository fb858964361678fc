import assert from 'node:assert/strict';
import { test } from 'node:test';

import { current, dispatch, dispatchSilently, subscribe, tell } from '../store.js';
import { sending } from './fixtures.mjs';

test('what is changed silently is known at once, and told with the next change', () => {
	/** @type {[boolean, boolean][]} */
	const told = [];
	subscribe((before) => told.push([Boolean(before.pending), Boolean(current().pending)]));
	dispatchSilently(sending(3));
	assert.ok(current().pending, 'so that no second move is made');
	assert.deepEqual(told, [], 'nothing is drawn');

	dispatch({ type: 'settle', id: 1 });
	assert.deepEqual(told, [[false, false]], 'who draws has never seen it');

	dispatchSilently(sending(3));
	tell();
	assert.deepEqual(told.slice(1), [[false, true]], 'it takes long');
	tell();
	assert.equal(told.length, 2, 'nothing is told twice');
});
