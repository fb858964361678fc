// The panel around the board: status, players, clocks, and the bar by which moves are watched again.

import { clockLeft, clockText } from '../state/clock.js';
import { shownAt } from '../state/position.js';
import { COLOURS, computerOf, nameOf, seats } from '../state/seats.js';
import { note, status } from '../state/status.js';
import { shapeText } from '../state/text.js';
import { renderActions } from './actions.js';
import {
	button,
	byId,
	disc,
	el,
	find,
	input,
	setIcon,
	setLabel,
	setText,
	show,
} from './elements.js';
import { renderExtras } from './extras.js';
import { mirror } from './mirror.js';
import { renderMoves } from './moves.js';

/** @import { Colour, Shown } from '../state/types.d.ts' */

const LOW = 15; // seconds from which a clock is marked

mirror(find(byId('players'), '[data-colour]'), 'colour');

/** @param {Shown} state @param {number} now in milliseconds */
export function renderPanel(state, now) {
	renderStatus(state);
	renderPlayers(state, now);
	renderActions(state, now);
	renderMoves(state);
	renderReplay(state);
	renderExtras(state);
}

/** @param {Shown} state */
function renderStatus(state) {
	const { view } = state;
	const { text, colour, busy } = status(state);
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
	const what = view.game === null ? 'Line' : `Game ${view.game}`;
	setText(byId('which'), `${what} · ${shapeText(view.shape)}`);
	setText(byId('note'), note(state));
	show(byId('note'), !state.error && note(state));
	show(byId('return'), state.at !== null && !view.over && view.game !== null && !state.error);
}

/** @param {Colour} colour */
const playerCard = (colour) => find(byId('players'), `[data-colour="${colour}"]`);

/**
 * The clocks alone, which run between two messages.
 * @param {Shown} state @param {number} now in milliseconds
 */
export function renderClocks(state, now) {
	for (const colour of COLOURS) {
		const clock = find(playerCard(colour), '.clock');
		const left = clockLeft(state, colour, now);
		show(clock, left !== null);
		if (left === null) continue;
		setText(clock, clockText(left));
		clock.classList.toggle('low', left < LOW);
	}
}

/** @param {Shown} state @param {number} now */
function renderPlayers(state, now) {
	const { view, hello } = state;
	show(byId('players'), view.game !== null);
	if (view.game === null) return;
	const mine = seats(state);
	const { score } = view.match;
	for (const colour of COLOURS) {
		const card = playerCard(colour);
		const name = find(card, '.name');
		setText(name, nameOf(hello, view[colour]));
		name.title = view[colour];
		const computer = computerOf(view, colour);
		let kind = String(colour);
		if (computer) kind = `computer (${computer.level})`;
		else if (mine.includes(colour)) kind = mine.length === 1 ? 'you' : 'here';
		setText(find(card, '.kind'), kind);
		setText(find(card, '.score'), String(score[colour]));
		card.classList.toggle('turn', !view.over && view.to_move === colour);
	}
	show(byId('draws'), score.draws);
	setText(byId('draws'), `${score.draws} ${score.draws === 1 ? 'draw' : 'draws'}`);
	renderClocks(state, now);
}

/** @param {Shown} state */
function renderReplay(state) {
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
