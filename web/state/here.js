// Games that are played in this page alone, on no chain: against the computer, or two people at one screen.

import { texts } from '../words/page.js';
import { COLOURS } from './seats.js';

/** @import { HereGame, HereGames, KeptEarlier, KeptSigned, StartHere, ViewedGame } from './types.d.ts'
 * @import { Colour, GameId, Level, Line as ViewedLine } from '../wire.d.ts' */

/** In the browser's storage: the games of this page. */
export const GAMES = 'here';

/** In the browser's storage: the games by signed terms that were begun in this browser. */
export const SIGNED = 'signed';

/** In the browser's storage: the games by terms that pages of version 0.2 have kept, which no page plays any more. */
export const EARLIER = 'by-terms';

/** How well computers play, where no program has said it. @type {Level[]} */
export const LEVELS = ['random', 'easy', 'medium', 'hard', 'perfect'];

/**
 * A new game.
 * @param {StartHere} asked @param {number} seed from which the computer's choices follow
 * @returns {HereGame}
 */
export const begun = ({ terms, seats }, seed) => ({
	terms,
	seats,
	seed,
	moves: '',
	turns: 0,
	over: false,
	gaveUp: null,
	score: { red: 0, blue: 0, draws: 0 },
	previous: null,
	next: null,
});

/** The score once a game has ended. @param {HereGame['score']} score @param {Colour | null} winner */
function scored(score, winner) {
	if (winner !== 'red' && winner !== 'blue') return { ...score, draws: score.draws + 1 };
	return { ...score, [winner]: score[winner] + 1 };
}

/** Nobody's contract, as the game is on no chain. */
const NOWHERE = `0x${'0'.repeat(40)}`;

/**
 * The game as the page shows every game.
 * @param {GameId} id @param {HereGame} game @param {ViewedLine} line of its moves
 * @returns {ViewedGame}
 */
export function viewOf(id, game, line) {
	const { seats, score, gaveUp, previous, next } = game;
	const isOfTwo = line.terms.players === 2;
	const winner = gaveUp && isOfTwo ? (gaveUp === 'red' ? 'blue' : 'red') : line.winner;
	const end = /** @type {const} */ ('resignation');
	const over = /** @type {ViewedGame['refusals']} */ ({
		drop: line.refusals.drop.map(() => texts.gameEnded),
	});
	const given = gaveUp
		? { over: true, end, winner, to_move: null, winning_cells: [], refusals: over }
		: {};
	return {
		...line,
		...given,
		game: id,
		contract: NOWHERE,
		players: line.players.map((player) => {
			const level = seats[seatOf(line.swapped, player.colour)] ?? null;
			return { ...player, joined: true, computer: level && { level, error: null } };
		}),
		started: true,
		named: true,
		payer: null,
		deadline: null,
		departures: [],
		freed: false,
		last_block: null,
		series: {
			drawOffer: null,
			rematchOffer: null,
			previous,
			next,
			score: isOfTwo && (line.over || gaveUp) ? scored(score, winner) : score,
		},
	};
}

/** The seat that plays a colour, from 0 in the order of play. @param {boolean} swapped @param {Colour} colour */
export function seatOf(swapped, colour) {
	const seat = COLOURS.indexOf(colour);
	return swapped && seat < 2 ? 1 - seat : seat;
}

/**
 * The next game of a series: of two the loser begins, of more the same seats play again.
 * @param {GameId} id of the one that has ended @param {HereGame} game @param {ViewedGame} view @param {number} seed
 * @returns {HereGame}
 */
export function nextOf(id, game, view, seed) {
	const score = view.series?.score ?? game.score;
	const isTurned = view.terms.players === 2 && (view.winner ? view.winner === 'red' : true);
	// By the colours of the end, after a swap.
	const seats = game.seats.map(
		(_, index) => game.seats[seatOf(view.swapped, COLOURS[index] ?? 'red')] ?? null,
	);
	return {
		...begun({ terms: game.terms, seats: isTurned ? seats.toReversed() : seats }, seed),
		score: isTurned ? { ...score, red: score.blue, blue: score.red } : score,
		previous: id,
	};
}

/** Games that are listed, at most. */
const MOST_LISTED = 3;

/**
 * The newest games of this page that go on, each with who plays and how far it is, in words.
 * @param {HereGames} kept
 * @returns {{ game: GameId, text: string }[]}
 */
export const goingOn = ({ games }) =>
	Object.entries(games)
		.filter(([, { over, turns }]) => !over && turns > 0)
		.toReversed()
		.slice(0, MOST_LISTED)
		.map(([game, { seats, turns }]) => {
			const levels = seats.filter(Boolean);
			const text = levels.length
				? texts.continueAgainst(levels.join(', '), turns)
				: texts.continueAtScreen(turns);
			return { game, text };
		});

/**
 * The newest games by terms of this browser that go on, in words.
 * @param {Record<GameId, KeptSigned>} games
 * @returns {{ game: GameId, text: string }[]}
 */
export const openByTerms = (games) =>
	Object.entries(games)
		.filter(([, { over }]) => !over)
		.toReversed()
		.slice(0, MOST_LISTED)
		.map(([game, { turns, opponent }]) => ({
			game,
			text: texts.continueAgainst(opponent, turns),
		}));

/**
 * The games that pages of version 0.2 had not ended, in words, but for those that were saved.
 * @param {Record<GameId, KeptEarlier>} games
 */
export const openEarlier = (games) =>
	Object.entries(games)
		// Of one in which nobody has moved nothing was kept.
		.filter(([, of]) => of && !of.over && !of.saved && of.turns > 0)
		.map(([game, { turns, opponent }]) => ({ game, text: texts.saveEarlier(opponent, turns) }));

/** The level of the computer that is to move; null if a person is. @param {ViewedGame} view @returns {Level | null} */
export function levelToMove({ players, to_move: mover }) {
	return players.find(({ colour }) => colour === mover)?.computer?.level ?? null;
}
