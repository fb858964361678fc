// What a screen reader is told when a game changes.

import { texts } from '../words/page.js';
import { isGame, seats, who, whoFirst } from './seats.js';
import { ending } from './status.js';
import { moveSentence } from './words.js';

/** @import { Playing, Shown, View, ViewedGame } from './types.d.ts' */

/**
 * What is new in a game, for people who do not see the board.
 * @param {View} before @param {Shown} state
 */
export function news(before, state) {
	const { view } = state;
	if (before.game !== view.game) return '';
	const mine = seats(state);
	const parts = view.moves.slice(before.turns).map((move) => moveSentence(move, move.player));
	const isPlayed = isGame(view) && isGame(before);
	if (isPlayed) parts.push(...people(before, { ...state, view }));
	if (view.over && !before.over) {
		parts.push(ending(view, true));
	} else if (view.to_move && (view.turns !== before.turns || view.to_move !== before.to_move)) {
		const isMine = mine.length === 1 && mine[0] === view.to_move;
		parts.push((isMine ? texts.youToMoveNow : texts.toMoveNow)(view.to_move));
	}
	/** @param {'drawOffer' | 'rematchOffer'} offer @param {(player: string) => string} text */
	const offered = (offer, text) => {
		const by = isPlayed && view.series?.[offer];
		if (by && by !== before.series?.[offer] && !mine.includes(by)) {
			parts.push(text(whoFirst(state, by)));
		}
	};
	offered('drawOffer', texts.offersDraw);
	offered('rematchOffer', texts.wantsNext);
	return parts.join(' ');
}

/** Who has come and gone. @param {ViewedGame} before @param {Playing} state */
function people(before, state) {
	const { view } = state;
	const parts = view.departures
		.slice(before.departures.length)
		.map(({ player, late }) => (late ? texts.isOut(player) : texts.left(player)));
	if (before.started) return parts;
	for (const [seat, { colour, joined }] of view.players.entries()) {
		if (joined === before.players[seat]?.joined) continue;
		parts.push(joined ? texts.joins(who(state, colour), colour) : texts.seatFree(colour));
	}
	return view.started ? [...parts, texts.gameStarts] : parts;
}
