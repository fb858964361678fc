// A game by signed terms that is on the chain, as the index of a host has it, for the page.

import { texts } from '../words/recorded.js';
import { NO_SCORE, viewOf } from './by-terms.js';
import { ON_NO_CHAIN } from './by-terms-chain.js';
import { discsOf } from './text.js';

/** @import { Played, TermsState } from '../ask.d.ts' */
/** @import { KnownRecord, TermsShown } from './types.d.ts'
 * @import { Colour, IndexedGame, IndexLag } from '../wire.d.ts' */

/** Ends by the words of the index. @type {Record<string, Played['end']>} */
const ENDS = {
	'by a line': 'line',
	'on a full board': 'full board',
	'by resignation': 'resignation',
	'by agreement': 'agreement',
	'on time': 'timeout',
	aborted: 'abort',
};

/**
 * Whether the chain has a game as it stands here: another record of it, such as that of an earlier position, is not this
 * end.
 * @param {IndexedGame} found @param {Pick<TermsState, 'notation' | 'position'>} state
 */
export function isAsHere({ moves, how, winner }, { notation, position }) {
	if (how === null || moves !== notation || ENDS[how] !== position.end) return false;
	const colour = winner === null ? null : colourOf(winner, position.swapped);
	return colour === position.winner;
}

/**
 * What is known of the record of a game after a look into the index. A record goes with its block if that is replaced.
 * @param {KnownRecord} before
 * @param {{ game: IndexedGame | null, index: IndexLag }} said
 * @param {Pick<TermsState, 'notation' | 'position' | 'record'>} state
 * @returns {KnownRecord}
 */
export function recordAfter(before, { game, index }, state) {
	const { recorded, block, lost } = before;
	const file = state.record?.file ?? null;
	if (game && isAsHere(game, state)) {
		const isKnown = recorded === file;
		return { recorded: file, block: isKnown ? block : (index.block ?? 0), lost: null };
	}
	// An index that has not got the block yet says nothing of it.
	const isThere = index.behind === 0 && index.block !== null && index.block >= block;
	const isWhole = !index.trouble && !index.missing.length;
	const isLost = isThere && isWhole && file !== null && recorded === file;
	if (!isLost) return { recorded, block, lost };
	return { recorded: null, block: 0, lost: game ? 'other' : 'replaced' };
}

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
	const { bins, notation: _, ...position } = played;
	const { moves, signed, players, how, winner } = found;
	const swapped = moves[1] === 's';
	const all = [...moves].map((character) =>
		character === 's' ? 255 : Number.parseInt(character, 36) - 1,
	);
	/** @param {number} seat */
	const player = (seat) => ({
		account: players[seat]?.address ?? '',
		key: '',
		guest: false,
		program: signed?.programs[seat] ?? false,
	});
	const over = how !== null;
	/** @type {TermsShown} */
	const nobody = {
		state: null,
		role: 'watcher',
		relay: null,
		opponent: null,
		watchers: 0,
		trouble: '',
		next: null,
	};
	const state = {
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
		moves: all,
		notation: moves,
		player: null,
		players: { red: player(0), blue: player(1) },
		pie_rule: signed?.pie_rule ?? false,
		pool: signed?.pool ?? 0,
		clock: found.clock,
		time: found.started ?? 0,
		draw_offer: null,
		rematch_offer: null,
		signed: all.length,
		on_chain: all.length,
		settled: true,
		contest: null,
		deadline: null,
		evidence: '0x',
		agreed: over,
		dispute: null,
		record: null,
	};
	const onChain = {
		...ON_NO_CHAIN,
		dispute: signed?.dispute ?? null,
		found: over ? texts.chainHasGame(how) : texts.chainHasPart,
	};
	const series = { score: NO_SCORE, previous: null };
	return viewOf(found.game, { ...nobody, state }, series, onChain);
}
