// The review of a game: it is asked for, and shown as the program gets from move to move. Loaded with the first.

import { byId, disc, el, find, setData, setText, show } from '../dom/elements.js';
import { reviewSummary, reviewText } from '../state/review.js';
import { capital } from '../state/text.js';
import { dispatch } from '../store.js';
import { parse, socketTo } from '../transport.js';

/** @import { Reviewed, ReviewMessage, Shown, State } from '../state/types.d.ts' */

const progress = el('span', {});
const lines = el('ul', {});
const wrong = el('p', { class: 'wrong' });
const result = el('div', { id: 'review-result' }, progress, lines, wrong);
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
 * Asks for a review of the moves shown.
 * @param {Shown['view']} view
 * @returns {() => void} stops it
 */
function start({ terms, notation }) {
	const { bins, capacity, line } = terms.shape;
	const board = { bins: String(bins), capacity: String(capacity), line: String(line) };
	const socket = socketTo(`/api/review?${new URLSearchParams({ ...board, moves: notation })}`);
	let over = false;
	/** @param {string | null} error */
	const end = (error) => {
		if (over) return;
		over = true;
		socket.close();
		dispatch({ type: 'review over', error });
	};
	socket.onmessage = ({ data }) => {
		/** @type {ReviewMessage | null} */
		const said = parse(data);
		if (!said || over) return;
		if (said.type === 'move') dispatch({ type: 'reviewed', move: said });
		else end('error' in said ? said.error : null);
	};
	socket.onclose = () => end('The review stopped early: try again.');
	return () => {
		over = true;
		socket.close();
	};
}

/** @param {Shown} state */
function renderResult(state) {
	const summary = reviewSummary(state);
	const done = summary?.progress ?? '';
	show(progress, done);
	setText(progress, done && `Reviewing: ${done}`);
	const items = summary?.lines.map(({ colour, text }) => el('li', {}, disc(colour), text));
	lines.replaceChildren(...(items ?? []));
	setText(wrong, capital(state.review?.error ?? ''));
}

/** @param {HTMLElement} item @param {Reviewed | undefined} reviewed */
function renderMark(item, reviewed) {
	if (reviewed) setData(item, 'mark', reviewed.mark);
	else delete item.dataset.mark;
	setText(find(item, '.mark'), reviewed?.mark ?? '');
	setText(find(item, '.said'), reviewed ? reviewText(reviewed) : '');
}
