// What a player can have done in a variant, and in no other game.

import { makeMove, playGame, playing, send, shown, startGame, startHere } from '../commands.js';
import { openGame } from '../navigation.js';
import { player } from '../player.js';
import { plan } from '../state/plan.js';
import { labelOf, moveAt, numbered, picking } from '../state/variant/choice.js';
import { again, hereOf, requests } from '../state/variant/form.js';
import { current, dispatch } from '../store.js';

/** @import { MoveKind, NewVariant, Shown } from '../state/types.d.ts'
 * @import { Act, Address, Cell, GameId, Level } from '../wire.d.ts' */

/** A cell was clicked, or Enter was pressed there, with something picked. @param {Cell} cell */
export const choose = (cell) => makeMove(moveAt(current().picked, cell));

/** A number was typed with something picked. @param {number} number from 1 */
export function typeNumber(number) {
	const state = shown();
	if (!state?.picked || state.pending) return;
	const { view, picked } = state;
	const meant = numbered(view, picked, number);
	if ('picked' in meant) return dispatch({ type: 'pick', picked: meant.picked });
	// The next number begins anew.
	if (picked.bin !== null) dispatch({ type: 'pick', picked: picking(view, picked.kind) });
	makeMove(meant.move);
}

/**
 * Picks a kind of move, or puts it back.
 * @param {MoveKind} kind
 * @returns {boolean} whether a target is to be chosen now
 */
export function pick(kind) {
	const state = shown();
	if (!state) return false;
	if (kind === 'swap') {
		makeMove({ kind });
		return false;
	}
	const { error, soft } = plan(state, { kind: 'drop', bin: free(state) });
	const why = state.view.refusals[kind];
	if (error || why) {
		dispatch({ type: 'refuse', text: error ?? `${labelOf(kind)}: ${why}.`, soft: soft ?? true });
		return false;
	}
	const picked = state.picked?.kind === kind ? null : picking(state.view, kind);
	dispatch({ type: 'pick', picked });
	return picked !== null;
}

/** A bin that takes a disc, to ask by it whether anything can be done now. @param {Shown} state */
const free = ({ view }) =>
	Math.max(
		0,
		view.targets.drop.findIndex((row) => row !== null),
	);

/**
 * @param {Act} act `join`, `leave` or `remove_late` @param {Address} account
 * @param {GameId} [game] the one that is shown, unless it is named
 * @param {Level} [level] of the computer that joins
 */
export async function actAs(act, account, game = current().view?.game ?? undefined, level) {
	const state = current();
	if (!game || state.pending) return;
	const answer = await send('act', player().act(game, { act, account, level }));
	if (!answer || act === 'remove_late' || level) return;
	// At a public host the account of the wallet plays, whichever it is.
	if (state.hello?.public) return;
	const chosen = current().plays[game];
	const others = (chosen ?? []).filter((address) => address !== account);
	const accounts = act === 'join' ? [...others, account] : others;
	if (act === 'join' || chosen) dispatch({ type: 'plays', game, accounts });
	if (act === 'join' && state.view?.game !== game) openGame(game);
}

/** Starts a game or opens a table. @param {NewVariant} form */
export async function startVariant(form) {
	if (current().hello?.public && form.opener === null) return startHere(hereOf(form));
	const { start, table, plays } = requests(form);
	if (start) return startGame(start, plays);
	if (!table || current().pending) return;
	const answer = await send('start', player().openTable(table));
	if (answer && current().hello?.public) openGame(answer.game);
	else if (answer) playGame(answer.game, plays);
}

export function playAgain() {
	const state = playing();
	if (state) startVariant(again(state.view, state.plays[state.view.game]));
}
