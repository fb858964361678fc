// Whether a move may be made from this browser, and why not.

import { texts } from '../words/page.js';
import { actions } from './actions.js';
import { away } from './connection.js';
import { isGame, seats, who } from './seats.js';

/** @import { Plan, Shown } from './types.d.ts'
 * @import { MoveAsked } from '../wire.d.ts' */

/** Whether somebody in this browser may move now. @param {Shown} state */
export function mayMove(state) {
	const { view, at, pending } = state;
	if (view.over || !view.to_move || at !== null || pending || away(state)) return false;
	return seats(state).includes(view.to_move);
}

/**
 * Whether a player of a game by signed terms may say now what is to be dropped after the opponent's move.
 * @param {Shown} state
 */
export function mayPremove(state) {
	const { view, at, pending } = state;
	if (!isGame(view) || !view.byTerms || view.over || !view.to_move) return false;
	if (at !== null || pending || away(state)) return false;
	const mine = seats(state);
	return mine.length === 1 && !mine.includes(view.to_move);
}

/**
 * What to do with a move: send it, show an error, or ignore it. Whether it is legal is for the program to say:
 * a target that it has not named is sent as well, and refused with the reason.
 * @param {Shown} state @param {MoveAsked} move
 * @returns {Plan}
 */
export function plan(state, move) {
	const { view, at } = state;
	if (state.pending) return {};
	/** @param {string} error */
	const soft = (error) => ({ error, soft: true });
	const { bins, capacity } = view.terms.shape;
	if ('bin' in move && move.bin >= bins) {
		return soft(texts.noBin(move.bin + 1, bins));
	}
	if ('row' in move && move.row >= capacity) {
		return soft(texts.noRow(move.row + 1, capacity));
	}
	if (!isGame(view)) return soft(texts.isLine);
	if (at !== null) {
		return soft(texts.isPosition(at));
	}
	// What is waited for in a game by signed terms is shown.
	if (!view.started) return view.byTerms ? {} : soft(texts.startsFull);
	if (view.over || !view.to_move) {
		return soft(actions(state).next ? texts.gameOverNext : texts.gameOver);
	}
	if (away(state)) {
		return soft(state.link === 'lost' ? texts.programAway : texts.chainAway);
	}
	if (mayPremove(state) && move.kind === 'drop') return { premove: move.bin };
	const mine = seats(state);
	if (!mine.length) return soft(whyWatches(state));
	if (!mine.includes(view.to_move)) {
		return soft(texts.notYourTurn(view.to_move, who(state, view.to_move)));
	}
	const reason = move.kind === 'drop' && view.refusals.drop[move.bin];
	if (!reason) return { send: move };
	const { bin } = move;
	return { error: texts.binRefused(bin + 1, reason), bin };
}

/** @param {Shown} state */
const whyWatches = ({ hello }) => (hello?.public ? texts.watchesWallet : texts.watchesInvite);
