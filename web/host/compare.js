// Compares a game as the host shows it with the same game as a node has it.

import { ask } from './wasm.js';

/** @import { ChainGame, ChainMatch } from '../ask.d.ts' */
/** @import { ViewedGame } from '../state/types.d.ts'
 * @import { Clock, Colour, Shape } from '../wire.d.ts' */

/**
 * How what is shown compares with what a node has: `same`; `behind` if the node has the same game up to an
 * earlier move or before its end, `ahead` if it has more moves or the end, `other` if it has another game.
 * @typedef {'same' | 'behind' | 'ahead' | 'other'} Compared
 */

/** @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * @param {ViewedGame} shown @param {ChainGame} found by the node
 * @returns {Promise<Compared>}
 */
export async function compare(shown, found) {
	if (
		!same(
			shown.players.map(({ account }) => account),
			found.players,
		)
	)
		return 'other';
	if (!isShape(shown.terms.shape, found.terms.shape)) return 'other';
	if (found.turns > shown.turns) return 'ahead';
	if (found.turns < shown.turns) {
		// Without its moves nothing can be said of an earlier position.
		if (shown.moves_missing) return 'behind';
		const moves = binsOf({ moves: shown.moves.slice(0, found.turns) });
		const { board } = await ask({ position: { shape: shown.terms.shape, moves } });
		return same(board, found.board) ? 'behind' : 'other';
	}
	if (!same(shown.board, found.board) || shown.swapped) return 'other';
	if (shown.over !== found.over) return found.over ? 'ahead' : 'behind';
	return shown.winner === found.winner ? 'same' : 'other';
}

/**
 * The bins of the moves that are shown; another move than a drop has none that there is.
 * @param {Pick<ViewedGame, 'moves'>} shown
 */
export const binsOf = ({ moves }) => moves.map((move) => (move.kind === 'drop' ? move.bin : -1));

/** @param {Shape} one @param {Shape} other */
const isShape = (one, other) =>
	one.bins === other.bins && one.capacity === other.capacity && one.line === other.line;

/**
 * What of the terms and offers that are shown the chain has otherwise, for the player; empty if nothing. The
 * position has to be the same.
 * @param {ViewedGame} shown @param {ChainGame} game @param {ChainMatch} match
 * @param {bigint} ratio units of contracts in the token's smallest unit
 */
export function differingTerms(shown, game, match, ratio) {
	if (!shown.match) return 'stake';
	const { stake, rematch_offer: rematch, draw_offer: draw } = shown.match;
	// What is less than the token's smallest unit is not shown.
	if (BigInt(stake) !== BigInt(match.stake) / ratio) return 'stake';
	if (!isClock(shown.match.clock, match.clock)) return 'clock';
	const runs = !shown.over && shown.clock;
	if (runs && (shown.deadline !== game.deadline || runs.waiting !== game.clock?.waiting)) {
		return 'clock';
	}
	if (rematch !== match.rematch) return 'offer of another game';
	const isOffered = draw === match.draw?.by && turnsOf(game, draw) === match.draw?.turns;
	return draw && !isOffered ? 'offer of a draw' : '';
}

/** @param {Clock | null} one @param {Clock | null} other */
const isClock = (one, other) => one?.bank === other?.bank && one?.increment === other?.increment;

/** How many turns the opponent of a player has taken. @param {ChainGame} game @param {Colour | null} player */
const turnsOf = ({ turns }, player) => Math.floor((player === 'red' ? turns : turns + 1) / 2);
