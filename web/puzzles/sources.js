// Where positions come from: the file of the puzzles, the games of this page, and those of an account.

import { think } from '../computer/mind.js';
import { loaded } from '../late.js';
import { GAMES } from '../state/here.js';
import { givenAway, nothing, ofEdition, read, SOLVED } from '../state/puzzles.js';
import { hasRules } from '../state/seats.js';
import { recall } from '../storage.js';
import { get } from '../transport.js';
import { texts } from '../words/puzzles.js';
import { SHAPE } from './line.js';

/** @import { HereGames, Puzzle, PuzzlesSolved, PuzzleTask } from '../state/types.d.ts'
 * @import { GamesPage, Shape } from '../wire.d.ts' */

/** Most games of an account that are looked at, the newest first. */
const MOST_GAMES = 20;

/** A game, and whose moves are looked at; null for both. @typedef {{ moves: string, colours: string | null, name: string }} Played */

/** @type {Promise<string> | null} */
let loading = null;

/** The file, once. */
function load() {
	const url = new URL('./puzzles.txt', import.meta.url);
	loading ??= loaded(url).then((answer) => answer.text());
	loading.catch(() => {
		// The next look tries again.
		loading = null;
	});
	return loading;
}

/** The puzzles, and which were solved. @returns {Promise<{ edition: string, puzzles: Puzzle[], solved: PuzzlesSolved }>} */
export async function contents() {
	const { edition, puzzles } = read(await load());
	return { edition, puzzles, solved: ofEdition(recall(SOLVED, nothing), edition) };
}

/** @param {Shape} shape */
const isStandard = ({ bins, capacity, line }) =>
	bins === SHAPE.bins && capacity === SHAPE.capacity && line === SHAPE.line;

/**
 * The positions of games in which a win or a draw was given away.
 * @param {Played[]} games @param {(text: string) => void} progress @param {() => boolean} isLeft
 * @returns {Promise<PuzzleTask[]>}
 */
export async function mistakesIn(games, progress, isLeft) {
	/** @type {PuzzleTask[]} */
	const found = [];
	const seen = new Set();
	for (const [index, { moves, colours, name }] of games.entries()) {
		progress(texts.gameAt(index + 1, games.length));
		for (let turn = 0; turn < moves.length; turn += 1) {
			if (colours && colours !== (turn % 2 ? 'blue' : 'red')) continue;
			if (isLeft()) return [];
			const before = moves.slice(0, turn);
			const reviewed = await think({ review: { shape: SHAPE, moves: moves.slice(0, turn + 1) } });
			const goal = givenAway(reviewed);
			if (!goal || seen.has(before)) continue;
			seen.add(before);
			found.push({ moves: before, goal, name: texts.moveAt(turn + 1, name) });
		}
	}
	return found;
}

/** Games of this page that a person played. @returns {Played[]} */
function gamesHere() {
	/** @type {HereGames} */
	const { games } = recall(GAMES, { count: 0, games: {} });
	return Object.entries(games)
		.reverse()
		.filter(([, { terms }]) => isStandard(terms.shape) && !hasRules(terms))
		.map(([id, { moves, seats }]) => {
			const persons = ['red', 'blue'].filter((_, seat) => !seats[seat]);
			return { id, moves, persons };
		})
		.filter(({ persons }) => persons.length)
		.map(({ id, moves, persons }) => ({
			moves,
			colours: persons.length === 1 ? (persons[0] ?? null) : null,
			name: texts.gameHere(id),
		}));
}

/** Games of an account, as the host's index has them. @param {string} account @returns {Promise<Played[]>} */
async function gamesOf(account) {
	const [{ account: person }, page] = await Promise.all([
		get(`/api/accounts/${encodeURIComponent(account)}`),
		get(`/api/history?${new URLSearchParams({ account })}`),
	]);
	const { games } = /** @type {GamesPage} */ (page);
	return games
		.filter(({ kind, shape }) => kind !== 'variant' && isStandard(shape))
		.map(({ game, moves, players }) => ({
			moves,
			colours: players[0]?.address === person.address ? 'red' : 'blue',
			name: texts.playedGame(game),
		}));
}

/**
 * The positions of games of an account, or of this page without one.
 * @param {string | null} account @param {(text: string) => void} progress @param {() => boolean} isLeft
 */
export async function mistakesOf(account, progress, isLeft) {
	const games = account === null ? gamesHere() : await gamesOf(account);
	return mistakesIn(games.slice(0, MOST_GAMES), progress, isLeft);
}
