// What a screen reader is told when a variant changes.

import { capital } from '../text.js';
import { isGame, mine, who } from './seats.js';
import { ending } from './status.js';
import { moveWords } from './words.js';

/** @import { VariantView } from '../types.d.ts' */
/** @import { PlayingVariant, ShownVariant, ViewedVariant } from './types.d.ts' */

/**
 * What is new in a variant, for people who do not see the board.
 * @param {VariantView | null} before @param {ShownVariant} state
 */
export function news(before, state) {
	const { variant: view } = state;
	if (!before || before.game !== view.game) return '';
	const parts = view.moves
		.slice(before.turns)
		.map((move) => `${capital(move.player)} ${moveWords(move)}.`);
	if (isGame(view) && isGame(before)) parts.push(...people(before, { ...state, variant: view }));
	if (view.over && !before.over) {
		parts.push(ending(view, true));
	} else if (view.to_move && (view.turns !== before.turns || view.to_move !== before.to_move)) {
		const seats = mine(state);
		const you = seats.length === 1 && seats[0] === view.to_move ? ', you' : '';
		parts.push(`${capital(view.to_move)} to move${you}.`);
	}
	return parts.join(' ');
}

/** Who has come and gone. @param {ViewedVariant} before @param {PlayingVariant} state */
function people(before, state) {
	const { variant: view } = state;
	const gone = view.departures
		.slice(before.departures.length)
		.map(({ player, late }) => `${capital(player)} ${late ? 'was late and is out' : 'has left'}.`);
	if (before.started) return gone;
	const joined = view.seats
		.filter(({ joined }, seat) => joined && !before.seats[seat]?.joined)
		.map(({ colour }) => `${who(state, colour)} joins as ${colour}.`);
	const left = before.seats
		.filter(({ joined }, seat) => joined && !view.seats[seat]?.joined)
		.map(({ colour }) => `The seat of ${colour} is free again.`);
	return [...gone, ...joined, ...left, ...(view.started ? ['The game starts.'] : [])];
}
