// Whether a disc may be dropped from this browser, and why not.

import { actions } from './actions.js';
import { away } from './connection.js';
import { seats, who } from './seats.js';

/** @param {object} state @returns {boolean} whether a disc may be dropped from here, now */
export const mayMove = (state) =>
  Boolean(
    state.view &&
      !state.view.over &&
      state.at === null &&
      !state.pending &&
      !away(state) &&
      seats(state).includes(state.view.to_move),
  );

/**
 * What becomes of a drop into a bin: it is sent, or there is an error to show, or it is ignored.
 * @param {object} state @param {number} bin @returns {{send?: number, error?: string, bin?: number, soft?: boolean}}
 */
export function plan(state, bin) {
  const { view, at } = state;
  if (state.pending) return {};
  const soft = (error) => ({ error, soft: true });
  const { bins } = view.shape;
  if (bin >= bins) return soft(`There is no bin ${bin + 1}: this board has ${bins}.`);
  if (view.game === null) return soft('This is a line of moves, not a game: start a game to play.');
  if (at !== null)
    return soft(`This is the position after move ${at}: go back to the game to play.`);
  if (view.over)
    return soft(`The game is over.${actions(state).next ? ' Press Enter for the next game.' : ''}`);
  if (away(state))
    return soft(
      `No move can be made until the ${state.link === 'lost' ? 'program' : 'chain'} is back.`,
    );
  const mine = seats(state);
  if (!mine.length) return soft('This browser watches: to play, open the link of a seat.');
  if (!mine.includes(view.to_move))
    return soft(`It is ${view.to_move}’s turn: wait for ${who(state, view.to_move)}.`);
  const reason = view.refusals[bin];
  return reason
    ? { error: `Bin ${bin + 1}: ${reason.replace(/\.$/, '')}. Choose another.`, bin }
    : { send: bin };
}
