// What a screen reader is told when a game changes.

import { isGame, seats, who, whoFirst } from './seats.js';
import { ending } from './status.js';
import { capital } from './text.js';
import { moveWords } from './words.js';

/** @import { Playing, Shown, View, ViewedGame } from './types.d.ts' */

/**
 * What is new in a game, for people who do not see the board.
 * @param {View} before @param {Shown} state
 */
export function news(before, state) {
	const { view } = state;
	if (before.game !== view.game) return '';
	const mine = seats(state);
	const parts = view.moves
		.slice(before.turns)
		.map((move) => `${capital(move.player)}${moveWords(move)}.`);
	const isPlayed = isGame(view) && isGame(before);
	if (isPlayed) parts.push(...people(before, { ...state, view }));
	if (view.over && !before.over) {
		parts.push(ending(view, true));
	} else if (view.to_move && (view.turns !== before.turns || view.to_move !== before.to_move)) {
		const you = mine.length === 1 && mine[0] === view.to_move ? ', you' : '';
		parts.push(`${capital(view.to_move)} to move${you}.`);
	}
	/** @param {'draw_offer' | 'rematch_offer'} offer @param {string} what */
	const offered = (offer, what) => {
		const by = isPlayed && view.match?.[offer];
		if (by && by !== before.match?.[offer] && !mine.includes(by)) {
			parts.push(`${whoFirst(state, by)} ${what}.`);
		}
	};
	offered('draw_offer', 'offers a draw');
	offered('rematch_offer', 'wants another game');
	return parts.join(' ');
}

/** Who has come and gone. @param {ViewedGame} before @param {Playing} state */
function people(before, state) {
	const { view } = state;
	const parts = view.departures
		.slice(before.departures.length)
		.map(({ player, late }) => `${capital(player)} ${late ? 'was late and is out' : 'has left'}.`);
	if (before.started) return parts;
	for (const [seat, { colour, joined }] of view.players.entries()) {
		if (joined === before.players[seat]?.joined) continue;
		parts.push(
			joined ? `${who(state, colour)} joins as ${colour}.` : `The seat of ${colour} is free again.`,
		);
	}
	return view.started ? [...parts, 'The game starts.'] : parts;
}
