import assert from 'node:assert/strict';
import { test } from 'node:test';

import { NO_SCORE, nextScore, termsText, viewOf, wishText } from './by-terms.js';
import { ALICE, BOB } from './fixtures.mjs';
import { discsOf } from './text.js';

/** @import { TermsShown } from './types.d.ts' */

const SHAPE = { bins: 7, capacity: 6, line: 4 };

/** A game in which Alice is player one. @param {object} [changes] @param {object} [position] */
const state = (changes = {}, position = {}) =>
	/** @type {any} */ ({
		position: {
			terms: { shape: SHAPE, players: 2, pop_out: false, pie_rule: false, powers: {}, limit: null },
			turns: 0,
			to_move: 'red',
			over: false,
			end: null,
			winner: null,
			winning_cells: [],
			board: Array.from({ length: 7 }, () => []),
			swapped: false,
			...position,
		},
		bins: [0, 1, 2, 3, 4, 5, 6],
		moves: [],
		notation: '',
		player: 'red',
		players: {
			red: { account: ALICE, key: ALICE, guest: true, program: false },
			blue: { account: BOB, key: BOB, guest: false, program: true },
		},
		pie_rule: false,
		pool: 0,
		clock: null,
		time: 1,
		draw_offer: null,
		rematch_offer: null,
		signed: 0,
		agreed: false,
		dispute: null,
		record: null,
		...changes,
	});

/** @type {Omit<TermsShown, 'state'>} */
const SHOWN = {
	role: 'player',
	relay: null,
	opponent: true,
	watchers: 0,
	trouble: '',
	next: null,
};

/** @param {any} of @param {any} [score] */
const view = (of, score = NO_SCORE) =>
	viewOf('0x1', { ...SHOWN, state: of }, { score, previous: null });

test('a swap is a target where the second move of the pie rule is due', () => {
	assert.equal(view(state({ moves: [3] })).targets.swap, false);
	const pie = (/** @type {number[]} */ moves, over = false) =>
		view(state({ pie_rule: true, moves }, { over })).targets.swap;
	assert.deepEqual(
		[pie([]), pie([3]), pie([3], true), pie([3, 255]), pie([3, 3])],
		[false, true, false, false, false],
	);
});

test('after a swap the players have each other’s colours, and the first disc keeps its own', () => {
	const moves = [3, 255, 2, 3];
	const of = state(
		{ pie_rule: true, moves, draw_offer: 'red', rematch_offer: 'blue' },
		{ swapped: true, turns: 4, to_move: 'blue' },
	);
	const shown = view(of, { red: 2, blue: 1, draws: 0 });
	assert.deepEqual(
		shown.players.map(({ colour, account }) => [colour, account]),
		[
			['red', BOB],
			['blue', ALICE],
		],
	);
	assert.deepEqual(
		shown.moves.map(({ kind, player }) => [kind, player]),
		[
			['drop', 'red'],
			['swap', 'blue'],
			['drop', 'blue'],
			['drop', 'red'],
		],
	);
	assert.equal(/** @type {any} */ (shown.moves[3]).row, 1);
	assert.deepEqual(shown.byTerms.here, ['blue']);
	assert.deepEqual(shown.byTerms.guests, ['blue']);
	assert.deepEqual(shown.byTerms.programs, ['red']);
	assert.equal(shown.match?.draw_offer, 'blue');
	assert.equal(shown.match?.rematch_offer, 'red');
	assert.deepEqual(shown.match?.score, { red: 1, blue: 2, draws: 0 });
});

test('the score of a rematch is by its seats, also after a swap', () => {
	const over = { over: true, to_move: null, winner: 'red', end: 'line' };
	const plain = view(state({}, over), { red: 2, blue: 1, draws: 3 });
	assert.deepEqual(nextScore(plain), { red: 1, blue: 3, draws: 3 });
	// The same player has won, who is blue: it is player one no more.
	const swapped = view(state({ moves: [3, 255] }, { ...over, winner: 'blue', swapped: true }), {
		red: 2,
		blue: 1,
		draws: 3,
	});
	assert.deepEqual(nextScore(swapped), { red: 1, blue: 3, draws: 3 });
});

test('what is agreed on is said', () => {
	const wish = { shape: SHAPE, pie_rule: true, clock: { bank: 180, increment: 2 }, pool: 7 };
	assert.equal(wishText(wish), '7 × 6 · pie rule · clock 3 min + 2 s · pool 7');
	assert.equal(wishText({ ...wish, pie_rule: false, clock: null, pool: 0 }), '7 × 6');
	assert.equal(wishText({ ...wish, clock: null, pool: 2 }), '7 × 6 · pie rule · pool pie');
	const day = { ...wish, pool: 0, clock: { bank: 86_400, increment: 3600 } };
	assert.equal(wishText(day), '7 × 6 · pie rule · clock 1 d + 1 h');
	const played = view(state({ pie_rule: true, clock: { bank: 60, increment: 0 }, moves: [3] }));
	assert.match(termsText(played, played.byTerms), /^Pie rule · clock 1 min\. Both players sign/);
});

test('a swap is no disc', () => {
	assert.equal(discsOf('4s35'), '435');
	assert.equal(discsOf('435'), '435');
});
