// The review of a game: the page looks at one move after the other, and shows what it has found. Loaded with the first.

import { think } from '../computer/mind.js';
import { byId, disc, el, find, setData, setText, show } from '../dom/elements.js';
import { practicePath, reviewSummary, reviewText } from '../state/review.js';
import { discsOf, reason } from '../state/text.js';
import { dispatch } from '../store.js';
import { capital } from '../words/forms.js';
import { texts } from '../words/review.js';

/** @import { Shown, State } from '../state/types.d.ts'
 * @import { Reviewed } from '../wire.d.ts' */

const progress = el('span', {});
const lines = el('ul', {});
const wrong = el('p', { class: 'wrong' });
const practice = /** @type {HTMLAnchorElement} */ (
	el('a', { class: 'button small', id: 'practice' }, texts.practice)
);
const result = el('div', { id: 'review-result' }, progress, lines, wrong, practice);
byId('actions').append(result);

/** Ends the review that runs. @type {(() => void) | null} */
let stop = null;
/** The review and the moves that are shown. @type {unknown[]} */
let shown = [];

/** @param {State} state */
export function render({ view, review, ...state }) {
	if (!review?.running) {
		stop?.();
		stop = null;
	} else if (view && !stop) stop = start(view);
	show(result, view && review);
	if (!view || (shown[0] === review && shown[1] === view)) return;
	if (review) renderResult({ ...state, view, review });
	for (const [turn, item] of [...byId('moves').children].entries()) {
		if (review || shown[0]) {
			renderMark(/** @type {HTMLElement} */ (item), review?.moves[turn]);
		}
	}
	shown = [review, view];
}

/**
 * Reviews the moves shown, one after the other.
 * @param {Shown['view']} view
 * @returns {() => void} stops it
 */
function start({ terms: { shape }, notation, moves, ...view }) {
	const spent = ('byTerms' in view && view.byTerms?.spent) || [];
	let over = false;
	const look = async () => {
		for (let turn = 1; turn <= moves.length; turn += 1) {
			// Each move is a character.
			const line = notation.slice(0, turn);
			if (line.endsWith('s')) continue;
			const move = await think({ review: { shape, moves: discsOf(line) } });
			if (over) return;
			const of = { turn: turn - 1, spent: spent[turn - 1] ?? null };
			dispatch({ type: 'reviewed', move: { ...move, ...of } });
		}
		dispatch({ type: 'review over' });
	};
	look().catch((failure) => {
		if (!over) dispatch({ type: 'review over', error: reason(failure) });
	});
	return () => {
		over = true;
	};
}

/** @param {Shown} state */
function renderResult(state) {
	const summary = reviewSummary(state);
	const done = summary?.progress ?? '';
	show(progress, done);
	setText(progress, done && texts.reviewing(done));
	const items = summary?.lines.map(({ colour, text }) => el('li', {}, disc(colour), text));
	lines.replaceChildren(...(items ?? []));
	const path = practicePath(state);
	show(practice, path);
	if (path) practice.href = path;
	setText(wrong, capital(state.review?.error ?? ''));
}

/** @param {HTMLElement} item @param {Reviewed | undefined} reviewed */
function renderMark(item, reviewed) {
	if (reviewed) setData(item, 'mark', reviewed.mark);
	else delete item.dataset.mark;
	setText(find(item, '.mark'), reviewed?.mark ?? '');
	setText(find(item, '.said'), reviewed ? reviewText(reviewed) : '');
}
