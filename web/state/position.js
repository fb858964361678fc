// The position shown, as it is to be drawn.

import { mayMove } from './plan.js';
import { seats } from './seats.js';

/** @import { Board, Ghost, Placed, Shown, View } from './types.d.ts'
 * @import { Cell, Move } from '../wire.d.ts' */

/**
 * The position shown, in moves from the start.
 * @param {{ view: { moves: unknown[] }, at: number | null }} state
 */
export const shownAt = ({ view, at }) => at ?? view.moves.length;

/** @param {Cell | null} a */
const is = (a) => (/** @type {Cell} */ b) => a?.bin === b.bin && a.row === b.row;

/** The board as it is to be drawn. @param {Shown} state @returns {Board} */
export function board(state) {
	const { view, at } = state;
	const turns = at ?? view.turns;
	const last = view.moves[turns - 1];
	const winning = at === null ? view.winning_cells : [];
	const newest = is(winning.length || !last ? null : addedBy(last));
	return {
		game: view.game,
		shape: view.terms.shape,
		discs: discsAt(view, at).map((disc) => ({
			...disc,
			winning: winning.some(is(disc)),
			last: newest(disc),
		})),
		turns,
		at: at ?? 'live',
		ghost: ghost(state),
		may: mayMove(state),
		targets: targetCells(state),
		leaving: last?.removed ? last.kind : null,
	};
}

/**
 * Whether two moves are the same one, wherever each was told or signed.
 * @param {Move | undefined} one @param {Move | undefined} other
 */
export const isSameMove = (one, other) =>
	Boolean(one && other) && moveAsText(one) === moveAsText(other);

/** A move without where it is on the chain and what came of it. @param {Move} [move] */
const moveAsText = (move) =>
	move && String([move.kind, move.player, 'bin' in move && move.bin, 'row' in move && move.row]);

/** Where a move puts a disc; null if it puts none. @param {Move} move @returns {Cell | null} */
const addedBy = (move) => (move.kind === 'drop' || move.kind === 'float' ? move : null);

/**
 * The discs after so many moves, the newest last.
 * @param {View} view @param {number | null} at null for the newest position
 */
export function discsAt(view, at) {
	// The moves may be missing.
	if (at === null && view.moves.length !== view.turns) return fromBoard(view);
	/** @type {Placed[]} */
	const none = [];
	return view.moves.slice(0, at ?? view.turns).reduce(after, none);
}

/**
 * The discs after one more move.
 * @param {Placed[]} discs @param {Move} move @param {number} turn from 0
 * @returns {Placed[]}
 */
function after(discs, move, turn) {
	const { removed = [], fallen = [], player } = move;
	const rest = removed.length ? discs.filter((disc) => !removed.some(is(disc))) : discs;
	const moved = fallen.length
		? rest.map((disc) => (fallen.some(is(disc)) ? { ...disc, row: disc.row - 1 } : disc))
		: rest;
	const added = addedBy(move);
	if (!added) return moved;
	const { bin, row } = added;
	// Another move in the place of one that was undone has another disc.
	return [...moved, { key: `${turn} ${bin} ${row}`, bin, row, player }];
}

/**
 * The discs of the newest position, whose moves are not known: each is told by its cell.
 * @param {View} view
 * @returns {Placed[]}
 */
const fromBoard = ({ board }) =>
	board.flatMap((column, bin) =>
		column.flatMap((player, row) => (player ? [{ key: `${bin} ${row}`, bin, row, player }] : [])),
	);

/** @param {Shown} state @returns {Ghost | null} */
function ghost(state) {
	const { view, at, pending, picked, premove, tapped, aim } = state;
	const player = view.to_move;
	if (!player || at !== null) return null;
	const still = { pulsing: false, refused: false, waits: false };
	if (pending?.move?.kind === 'drop') {
		return { ...still, bin: pending.move.bin, player, pulsing: true };
	}
	const [own] = seats(state);
	if (premove !== null && own) return { ...still, bin: premove, player: own, waits: true };
	if (picked || !mayMove(state)) return null;
	if (tapped !== null) return { ...still, bin: tapped, player, waits: true };
	if (aim === null) return null;
	return { ...still, bin: aim, player, refused: Boolean(view.refusals.drop[aim]) };
}

/**
 * The cells that are targets of what is picked, as in `3 0`, each with what is done there, in words.
 * @param {Shown} state
 * @returns {Map<string, string>}
 */
export const targetCells = (state) =>
	new Map(
		mayMove(state)
			? state.picked?.targets.map(({ bin, row }) => [`${bin} ${row}`, state.picked?.does ?? ''])
			: [],
	);

/**
 * Where walking begins: at the first target of what is picked, or in the middle bin, on top of its discs.
 * @param {Shown} state
 * @returns {Cell}
 */
export function entrance(state) {
	const [target] = (mayMove(state) && state.picked?.targets) || [];
	if (target) return target;
	const { bins, capacity } = state.view.terms.shape;
	const bin = Math.floor(bins / 2);
	const tops = discsAt(state.view, state.at).map((disc) => (disc.bin === bin ? disc.row + 1 : 0));
	return { bin, row: Math.min(Math.max(0, ...tops), capacity - 1) };
}
