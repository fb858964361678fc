// The position of a variant that is shown, as it is to be drawn.

import { mayMove, targetCells } from './choice.js';
import { discsAt } from './discs.js';

/** @import { Board, Cell, Ghost } from '../types.d.ts' */
/** @import { Powers, ShownVariant, VariantColour, ViewedMove } from './types.d.ts' */

/** The board as it is to be drawn. @param {ShownVariant} state @returns {Board} */
export function board(state) {
	const { variant: view, at } = state;
	const turns = at ?? view.turns;
	const last = view.moves[turns - 1];
	const winning = at === null ? view.winning_cells : [];
	const placed = winning.length ? undefined : last?.change.added[0];
	/** @param {Cell | undefined} a @param {Cell} b */
	const is = (a, b) => a !== undefined && a.bin === b.bin && a.row === b.row;
	return {
		game: view.game,
		shape: view.terms.shape,
		discs: discsAt(view, at).map((disc) => ({
			...disc,
			winning: winning.some((cell) => is(cell, disc)),
			last: is(placed, disc),
		})),
		turns,
		at: at ?? 'live',
		ghost: ghost(state),
		may: mayMove(state),
		targets: targetCells(state),
		leaving: leaving(last),
	};
}

/** @param {ViewedMove | undefined} move */
const leaving = (move) =>
	move && (move.kind === 'pop' || move.kind === 'take' || move.kind === 'clear') ? move.kind : null;

/** @param {ShownVariant} state @returns {Ghost | null} */
function ghost(state) {
	const { variant: view, at, pending, picked, aim } = state;
	const player = view.to_move;
	if (!player || at !== null) return null;
	const sent = pending?.move;
	if (sent?.kind === 'drop') return { bin: sent.bin, player, pulsing: true, refused: false };
	if (picked || aim === null || !mayMove(state)) return null;
	return { bin: aim, player, pulsing: false, refused: view.targets.drop[aim] == null };
}

/**
 * The powers that each player has left at the position shown.
 * @param {ShownVariant} state
 * @returns {{ colour: VariantColour, powers: Powers }[]}
 */
export function powersLeft({ variant: view, at }) {
	return view.players.map(({ colour, powers }, place) => {
		if (at === null) return { colour, powers };
		return { colour, powers: view.moves[at - 1]?.powers[place] ?? view.terms.powers };
	});
}

/**
 * Where walking begins: at the first target of what is picked, or in the middle bin, on top of its
 * discs.
 * @param {ShownVariant} state
 * @returns {Cell}
 */
export function entrance(state) {
	const [target] = targetCells(state).keys();
	if (target) {
		const [bin = 0, row = 0] = target.split(' ').map(Number);
		return { bin, row };
	}
	const { bins, capacity } = state.variant.terms.shape;
	const bin = Math.floor(bins / 2);
	const rows = discsAt(state.variant, state.at)
		.filter((disc) => disc.bin === bin)
		.map(({ row }) => row + 1);
	return { bin, row: Math.min(Math.max(0, ...rows), capacity - 1) };
}
