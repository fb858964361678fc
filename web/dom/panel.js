// What is around the board: the status above it, the bar by which moves are watched again below it, and the
// panel beside it.

import { shownAt } from '../state/position.js';
import { isGame, isHere } from '../state/seats.js';
import { note, status } from '../state/status.js';
import { shapeText, short } from '../state/text.js';
import { texts } from '../words/page.js';
import { renderActions } from './actions.js';
import {
	button,
	byId,
	disc,
	el,
	input,
	setData,
	setIcon,
	setLabel,
	setText,
	show,
} from './elements.js';
import { renderMoves } from './moves.js';
import { renderPlayers } from './players.js';

/** @import { Shown, Status, View } from '../state/types.d.ts' */

/** @param {Shown} state @param {number} now in milliseconds */
export function renderPanel(state, now) {
	const { view } = state;
	renderStage({
		status: status(state),
		which: `${whichText(view)} · ${shapeText(view.terms.shape)}`,
		note: state.error ? '' : note(state),
		back: state.at !== null && !view.over && isGame(view) && !state.error,
	});
	renderPlayers(state, now);
	renderActions(state);
	renderMoves(state);
	renderReplay(state);
	// Of a game for a stake others see nothing while it is played.
	show(byId('watch-link'), isGame(view) && !isHere(view.game) && !view.byTerms?.stake);
	setData(byId('watch-link'), 'link', `${location.origin}/game/${view.game}`);
}

/** Which game it is. @param {View} view */
function whichText(view) {
	if (isHere(view.game)) return texts.inPageTitle;
	return isGame(view) ? texts.gameTitle(short(view.game)) : texts.lineTitle;
}

/**
 * @param {object} said
 * @param {Status} said.status
 * @param {string} said.which the game, and its board
 * @param {string} said.note the small line; empty for none
 * @param {boolean} said.back whether there is a way back to the newest position
 */
function renderStage({ status: { text, colour, busy }, which, note, back }) {
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

/** The bar by which moves are watched again. @param {Shown} state */
function renderReplay(state) {
	const { view, at, film } = state;
	const count = view.moves.length;
	const shown = shownAt(state);
	show(byId('replay'), count);
	const slider = input('position');
	slider.max = String(count);
	slider.value = String(shown);
	const text = at === 0 ? texts.startOf(count) : texts.moveOf(shown, count);
	slider.setAttribute('aria-valuetext', text);
	slider.style.setProperty('--done', `${(100 * shown) / count}%`);
	setText(byId('position-text'), text);
	for (const id of ['first', 'back']) button(id).disabled = shown === 0;
	for (const id of ['forward', 'last']) button(id).disabled = at === null;
	setIcon(byId('film'), film ? 'i-pause' : 'i-play');
	setLabel(byId('film'), film ? texts.pause : texts.playMoves);
}
