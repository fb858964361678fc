// The position shown, as it is to be drawn.

import { mayMove } from './drop.js';

/** @param {object} state @returns {number} the position shown, in moves */
export const shownAt = ({ view, at }) => at ?? view.moves.length;

/**
 * @param {object} state
 * @returns {{discs: object[], turns: number, at: 'live'|number, ghost: object|null}} the board as it is to be drawn
 */
export function board(state) {
  const { view, at, pending, aim } = state;
  const { game, shape } = view;
  const is = (a) => (b) => a.bin === b.bin && a.row === b.row;
  const turns = at ?? view.turns;
  const winning = at === null ? view.winning : [];
  const last = !winning.length && view.moves[turns - 1];
  const cells =
    at === null
      ? view.board.flatMap((column, bin) => column.map((player, row) => ({ bin, row, player })))
      : view.moves.slice(0, at);
  const discs = cells.map(({ bin, row, player }) => {
    const cell = { bin, row, player };
    return {
      ...cell,
      winning: winning.some(is(cell)),
      last: Boolean(last) && is(cell)(last),
      turn: view.moves.findIndex(is(cell)),
    };
  });
  // Several that are new at once fall one after the other.
  discs.sort((a, b) => a.turn - b.turn);

  const may = mayMove(state);
  const [pulsing, player] = [pending?.what === 'drop' && at === null, view.to_move];
  let ghost = null;
  if (pulsing) ghost = { bin: pending.bin, player, pulsing, refused: false };
  else if (may && aim !== null)
    ghost = { bin: aim, player, pulsing, refused: Boolean(view.refusals[aim]) };
  return { game, shape, discs, turns, at: at ?? 'live', ghost, may };
}
