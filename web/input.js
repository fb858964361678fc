// Clicks and key presses, and the command that each stands for.

import { copyText } from './clipboard.js';
import {
	act,
	drop,
	nextGame,
	playSeats,
	setComputer,
	showPosition,
	step,
	takeBack,
	withdrawFor,
} from './commands.js';
import { byId, find, input } from './dom/elements.js';
import { navigate } from './navigation.js';
import { startReview } from './review.js';
import { switchSound, switchTheme } from './settings.js';
import { entrance, keyMeans } from './state/keys.js';
import { COLOURS } from './state/seats.js';
import { current, dispatch } from './store.js';

/** @import { Colour, Focus } from './state/types.d.ts' */
/** @import { Table } from './dom/types.d.ts' */
/** @import { Level } from './wire.d.ts' */

const COPIED = 1_500; // milliseconds for which a button says that it copied

/** The seat of a button. @param {HTMLElement} button */
const seatOf = (button) => {
	const seat = /** @type {HTMLElement | null} */ (button.closest('[data-seat]'))?.dataset.seat;
	return /** @type {Colour} */ (seat);
};

/** By `data-do` or id of a button. @type {Record<string, (button: HTMLElement) => void>} */
const BUTTONS = {
	first: () => showPosition(0),
	back: () => step(-1),
	forward: () => step(1),
	last: () => showPosition(Infinity),
	film: () => dispatch({ type: 'film', on: !current().film }),
	position: ({ dataset }) => showPosition(Number(dataset.position)),
	next: nextGame,
	review: startReview,
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
	'decline-rematch': (button) => act('decline_rematch', seatOf(button)),
	'accept-draw': (button) => act('accept_draw', seatOf(button)),
	'decline-draw': (button) => act('decline_draw', seatOf(button)),
	'offer-draw': (button) => act('offer_draw', seatOf(button)),
	claim: (button) => act('claim_timeout', seatOf(button)),
	withdraw: (button) => withdrawFor(seatOf(button)),
	resign: (button) => act('resign', seatOf(button)),
	sound: switchSound,
	theme: switchTheme,
	give(button) {
		const seat = seatOf(button);
		const level = find(byId('more'), `[data-seat="${seat}"] select`, HTMLSelectElement);
		setComputer(seat, /** @type {Level} */ (level.value));
	},
	take: (button) => takeBack(seatOf(button)),
};

/** @param {HTMLElement} button */
async function copy(button) {
	const { link = '' } = button.dataset;
	if (!(await copyText(link))) {
		const text = `The browser does not let the page copy. Copy it from here: ${link}`;
		dispatch({ type: 'refuse', text });
		return;
	}
	dispatch({ type: 'say', text: 'Copied.' });
	button.dataset.done = 'true';
	setTimeout(() => delete button.dataset.done, COPIED);
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
	const state = current();
	if (byId('page-game').hidden || state.variant) return;
	const cell = table.focused();
	const means = keyMeans(state, event, cell ? 'grid' : focus(document.activeElement));
	if (!means) return;
	event.preventDefault();
	switch (means.do) {
		case 'drop':
			return drop(means.bin);
		case 'drop here':
			return cell && drop(cell.bin);
		case 'next':
			return nextGame();
		case 'step':
			return step(means.by);
		case 'walk':
			return table.walk(means.key);
		case 'enter':
			return state.view && table.focusOn(entrance({ ...state, view: state.view }));
		case 'dismiss':
			return dispatch({ type: 'dismiss' });
	}
}

/** What has the focus. @param {Element | null} element @returns {Focus} */
export function focus(element) {
	if (!element || element === document.body) return 'page';
	// These take arrow keys, and no digits.
	if (element.matches('input:is([type="range"], [type="radio"])')) return 'range';
	if (element.matches('input, select, textarea')) return 'field';
	return element.matches('button, a, summary') ? 'control' : 'page';
}

/** @param {Table} table */
export function watchInput(table) {
	document.addEventListener('click', click);
	document.addEventListener('keydown', (event) => press(event, table));
	input('position').addEventListener('input', () => showPosition(Number(input('position').value)));
	byId('seats-here').addEventListener('change', ({ target }) => {
		const { value } = /** @type {HTMLInputElement} */ (target);
		playSeats(COLOURS.filter((colour) => value === colour || value === 'both'));
	});
}
