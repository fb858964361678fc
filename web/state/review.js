// The review of a game.

import { texts } from '../words/review.js';
import { COLOURS, isVariant, seats } from './seats.js';
import { discsOf } from './text.js';

/** @import { Shown } from './types.d.ts'
 * @import { Colour, Reviewed } from '../wire.d.ts' */

/** What a move was worth, and what would have been better. @param {Reviewed} move */
export function reviewText({ made_words: made, best_words: best, mark, best_bins: bins, spent }) {
	const numbers = bins.map((bin) => bin + 1);
	const worth = mark && bins.length ? texts.better(made, numbers, best) : made;
	return spent === null ? worth : texts.after(worth, spent / 1000);
}

/** @type {[string, (count: number) => string][]} */
const MARKS = [
	['??', texts.blunders],
	['?', texts.inaccuracies],
];

/**
 * How far the review is, then the faults of each player.
 * @param {Shown} state
 * @returns {{ progress: string, lines: { colour: Colour, text: string }[] } | null}
 */
export function reviewSummary({ review, view }) {
	if (!review) return null;
	const moves = Object.values(review.moves);
	if (review.running)
		return { progress: texts.progress(moves.length, view.moves.length), lines: [] };
	if (review.error) return { progress: '', lines: [] };
	const lines = COLOURS.slice(0, 2).map((colour) => {
		const faults = MARKS.flatMap(([sign, text]) => {
			const made = moves.filter(({ player, mark }) => player === colour && mark === sign).length;
			return made ? [text(made)] : [];
		});
		return { colour, text: texts.faultsOf(colour, faults) };
	});
	return { progress: '', lines };
}

/**
 * Where the positions are played again in which a win or a draw was given away, by the one player here or by
 * either; null if there are none, or nobody knows.
 * @param {Shown} state
 */
export function practicePath(state) {
	const { review, view } = state;
	const { bins, capacity, line } = view.terms.shape;
	const isStandard = bins === 7 && capacity === 6 && line === 4 && !isVariant(view);
	if (!review || review.running || review.error || !isStandard) return null;
	const [colour, ...others] = seats(state);
	const player = colour && !others.length ? colour : null;
	const isFault = (/** @type {Reviewed} */ move) =>
		move.mark === '??' && (!player || move.player === player);
	if (!Object.values(review.moves).some(isFault)) return null;
	const query = new URLSearchParams({
		game: discsOf(view.notation),
		...(player ? { colour: player } : {}),
	});
	return `/puzzles?${query}`;
}
