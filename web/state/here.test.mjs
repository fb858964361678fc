import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { actions } from './actions.js';
import { away } from './connection.js';
import { line } from './fixtures.mjs';
import { begun, goingOn, levelToMove, nextOf, viewOf } from './here.js';
import { initial, reduce } from './reduce.js';
import { routeOf, screen } from './route.js';
import { held, isHere, isVariant, mayHint, seats, who } from './seats.js';
import { status } from './status.js';

/** @import { HereGame } from './types.d.ts'
 * @import { Level } from '../wire.d.ts' */

const SEED = 7;
const terms = line('').terms;
/** @param {(Level | null)[]} seats @param {Partial<HereGame>} [more] */
const game = (seats, more = {}) => ({ ...begun({ terms, seats }, SEED), ...more });
/** @param {HereGame} of @param {object} [position] */
const shown = (of, position = {}) => {
	const { game: _, ...there } = line('44');
	const view = viewOf('h3', of, { ...there, game: null, ...position });
	const routed = reduce(initial, { type: 'route', route: routeOf('/game/h3') });
	const state = reduce(routed, { type: 'view', view, now: 0 });
	return { ...state, view };
};

describe('a game of this page', () => {
	test('has an address, and needs neither a program nor a chain', () => {
		assert.equal(routeOf('/game/h3').game, 'h3');
		assert.ok(isHere('h3') && !isHere('3') && !isHere(null));
		const state = shown(game([null, 'easy']));
		assert.equal(screen(state), 'game');
		assert.equal(away({ ...state, link: 'lost' }), null);
	});

	test('is played by who sits here, and by the computer', () => {
		const against = shown(game([null, 'easy']));
		assert.deepEqual(seats(against), ['red']);
		assert.equal(who(against, 'blue'), 'the computer');
		assert.equal(status(against).text, 'Red to move — you');
		assert.equal(levelToMove(against.view), null);
		const begins = shown(game(['hard', null]));
		assert.equal(levelToMove(begins.view), 'hard');
		assert.equal(status(begins).text, 'The computer thinks…');
		const two = shown(game([null, null]));
		assert.deepEqual(held(two), ['red', 'blue']);
		assert.equal(status(two).text, 'Red to move');
		assert.ok(mayHint(two.view) && !isVariant(two.view));
	});

	test('ends with a resignation, and the loser begins the next one', () => {
		const state = shown(game([null, 'easy']));
		assert.equal(actions(state).resign, 'red');
		assert.equal(actions(state).offer, null);
		const over = shown(game([null, 'easy'], { gaveUp: 'red' }));
		assert.equal(status(over).text, 'Blue won: red resigned.');
		assert.deepEqual(over.view.series?.score, { red: 0, blue: 1, draws: 0 });
		assert.equal(actions(over).next, true);
		const next = nextOf('h3', game([null, 'easy']), over.view, SEED);
		assert.deepEqual(next.seats, [null, 'easy']);
		assert.deepEqual(next.score, { red: 0, blue: 1, draws: 0 });
		const won = shown(game([null, 'easy'], { gaveUp: 'blue' }));
		const turned = nextOf('h3', game([null, 'easy']), won.view, SEED);
		assert.deepEqual(turned.seats, ['easy', null]);
		assert.deepEqual(turned.score, { red: 0, blue: 1, draws: 0 });
		assert.equal(turned.previous, 'h3');
	});

	test('of more than two has no series, and the same seats play again', () => {
		/** @type {(Level | null)[]} */
		const three = [null, 'easy', 'hard'];
		const position = {
			terms: { ...terms, players: 3 },
			over: true,
			winner: 'green',
			to_move: null,
		};
		const over = shown({ ...game(three), terms: position.terms }, position);
		assert.deepEqual(over.view.series?.score, { red: 0, blue: 0, draws: 0 });
		assert.deepEqual(nextOf('h3', game(three), over.view, SEED).seats, three);
		assert.equal(actions(over).resign, null);
	});

	test('after a swap of colours each seat has the other colour', () => {
		const state = shown(game([null, 'easy']), { swapped: true });
		assert.deepEqual(seats(state), ['blue']);
		assert.equal(levelToMove(state.view), 'easy');
	});

	test('is listed while it goes on, the newest first', () => {
		const games = {
			h1: game([null, 'easy'], { turns: 5 }),
			h2: game([null, null], { turns: 1 }),
			h3: game([null, 'hard'], { turns: 9, over: true }),
			h4: game([null, 'hard']),
		};
		assert.deepEqual(goingOn({ count: 4, games }), [
			{ game: 'h2', text: 'Continue at one screen, 1 move' },
			{ game: 'h1', text: 'Continue against easy, 5 moves' },
		]);
	});
});
