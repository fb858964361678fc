// Shows variants and takes their input. The rest of the page reaches them through here alone.

import { renderActions } from '../dom/variant/actions.js';
import { renderVariantLobby } from '../dom/variant/lobby.js';
import { renderNewVariant, watchNewVariant } from '../dom/variant/new-variant.js';
import { renderPanel } from '../dom/variant/panel.js';
import { renderTime } from '../dom/variant/players.js';
import { news } from '../state/variant/announce.js';
import { remover } from '../state/variant/clock.js';
import { board } from '../state/variant/position.js';
import { status } from '../state/variant/status.js';
import { current, dispatch } from '../store.js';
import { openLine, startVariant } from './commands.js';
import { watchVariants } from './input.js';

/** @import { Table } from '../dom/types.d.ts' */
/** @import { State, VariantView } from '../state/types.d.ts' */
/** @import { ShownVariant } from '../state/variant/types.d.ts' */

export { choose } from './commands.js';

/** The board, once a variant is shown. @type {Table | null} */
let shownOn = null;

watchNewVariant({ start: startVariant, line: openLine });
watchVariants(() => shownOn);

/** Takes what the program told of a variant. @param {VariantView} view */
export function take(view) {
	const state = current();
	const text = news(state.variant, { ...state, variant: view });
	dispatch({ type: 'variant', view, now: Date.now(), text });
}

/**
 * Shows a variant, and returns its status.
 * @param {ShownVariant} state @param {Table} table
 */
export function render(state, table) {
	shownOn = table;
	table.render(board(state));
	renderPanel(state, table, Date.now());
	return status(state).text;
}

let wasLate = false;

/** The time that is left, which runs between two messages. @param {ShownVariant} state @param {number} now */
export function renderClocks(state, now) {
	renderTime(state, now);
	const late = remover(state, now) !== null;
	if (late !== wasLate) renderActions(state, now);
	wasLate = late;
}

/** Shows the variants of the lobby. @param {string} at the screen @param {State} state */
export function renderLobby(at, state) {
	if (at !== 'lobby') return;
	renderNewVariant(state);
	renderVariantLobby(state);
}
