// A game by signed terms that is on the chain, as the index of a host has it, for the page.

import { texts } from '../words/recorded.js';
import { NO_SCORE, viewOf } from './by-terms.js';
import { movesOf, SWAP } from './moves-of.js';
import { discsOf } from './text.js';

/** @import { Played, PlayedBoard, WatchedGame } from '../ask.d.ts' */
/** @import { TableSeen } from './types.d.ts'
 * @import { Colour, IndexedGame } from '../wire.d.ts' */

/** Ends by the words of the index. @type {Record<string, Played['end']>} */
const ENDS = {
	'by a line': 'line',
	'on a full board': 'full board',
	'by resignation': 'resignation',
	'by agreement': 'agreement',
	'on time': 'timeout',
	aborted: 'abort',
};

/** The colour of a seat on the board. @param {number} seat @param {boolean} swapped @returns {Colour} */
const colourOf = (seat, swapped) => ((seat === 0) !== swapped ? 'red' : 'blue');

/** The bins of moves as text, from 0; without a swap, which changes no disc. @param {string} moves */
export const binsOf = (moves) =>
	[...discsOf(moves)].map((character) => Number.parseInt(character, 36) - 1);

/**
 * The game as the page shows every game.
 * @param {IndexedGame} found @param {Played} played its position, by its {@link binsOf}
 */
export function recordedView(found, played) {
	const { targets, refusals: _, moves: __, players: ___, notation: ____, ...position } = played;
	const bins = targets.drop.flatMap((row, bin) => (row === null ? [] : [bin]));
	const { moves, signed, players, how, winner } = found;
	const swapped = moves[1] === 's';
	const all = [...moves].map((character) =>
		character === 's' ? SWAP : Number.parseInt(character, 36) - 1,
	);
	/** @param {number} seat @returns {PlayedBoard['seats'][number]} */
	const seatOf = (seat) => ({
		colour: colourOf(seat, swapped),
		player: {
			account: players[seat]?.address ?? '',
			key: '',
			guest: false,
			program: signed?.programs[seat] ?? false,
		},
		left: null,
	});
	const seats = [seatOf(0), seatOf(1)];
	const over = how !== null;
	const rules = {
		pie_rule: signed?.pie_rule ?? false,
		pool: signed?.pool ?? 0,
		clock: found.clock,
	};
	const terms = /** @type {WatchedGame['terms']} */ ({ rules });
	const game = {
		position: {
			...position,
			swapped,
			turns: all.length,
			over,
			end: over ? (ENDS[how] ?? position.end) : null,
			winner: winner === null ? null : colourOf(winner, swapped),
			to_move: over ? null : position.to_move,
		},
		bins,
		may_swap: false,
		moves: /** @type {PlayedBoard['moves']} */ (
			movesOf(all).map(({ transaction: __, ...move }) => move)
		),
		notation: moves,
		spent: [],
		seats: swapped ? seats.reverse() : seats,
		you: null,
		draw_offer: null,
	};
	const seen = { terms, game, until: null, is_over: over, is_contradicted: false };
	const view = viewOf(found.game, seen, BY_NOBODY);
	return {
		...view,
		byTerms: { ...view.byTerms, found: over ? texts.chainHasGame(how) : texts.chainHasPart },
	};
}

/** Nobody plays it here. @type {TableSeen} */
const BY_NOBODY = {
	role: 'watcher',
	stage: 'over',
	relay: null,
	opponent: null,
	watchers: 0,
	note: '',
	ahead: 0,
	taken: null,
	series: { score: NO_SCORE, previous: null },
	next: null,
	rematch: null,
	stake: null,
};
