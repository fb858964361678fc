import assert from 'node:assert/strict';
import { test } from 'node:test';

import '../names.js';

import {
	NO_SCORE,
	nextScore,
	searchOf,
	tableNote,
	termsText,
	USUAL,
	viewOf,
	wishText,
} from './by-terms.js';
import { ALICE, BOB } from './fixtures.mjs';
import { plan } from './plan.js';
import { status } from './status.js';
import { discsOf } from './text.js';

/** @import { TableSeen } from './types.d.ts' */

const SHAPE = { bins: 7, capacity: 6, line: 4 };

/** A game in which Alice is player one, as a module shows it. @param {object} [game] @param {object} [position] @param {object} [rules] */
const seen = (game = {}, position = {}, rules = {}) =>
	/** @type {any} */ ({
		terms: { rules: { pie_rule: false, pool: 0, clock: null, ...rules } },
		until: null,
		is_over: false,
		is_contradicted: false,
		game: {
			position: {
				terms: {
					shape: SHAPE,
					players: 2,
					pop_out: false,
					pie_rule: false,
					powers: {},
					limit: null,
				},
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
			may_swap: false,
			moves: [],
			notation: '',
			seats: [seat('red', ALICE, { guest: true }), seat('blue', BOB, { program: true })],
			you: 'red',
			draw_offer: null,
			spent: [],
			...game,
		},
	});

/** @param {string} colour @param {string} account @param {object} [more] */
const seat = (colour, account, more = {}) => ({
	colour,
	player: { account, key: account, guest: false, program: false, ...more },
	left: null,
});

/** @type {TableSeen} */
const TABLE = {
	role: 'player',
	stage: 'playing',
	relay: null,
	opponent: true,
	watchers: 0,
	note: '',
	ahead: 0,
	taken: null,
	series: { score: NO_SCORE, previous: null },
	next: null,
	rematch: null,
	stake: null,
};

/** @param {any} of @param {any} [score] @param {Partial<TableSeen>} [table] @param {number} [time] */
const view = (of, score = NO_SCORE, table = {}, time = 0) =>
	viewOf('0x1', of, { ...TABLE, series: { score, previous: null }, ...table }, time);

test('a game is shown as its module shows it', () => {
	const moves = [{ kind: 'drop', player: 'red', bin: 3, row: 0 }];
	const swapped = [seat('red', BOB), seat('blue', ALICE)];
	const of = seen(
		{ moves, notation: '4', may_swap: true, seats: swapped, you: 'blue', draw_offer: 'blue' },
		{ turns: 1, to_move: 'blue', swapped: true },
	);
	const shown = view(of, { red: 2, blue: 1, draws: 0 }, { rematch: 'red' });
	assert.deepEqual(
		shown.players.map(({ colour, account }) => [colour, account]),
		[
			['red', BOB],
			['blue', ALICE],
		],
	);
	assert.deepEqual(shown.moves, [{ ...moves[0], transaction: null }]);
	assert.equal(shown.targets.swap, true);
	assert.deepEqual(shown.byTerms.here, ['blue']);
	assert.equal(shown.series?.drawOffer, 'blue');
	assert.equal(shown.series?.rematchOffer, 'red');
	assert.deepEqual(shown.series?.score, { red: 1, blue: 2, draws: 0 });
	const kinds = view(seen()).byTerms;
	assert.deepEqual([kinds.guests, kinds.programs], [['red'], ['blue']]);
	assert.deepEqual(view(seen(), NO_SCORE, { role: 'elsewhere' }).byTerms.here, []);
});

test('a game for a stake that waits for the chain is nobody’s turn', () => {
	const moves = [{ kind: 'drop', player: 'red', bin: 3, row: 0 }];
	const of = seen({ moves, notation: '4', you: 'blue' }, { turns: 1, to_move: 'blue' });
	/** @param {'chain' | 'you'} who @param {'begin' | 'move'} what */
	const shown = (who, what) => {
		const awaited = { of: who, what, until: null };
		const stake = { each: '1 DOT', owed: '', stage: TABLE.stage, isOnChain: false };
		return view(of, NO_SCORE, { stake: { ...stake, awaited, isDue: false, trouble: '' } });
	};
	const waits = shown('chain', 'begin');
	assert.deepEqual([waits.started, waits.to_move, waits.moves.length], [false, null, 1]);
	const state = /** @type {any} */ ({ view: waits, at: null, pending: null, plays: {} });
	assert.deepEqual(status(state), { text: waits.byTerms.waits, colour: null, busy: true });
	assert.deepEqual(plan(state, { kind: 'drop', bin: 0 }), {});
	const away = { ...waits.byTerms, relay: 'it is silent' };
	assert.doesNotMatch(tableNote(away), /relay/, 'it is needed once the game has begun');
	const begun = shown('you', 'move');
	assert.deepEqual([begun.started, begun.to_move, begun.byTerms.waits], [true, 'blue', '']);
});

test('the time that is left is that of the witness', () => {
	const clock = { bank: 300, increment: 5 };
	const seats = [seat('red', ALICE), seat('blue', BOB)].map((one, at) => ({
		...one,
		left: 200_000 - at * 100_000,
	}));
	const left = (/** @type {any} */ of, ahead = 0) =>
		view(of, NO_SCORE, { ahead }, 1_000_000).players.map((player) => player.left);
	const timed = { ...seen({ seats }, {}, { clock }), until: 1_150 };
	assert.deepEqual(left(timed), [150, 100]);
	assert.deepEqual(left(timed, 2_000), [148, 100]);
	assert.equal(view(timed).byTerms.runs, 'red');
	// No bank is lost before both have moved, and there is none without a clock.
	const first = seen({}, {}, { clock });
	assert.deepEqual([left(first), view(first).byTerms.runs], [[300, 300], null]);
	assert.deepEqual(left(seen({ seats })), [null, null]);
});

test('a draw that no move was made for counts in no series', () => {
	const score = { red: 2, blue: 1, draws: 3 };
	const aborted = seen({}, { over: true, end: 'abort', to_move: null });
	assert.deepEqual(view(aborted, score).series?.score, score);
});

test('the score of a rematch is by its seats, also after a swap', () => {
	const over = { over: true, to_move: null, winner: 'red', end: 'line' };
	const score = { red: 2, blue: 1, draws: 3 };
	assert.deepEqual(nextScore(view(seen({}, over), score)), { red: 1, blue: 3, draws: 3 });
	// The same player has won, who is blue: it is player one no more.
	const swapped = seen({}, { ...over, winner: 'blue', swapped: true });
	assert.deepEqual(nextScore(view(swapped, score)), { red: 1, blue: 3, draws: 3 });
});

test('what keeps a player from going on is said', () => {
	const note = (/** @type {Partial<TableSeen>} */ table, /** @type {any} */ of = seen()) =>
		tableNote(view(of, NO_SCORE, table).byTerms);
	assert.equal(note({}), '');
	assert.match(note({ opponent: false }), /waits at the relay/);
	const clock = { bank: 60, increment: 0 };
	assert.match(note({ opponent: false }, seen({}, {}, { clock })), /clock runs all the same/);
	assert.match(note({ relay: 'it is away' }), /it is away/);
	assert.match(note({ taken: 1_230 }), /relay took 1\.2 s more off your clock.*unfair/);
	assert.match(note({ role: 'elsewhere' }), /another tab/);
	assert.match(note({ stage: 'ending' }), /how the game has ended/);
	assert.match(note({ stage: 'no_result' }), /no result/);
	assert.equal(note({ stage: 'over', relay: 'closed' }), '');
	assert.match(note({}, { ...seen(), is_contradicted: true }), /cannot both be true/);
});

test('what is agreed on is said', () => {
	const wish = { shape: SHAPE, pie_rule: true, clock: { bank: 180, increment: 2 }, pool: 7 };
	assert.equal(wishText(wish), '7 × 6 · pie rule · clock 3 min + 2 s · pool 7');
	assert.equal(
		wishText({ ...wish, pie_rule: false, clock: null, pool: 0 }),
		'7 × 6 · no clock, unrated',
	);
	// It counts in no pool.
	assert.equal(wishText({ ...wish, clock: null, pool: 2 }), '7 × 6 · pie rule · no clock, unrated');
	assert.equal(wishText({ ...wish, pool: 2 }), '7 × 6 · pie rule · clock 3 min + 2 s · pool pie');
	const day = { ...wish, pool: 0, clock: { bank: 86_400, increment: 3600 } };
	assert.equal(wishText(day), '7 × 6 · pie rule · clock 1 d + 1 h');
	const clock = { bank: 60, increment: 0 };
	const played = view(seen({}, {}, { pie_rule: true, clock }));
	assert.match(
		termsText(played, played.byTerms),
		/^Pie rule · clock 1 min\. Both players sign.*Each first move has 30 seconds/,
	);
	const over = view({ ...seen({}, { over: true, end: 'line' }), is_over: true });
	assert.match(
		termsText(over, over.byTerms),
		/^No clock, unrated\. The relay has signed this result/,
	);
});

test('who waits is told how long, how many do, and after a minute what else can be played', () => {
	/** @type {any} */
	const seek = { phase: 'waiting', invite: null, note: '', game: null, since: 5_000 };
	/** @type {any} */
	const wish = { ...USUAL, pie_rule: true, pool: 4 };
	const [person, program] = [1, 2].map((id) => ({
		...{ id, offer: '', account: `0x${`${id}`.repeat(40)}`, guest: true },
		...{ program: id === 2, wish, rated: true },
	}));
	/** @param {any} state @param {number} seconds */
	const after = (state, seconds) =>
		searchOf({ seek, seeks: [], counts: null, ...state }, 5_000 + seconds * 1000);
	const counts = { waiting: 1, playing: 12 };
	assert.deepEqual(after({ counts, seeks: [program] }, 59), {
		text: 'You have waited 0:59 · 1 waits and 12 play here, as the relay says',
		...{ late: '', program: null },
	});
	const late = after({ seeks: [person, program] }, 61);
	assert.equal(late?.text, 'You have waited 1:01');
	assert.equal(late?.program, program);
	assert.match(late?.late ?? '', /^Nobody has come.* Mass Dust .*pie rule.*pool programs, rated/);
	// What would be unrated is not offered as if it were rated.
	for (const other of [
		{ ...program, rated: false },
		{ ...program, wish: { ...wish, clock: null } },
		{ ...program, wish: { ...wish, pool: 0 } },
		person,
	]) {
		const alone = after({ seeks: [other] }, 60);
		assert.equal(alone?.program, null);
		assert.match(alone?.late ?? '', /no program is connected.*unrated/);
	}
	assert.equal(after({ seek: { ...seek, since: null } }, 60), null, 'of a friend’s game');
	assert.equal(after({ seek: { ...seek, phase: 'pairing' } }, 60), null);
});

test('a swap is no disc', () => {
	assert.equal(discsOf('4s35'), '435');
	assert.equal(discsOf('435'), '435');
});
