// The moves of a game of two by the bins that were signed.

/** @import { ViewedGame } from './types.d.ts' */

/** The bin that stands for a swap. */
export const SWAP = 255;

/**
 * The moves of a game, in the colours of the board.
 * @param {number[]} bins of the moves; of a swap none that a board has
 * @returns {ViewedGame['moves']}
 */
export function movesOf(bins) {
	const swapped = bins.includes(SWAP);
	return bins.map((bin, turn) => {
		const isSwap = bin === SWAP;
		const isTurned = swapped && !isSwap && turn > 0;
		const player = (turn + Number(isTurned)) % 2 ? 'blue' : 'red';
		if (isSwap) return { kind: 'swap', player, transaction: null };
		const row = bins.slice(0, turn).filter((before) => before === bin).length;
		return { kind: 'drop', player, bin, row, transaction: null };
	});
}
