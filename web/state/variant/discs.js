// The discs of a variant at any position, made of what each move did to them, as the program told.

/** @import { Cell, VariantView } from '../types.d.ts' */
/** @import { Placed, ViewedMove } from './types.d.ts' */

/** @param {Cell} a */
const is = (a) => (/** @type {Cell} */ b) => a.bin === b.bin && a.row === b.row;

/**
 * The discs after so many moves.
 * @param {VariantView} view @param {number | null} at null for the newest position
 */
export function discsAt(view, at) {
	if (at === null && view.moves.length !== view.turns) return fromBoard(view);
	/** @type {Placed[]} */
	const none = [];
	return view.moves.slice(0, at ?? view.turns).reduce(after, none);
}

/**
 * The discs after one more move.
 * @param {Placed[]} discs @param {Pick<ViewedMove, 'change'>} move @param {number} turn from 0
 * @returns {Placed[]}
 */
export function after(discs, { change }, turn) {
	const stay = discs.filter((disc) => !change.removed.some(is(disc)));
	const moved = stay.map((disc) => {
		const fall = change.fallen.find(({ from }) => is(disc)(from));
		return fall ? { ...disc, ...fall.to } : disc;
	});
	const added = change.added.map(({ colour, bin, row }) => ({
		key: String(turn),
		bin,
		row,
		player: colour,
	}));
	return [...moved, ...added];
}

/**
 * The discs of the newest position, whose moves are not known: each is told by its cell.
 * @param {VariantView} view
 * @returns {Placed[]}
 */
function fromBoard({ board }) {
	return board.flatMap((column, bin) =>
		column.flatMap((player, row) => (player ? [{ key: `${bin} ${row}`, bin, row, player }] : [])),
	);
}
