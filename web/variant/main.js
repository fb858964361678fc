// What variants have beyond other games: kinds of moves that are picked, tables, their form. Loaded with the
// first of them; the rest of the page reaches it through `late` alone.

import { makeMove } from '../commands.js';
import { byId } from '../dom/elements.js';
import { hand, renderHand } from '../dom/variant/hand.js';
import { renderNewVariant, watchNewVariant } from '../dom/variant/new-variant.js';
import { renderPowers } from '../dom/variant/powers.js';
import { addSymbols } from '../dom/variant/symbols.js';
import { renderTable } from '../dom/variant/table.js';
import { renderTables } from '../dom/variant/tables.js';
import { BUTTONS, enter, levelBeside } from '../input.js';
import { termsText } from '../state/words.js';
import { actAs, pick, startVariant } from './commands.js';

/** @import { MoveKind, Shown, State } from '../state/types.d.ts' */
/** @import { Table } from '../dom/types.d.ts' */

export { leave } from '../dom/variant/leave.js';
export { lineOf } from '../dom/variant/new-variant.js';
export { actAs, choose, pick, playAgain, typeNumber } from './commands.js';

/** The board, once a game is shown. @type {Table | null} */
let shownOn = null;

addSymbols();
watchNewVariant(startVariant);
// The mouse does not take the focus, so that digits and arrow keys go on working.
hand.addEventListener('mousedown', (event) => event.preventDefault());

/** @type {typeof BUTTONS} */
const MORE = {
	pick({ dataset }) {
		// A key press on the button leads on to the targets; a click leaves the focus where it was.
		const byKey = hand.contains(document.activeElement);
		if (pick(/** @type {MoveKind} */ (dataset.kind)) && byKey && shownOn) enter(shownOn);
	},
	row: ({ dataset }) => makeMove({ kind: 'clear', row: Number(dataset.place) }),
	pop: ({ dataset }) => makeMove({ kind: 'pop', bin: Number(dataset.place) }),
	join: ({ dataset }) => actAs('join', dataset.account ?? '', dataset.game),
	leave: ({ dataset }) => actAs('leave', dataset.account ?? '', dataset.game),
	'join-computer': (button) =>
		actAs('join', button.dataset.account ?? '', undefined, levelBeside(button)),
	'remove-late': ({ dataset }) => actAs('remove_late', dataset.account ?? ''),
};
Object.assign(BUTTONS, MORE);

/** @param {Shown} state @param {Table} table @param {number} now in milliseconds */
export function render(state, table, now) {
	shownOn = table;
	byId('which').title = termsText(state.view.terms);
	renderHand(state, table);
	renderPowers(state);
	renderTable(state, now);
}

/** @param {State} state */
export function renderLobby(state) {
	renderNewVariant(state);
	renderTables(state);
}
