// The sentences about a game: its status, how it ended, the title of the document.

import { capital } from '../words/forms.js';
import { texts } from '../words/page.js';
import { computerOf, isGame, isHere, other, seats, who, whoFirst } from './seats.js';

/** @import { Playing, Shown, Status, View, ViewedGame } from './types.d.ts' */

/** Ends without a winner. @type {Record<string, string>} */
const DRAWS = {
	'full board': texts.draw,
	agreement: texts.drawAgreed,
	abort: texts.aborted,
	'no move': texts.noMove,
	'turn limit': texts.turnLimit,
	abandoned: texts.abandoned,
};

/**
 * How a game ended.
 * @param {Pick<View, 'end' | 'winner' | 'terms' | 'standing'>} view
 * @param {boolean} full also says what a player sees on the board
 */
export function ending({ end, winner, terms, standing }, full = false) {
	if (!winner || !end) return DRAWS[end ?? ''] ?? `${capital(standing)}.`;
	switch (end) {
		case 'line':
			return full ? texts.winsByLine(winner, terms.shape.line) : texts.wins(winner);
		case 'last left':
			return texts.winsAlone(winner);
		default:
			return end === 'timeout'
				? texts.winsOnTime(winner, other(winner))
				: texts.winsByResignation(winner, other(winner));
	}
}

/** The sentence above the board. @param {Shown} state @returns {Status} */
export function status(state) {
	const { view, at, pending } = state;
	const colour = view.to_move ?? view.winner;
	/** @param {string} text @returns {Status} */
	const is = (text, busy = false, shown = colour) => ({ text, colour: shown, busy });
	if (at !== null) return is(at ? texts.positionAfter(at) : texts.beforeFirst, false, null);
	if (pending) return is(pending.what === 'move' ? texts.sendingMove : texts.sending, true);
	if (isGame(view) && view.byTerms?.waits) {
		return is(view.byTerms.waits, view.byTerms.stage !== 'refunded', null);
	}
	if (isGame(view) && !view.started) {
		return is(tableText(view), !view.freed, null);
	}
	if (view.over || !colour) return is(ending(view));
	const mine = seats(state);
	if (!isGame(view)) return is(texts.toMove(colour));
	const player = who(state, colour);
	if (mine.includes(colour) && isHere(view.game)) {
		return is(mine.length === 1 ? texts.youToMove(colour) : texts.toMove(colour));
	}
	// An account that this page has made has no name that says anything to its player.
	if (mine.length === 1 && mine[0] === colour && view.byTerms?.guests.includes(colour)) {
		return is(texts.youToMove(colour));
	}
	if (mine.includes(colour)) {
		const text = mine.length === 1 ? texts.youToMoveAs : texts.playerToMove;
		return is(text(colour, player));
	}
	const isMany = view.players.length > 2;
	const computer = computerOf(view, colour);
	if (computer?.error) return is(texts.computerStuck);
	if (computer) {
		return is(isMany ? texts.oneComputerThinks(colour) : texts.computerThinks, true);
	}
	if (!mine.length) return is(texts.playerToMove(colour, player));
	return is(isMany ? texts.waitingForOne(player, colour) : texts.waitingFor(player));
}

/** @param {ViewedGame} table */
function tableText({ players, freed }) {
	if (freed) return texts.tableClosed;
	const there = players.filter(({ joined }) => joined).length;
	return texts.tableWaits(there, players.length);
}

/** The small line under the status. @param {Shown} state */
export function note(state) {
	const { view, at, picked } = state;
	if (at !== null || !isGame(view)) return '';
	if (picked) return picked.prompt;
	// What a game by signed terms waits for stands beside the board.
	if (view.byTerms?.waits) return '';
	if (!view.started) {
		return view.named ? texts.seatsNamed : texts.seatsFree;
	}
	const playing = { ...state, view };
	return view.over ? noteAfterEnd(playing) : noteInGame(playing);
}

/** @param {Playing} state */
function noteInGame(state) {
	const { view } = state;
	const mine = seats(state);
	const mover = view.to_move;
	const offer = view.series?.drawOffer;
	if (state.premove !== null) return texts.premove(state.premove + 1);
	if (state.tapped !== null) return texts.tapAgain(state.tapped + 1);
	const error = mover && computerOf(view, mover)?.error;
	if (error) return capital(error);
	if (offer) {
		return mine.length === 1 && mine[0] === offer
			? texts.youOfferDraw(who(state, other(offer)))
			: texts.offersDraw(whoFirst(state, offer));
	}
	const gone = view.players.filter(({ out }) => out).map(({ colour }) => colour);
	if (gone.length) return texts.haveLeft(gone);
	// What keeps a player from playing stands beside the board.
	if (!mine.length) return view.byTerms?.note ? '' : texts.youWatch;
	if (view.targets.swap && mover && mine.includes(mover)) {
		return texts.dropOrSwap;
	}
	return view.turns < view.players.length && mover && mine.includes(mover)
		? texts.howToDrop(Math.min(9, view.terms.shape.bins))
		: '';
}

/** @param {Playing} state */
function noteAfterEnd(state) {
	const { series, freed, winner } = state.view;
	const mine = seats(state);
	const offer = series?.rematchOffer;
	if (offer && series.next === null && mine.length) {
		return mine.length === 1 && mine[0] === offer
			? texts.youWantAnother(who(state, other(offer)))
			: texts.wantsAnother(whoFirst(state, offer));
	}
	if (freed) return texts.freed;
	if (mine.length !== 1 || !winner) return '';
	return mine[0] === winner ? texts.youWon : texts.youLost;
}

/** The title of the document. @param {string} [text] the status of what is shown */
export const title = (text) => (text ? texts.titleOf(text) : texts.title);
