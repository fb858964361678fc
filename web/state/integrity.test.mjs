import assert from 'node:assert/strict';
import { test } from 'node:test';

import { integrityOf } from '../late.js';

/** @param {string | null} textContent of the import map; null if there is none */
const page = (textContent) => ({
	querySelector: () => /** @type {any} */ (textContent === null ? null : { textContent }),
});

test('a file that the page loads late has to have the hash that index.html names', () => {
	const named = page('{"integrity":{"/page/host/page.wasm":"sha256-abc"}}');
	assert.equal(integrityOf('/page/host/page.wasm', named), 'sha256-abc');
	assert.equal(integrityOf('/page/other.css', named), '');
	for (const text of [null, '', '{}', 'nonsense']) {
		assert.equal(integrityOf('/page/host/page.wasm', page(text)), '');
	}
});
