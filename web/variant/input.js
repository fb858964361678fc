// Clicks and key presses that are for a variant, and the command that each stands for.

import { step } from '../commands.js';
import { byId, find } from '../dom/elements.js';
import { checkedSeats } from '../dom/variant/actions.js';
import { actions, hand, more } from '../dom/variant/parts.js';
import { focus } from '../input.js';
import { variantKeyMeans } from '../state/variant/keys.js';
import { entrance } from '../state/variant/position.js';
import { current, dispatch } from '../store.js';
import {
	cancel,
	choose,
	makeMove,
	perform,
	pick,
	playAgain,
	playSeats,
	setComputer,
	shown,
	typeNumber,
} from './commands.js';

/** @import { Table } from '../dom/types.d.ts' */
/** @import { Level } from '../wire.d.ts' */
/** @import { Choice, VariantColour } from '../state/variant/types.d.ts' */

/** @param {HTMLElement} button */
const seatOf = ({ dataset }) => /** @type {VariantColour} */ (dataset.seat);

/** By `data-act` of a button. @type {Record<string, (button: HTMLElement, table: Table | null) => void>} */
const BUTTONS = {
	pick({ dataset }, table) {
		const kind = /** @type {Choice['kind']} */ (dataset.kind);
		// A key press on the button leads on to the targets; a click leaves the focus where it was.
		const byKey = hand.contains(document.activeElement);
		if (pick(kind) && byKey && table) enter(table);
	},
	row: ({ dataset }) => makeMove({ kind: 'clear', row: Number(dataset.place) }),
	pop: ({ dataset }) => makeMove({ kind: 'pop', bin: Number(dataset.place) }),
	join: ({ dataset }) => perform('join', dataset.account ?? '', dataset.game),
	leave: ({ dataset }) => perform('leave', dataset.account ?? '', dataset.game),
	'join-computer': ({ dataset, nextElementSibling: select }) => {
		const level = select instanceof HTMLSelectElement ? select.value : undefined;
		perform('join', dataset.account ?? '', undefined, /** @type {Level | undefined} */ (level));
	},
	remove_late: ({ dataset }) => perform('remove_late', dataset.account ?? ''),
	again: playAgain,
	'ask-leave'() {
		dispatch({ type: 'ask', on: true });
		focusOn('[data-act="leave"]');
	},
	'ask-not'() {
		dispatch({ type: 'ask', on: false });
		focusOn('[data-act="ask-leave"]');
	},
	computer(button) {
		const level = find(more, `[aria-label="Level for ${button.dataset.seat}"]`, HTMLSelectElement);
		setComputer(seatOf(button), /** @type {Level} */ (level.value));
	},
	person: (button) => setComputer(seatOf(button), null),
};

/** @param {string} selector */
const focusOn = (selector) =>
	/** @type {HTMLElement | null} */ (actions.querySelector(selector))?.focus();

/** Leads the focus onto the board. @param {Table} table */
function enter(table) {
	const state = shown();
	if (state) table.focusOn(entrance(state));
}

/** @param {KeyboardEvent} event @param {Table} table */
function press(event, table) {
	const state = shown();
	if (!state || byId('page-game').hidden) return;
	const cell = table.focused();
	const means = variantKeyMeans(state, event, cell ? 'grid' : focus(document.activeElement));
	if (!means) return;
	event.preventDefault();
	switch (means.do) {
		case 'digit':
			return typeNumber(means.number);
		case 'pick':
			if (pick(means.kind) && cell) enter(table);
			return;
		case 'choose here':
			return cell && choose(cell);
		case 'cancel':
			return cancel();
		case 'dismiss':
			return dispatch({ type: 'dismiss' });
		case 'again':
			return playAgain();
		case 'step':
			return step(means.by);
		case 'walk':
			return table.walk(means.key);
		case 'enter':
			return enter(table);
	}
}

/** @param {() => Table | null} table the board, once a variant is shown */
export function watchVariants(table) {
	document.addEventListener('click', ({ target }) => {
		if (!(target instanceof Element)) return;
		const button = target.closest('button[data-act]');
		if (!(button instanceof HTMLElement) || !current().hello) return;
		BUTTONS[button.dataset.act ?? '']?.(button, table());
	});
	document.addEventListener('keydown', (event) => {
		const board = table();
		if (board) press(event, board);
	});
	more.addEventListener('change', ({ target }) => {
		if (target instanceof HTMLInputElement) playSeats(checkedSeats());
	});
	// The mouse does not take the focus, so that digits and arrow keys go on working.
	hand.addEventListener('mousedown', (event) => event.preventDefault());
}
