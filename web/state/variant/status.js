// The sentences about a variant: its status, the note below it, how it ended.

import { earlier, LINES } from '../status.js';
import { capital } from '../text.js';
import { prompt } from './choice.js';
import { colours, computerOf, isGame, isOut, mine, who } from './seats.js';

/** @import { Status, VariantView } from '../types.d.ts' */
/** @import { PlayingVariant, ShownVariant } from './types.d.ts' */

/**
 * How a game ended.
 * @param {Pick<VariantView, 'end' | 'winner' | 'terms' | 'standing'>} view
 * @param {boolean} full also says what a player sees on the board
 */
export function ending({ end, winner, terms, standing }, full = false) {
	const won = capital(winner ?? '');
	switch (end) {
		case 'line':
			return full ? `${won} wins with ${LINES[terms.shape.line]} in a row.` : `${won} wins!`;
		case 'last left':
			return `${won} wins: all others have left.`;
		case 'no move':
			return 'A draw: no move is possible.';
		case 'turn limit':
			return 'A draw after 250 turns.';
		case 'abandoned':
			return 'Abandoned: nobody won.';
		default:
			return `${capital(standing)}.`;
	}
}

/** The sentence above the board. @param {ShownVariant} state @returns {Status} */
export function status(state) {
	const { variant: view, at, pending } = state;
	const colour = view.to_move ?? view.winner;
	/** @param {string} text @returns {Status} */
	const is = (text, busy = false) => ({ text, colour, busy });
	if (at !== null) return earlier(at);
	if (pending) return is(pending.what === 'move' ? 'Sending your move…' : 'Sending…', true);
	if (isGame(view) && !view.started) return tableStatus({ ...state, variant: view });
	if (view.over || !colour) return is(ending(view));
	const toMove = `${capital(colour)} to move`;
	if (!isGame(view)) return is(toMove);
	const seats = mine(state);
	const player = who(state, colour);
	if (seats.includes(colour))
		return is(`${toMove} — ${player}${seats.length === 1 ? ' (you)' : ''}`);
	const computer = computerOf(view, colour);
	if (computer?.error) return is('The computer does not move');
	if (computer) return is(`${capital(colour)}, a computer, thinks…`, true);
	return is(seats.length ? `Waiting for ${player}, ${colour}…` : `${toMove} — ${player}`);
}

/** @param {PlayingVariant} state @returns {Status} */
function tableStatus({ variant: { seats, freed } }) {
	if (freed) return { text: 'This table was closed.', colour: null, busy: false };
	const there = seats.filter(({ joined }) => joined).length;
	return {
		text: `Waiting for players: ${there} of ${seats.length} are here`,
		colour: null,
		busy: true,
	};
}

/** The small line under the status. @param {ShownVariant} state */
export function note(state) {
	const { variant: view, at, picked } = state;
	if (at !== null || !isGame(view)) return '';
	if (picked) return prompt(picked);
	if (!view.started) {
		return view.named ? 'The seats are for named players.' : 'Anyone may join at this address.';
	}
	const seats = mine(state);
	if (view.over) return noteAfterEnd({ ...state, variant: view });
	const error = view.to_move && computerOf(view, view.to_move)?.error;
	if (error) return capital(error);
	const out = colours(view).filter((colour) => isOut(view, colour));
	if (out.length) return `${capital(list(out))} ${out.length === 1 ? 'has' : 'have'} left.`;
	if (!seats.length) return 'You watch this game.';
	return view.turns < view.players.length && view.to_move && seats.includes(view.to_move)
		? `Press 1–${Math.min(9, view.terms.shape.bins)}, click or tap a bin.`
		: '';
}

/** @param {string[]} words */
const list = (words) => words.join(', ').replace(/, ([^,]*)$/, ' and $1');

/** @param {PlayingVariant} state */
function noteAfterEnd(state) {
	const { freed, winner } = state.variant;
	if (freed) return 'The storage of this game was freed; its moves stay on the chain.';
	const seats = mine(state);
	if (seats.length !== 1 || !winner) return '';
	return seats[0] === winner ? 'You won.' : 'You lost.';
}
