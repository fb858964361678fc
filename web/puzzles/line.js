// Positions of the standard board, by the computer of this page.

import { think } from '../computer/mind.js';
import { classic, STANDARD } from '../state/classic.js';
import { discsAt } from '../state/position.js';

/** @import { Board } from '../state/types.d.ts'
 * @import { Line as ViewedLine } from '../wire.d.ts' */

/** The board of all puzzles. */
export const SHAPE = STANDARD;
const TERMS = classic(SHAPE);
/** Most moves that show what a wrong drop leads to. */
const MOST_SHOWN = 7;

/** The position after these moves. @param {string} moves @returns {Promise<ViewedLine>} */
export const lineOf = (moves) => think({ line: { terms: TERMS, moves } });

/** The best reply; null if the game is over. @param {string} moves @returns {Promise<number | null>} */
export async function replyTo(moves) {
	const chosen = await think({ choose: { terms: TERMS, moves, level: 'perfect', seed: 0 } });
	return chosen?.kind === 'drop' ? chosen.bin : null;
}

/**
 * How a game continues under perfect play, if it is won soon; else the first move.
 * @param {string} moves
 */
export async function wrongLine(moves) {
	/** @type {number[]} */
	const line = [];
	let to = moves;
	while (line.length < MOST_SHOWN) {
		const bin = await replyTo(to);
		if (bin === null) break;
		line.push(bin);
		to += String(bin + 1);
	}
	const { winner } = await lineOf(to);
	return winner ? line : line.slice(0, 1);
}

/**
 * The board as it is drawn.
 * @param {ViewedLine} line @param {number | null} aim @param {boolean} may whether a disc may be dropped
 * @returns {Board}
 */
export function boardOf(line, aim, may) {
	const newest = line.moves.at(-1);
	const isLast = (/** @type {{ bin: number, row: number }} */ { bin, row }) =>
		newest?.kind === 'drop' && newest.bin === bin && newest.row === row;
	const player = line.to_move;
	return {
		game: null,
		shape: line.terms.shape,
		discs: discsAt(/** @type {any} */ (line), null).map((disc) => ({
			...disc,
			winning: line.winning_cells.some(({ bin, row }) => bin === disc.bin && row === disc.row),
			last: !line.winning_cells.length && isLast(disc),
		})),
		turns: line.turns,
		at: 'live',
		ghost:
			may && player && aim !== null
				? {
						bin: aim,
						player,
						pulsing: false,
						refused: Boolean(line.refusals.drop[aim]),
						waits: false,
					}
				: null,
		may: may && player !== null,
		targets: new Map(),
		leaving: null,
	};
}
