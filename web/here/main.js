// Games that are played in this page alone: against the computer, or two people at one screen. They are kept in this
// browser, and need neither a host nor a network.

import { keepApp } from '../app.js';
import { think } from '../computer/mind.js';
import { begun, GAMES, levelToMove, nextOf, seatOf, viewOf } from '../state/here.js';
import { reason } from '../state/text.js';
import { changeKept, isSame, onKept, recall } from '../storage.js';
import { Failure } from '../transport.js';
import { texts } from '../words/here.js';

/** @import { Acts } from '../player.js' */
/** @import { HereGame, HereGames, StartHere, ViewedGame } from '../state/types.d.ts'
 * @import { Colour, GameId, Live } from '../wire.d.ts' */

const MOST_GAMES = 30;
const PAUSE = 450; // milliseconds that the computer takes at least, so that discs fall one after the other

/** @typedef {{ game: GameId, take: (said: Live) => void }} Watcher */

/** Who is told of a game. @type {Watcher | null} */
let watcher = null;

/** @type {HereGames} */
const NONE = { count: 0, games: {} };

/** As other tabs of this browser know them, too. */
const kept = () => recall(GAMES, NONE);
onKept(GAMES, () => watcher && tell(watcher));

/** @param {GameId} id @returns {HereGame} */
function found(id) {
	const game = kept().games[id];
	if (game) return game;
	throw new Failure(texts.noGame, 'refused');
}

/** @param {GameId} id @param {HereGame} game @param {number} [least] how many games there are then, at least */
function write(id, game, least = 0) {
	const before = kept().games[id];
	changeKept(GAMES, NONE, (all) => {
		// Another tab has kept more of it, or another game with its number.
		if (!isSame(all.games[id], before)) return all;
		const games = Object.entries({ ...all.games, [id]: game }).slice(-MOST_GAMES);
		return { count: Math.max(all.count, least), games: Object.fromEntries(games) };
	});
}

/** A number from which the computer's choices follow. */
const seed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/** @param {HereGame} game */
function add(game) {
	const { count } = kept();
	const id = `h${count + 1}`;
	write(id, game, count + 1);
	return id;
}

/** @param {GameId} id @param {HereGame} game */
async function view(id, game) {
	const { terms, moves } = game;
	return viewOf(id, game, await think({ line: { terms, moves } }));
}

/**
 * Tells of a game until it is stopped, and lets the computer play.
 * @param {GameId} game @param {(said: Live) => void} take
 * @returns {() => void} stops it
 */
export function watch(game, take) {
	const mine = { game, take };
	watcher = mine;
	tell(mine);
	return () => {
		if (watcher === mine) watcher = null;
	};
}

/** @param {Watcher} mine */
async function tell(mine) {
	const { game: id, take } = mine;
	try {
		const game = found(id);
		const shown = await view(id, game);
		if (watcher !== mine || !isSame(kept().games[id], game)) return;
		take({ type: 'game', ...shown });
		await answer(mine, game, shown);
	} catch (failure) {
		if (watcher === mine) take({ type: 'missing', error: reason(failure) });
	}
}

/** Lets the computer move, if it is its turn. @param {Watcher} mine @param {HereGame} game @param {ViewedGame} shown */
async function answer(mine, game, { turns, ...shown }) {
	const level = levelToMove({ turns, ...shown });
	if (!level) return;
	const { terms, moves } = game;
	const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
	// Each turn has a number of its own.
	const then = await think({ choose: { terms, moves, level, seed: (game.seed + turns) >>> 0 } });
	await pause;
	if (watcher === mine && then && kept().games[mine.game]?.moves === moves) {
		await play(mine.game, then);
	}
}

/** Tells who watches a game that it has changed. @param {GameId} id */
function changed(id) {
	if (watcher?.game === id) tell(watcher);
}

/** @param {GameId} id @param {import('../wire.d.ts').MoveAsked} then */
async function play(id, then) {
	const game = found(id);
	const { terms, moves } = game;
	const { notation, turns, over } = await think({ line: { terms, moves, then } }).catch((why) => {
		throw new Failure(reason(why), 'refused');
	});
	// Another tab may have played meanwhile.
	if (found(id).moves === moves) write(id, { ...game, moves: notation, turns, over });
	changed(id);
}

/** @param {StartHere} asked */
export const start = (asked) => add(begun(asked, seed()));

/** @type {Acts['move']} */
export function move(id, { move: then }) {
	// The page is there now, so that nothing waits for what is kept.
	keepApp();
	return play(id, then);
}

/** Resigns: the seat takes the place of an account. @type {Acts['act']} */
export async function act(id, { account }) {
	write(id, { ...found(id), over: true, gaveUp: /** @type {Colour} */ (account) });
	changed(id);
	return null;
}

/** @type {Acts['setComputer']} */
export async function setComputer(id, { seat, level }) {
	const game = found(id);
	const { swapped } = await view(id, game);
	const at = seatOf(swapped, seat);
	write(id, { ...game, seats: game.seats.map((of, index) => (index === at ? level : of)) });
	changed(id);
	return null;
}

/** @param {GameId} id */
export async function next(id) {
	const game = found(id);
	if (game.next && kept().games[game.next]) return { game: game.next };
	const made = add(nextOf(id, game, await view(id, game), seed()));
	write(id, { ...game, next: made });
	return { game: made };
}
