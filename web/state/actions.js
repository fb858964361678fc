// What can be done in a game, apart from a drop.

import { clockLeft } from './clock.js';
import { away } from './connection.js';
import { seats } from './seats.js';

/**
 * What can be done beside a move: for which seat each, or null.
 * @param {object} state @param {number} now milliseconds of our own clock @returns {object}
 */
export function actions(state, now = state.told) {
  const { view } = state;
  const can = {
    resign: null,
    offer: null,
    accept: null,
    claim: null,
    next: null,
    declineRematch: null,
    withdraw: null,
    review: view.moves.length > 0 && (view.over || view.game === null),
    busy: Boolean(state.pending || away(state)),
  };
  const mine = seats(state);
  const notOf = (colour) => (colour && mine.find((seat) => seat !== colour)) ?? null;
  const mover = view.to_move;
  if (!mine.length) return can;
  if (!view.over) {
    can.resign = mine.includes(mover) ? mover : mine[0];
    can.offer = view.draw_offer ? null : can.resign;
    can.accept = notOf(view.draw_offer);
    if (view.clock && clockLeft(state, mover, now) < 0) can.claim = notOf(mover);
  } else {
    can.withdraw = mine.find((colour) => view.owed[colour]) ?? null;
  }
  if (view.over && view.next === null) {
    can.declineRematch = notOf(view.rematch);
    can.next = view.rematch && !can.declineRematch ? null : mine;
  }
  return can;
}

/** @param {object|null} before the last view @param {object} state @returns {number|null} the game to go on to by itself */
export function follows(before, state) {
  const { view, at } = state;
  if (before?.next !== null || before.game !== view?.game) return null;
  return seats(state).length || at === null ? view.next : null;
}
