// What a screen reader is told when a game changes.

import { seats, whoFirst } from './seats.js';
import { ending } from './status.js';
import { capital } from './text.js';

/** @import { Colour, Shown, View } from './types.d.ts' */

/**
 * What is new in a game, for people who do not see the board.
 * @param {View} before @param {Shown} state
 */
export function news(before, state) {
	const { view } = state;
	const mine = seats(state);
	const parts = view.moves
		.slice(before.turns)
		.map(({ player, bin, row }) => `${capital(player)}: bin ${bin + 1}, row ${row + 1}.`);
	if (view.over && !before.over) {
		parts.push(ending(view, true));
	} else if (view.turns !== before.turns && view.to_move) {
		const you = mine.length === 1 && mine[0] === view.to_move ? ', you' : '';
		parts.push(`${capital(view.to_move)} to move${you}.`);
	}
	/** @param {Colour | null} by @param {Colour | null} earlier @param {string} what */
	const offered = (by, earlier, what) => {
		if (by && by !== earlier && !mine.includes(by)) parts.push(`${whoFirst(state, by)} ${what}.`);
	};
	if (view.game !== null && before.game !== null) {
		offered(view.match.draw_offer, before.match.draw_offer, 'offers a draw');
		offered(view.match.rematch_offer, before.match.rematch_offer, 'wants another game');
	}
	return parts.join(' ');
}
