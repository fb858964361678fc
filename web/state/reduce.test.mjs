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

	// The socket may tell of a move before the answer to its request arrives.
	test('stays although the answer to an earlier move arrives after it', () => {
		const state = playing([alice, bob], game(), sending(3), view(game('4')), refused);
		assert.ok(reduce(state, { type: 'sent', id: 1 }).error);
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

describe('moves that the chain took back', () => {
	test('are told, and the board is back', () => {
		const state = playing([alice, bob], game('445'), view(game('44')));
		assert.equal(state.view.turns, 2);
		assert.equal(state.error.text, 'The last move was undone: its block was replaced.');
		const all = reduce(state, view(game('')));
		assert.equal(all.error.text, 'The last 2 moves were undone: their blocks were replaced.');
	});

	test('are told if others are in their place', () => {
		const state = playing([alice], game('445'), view(game('446')));
		assert.match(state.error.text, /last move was undone/);
		assert.match(playing([alice], game('445'), view(game('4467'))).error.text, /last move/);
	});

	test('are not told of if they are in other blocks now, or once the game goes on', () => {
		const moved = game('445');
		for (const move of moved.moves) move.transaction.block += 1;
		assert.equal(playing([alice], game('445'), view(moved)).error, null);
		const state = playing([alice], game('445'), view(game('44')), view(game('446')));
		assert.equal(state.error, null);
	});

	test('are not told of if the page has the same moves from its own signatures, and not from a host', () => {
		const moved = game('445');
		for (const [turn, move] of moved.moves.entries()) {
			moved.moves[turn] = Object.fromEntries(Object.entries(move).reverse());
		}
		assert.equal(playing([alice], game('445'), view(moved)).error, null);
	});

	test('are told by their number where the moves are not known', () => {
		const unknown = (moves) => ({ ...game(moves), moves: [] });
		assert.equal(playing([alice], unknown('44'), view(unknown('445'))).error, null);
		assert.match(playing([alice], unknown('445'), view(unknown('4'))).error.text, /last 2 moves/);
	});
});
