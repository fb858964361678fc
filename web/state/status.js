// The sentences about a game: its state, its end, the title of the document.

import { other, seats, who, whoFirst } from './seats.js';
import { capital } from './text.js';

const LINES = { 3: 'three', 4: 'four', 5: 'five', 6: 'six' };

/** @param {object} view @param {boolean} full as for who does not see the board @returns {string} how a game ended */
export function ending({ end, winner, shape, standing }, full = false) {
  const won = capital(winner ?? '');
  return (
    {
      line: full ? `${won} wins with ${LINES[shape.line]} in a row.` : `${won} wins!`,
      'full board': 'A draw.',
      agreement: 'A draw by agreement.',
      resignation: `${won} won: ${other(winner)} resigned.`,
      timeout: `${won} won: ${other(winner)} ran out of time.`,
      abort: 'Aborted: nobody won.',
    }[end] ?? `${capital(standing)}.`
  );
}

/** @param {object} state @returns {{text: string, colour: string|null, busy: boolean}} the sentence above the board */
export function status(state) {
  const { view, at, pending } = state;
  const colour = view.to_move ?? view.winner;
  const is = (text, busy = false) => ({ text, colour, busy });
  if (at !== null)
    return { ...is(at ? `Position after move ${at}` : 'Before the first move'), colour: null };
  if (pending) return is(pending.what === 'drop' ? 'Sending your move…' : 'Sending…', true);
  if (view.over) return is(ending(view));
  const mine = seats(state);
  const toMove = `${capital(colour)} to move`;
  if (!view.players) return is(toMove);
  if (mine.includes(colour))
    return is(`${toMove} — ${who(state, colour)}${mine.length === 1 ? ' (you)' : ''}`);
  const { computer, error } = view.players[colour];
  if (computer) return error ? is('The computer does not move') : is('The computer thinks…', true);
  return is(
    mine.length ? `Waiting for ${who(state, colour)}…` : `${toMove} — ${who(state, colour)}`,
  );
}

/** @param {object} state @returns {string} the small line under the status */
export function note(state) {
  const { view, at } = state;
  if (at !== null || !view.players) return '';
  const mine = seats(state);
  const [mover, offer] = [view.to_move, view.over ? view.rematch : view.draw_offer];
  const ours = mine.length === 1 && mine[0] === offer;
  if (view.over) {
    if (offer && view.next === null && mine.length) {
      return ours
        ? `You want another game: waiting for ${who(state, other(offer))}.`
        : `${whoFirst(state, offer)} wants another game: Enter to play, or decline.`;
    }
    if (view.freed) return 'The storage of this game was freed; its moves stay on the chain.';
    if (mine.length !== 1 || !view.winner) return '';
    return mine[0] === view.winner ? 'You won.' : 'You lost.';
  }
  if (view.players[mover].error) return capital(view.players[mover].error);
  if (offer) {
    return ours
      ? `You offer a draw: it stands until ${who(state, other(offer))} moves or declines.`
      : `${whoFirst(state, offer)} offers a draw.`;
  }
  if (!mine.length) return 'You watch this game.';
  return view.turns < 2 && mine.includes(mover)
    ? `Press 1–${Math.min(9, view.shape.bins)}, click or tap a bin.`
    : '';
}

/** @param {object} state @returns {string} the title of the document */
export const title = (state) =>
  `${state.view ? `${status(state).text.replace(/\.$/, '')} – ` : ''}Connect Four`;
