// Whether a move may be made from this browser, and why not.

import { actions } from './actions.js';
import { away } from './connection.js';
import { held, isGame, seats, who } from './seats.js';

/** @import { MoveAsked, Plan, Shown } from './types.d.ts' */

/** Whether somebody in this browser may move now. @param {Shown} state */
export function mayMove(state) {
	const { view, at, pending } = state;
	if (view.over || !view.to_move || at !== null || pending || away(state)) return false;
	return seats(state).includes(view.to_move);
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
		return soft(`There is no bin ${move.bin + 1}: this board has ${bins}.`);
	}
	if ('row' in move && move.row >= capacity) {
		return soft(`There is no row ${move.row + 1}: this board has ${capacity}.`);
	}
	if (!isGame(view)) return soft('This is a line of moves, not a game: start a game to play.');
	if (at !== null) {
		return soft(`This is the position after move ${at}: go back to the game to play.`);
	}
	if (!view.started) return soft('The game starts when all seats are taken.');
	if (view.over || !view.to_move) {
		return soft(`The game is over.${actions(state).next ? ' Press Enter for the next game.' : ''}`);
	}
	if (away(state)) {
		const what = state.link === 'lost' ? 'program' : 'chain';
		return soft(`No move can be made until the ${what} is back.`);
	}
	const mine = seats(state);
	if (!mine.length) return soft(whyWatches(state));
	if (!mine.includes(view.to_move)) {
		return soft(`It is ${view.to_move}’s turn: wait for ${who(state, view.to_move)}.`);
	}
	const reason = move.kind === 'drop' && view.refusals.drop[move.bin];
	if (!reason) return { send: move };
	const { bin } = move;
	return { error: `Bin ${bin + 1}: ${reason.replace(/\.$/, '')}. Choose another.`, bin };
}

/** @param {Shown} state */
function whyWatches(state) {
	if (!state.hello?.public) return 'This browser only watches: to play, open an invite link.';
	// A fast game is played once its session key was found.
	return held(state).length
		? 'The game is being opened: try again in a moment.'
		: 'This browser only watches: to play, connect the wallet of a player.';
}
