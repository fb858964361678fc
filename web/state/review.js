// The review of a game.

import { COLOURS } from './seats.js';

/** @param {object} move what the review said of it @returns {string} */
export function reviewText({ made, mark, best, best_bins: bins }) {
  if (!mark || !bins.length) return made;
  return `${made}; best: bin${bins.length > 1 ? 's' : ''} ${bins.map((bin) => bin + 1).join(', ')} (${best})`;
}

/** @param {object} state @returns {{progress: string, lines: {colour: string, text: string}[]}|null} */
export function reviewSummary({ review, view }) {
  if (!review) return null;
  const moves = Object.values(review.moves);
  if (review.running) return { progress: `${moves.length} of ${view.moves.length}`, lines: [] };
  const lines = review.error
    ? []
    : COLOURS.map((colour) => {
        const parts = [
          ['??', 'blunder', 'blunders'],
          ['?', 'inaccuracy', 'inaccuracies'],
        ].map(([sign, one, many]) => {
          const count = moves.filter(
            ({ player, mark }) => player === colour && mark === sign,
          ).length;
          return count && `${count} ${count === 1 ? one : many}`;
        });
        return { colour, text: `${colour}: ${parts.filter(Boolean).join(', ') || 'no mistakes'}` };
      });
  return { progress: '', lines };
}
