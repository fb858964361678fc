// Whether a disc may be dropped from this browser, and why not.

import { actions } from './actions.js';
import { away } from './connection.js';
import { held, seats, who } from './seats.js';

/** @import { Shown } from './types.d.ts' */

/** Whether a disc may be dropped now, into one bin or another. @param {Shown} state */
export function mayMove(state) {
	const { view, at, pending } = state;
	if (view.over || !view.to_move || at !== null || pending || away(state)) return false;
	return seats(state).includes(view.to_move);
}

/**
 * What to do with a drop into a bin: send it, show an error, or ignore it.
 * @param {Shown} state @param {number} bin from 0
 * @returns {{ send?: number, error?: string, bin?: number, soft?: boolean }}
 */
export function plan(state, bin) {
	const { view, at } = state;
	if (state.pending) return {};
	/** @param {string} error */
	const soft = (error) => ({ error, soft: true });
	const { bins } = view.shape;
	if (bin >= bins) return soft(`There is no bin ${bin + 1}: this board has ${bins}.`);
	if (view.game === null) return soft('This is a line of moves, not a game: start a game to play.');
	if (at !== null) {
		return soft(`This is the position after move ${at}: go back to the game to play.`);
	}
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
	const reason = view.refusals[bin];
	if (reason)
		return { error: `Bin ${bin + 1}: ${reason.replace(/\.$/, '')}. Choose another.`, bin };
	return { send: bin };
}

/** @param {Shown} state */
function whyWatches(state) {
	if (!state.hello?.public) return 'This browser only watches: to play, open an invite link.';
	// A fast game is played once its session key was found.
	return held(state).length
		? 'The game is being opened: try again in a moment.'
		: 'This browser only watches: to play, connect the wallet of a player.';
}
