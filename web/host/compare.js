// Compares a game as the host shows it with the same game as a node has it.

import { ask } from './wasm.js';

/** @import { ChainGame } from '../ask.d.ts' */
/** @import { ViewedGame } from '../state/types.d.ts'
 * @import { Shape } from '../wire.d.ts' */

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
