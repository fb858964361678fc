// Hints and the evaluation: about which position they are asked, and what is shown of the answers. Loaded
// with the first game that may have them.

import { capital } from '../words/forms.js';
import { texts } from '../words/hints.js';
import { shownAt } from './position.js';
import { computerOf, mayHint } from './seats.js';
import { discsOf } from './text.js';

/** @import { Focus, HintEvent, HintMark, Hints, HintSwitch, KeyPress, Shown } from './types.d.ts'
 * @import { Hint, HintedBin } from '../wire.d.ts' */

/** Answers that are kept, at most. */
const MOST_KEPT = 200;

/** @type {Hints} */
export const initial = { hints: false, evaluation: false, asked: null, told: {}, failed: null };

/** @param {Hints} state @param {HintEvent} event @returns {Hints} */
export function reduce(state, event) {
	switch (event.type) {
		case 'switch':
			return { ...state, [event.what]: event.on, failed: null };
		case 'ask':
			return { ...state, asked: event.query, failed: null };
		case 'told': {
			const told = Object.entries({ ...state.told, [event.query]: event.hint });
			return { ...state, told: Object.fromEntries(told.slice(-MOST_KEPT)) };
		}
		case 'done':
			return { ...state, asked: null };
		case 'failed':
			return { ...state, asked: null, failed: { query: event.query, text: event.text } };
		case 'again':
			return { ...state, failed: null };
	}
}

/**
 * What is asked about the position shown; null if it may have no hints, or its moves are not known.
 * @param {Shown} state
 */
export function queryOf(state) {
	const { view } = state;
	const at = state.at ?? view.turns;
	const moves = view.notation.slice(0, at);
	if (!mayHint(view) || moves.length !== at || shownAt(state) !== at) return null;
	const { bins, capacity, line } = view.terms.shape;
	const board = { bins: String(bins), capacity: String(capacity), line: String(line) };
	return new URLSearchParams({ ...board, moves: discsOf(moves) }).toString();
}

/** What a question is about. @param {string} query */
export function askedBy(query) {
	const asked = new URLSearchParams(query);
	const number = (/** @type {string} */ name) => Number(asked.get(name));
	const shape = { bins: number('bins'), capacity: number('capacity'), line: number('line') };
	return { shape, moves: asked.get('moves') ?? '' };
}

/** Whether it is the computer that would use the hints. @param {Shown} state */
const isForComputer = ({ view, at }) =>
	at === null && !view.over && Boolean(view.to_move && computerOf(view, view.to_move));

/**
 * What is to be asked now; null for nothing.
 * @param {Hints} hints @param {Shown} state
 */
export function wanted({ hints, evaluation, asked, told, failed }, state) {
	const isWanted = evaluation || (hints && !isForComputer(state));
	const query = isWanted && !asked ? queryOf(state) : null;
	return query === null || told[query]?.is_complete || failed?.query === query ? null : query;
}

/**
 * What is known of the position shown.
 * @param {Hints} hints @param {Shown} state
 */
export const known = ({ told }, state) => told[queryOf(state) ?? ''] ?? null;

/** What a drop leads to, in a word and a number. @param {HintedBin['worth']} worth */
function short(worth) {
	if (worth === 'draw') return { kind: 'draw', word: 'draw', sign: '=', number: '' };
	if ('wins_in' in worth) return win(worth.wins_in);
	if ('loses_in' in worth) return loss(worth.loses_in);
	// What a search has proven is certain.
	if (worth.chance >= 1) return win();
	if (worth.chance <= 0) return loss();
	const percent = String(Math.round(100 * worth.chance));
	return { kind: 'chance', word: '', sign: '', number: percent };
}

/** @param {number | string} discs */
const win = (discs = '') => ({ kind: 'win', word: 'win', sign: '+', number: String(discs) });
/** @param {number | string} discs */
const loss = (discs = '') => ({ kind: 'loss', word: 'lose', sign: '−', number: String(discs) });

/**
 * The marks above the bins.
 * @param {Hints} hints @param {Shown} state
 * @returns {HintMark[]}
 */
export function marks(hints, state) {
	const hint = hints.hints && !isForComputer(state) ? known(hints, state) : null;
	return (hint?.bins ?? []).map(({ bin, worth, words }) => {
		const best = hint?.best_bins.includes(bin) ?? false;
		const text = (best ? texts.bestBin : texts.bin)(bin + 1, words);
		return { bin, best, text, ...short(worth) };
	});
}

/** The best bins, as they are read out. @param {Hint} hint */
export function bestText({ best_bins: best, bins }) {
	const words = bins.find(({ bin }) => bin === best[0])?.words;
	if (!words) return texts.noHints;
	return texts.best(
		best.map((bin) => bin + 1),
		words,
	);
}

/** The evaluation, as it is read out. @param {Hint} hint */
export const evaluationText = ({ evaluation }) => `${capital(evaluation.words)}.`;

/**
 * What the evaluation shows: red's part of the bar in percent, and words; null if it is not shown.
 * @param {Hints} hints @param {Shown} state
 */
export function scale(hints, state) {
	const query = hints.evaluation ? queryOf(state) : null;
	if (query === null) return null;
	const hint = known(hints, state);
	if (hint) {
		const { value, words } = hint.evaluation;
		return { red: 50 + 50 * value, words, wait: false, why: '' };
	}
	const failed = hints.failed?.query === query ? hints.failed : null;
	return { red: null, words: failed ? texts.notKnown : '…', wait: true, why: failed?.text ?? '' };
}

/**
 * The switch of which a key press is the key; null for none.
 * @param {KeyPress} event @param {Focus} where
 * @returns {HintSwitch | null}
 */
export function switchOf({ key, repeat, ctrlKey, altKey, metaKey }, where) {
	if (repeat || ctrlKey || altKey || metaKey || where === 'field') return null;
	if (key === 'h' || key === 'H') return 'hints';
	return key === 'e' || key === 'E' ? 'evaluation' : null;
}
