// Hints and the evaluation of a game that no two people play against each other, or of a line: switches,
// keys and requests. Loaded with the first of them.

import { hintFor } from '../computer/mind.js';
import { byId, el, show } from '../dom/elements.js';
import { focus } from '../input.js';
import { loadStyle } from '../late.js';
import {
	askedBy,
	bestText,
	evaluationText,
	initial,
	known,
	queryOf,
	reduce,
	switchOf,
	wanted,
} from '../state/hints.js';
import { mayHint } from '../state/seats.js';
import { reason } from '../state/text.js';
import { keep, recall } from '../storage.js';
import { current, dispatch } from '../store.js';
import { texts } from '../words/hints.js';
import { renderMarks } from './marks.js';
import { renderScale } from './scale.js';

/** @import { Table } from '../dom/types.d.ts' */
/** @import { HintEvent, HintSwitch, Shown, State } from '../state/types.d.ts' */

const AGAIN = 3_000; // milliseconds until what had no answer is asked again

/** @type {HintSwitch[]} */
const SWITCHES = ['hints', 'evaluation'];
/** What each switch is called, and what its key does. */
const NAMES = {
	hints: [texts.hints, 'H', texts.hintsKey],
	evaluation: [texts.evaluation, 'E', texts.evaluationKey],
};

let hints = SWITCHES.reduce(
	(so, what) => reduce(so, { type: 'switch', what, on: Boolean(recall(what, false)) }),
	initial,
);
/** What was switched on and is read out once it is known. @type {HintSwitch | null} */
let toSay = null;
/** The board, once one is shown. @type {Table | null} */
let shownOn = null;

const buttons = SWITCHES.map((what) => {
	const [name = '', key = ''] = NAMES[what];
	const button = el(
		'button',
		{ class: 'switch', role: 'switch', 'data-switch': what, 'aria-keyshortcuts': key },
		el('i', { 'aria-hidden': 'true' }),
		el('span', {}, name),
		el('kbd', { 'aria-hidden': 'true' }, key),
	);
	button.addEventListener('click', () => turn(what));
	return button;
});
const help = el('div', { id: 'help', class: 'row' }, ...buttons);
const keys = SWITCHES.flatMap((what) => {
	const [, key = '', does = ''] = NAMES[what];
	return [el('dt', {}, el('kbd', {}, key)), el('dd', {}, does)];
});
const list = document.querySelector('#keys dl');
await loadStyle('style/hints.css');
document.querySelector('#more .more')?.prepend(help);
list?.append(...keys);

document.addEventListener('keydown', (event) => {
	const { view } = current();
	const what = switchOf(event, focus(document.activeElement));
	if (!what || !view || !mayHint(view) || byId('page-game').hidden) return;
	event.preventDefault();
	turn(what);
});

/** @param {HintEvent} event */
function change(event) {
	hints = reduce(hints, event);
	if (shownOn) render(current(), shownOn);
}

/** Switches something on or off. @param {HintSwitch} what */
function turn(what) {
	const on = !hints[what];
	keep(what, on);
	toSay = on ? what : null;
	if (!on) dispatch({ type: 'say', text: `${NAMES[what][0]} off.` });
	change({ type: 'switch', what, on });
}

/** @param {State} state @param {Table} table */
export function render(state, table) {
	shownOn = table;
	const { view } = state;
	const may = view !== null && mayHint(view);
	for (const part of [help, ...keys]) show(part, may);
	for (const [index, what] of SWITCHES.entries()) {
		buttons[index]?.setAttribute('aria-checked', String(hints[what]));
	}
	const shown = view && { ...state, view };
	renderMarks(hints, shown, table);
	renderScale(hints, shown);
	if (!shown) return;
	const query = wanted(hints, shown);
	if (query) ask(query);
	say(shown);
}

/** Whether what is shown is what was asked about. @param {string} query */
function isAsked(query) {
	const { view } = current();
	return view !== null && queryOf({ ...current(), view }) === query;
}

/** @param {string} query */
async function ask(query) {
	hints = reduce(hints, { type: 'ask', query });
	try {
		await hintFor(askedBy(query), (hint) => {
			change({ type: 'told', query, hint });
			return isAsked(query);
		});
		change({ type: 'done' });
	} catch (failure) {
		change({ type: 'failed', query, text: reason(failure) });
		setTimeout(() => change({ type: 'again' }), AGAIN);
	}
}

/** Reads out what was asked for, once all of it is known. @param {Shown} state */
function say(state) {
	const hint = toSay && known(hints, state);
	if (!hint?.is_complete) return;
	const text = toSay === 'hints' ? bestText(hint) : evaluationText(hint);
	toSay = null;
	dispatch({ type: 'say', text });
}
