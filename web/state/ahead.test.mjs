import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { test } from 'node:test';

import { HOST, TERMS } from '../ahead.js';

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

/** What is loaded with the page itself. */
async function ofPage() {
	const index = await readFile(new URL('index.html', web), 'utf8');
	const listed = index.matchAll(/rel="modulepreload" href="\/page\/([^"]+)"/g);
	return new Set([...listed].map(([, file]) => file ?? '').concat('main.js'));
}

/** The files that these modules import, without others. @param {string[]} modules @param {Set<string>} others */
async function besides(modules, others) {
	const all = new Set();
	for (const file of modules) await imports(file, all);
	return [...all].filter((file) => !others.has(file)).sort();
}

test('all modules of the page itself are loaded at once', async () => {
	assert.deepEqual(await besides(['main.js'], await ofPage()), []);
});

test('all that the page of a public host has besides is loaded at once', async () => {
	assert.deepEqual(
		[...HOST].sort(),
		await besides(['host/main.js', 'here/main.js'], await ofPage()),
	);
});

test('all that a game with others needs besides is loaded at once', async () => {
	const before = new Set([...(await ofPage()), ...HOST]);
	const parts = ['terms/view.js', 'terms/main.js', 'terms/panel.js'];
	assert.deepEqual([...TERMS].sort(), await besides([...parts, 'state/recorded.js'], before));
});

test('the games of this page wait for no module but the computer’s', async () => {
	const before = new Set([...(await ofPage()), ...HOST]);
	assert.deepEqual(await besides(['here/main.js'], before), []);
});
