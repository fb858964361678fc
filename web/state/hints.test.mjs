import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { alice, at, computer, game, line, playing, view, won } from './fixtures.mjs';
import {
	bestText,
	evaluationText,
	initial,
	known,
	marks,
	queryOf,
	reduce,
	scale,
	switchOf,
	wanted,
} from './hints.js';
import { reduce as change } from './reduce.js';
import { mayHint } from './seats.js';

const COMPUTER = { computers: { blue: computer() } };
const BOARD = 'bins=7&capacity=6&line=4';

/** A game of Alice against a computer. @param {string} moves */
const against = (moves = '', ...events) => playing([alice], game(moves, COMPUTER), ...events);

/** A line of moves. @param {string} moves */
const shownLine = (moves) =>
	[at('/line', `?${BOARD}&moves=${moves}`), view(line(moves))].reduce(change, playing([]));

/** @param {{ type: string }[]} events */
const after = (...events) => events.reduce(reduce, initial);
const on = (what) => ({ type: 'switch', what, on: true });

const HINT = {
	to_move: 'red',
	bins: [
		{ bin: 0, worth: { loses_in: 20 }, words: 'loses in 20' },
		{ bin: 2, worth: 'draw', words: 'a draw' },
		{ bin: 3, worth: { wins_in: 21 }, words: 'wins in 21' },
	],
	best_bins: [3],
	evaluation: { value: 1, words: 'red wins in 21' },
	is_complete: true,
};

