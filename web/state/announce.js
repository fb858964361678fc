// What a screen reader is told when a game changes.

import { seats, whoFirst } from './seats.js';
import { ending } from './status.js';
import { capital } from './text.js';

// What is new, for somebody who does not see the board.
export function news(before, state) {
  const { view } = state;
  const mine = seats(state);
  const parts = view.moves
    .slice(before.turns)
    .map(({ player, bin, row }) => `${capital(player)}: bin ${bin + 1}, row ${row + 1}.`);
  if (view.over && !before.over) parts.push(ending(view, true));
  else if (view.turns !== before.turns && view.to_move) {
    parts.push(
      `${capital(view.to_move)} to move${mine.length === 1 && mine[0] === view.to_move ? ', you' : ''}.`,
    );
  }
  for (const [offer, what] of [
    ['draw_offer', 'offers a draw'],
    ['rematch', 'wants another game'],
  ]) {
    const by = view[offer];
    if (by && by !== before[offer] && !mine.includes(by))
      parts.push(`${whoFirst(state, by)} ${what}.`);
  }
  return parts.join(' ');
}
