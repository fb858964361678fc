import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { test } from 'node:test';

import { HOST } from '../ahead.js';

const web = new URL('../', import.meta.url);

/** The files that a module imports, with those that they import. @param {string} file @param {Set<string>} found */
async function imports(file, found = new Set()) {
	if (found.has(file)) return found;
	found.add(file);
	const text = await readFile(new URL(file, web), 'utf8');
	const named = text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)'|^import '([^']+)'/gms);
	for (const [, from, alone] of named) {
		await imports(posix.join(posix.dirname(file), from ?? alone ?? ''), found);
	}
	return found;
}

test('all that the page of a public host has besides is loaded at once', async () => {
	const index = await readFile(new URL('index.html', web), 'utf8');
	const first = await imports('main.js');
	const ahead = index.matchAll(/rel="modulepreload" href="\/page\/([^"]+)"/g);
	for (const [, file] of ahead) first.add(file ?? '');
	const besides = [...(await imports('host/main.js'))].filter((file) => !first.has(file));
	assert.deepEqual([...HOST].sort(), besides.sort());
});

test('the games of this page wait for no module but the computer’s', async () => {
	const index = await readFile(new URL('index.html', web), 'utf8');
	const first = await imports('main.js');
	for (const file of await imports('here/main.js')) {
		assert.ok(first.has(file) || index.includes(`href="/page/${file}"`), file);
	}
});
