// What is above and below a board: the status, and the bar by which moves are watched again.

import { shownAt } from '../state/position.js';
import { button, byId, disc, el, input, setIcon, setLabel, setText, show } from './elements.js';

/** @import { Status } from '../state/types.d.ts' */

/**
 * @param {object} said
 * @param {Status} said.status
 * @param {string} said.which the game, and its terms in short
 * @param {string} said.note the small line; empty for none
 * @param {boolean} said.back whether there is a way back to the newest position
 */
export function renderStage({ status: { text, colour, busy }, which, note, back }) {
	const line = byId('status');
	// Written only when it changes, so that the spinner is not started anew.
	const key = `${text}${colour}${busy}`;
	if (line.dataset.text !== key) {
		line.dataset.text = key;
		const words = el('span', {}, text);
		if (busy) line.replaceChildren(el('i', { class: 'spin', 'aria-hidden': 'true' }), words);
		else if (colour) line.replaceChildren(disc(colour), words);
		else line.replaceChildren(words);
	}
	setText(byId('which'), which);
	setText(byId('note'), note);
	show(byId('note'), note);
	show(byId('return'), back);
}

/** @param {{ view: { moves: unknown[] }, at: number | null, film: boolean }} state */
export function renderReplay(state) {
	const { view, at, film } = state;
	const count = view.moves.length;
	const shown = shownAt(state);
	show(byId('replay'), count);
	const slider = input('position');
	slider.max = String(count);
	slider.value = String(shown);
	const text = at === 0 ? `Start of ${count} moves` : `Move ${shown} of ${count}`;
	slider.setAttribute('aria-valuetext', text);
	slider.style.setProperty('--done', `${(100 * shown) / count}%`);
	setText(byId('position-text'), text);
	for (const id of ['first', 'back']) button(id).disabled = shown === 0;
	for (const id of ['forward', 'last']) button(id).disabled = at === null;
	setIcon(byId('film'), film ? 'i-pause' : 'i-play');
	setLabel(byId('film'), film ? 'Pause' : 'Play the moves');
}
