// What a fast game shows besides its board: which moves are signed and which are on the chain, and the
// buttons that send to the chain. Loaded with the first fast game.

import { act } from '../commands.js';
import { byId, el, setData, setText, show } from '../dom/elements.js';
import { away } from '../state/connection.js';
import { dueText, fastActions, fastNote, fastText, signedBy } from '../state/fast.js';
import { current } from '../store.js';
import { texts } from '../words/fast.js';

/** @import { Shown, State } from '../state/types.d.ts'
 * @import { Colour, Fast } from '../wire.d.ts' */

const text = el('p', { id: 'fast-text', class: 'quiet' });
/** Runs each second, so that it is no live region: the note says it once. */
const due = el('p', { id: 'fast-due', role: 'timer' });
const note = el('p', { id: 'fast-note', class: 'quiet', role: 'status' });
const press = /** @type {HTMLButtonElement} */ (
	el('button', { id: 'press', class: 'button' }, texts.press)
);
const settle = /** @type {HTMLButtonElement} */ (
	el('button', { id: 'settle', class: 'button' }, texts.settle)
);
const part = el('div', { id: 'fast' }, text, due, note, el('div', { class: 'row' }, press, settle));
byId('main-actions').after(part);

press.addEventListener('click', () => act('press', seatOf(press)));
settle.addEventListener('click', () => act('settle', seatOf(settle)));

const SECOND = 1_000; // milliseconds
setInterval(() => renderDue(), SECOND);

/** How much time is left for what is due. */
function renderDue() {
	const { view } = current();
	const said = view?.game && view.fast ? dueText(view.fast, Date.now()) : '';
	setText(due, said);
	show(due, said);
}

/** @param {HTMLElement} button */
const seatOf = (button) => /** @type {Colour} */ (button.dataset.seat);

/** @param {State} state */
export function render(state) {
	const { view } = state;
	const fast = view && view.game !== null ? view.fast : null;
	show(part, fast);
	if (!view || view.game === null || !fast) return;
	const shown = { ...state, view };
	setText(text, fastText(view, fast));
	const said = fastNote(shown, fast);
	setText(note, said);
	show(note, said);
	renderDue();
	const can = fastActions(shown, fast);
	for (const [button, seat] of /** @type {const} */ ([
		[press, can.press],
		[settle, can.settle],
	])) {
		show(button, seat);
		setData(button, 'seat', seat ?? '');
		button.disabled = Boolean(state.pending || away(state));
	}
	renderMoves(view.moves, fast);
}

/**
 * Says of each move that is on no chain who has signed it.
 * @param {Shown['view']['moves']} moves @param {Fast} fast
 */
function renderMoves(moves, fast) {
	for (const [turn, item] of [...byId('moves').children].entries()) {
		const move = moves[turn];
		const known = item.querySelector('.signed');
		if (!move || move.transaction) {
			known?.remove();
			continue;
		}
		const mark = known ?? item.appendChild(el('span', { class: 'told signed' }, ''));
		setText(/** @type {HTMLElement} */ (mark), signedBy(turn, fast, move.player));
	}
}
