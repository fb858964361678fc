// The page as a whole: which screen is shown, the connection, errors, the live region.

import { late } from '../late.js';
import { away, isByPage } from '../state/connection.js';
import { board } from '../state/position.js';
import { lostBriefly } from '../state/reach.js';
import { screen } from '../state/route.js';
import { isByTerms } from '../state/seats.js';
import { status, title } from '../state/status.js';
import { capital } from '../words/forms.js';
import { texts } from '../words/page.js';
import { byId, entitle, find, setData, setText, show } from './elements.js';
import { renderLobby } from './lobby.js';
import { renderForms } from './new-game.js';
import { renderPanel } from './panel.js';

/** @import { Shown, State } from '../state/types.d.ts' */
/** @import { Table } from './types.d.ts' */

const SCREENS = ['loading', 'lobby', 'game', 'people', 'puzzles', 'missing'];

/** @param {State} state @param {State} before @param {Table} table */
export function renderScreen(state, before, table) {
	const at = screen(state);
	if (document.body.dataset.state !== at) showScreen(at);
	setData(document.body, 'pending', String(Boolean(state.pending)));
	renderConnection(state);
	show(byId('people-links'), state.hello?.index);
	renderError(state, before, table);
	// New text nodes even for the same text, so that it is read out again.
	if (state.says !== before.says) byId('live').replaceChildren(state.says.text);
	if (at === 'missing') setText(byId('missing-text'), capital(state.missing ?? ''));
	if (at === 'lobby') {
		renderForms(state);
		renderLobby(state);
		late.variants?.renderLobby(state);
	}
	const { view } = state;
	if (view && (at === 'game' || at === 'line')) {
		renderGame({ ...state, view }, table, Date.now());
		return;
	}
	table.render(null);
	// Views of players have titles of their own.
	if (at !== 'people' && at !== 'puzzles') entitle(title());
}

/** @param {Shown} state @param {Table} table @param {number} now in milliseconds */
export function renderGame(state, table, now) {
	table.render(board(state));
	renderPanel(state, now);
	late.variants?.render(state, table, now);
	entitle(title(status(state).text));
}

/** @param {ReturnType<typeof screen>} at */
function showScreen(at) {
	setData(document.body, 'state', at);
	const shown = at === 'line' ? 'game' : at;
	for (const name of SCREENS) show(byId(`page-${name}`), name === shown);
	// The error stands in the place that the screen has for it, or below everything.
	const slot = byId(`page-${shown}`).querySelector('[data-slot="error"]');
	const place = slot ?? find(document, 'main');
	// An element that is put where it is already has the browser lay out all anew.
	if (place.lastElementChild !== byId('error')) place.append(byId('error'));
}

/** What the page does without, in two words. @param {State} state */
function offline({ link, reach, hello }) {
	if (link === 'lost') return lostBriefly(reach, hello);
	return hello ? texts.chainOffline : texts.hostUnknown;
}

/** @param {State} state */
function renderConnection(state) {
	const wrong = away(state);
	show(byId('chain'), wrong);
	setText(byId('chain'), wrong ?? '');
	if (isByPage(state)) {
		setData(byId('link'), 'up', 'true');
		setText(byId('link'), texts.inThisPage);
		return;
	}
	const byTerms = state.view?.game ? state.view.byTerms : null;
	// Before it begins a game with a stake is at the chain alone.
	if (isByTerms(state.route.game) && !byTerms?.waits) {
		// Nobody stays in the room of a game that has ended.
		const isThere = byTerms?.relay === null || byTerms?.isOver === true;
		setData(byId('link'), 'up', String(isThere));
		setText(byId('link'), isThere ? texts.atRelay : texts.connecting);
		return;
	}
	const up = Boolean(!wrong && state.chain);
	setData(byId('link'), 'up', String(up));
	if (up) setText(byId('link'), texts.block(state.chain?.block));
	else if (wrong) setText(byId('link'), offline(state));
	else setText(byId('link'), texts.connecting);
}

/** @param {State} state @param {State} before @param {Table} table */
function renderError({ error }, before, table) {
	show(byId('error'), error);
	if (!error || error === before.error) return;
	byId('error-text').replaceChildren(error.text);
	if (error.bin !== null) table.shake(error.bin);
}