describe('hints', () => {
	test('are for games against a computer, for the end, and for lines', () => {
		for (const [told, may] of [
			[game(), false],
			[game('', COMPUTER), true],
			[won(), true],
			[line('44'), true],
		]) {
			assert.equal(mayHint(told), may);
			const state = told.game === null ? shownLine(told.notation) : playing([], told);
			assert.equal(queryOf(state) !== null, may);
		}
	});

	test('are asked about the position shown', () => {
		assert.equal(queryOf(against('44')), `${BOARD}&moves=44`);
		assert.equal(queryOf(against('4455', { type: 'show', at: 1 })), `${BOARD}&moves=4`);
		// Nobody plays any more.
		assert.equal(queryOf(playing([], won())), `${BOARD}&moves=4142434`);
		assert.equal(queryOf(shownLine('44')), `${BOARD}&moves=44`);
		const unknown = game('44', { ...COMPUTER, moves: [], notation: '', moves_missing: 'pruned' });
		assert.equal(queryOf(playing([alice], unknown)), null);
	});

	test('are asked once, one at a time, if somebody wants them', () => {
		const query = queryOf(against());
		assert.equal(wanted(initial, against()), null);
		assert.equal(wanted(after(on('hints')), against()), query);
		const asked = after(on('hints'), { type: 'ask', query });
		assert.equal(wanted(asked, against()), null);
		const told = reduce(asked, { type: 'told', query, hint: HINT });
		assert.equal(wanted(told, against('44')), null, 'more may come');
		const done = reduce(told, { type: 'done' });
		assert.equal(wanted(done, against()), null);
		assert.deepEqual(known(done, against()), HINT);
		assert.equal(wanted(done, against('44')), queryOf(against('44')));
		// Another position was looked at before all was known.
		const some = { type: 'told', query, hint: { ...HINT, is_complete: false } };
		const left = [some, { type: 'done' }].reduce(reduce, asked);
		assert.deepEqual(known(left, against()), some.hint);
		assert.equal(wanted(left, against()), query);

		const failed = reduce(asked, { type: 'failed', query, text: 'busy' });
		assert.equal(wanted(failed, against()), null);
		assert.equal(wanted(failed, against('44')), queryOf(against('44')));
		assert.equal(wanted(reduce(failed, { type: 'again' }), against()), query);
	});

	test('are not worked out for the computer, unless for the evaluation', () => {
		const thinking = against('4');
		assert.equal(wanted(after(on('hints')), thinking), null);
		const query = queryOf(thinking);
		assert.equal(wanted(after(on('evaluation')), thinking), query);
		const told = { type: 'told', query, hint: { ...HINT, to_move: 'blue' } };
		const both = after(on('hints'), on('evaluation'), told);
		assert.deepEqual(marks(both, thinking), []);
		// Its earlier moves are looked at as anybody's.
		assert.equal(marks(both, against('44', { type: 'show', at: 1 })).length, 3);
	});

	test('are marks in text, of which the best stand out', () => {
		const told = { type: 'told', query: queryOf(against()), hint: HINT };
		assert.deepEqual(marks(after(told), against()), [], 'switched off');
		const shown = marks(after(on('hints'), told), against());
		assert.deepEqual(
			shown.map(({ sign, word, number, best }) => [sign, word, number, best]),
			[
				['−', 'lose', '20', false],
				['=', 'draw', '', false],
				['+', 'win', '21', true],
			],
		);
		assert.deepEqual(
			shown.map(({ text }) => text),
			['bin 1: loses in 20', 'bin 3: a draw', 'bin 4: wins in 21, best'],
		);
		assert.deepEqual(marks(after(on('hints'), told), against('44')), [], 'another position');
	});

	test('of a search are chances, or certain', () => {
		const bins = [0.625, 1, 0].map((chance, bin) => ({ bin, worth: { chance }, words: 'words' }));
		const told = { type: 'told', query: queryOf(against()), hint: { ...HINT, bins } };
		assert.deepEqual(
			marks(after(on('hints'), told), against()).map(({ kind, number }) => kind + number),
			['chance63', 'win', 'loss'],
		);
	});

	test('are read out', () => {
		assert.equal(bestText(HINT), 'Best: bin 4, wins in 21.');
		assert.equal(bestText({ ...HINT, best_bins: [2, 3] }), 'Best: bins 3 and 4, a draw.');
		const over = { ...HINT, bins: [], best_bins: [] };
		assert.equal(bestText(over), 'No hints: the game is over.');
		assert.equal(evaluationText(HINT), 'Red wins in 21.');
	});

	test('forget the oldest answer when there are many', () => {
		const answers = Array.from({ length: 201 }, (_, number) => ({
			type: 'told',
			query: `query ${number}`,
			hint: HINT,
		}));
		const kept = Object.keys(after(...answers).told);
		assert.equal(kept.length, 200);
		assert.equal(kept[0], 'query 1');
	});

	test('are switched by their keys', () => {
		const press = (key, more = {}) => ({ code: '', key, ...more });
		assert.equal(switchOf(press('h'), 'page'), 'hints');
		assert.equal(switchOf(press('E'), 'grid'), 'evaluation');
		assert.equal(switchOf(press('x'), 'page'), null);
		assert.equal(switchOf(press('h'), 'field'), null);
		for (const held of ['repeat', 'ctrlKey', 'altKey', 'metaKey']) {
			assert.equal(switchOf(press('h', { [held]: true }), 'page'), null);
		}
	});
});

describe('the evaluation', () => {
	const query = queryOf(against());

	test('is a part of the bar, and words', () => {
		const told = (value) => ({
			type: 'told',
			query,
			hint: { ...HINT, evaluation: { value, words: 'words' } },
		});
		for (const [value, red] of [
			[1, 100],
			[0, 50],
			[-0.5, 25],
		]) {
			const shown = scale(after(on('evaluation'), told(value)), against());
			assert.deepEqual(shown, { red, words: 'words', wait: false, why: '' });
		}
		assert.equal(scale(after(told(1)), against()), null, 'switched off');
	});

	test('says that it waits, or why there is none', () => {
		const waiting = after(on('evaluation'), { type: 'ask', query });
		assert.deepEqual(scale(waiting, against()), { red: null, words: '…', wait: true, why: '' });
		const failed = reduce(waiting, { type: 'failed', query, text: 'too many' });
		assert.deepEqual(scale(failed, against()), {
			red: null,
			words: 'not known now',
			wait: true,
			why: 'too many',
		});
		assert.equal(scale(waiting, playing([alice], game())), null, 'two people play');
	});
});
