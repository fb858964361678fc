// The position shown, as it is to be drawn.

import { mayMove } from './drop.js';

/** @import { Board, Cell, Disc, Ghost, Shown } from './types.d.ts' */

/**
 * The position shown, in moves from the start.
 * @param {{ view: { moves: unknown[] }, at: number | null }} state
 */
export const shownAt = ({ view, at }) => at ?? view.moves.length;

/** The board as it is to be drawn. @param {Shown} state @returns {Board} */
export function board(state) {
	const { view, at } = state;
	const { game, shape } = view;
	const turns = at ?? view.turns;
	return {
		game,
		shape,
		discs: discs(state, turns),
		turns,
		at: at ?? 'live',
		ghost: ghost(state),
		may: mayMove(state),
	};
}

/**
 * The discs, in the order in which they fell: new ones fall one after the other.
 * @param {Shown} state @param {number} turns
 * @returns {Disc[]}
 */
function discs({ view, at }, turns) {
	/** @param {Cell} a */
	const is = (a) => (/** @type {Cell} */ b) => a.bin === b.bin && a.row === b.row;
	const winning = at === null ? view.winning_cells : [];
	const last = winning.length ? undefined : view.moves[turns - 1];
	// The newest position is drawn from the board, since the moves may be missing.
	const cells =
		at === null
			? view.board.flatMap((column, bin) => column.map((player, row) => ({ bin, row, player })))
			: view.moves.slice(0, at);
	const turnOf = (/** @type {Cell} */ cell) => view.moves.findIndex(is(cell));
	return cells
		.map(({ bin, row, player }) => {
			const here = is({ bin, row });
			return {
				key: `${bin} ${row}`,
				bin,
				row,
				player,
				winning: winning.some(here),
				last: last !== undefined && here(last),
			};
		})
		.sort((a, b) => turnOf(a) - turnOf(b));
}

/** @param {Shown} state @returns {Ghost | null} */
function ghost(state) {
	const { view, at, pending, aim } = state;
	const player = view.to_move;
	if (!player) return null;
	if (pending?.what === 'drop' && pending.bin !== null && at === null) {
		return { bin: pending.bin, player, pulsing: true, refused: false };
	}
	if (!mayMove(state) || aim === null) return null;
	return { bin: aim, player, pulsing: false, refused: Boolean(view.refusals[aim]) };
}
