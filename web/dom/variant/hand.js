// What a player can pick for a turn, and the buttons at the edges of the board: rows at its left, bins
// below it.

import { choices, mayMove } from '../../state/variant/choice.js';
import { isGame, mine } from '../../state/variant/seats.js';
import { el, setLabel, show } from '../elements.js';
import { hand, partButton, powerIcon } from './parts.js';

/** @import { Frame, Table } from '../types.d.ts' */
/** @import { Choice, ShownVariant } from '../../state/variant/types.d.ts' */

/** @type {Frame | null} */
let edged = null;
/** By row and by bin. @type {{ rows: HTMLButtonElement[], bins: HTMLButtonElement[] }} */
let edges = { rows: [], bins: [] };

/** @param {ShownVariant} state @param {Table} table */
export function renderHand(state, table) {
	const { variant: view, picked } = state;
	const all = choices(state);
	show(hand, all.length && isGame(view) && view.started && !view.over && mine(state).length);
	const kinds = all.map(({ kind }) => kind).join();
	if (hand.dataset.kinds !== kinds) {
		hand.replaceChildren(...all.map(choiceButton));
		hand.dataset.kinds = kinds;
	}
	for (const [index, choice] of all.entries()) {
		renderChoice(/** @type {HTMLButtonElement} */ (hand.children[index]), choice);
	}
	const frame = table.frame();
	if (!frame) return;
	if (edged !== frame) build(frame);
	const may = mayMove(state);
	frame.box.classList.toggle('pops', view.terms.pop_out);
	frame.box.classList.toggle('picking', picked !== null && may);
	for (const [row, button] of edges.rows.entries()) {
		show(button, may && picked?.kind === 'clear');
		button.disabled = !view.targets.clear.includes(row);
	}
	for (const [bin, button] of edges.bins.entries()) {
		show(button, view.terms.pop_out);
		button.disabled = !may || !view.targets.pop.includes(bin);
	}
}

/** @param {Choice} choice */
function choiceButton({ kind, label }) {
	const button = partButton('pick', '', { class: 'power', 'data-kind': kind });
	button.append(powerIcon(kind), el('span', { class: 'label' }, label), el('b', {}));
	return button;
}

/** @param {HTMLButtonElement} button @param {Choice} choice */
function renderChoice(button, { kind, left, can, title, picked }) {
	button.disabled = !can && !picked;
	button.title = title;
	if (kind !== 'swap') button.setAttribute('aria-pressed', String(picked));
	const count = button.querySelector('b');
	if (!count) return;
	count.textContent = left === null ? '' : String(left);
	count.hidden = left === null;
}

/** @param {Frame} frame */
function build(frame) {
	edged = frame;
	/** @param {string} act @param {string} text @param {number} place */
	const edge = (act, text, place) => {
		const sign = act === 'row' ? String(place + 1) : '▾';
		const button = partButton(act, sign, { class: 'edge', 'data-place': place });
		setLabel(button, `${text} ${place + 1}`);
		return button;
	};
	edges = {
		rows: Array.from({ length: frame.capacity }, (_, row) => edge('row', 'Clear row', row)),
		bins: Array.from({ length: frame.bins }, (_, bin) => edge('pop', 'Pop bin', bin)),
	};
	frame.box.append(
		el('div', { class: 'row-edge' }, ...edges.rows.toReversed()),
		el('div', { class: 'bin-edge' }, ...edges.bins),
	);
}
