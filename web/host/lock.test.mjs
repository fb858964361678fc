import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Locks, until } from './fakes.mjs';
import { hold } from './lock.js';

/** @param {Locks} locks @param {string} name */
function tab(locks, name) {
	/** @type {string[]} */
	const told = [];
	const leave = hold(name, {
		held: () => told.push('held'),
		elsewhere: () => told.push('elsewhere'),
		locks: /** @type {any} */ (locks),
	});
	return { told, leave };
}

test('one tab has a game, and another one has it afterwards', async () => {
	const locks = new Locks();
	const [first, second, third] = [1, 2, 3].map(() => tab(locks, 'game'));
	await until(() => third?.told.length === 1, 'all are told');
	assert.deepEqual(
		[first?.told, second?.told, third?.told],
		[['held'], ['elsewhere'], ['elsewhere']],
	);
	const other = tab(locks, 'another game');
	await until(() => other.told.length === 1, 'it is told');
	assert.deepEqual(other.told, ['held']);

	// Who leaves while it waits does not get it.
	second?.leave();
	first?.leave();
	await until(() => third?.told.length === 2, 'it takes over');
	assert.deepEqual([second?.told, third?.told], [['elsewhere'], ['elsewhere', 'held']]);
});

test('a tab that has left before it was asked is told nothing', async () => {
	const locks = new Locks();
	const first = tab(locks, 'game');
	const second = tab(locks, 'game');
	second.leave();
	await until(() => first.told.length === 1, 'the first one is told');
	first.leave();
	await new Promise((resolve) => setTimeout(resolve, 5));
	assert.deepEqual([first.told, second.told], [['held'], []]);
	const third = tab(locks, 'game');
	await until(() => third.told.length === 1, 'the game is free');
	assert.deepEqual(third.told, ['held']);
	third.leave();
});
