// What key presses mean, and where the arrow keys lead on the board.

import { actions } from './actions.js';
import { board } from './position.js';

/**
 * @param {object} state @param {KeyboardEvent} event @param {'page'|'grid'|'control'|'range'|'field'} where the focus is
 * @returns {{do: string}|null} what a key press means; null: nothing to us
 */
export function keyMeans(state, event, where) {
  const { code, key, repeat } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || where === 'field' || !state.view)
    return null;
  const once = (means) => (repeat ? { do: 'nothing' } : means);
  // By place, not by letter: the digits of a French or a Czech keyboard need Shift.
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code);
  if (digit) return once({ do: 'drop', bin: Number(digit[1]) - 1 });
  if (key === 'Escape') return state.error && { do: 'dismiss' };
  if (
    key === 'Enter' &&
    (where === 'page' || where === 'grid') &&
    actions(state).next &&
    !state.view.stake
  )
    return once({ do: 'next' });
  if (where === 'grid') {
    if (/^(Arrow|Home$|End$|Page)/.test(key)) return { do: 'walk', key };
    return key === 'Enter' || key === ' ' ? once({ do: 'drop here' }) : null;
  }
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (where === 'range') return null;
  if (by && (state.view.over || state.at !== null || state.view.game === null))
    return { do: 'step', by };
  return where === 'page' && key.startsWith('Arrow') ? { do: 'enter' } : null;
}

/**
 * @param {{bins: number, capacity: number}} shape @param {{bin: number, row: number}} from
 * @param {string} key @returns {{bin: number, row: number}} the cell to which it leads
 */
export function walk({ bins, capacity }, { bin, row }, key) {
  const to = {
    ArrowLeft: [bin - 1, row],
    ArrowRight: [bin + 1, row],
    ArrowUp: [bin, row + 1],
    ArrowDown: [bin, row - 1],
    Home: [0, row],
    End: [bins - 1, row],
    PageUp: [bin, capacity - 1],
    PageDown: [bin, 0],
  }[key] ?? [bin, row];
  const within = (number, count) => Math.min(count - 1, Math.max(0, number));
  return { bin: within(to[0], bins), row: within(to[1], capacity) };
}

/** @param {object} state @returns {{bin: number, row: number}} where walking begins: the middle, on top of its discs */
export function entrance(state) {
  const { bins, capacity } = state.view.shape;
  const bin = Math.floor(bins / 2);
  return {
    bin,
    row: Math.min(board(state).discs.filter((disc) => disc.bin === bin).length, capacity - 1),
  };
}
