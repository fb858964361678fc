// Clicks and key presses, and the command that each stands for.

import {
	act,
	choose,
	free,
	nextGame,
	resign,
	setComputer,
	shown,
	showPosition,
	step,
	typeNumber,
} from './commands.js';
import { byId, input } from './dom/elements.js';
import { late } from './late.js';
import { navigate } from './navigation.js';
import { switchSound, switchTheme } from './settings.js';
import { keyMeans } from './state/keys.js';
import { entrance } from './state/position.js';
import { current, dispatch } from './store.js';
import { texts } from './words/page.js';

/** @import { Focus } from './state/types.d.ts'
 * @import { Colour, Level } from './wire.d.ts' */
/** @import { Table } from './dom/types.d.ts' */

const COPIED = 1_500; // milliseconds for which a button says that it copied

/** The seat of a button. @param {HTMLElement} button */
const seatOf = ({ dataset }) => /** @type {Colour} */ (dataset.seat);

/** By `data-do` or id of a button. @type {Record<string, (button: HTMLElement) => void>} */
export const BUTTONS = {
	first: () => showPosition(0),
	back: () => step(-1),
	forward: () => step(1),
	last: () => showPosition(Infinity),
	film: () => dispatch({ type: 'film', on: !current().film }),
	position: ({ dataset }) => showPosition(Number(dataset.position)),
	next: nextGame,
	review: () => dispatch({ type: 'reviewing' }),
	copy,
	dismiss: () => dispatch({ type: 'dismiss' }),
	'ask-resign'() {
		dispatch({ type: 'ask', on: true });
		byId('resign-yes').focus();
	},
	'ask-not'() {
		dispatch({ type: 'ask', on: false });
		byId('resign').focus();
	},
	'accept-draw': (button) => act('accept_draw', seatOf(button)),
	'decline-draw': (button) => act('decline_draw', seatOf(button)),
	'offer-draw': (button) => act('offer_draw', seatOf(button)),
	free,
	resign: (button) => resign(seatOf(button)),
	sound: switchSound,
	theme: switchTheme,
	computer: (button) => setComputer(seatOf(button), levelBeside(button)),
	person: (button) => setComputer(seatOf(button), null),
};

/** The level that is chosen beside a button. @param {HTMLElement} button */
export const levelBeside = ({ nextElementSibling: select }) =>
	/** @type {Level} */ (select instanceof HTMLSelectElement ? select.value : '');

/** @param {HTMLElement} button */
async function copy(button) {
	const { link = '' } = button.dataset;
	if (!(await copyText(link))) {
		const text = texts.copyByHand(link);
		dispatch({ type: 'refuse', text });
		return;
	}
	dispatch({ type: 'say', text: texts.copied });
	button.dataset.done = 'true';
	setTimeout(() => delete button.dataset.done, COPIED);
}

/** Whether the text was copied. @param {string} text */
export async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return copyBySelection(text);
	}
}

// Browsers offer the clipboard only on this machine or over TLS; on a home network it is neither.
/** @param {string} text */
function copyBySelection(text) {
	const area = document.createElement('textarea');
	area.value = text;
	area.className = 'unseen';
	document.body.append(area);
	area.select();
	const copied = document.execCommand('copy');
	area.remove();
	return copied;
}

/** @param {MouseEvent} event */
function click(event) {
	if (!(event.target instanceof Element)) return;
	const button = event.target.closest('button');
	if (button) {
		BUTTONS[button.dataset.do ?? button.id]?.(button);
		return;
	}
	const move = event.target.closest('#moves > li');
	if (move instanceof HTMLElement) {
		showPosition(Number(move.dataset.turn) + 1);
		return;
	}
	const path = event.target.closest('a[href^="/"]')?.getAttribute('href');
	const isPlain = !(
		event.button ||
		event.ctrlKey ||
		event.metaKey ||
		event.shiftKey ||
		event.altKey
	);
	if (!path || !isPlain) return;
	event.preventDefault();
	navigate(path);
}

/** @param {KeyboardEvent} event @param {Table} table */
function press(event, table) {
	const state = shown();
	if (byId('page-game').hidden || !state) return;
	const cell = table.focused();
	const means = keyMeans(state, event, cell ? 'grid' : focus(document.activeElement));
	if (!means) return;
	event.preventDefault();
	switch (means.do) {
		case 'number':
			return typeNumber(means.number);
		case 'pick':
			if (late.variants?.pick(means.kind) && cell) enter(table);
			return;
		case 'choose here':
			return cell && choose(cell);
		case 'cancel':
			return dispatch({ type: 'pick', picked: null });
		case 'next':
			return nextGame();
		case 'step':
			return step(means.by);
		case 'walk':
			return table.walk(means.key);
		case 'enter':
			return enter(table);
		case 'dismiss':
			return dispatch({ type: 'dismiss' });
		case 'sound':
			return switchSound();
	}
}

/** Leads the focus onto the board. @param {Table} table */
export function enter(table) {
	const state = shown();
	if (state) table.focusOn(entrance(state));
}

/** What has the focus. @param {Element | null} element @returns {Focus} */
export function focus(element) {
	if (!element || element === document.body) return 'page';
	// These take arrow keys, and no digits.
	if (element.matches('input:is([type="range"], [type="radio"])')) return 'range';
	if (element.matches('button, a, summary, [type="checkbox"]')) return 'control';
	return element.matches('input, select, textarea') ? 'field' : 'page';
}

/** @param {Table} table */
export function watchInput(table) {
	document.addEventListener('click', click);
	document.addEventListener('keydown', (event) => press(event, table));
	input('position').addEventListener('input', () => showPosition(Number(input('position').value)));
}
