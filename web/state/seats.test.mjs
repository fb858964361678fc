import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import {
	ALICE,
	after,
	alice,
	at,
	BOB,
	bob,
	computer,
	game,
	hello,
	playing,
	view,
} from './fixtures.mjs';
import { reduce } from './reduce.js';
import { held, seats } from './seats.js';

describe('the seats of this browser', () => {
	test('are those whose accounts its keys open', () => {
		assert.deepEqual(seats(playing([])), []);
		assert.deepEqual(seats(playing([bob])), ['blue']);
		assert.deepEqual(seats(playing([alice, bob])), ['red', 'blue']);
	});

	test('are not those of the computer', () => {
		const told = game();
		told.players[1].computer = computer();
		const state = playing([alice, bob], told);
		assert.deepEqual(seats(state), ['red']);
		assert.deepEqual(held(state), ['red', 'blue']);
	});

	test('can be chosen', () => {
		const state = playing([alice, bob], game(), { type: 'plays', game: '5', accounts: [BOB] });
		assert.deepEqual(seats(state), ['blue']);
		assert.deepEqual(held(state), ['red', 'blue']);
	});

	test('come by an invite link', () => {
		const state = after(
			at('/game/5'),
			{ type: 'invite', game: '5', key: 'key-b' },
			hello(alice, bob),
			view(game()),
		);
		assert.deepEqual(seats(state), ['blue']);
	});

	test('do not come by an invite link that opens nothing', () => {
		const state = after(
			at('/game/5'),
			{ type: 'invite', game: '5', key: 'old' },
			hello(),
			view(game()),
		);
		assert.deepEqual(seats(state), []);
		assert.match(state.error.text, /not valid any more.*ask for a new link/);
	});

	test('are forgotten when the games are those of another chain', () => {
		const state = playing([alice, bob], game(), { type: 'plays', game: '5', accounts: [ALICE] });
		const elsewhere = hello(alice, bob);
		elsewhere.hello.chain.place = 'there';
		assert.deepEqual(reduce(state, elsewhere).plays, {});
		assert.deepEqual(reduce(state, hello(alice, bob)).plays, { 5: [ALICE] });
	});
});
