// What a player can pick for a turn, and the buttons at the edges of the board: rows at its left, bins
// below it.

import { mayMove } from '../../state/plan.js';
import { isGame, isVariant, seats } from '../../state/seats.js';
import { choices } from '../../state/variant/choice.js';
import { texts } from '../../words/variant.js';
import { byId, el, find, icon, setLabel, show } from '../elements.js';

/** @import { Choice, Shown } from '../../state/types.d.ts' */
/** @import { Frame, Table } from '../types.d.ts' */

/** The kinds of moves that can be picked. */
export const hand = el('div', {
	id: 'hand',
	role: 'toolbar',
	'aria-label': texts.moves,
	hidden: '',
});
find(byId('stage'), '.under').after(hand);

/** @type {[string, string][]} */
const KEYS = [
	['T', texts.keyTake],
	['F', texts.keyFloat],
	['R', texts.keyClear],
	['P', texts.keyPop],
	['S', texts.keySwap],
	['Esc', texts.keyCancel],
];
const keys = el(
	'dl',
	{},
	...KEYS.flatMap(([key, text]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, text)]),
);
find(byId('keys'), 'dl').before(keys);

/** @type {Frame | null} */
let edged = null;
/** By row and by bin. @type {{ rows: HTMLButtonElement[], bins: HTMLButtonElement[] }} */
let edges = { rows: [], bins: [] };

/** @param {Shown} state @param {Table} table */
export function renderHand(state, table) {
	const { view, picked } = state;
	const all = choices(state);
	const isPlayed = isGame(view) && view.started && !view.over && seats(state).length;
	show(hand, all.length && isPlayed);
	show(keys, isVariant(view));
	const kinds = all.map(({ kind }) => kind).join();
	if (hand.dataset.kinds !== kinds) {
		hand.replaceChildren(...all.map(choiceButton));
		hand.dataset.kinds = kinds;
	}
	for (const [index, choice] of all.entries()) {
		renderChoice(/** @type {HTMLButtonElement} */ (hand.children[index]), choice);
	}
	const frame = table.frame();
	if (!frame || !isVariant(view)) return;
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
	return el(
		'button',
		{ type: 'button', class: 'button power', 'data-do': 'pick', 'data-kind': kind },
		icon(`i-${kind}`),
		el('span', { class: 'label' }, label),
		el('b', {}),
	);
}

/** @param {HTMLButtonElement} button @param {Choice} choice */
function renderChoice(button, { kind, left, can, title, picked }) {
	button.disabled = !can && !picked;
	button.title = title;
	if (kind !== 'swap') button.setAttribute('aria-pressed', String(picked));
	const count = find(button, 'b');
	count.textContent = left === null ? '' : String(left);
	count.hidden = left === null;
}

/** @param {Frame} frame */
function build(frame) {
	edged = frame;
	/** @param {string} what @param {string} text @param {number} place */
	const edge = (what, text, place) => {
		const button = /** @type {HTMLButtonElement} */ (
			el(
				'button',
				{ type: 'button', class: 'button edge', 'data-do': what, 'data-place': place },
				what === 'row' ? String(place + 1) : '▾',
			)
		);
		setLabel(button, `${text} ${place + 1}`);
		return button;
	};
	edges = {
		rows: Array.from({ length: frame.capacity }, (_, row) => edge('row', texts.clearRow, row)),
		bins: Array.from({ length: frame.bins }, (_, bin) => edge('pop', texts.popBin, bin)),
	};
	frame.box.append(
		el('div', { class: 'row-edge' }, ...edges.rows.toReversed()),
		el('div', { class: 'bin-edge' }, ...edges.bins),
	);
}
