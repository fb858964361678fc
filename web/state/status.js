// The sentences about a game: its status, how it ended, the title of the document.

import { computerOf, isGame, isHere, other, seats, who, whoFirst } from './seats.js';
import { capital } from './text.js';

/** @import { Playing, Shown, Status, View, ViewedGame } from './types.d.ts' */

/** @type {Record<number, string>} */
export const LINES = { 3: 'three', 4: 'four', 5: 'five', 6: 'six' };

/** Ends without a winner. @type {Record<string, string>} */
const DRAWS = {
	'full board': 'A draw.',
	agreement: 'A draw by agreement.',
	abort: 'Aborted: nobody won.',
	'no move': 'A draw: no move is possible.',
	'turn limit': 'A draw after 250 turns.',
	abandoned: 'Abandoned: nobody won.',
};

/**
 * How a game ended.
 * @param {Pick<View, 'end' | 'winner' | 'terms' | 'standing'>} view
 * @param {boolean} full also says what a player sees on the board
 */
export function ending({ end, winner, terms, standing }, full = false) {
	if (!winner || !end) return DRAWS[end ?? ''] ?? `${capital(standing)}.`;
	const won = capital(winner);
	switch (end) {
		case 'line':
			return full ? `${won} wins with ${LINES[terms.shape.line]} in a row.` : `${won} wins!`;
		case 'last left':
			return `${won} wins: all others have left.`;
		default:
			return `${won} won: ${other(winner)} ${end === 'timeout' ? 'ran out of time' : 'resigned'}.`;
	}
}

/** The sentence above the board. @param {Shown} state @returns {Status} */
export function status(state) {
	const { view, at, pending } = state;
	const colour = view.to_move ?? view.winner;
	/** @param {string} text @returns {Status} */
	const is = (text, busy = false, shown = colour) => ({ text, colour: shown, busy });
	if (at !== null)
		return is(at ? `Position after move ${at}` : 'Before the first move', false, null);
	if (pending) return is(pending.what === 'move' ? 'Sending your move…' : 'Sending…', true);
	if (isGame(view) && !view.started) {
		return is(tableText(view), !view.freed, null);
	}
	if (view.over || !colour) return is(ending(view));
	const mine = seats(state);
	const toMove = `${capital(colour)} to move`;
	if (!isGame(view)) return is(toMove);
	const player = who(state, colour);
	if (mine.includes(colour) && isHere(view.game)) {
		return is(mine.length === 1 ? `${toMove} — you` : toMove);
	}
	// An account that this page has made has no name that says anything to its player.
	if (mine.length === 1 && mine[0] === colour && view.byTerms?.guests.includes(colour)) {
		return is(`${toMove} — you`);
	}
	if (mine.includes(colour)) return is(`${toMove} — ${player}${mine.length === 1 ? ' (you)' : ''}`);
	const isMany = view.players.length > 2;
	const computer = computerOf(view, colour);
	if (computer?.error) return is('The computer does not move');
	if (computer) {
		return is(isMany ? `${capital(colour)}, a computer, thinks…` : 'The computer thinks…', true);
	}
	return is(
		mine.length ? `Waiting for ${player}${isMany ? `, ${colour}` : ''}…` : `${toMove} — ${player}`,
	);
}

/** @param {ViewedGame} table */
function tableText({ players, freed }) {
	if (freed) return 'This table was closed.';
	const there = players.filter(({ joined }) => joined).length;
	return `Waiting for players: ${there} of ${players.length} are here`;
}

/** The small line under the status. @param {Shown} state */
export function note(state) {
	const { view, at, picked } = state;
	if (at !== null || !isGame(view)) return '';
	if (picked) return picked.prompt;
	if (!view.started) {
		return view.named ? 'The seats are for named players.' : 'Anyone may join at this address.';
	}
	const playing = { ...state, view };
	return view.over ? noteAfterEnd(playing) : noteInGame(playing);
}

/** @param {Playing} state */
function noteInGame(state) {
	const { view } = state;
	const mine = seats(state);
	const mover = view.to_move;
	const offer = view.match?.draw_offer;
	const error = mover && computerOf(view, mover)?.error;
	if (error) return capital(error);
	if (offer) {
		return mine.length === 1 && mine[0] === offer
			? `You offer a draw: it stands until ${who(state, other(offer))} moves or declines.`
			: `${whoFirst(state, offer)} offers a draw.`;
	}
	const gone = view.players.filter(({ out }) => out).map(({ colour }) => colour);
	if (gone.length) {
		const names = gone.join(', ').replace(/, ([^,]*)$/, ' and $1');
		return `${capital(names)} ${gone.length === 1 ? 'has' : 'have'} left.`;
	}
	// What keeps a player from playing stands beside the board.
	if (!mine.length) return view.byTerms?.note ? '' : 'You watch this game.';
	if (view.targets.swap && mover && mine.includes(mover)) {
		return 'Drop a disc, or press S to swap colours: then the first disc is yours.';
	}
	return view.turns < view.players.length && mover && mine.includes(mover)
		? `Press 1–${Math.min(9, view.terms.shape.bins)}, click or tap a bin.`
		: '';
}

/** @param {Playing} state */
function noteAfterEnd(state) {
	const { match, freed, winner } = state.view;
	const mine = seats(state);
	const offer = match?.rematch_offer;
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
