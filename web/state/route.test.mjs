import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { after, alice, at, game, hello, playing, view } from './fixtures.mjs';
import { reduce } from './reduce.js';
import { address, ownPath, routeOf, screen } from './route.js';

describe('addresses', () => {
	test('name the lobby, a game, a position of it, and a line', () => {
		assert.deepEqual(routeOf('/'), { page: 'lobby' });
		assert.deepEqual(routeOf('/game/5', '?move=12'), { page: 'game', game: '5', move: 12 });
		assert.deepEqual(routeOf('/game/v05'), { page: 'game', game: 'v5', move: null });
		assert.deepEqual(routeOf('/line', '?bins=7&capacity=6&line=4&moves=44&move=1'), {
			page: 'line',
			query: 'bins=7&capacity=6&line=4&moves=44',
			move: 1,
		});
		const terms = 'bins=7&capacity=6&line=4&players=3&take=1&moves=4t4.1';
		assert.equal(routeOf('/line', `?host=x&${terms}`).query, terms);
	});

	test('of nothing are unknown', () => {
		for (const path of ['/games', '/game/', '/game/x', '/game/-1', '/game/f5', '/index.html'])
			assert.equal(routeOf(path).page, 'unknown');
		assert.equal(screen(after(at('/games'))), 'missing');
	});

	test('that the page does not have lead to its lobby, never to another site', () => {
		for (const path of ['//evil.example/', '//evil.example/game/5', '/game/5//', '/nothing', ''])
			assert.equal(ownPath(path), '/', path);
		const line = '?bins=7&capacity=6&line=4&moves=44';
		assert.equal(ownPath('/line', line), `/line${line}`);
		assert.equal(ownPath('/game/5', '?move=3'), '/game/5?move=3');
	});

	test('with a move that is no number show the newest position', () => {
		assert.equal(routeOf('/game/5', '?move=x').move, null);
	});

	test('name the position that is shown, and none for the newest', () => {
		const state = playing([alice], game('4433'));
		assert.equal(address(state), '/game/5');
		assert.equal(address(reduce(state, { type: 'show', at: 2 })), '/game/5?move=2');
	});
});

describe('what is shown', () => {
	test('is a sign of waiting, until the program has said who we are and what the game is', () => {
		assert.equal(screen(after(at('/game/5'))), 'loading');
		assert.equal(screen(after(at('/game/5'), view(game()))), 'loading');
		assert.equal(screen(playing([])), 'game');
		assert.equal(screen(after(at('/'), hello())), 'lobby');
	});

	test('is why there is no such game', () => {
		const state = playing([], game(), { type: 'missing', error: 'there is no game 5' });
		assert.equal(screen(state), 'missing');
		assert.equal(state.missing, 'there is no game 5');
	});

	test('is not the game of a page that was left', () => {
		const state = after(at('/game/6'), hello(), view(game('44')));
		assert.equal(state.view, null);
	});
});
