import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { after, alice, at, bob, chain, game, hello, playing, sending, view } from './fixtures.mjs';
import { shownAt } from './position.js';
import { reduce } from './reduce.js';

describe('an error', () => {
	const refused = { type: 'refuse', text: 'Bin 4: the bin is full. Choose another.', bin: 3 };

	test('stays until something else is tried', () => {
		const state = playing([alice, bob], game(), refused);
		assert.ok(reduce(state, chain(true)).error);
		assert.equal(reduce(state, sending(2)).error, null);
	});

	test('can be dismissed', () => {
		assert.equal(playing([alice], game(), refused, { type: 'dismiss' }).error, null);
	});

	test('about whose turn it is goes with the turn', () => {
		const state = playing([bob], game(), {
			type: 'refuse',
			text: 'It is red’s turn: wait for alice.',
			soft: true,
		});
		assert.equal(reduce(state, view(game('4'))).error, null);
	});

	test('about what is away goes once it is back', () => {
		const state = playing([alice], game(), chain(false), {
			type: 'refuse',
			text: 'No move can be made until the chain is back.',
			soft: true,
		});
		assert.ok(reduce(state, chain(false)).error);
		assert.equal(reduce(state, chain(true)).error, null);
		assert.ok(
			[chain(false), chain(true)].reduce(reduce, playing([alice], game(), refused)).error,
			'others stay',
		);
	});

	test('does not follow onto another page', () => {
		assert.equal(playing([alice], game(), refused, at('/')).error, null);
	});
});

describe('watching again', () => {
	const state = playing([alice], game('4455'));
	const show = (to, from = state) => reduce(from, { type: 'show', at: to });

	test('goes to any position, within the game', () => {
		assert.equal(shownAt(state), 4);
		assert.equal(shownAt(show(2)), 2);
		assert.equal(shownAt(show(-3)), 0);
	});

	test('is back in the game at the newest position', () => {
		assert.equal(show(4, show(1)).at, null);
		assert.equal(show(Infinity, show(1)).at, null);
	});

	test('stays where it is when a move comes', () => {
		assert.equal(reduce(show(2), view(game('44556'))).at, 2);
	});

	test('follows the game when it is at the newest', () => {
		assert.equal(shownAt(reduce(state, view(game('44556')))), 5);
	});

	test('begins where the address says', () => {
		const opened = after(at('/game/5', '?move=2'), hello(), view(game('4455')));
		assert.equal(opened.at, 2);
		const beyond = after(at('/game/5', '?move=9'), hello(), view(game('4455')));
		assert.equal(beyond.at, null);
	});

	test('as a film begins at the start, or where we are, and ends at the last move', () => {
		let film = reduce(state, { type: 'film', on: true });
		assert.equal(film.at, 0);
		assert.equal(reduce(show(3), { type: 'film', on: true }).at, 3);
		const seen = [];
		while (film.film) {
			film = reduce(film, { type: 'frame' });
			seen.push(shownAt(film));
		}
		assert.deepEqual(seen, [1, 2, 3, 4]);
		assert.equal(film.at, null);
	});

	test('as a film stops when we go elsewhere', () => {
		assert.equal(show(1, reduce(state, { type: 'film', on: true })).film, false);
	});
});
