// The sentences about a game: its status, how it ended, the title of the document.

import { computerOf, other, seats, who, whoFirst } from './seats.js';
import { capital } from './text.js';

/** @import { Playing, Shown, Status, View } from './types.d.ts' */

/** @type {Record<number, string>} */
export const LINES = { 3: 'three', 4: 'four', 5: 'five', 6: 'six' };

/**
 * How a game ended.
 * @param {Pick<View, 'end' | 'winner' | 'shape' | 'standing'>} view
 * @param {boolean} full also says what a player sees on the board
 */
export function ending({ end, winner, shape, standing }, full = false) {
	const won = capital(winner ?? '');
	switch (end) {
		case 'line':
			return full ? `${won} wins with ${LINES[shape.line]} in a row.` : `${won} wins!`;
		case 'full board':
			return 'A draw.';
		case 'agreement':
			return 'A draw by agreement.';
		case 'resignation':
			return `${won} won: ${winner && other(winner)} resigned.`;
		case 'timeout':
			return `${won} won: ${winner && other(winner)} ran out of time.`;
		case 'abort':
			return 'Aborted: nobody won.';
		default:
			return `${capital(standing)}.`;
	}
}

/** The sentence above an earlier position. @param {number} at @returns {Status} */
export const earlier = (at) => ({
	text: at ? `Position after move ${at}` : 'Before the first move',
	colour: null,
	busy: false,
});

/** The sentence above the board. @param {Shown} state @returns {Status} */
export function status(state) {
	const { view, at, pending } = state;
	const colour = view.to_move ?? view.winner;
	/** @param {string} text */
	const is = (text, busy = false) => ({ text, colour, busy });
	if (at !== null) return earlier(at);
	if (pending) return is(pending.what === 'drop' ? 'Sending your move…' : 'Sending…', true);
	if (view.over || !colour) return is(ending(view));
	const mine = seats(state);
	const toMove = `${capital(colour)} to move`;
	if (view.game === null) return is(toMove);
	const player = who(state, colour);
	if (mine.includes(colour)) return is(`${toMove} — ${player}${mine.length === 1 ? ' (you)' : ''}`);
	const computer = computerOf(view, colour);
	if (computer?.error) return is('The computer does not move');
	if (computer) return is('The computer thinks…', true);
	return is(mine.length ? `Waiting for ${player}…` : `${toMove} — ${player}`);
}

/** The small line under the status. @param {Shown} state */
export function note(state) {
	const { view, at } = state;
	if (at !== null || view.game === null) return '';
	const playing = { ...state, view };
	return view.over ? noteAfterEnd(playing) : noteInGame(playing);
}

/** @param {Playing} state */
function noteInGame(state) {
	const { view } = state;
	const mine = seats(state);
	const mover = view.to_move;
	const offer = view.match.draw_offer;
	const error = mover && computerOf(view, mover)?.error;
	if (error) return capital(error);
	if (offer) {
		return mine.length === 1 && mine[0] === offer
			? `You offer a draw: it stands until ${who(state, other(offer))} moves or declines.`
			: `${whoFirst(state, offer)} offers a draw.`;
	}
	if (!mine.length) return 'You watch this game.';
	return view.turns < 2 && mover && mine.includes(mover)
		? `Press 1–${Math.min(9, view.shape.bins)}, click or tap a bin.`
		: '';
}

/** @param {Playing} state */
function noteAfterEnd(state) {
	const { match, freed, winner } = state.view;
	const mine = seats(state);
	const offer = match.rematch_offer;
	if (offer && match.next === null && mine.length) {
		return mine.length === 1 && mine[0] === offer
			? `You want another game: waiting for ${who(state, other(offer))}.`
			: `${whoFirst(state, offer)} wants another game: Enter to play, or decline.`;
	}
	if (freed) return 'The storage of this game was freed; its moves stay on the chain.';
	if (mine.length !== 1 || !winner) return '';
	return mine[0] === winner ? 'You won.' : 'You lost.';
}

/** The title of the document. @param {string} [text] the status of what is shown */
export const title = (text) => `${text ? `${text.replace(/\.$/, '')} – ` : ''}Connect Four`;
