// A game of the chain as a host tells it: of that the page takes who plays, on which terms, and what was done. All else
// follows from it by the rules, and is worked out here.

import { classic } from '../state/classic.js';
import { amount, digits, flag, list, maybe, number, only, record, text } from '../state/hello.js';
import { COLOURS, isVariant } from '../state/seats.js';
import { texts } from '../words/host.js';
import { AskError, ask } from './wasm.js';

/** @import { Played } from '../ask.d.ts' */
/** @import { ViewedGame } from '../state/types.d.ts'
 * @import { Colour, View } from '../wire.d.ts' */

/** Turns of a game, and cells of a board, at most. */
const MOST = 256;

/** @type {(value: any) => Colour} */
const colour = (value) => only(COLOURS.includes(value), value);
/** @param {any} value */
const count = (value) => only(Number.isInteger(value) && value >= 0 && value <= MOST, value);
/** @param {any} value */
const any = (value) => value;
/** @param {any} value */
const address = (value) => only(/^0x[0-9a-f]{40}$/.test(digits(value)), value);
/** Ends of games without a clock. @type {unknown[]} */
const ENDS = [
	'line',
	'full board',
	'resignation',
	'last left',
	'no move',
	'turn limit',
	'abandoned',
];
const powers = record({ take: count, clear: count, float: count });
const transaction = maybe(record({ block: number, hash: digits, fee: amount }));

const fields = record({
	game: text(20),
	contract: address,
	terms: any,
	players: list(
		COLOURS.length,
		record({ account: maybe(address), joined: flag, out: flag, powers, left: maybe(number) }),
	),
	named: flag,
	payer: maybe(address),
	deadline: maybe(number),
	freed: flag,
	last_block: maybe(record({ block: number, hash: digits })),
	moves: list(MOST, (move) => ({ ...move, transaction: transaction(move.transaction) })),
	moves_missing: maybe(text(1_000)),
	departures: list(
		COLOURS.length,
		record({ player: colour, late: flag, turns: count, transaction }),
	),
	turns: count,
	to_move: maybe(colour),
	over: flag,
	end: maybe((value) => only(ENDS.includes(value), value)),
	winner: maybe(colour),
	board: list(MOST, list(MOST, maybe(colour))),
	swapped: flag,
});

/** What a host has said that does not fit together, by the games that were read of it. @type {WeakMap<View, string>} */
const odd = new WeakMap();

/** What is wrong with what a host has said of a game, for the player; empty if nothing is. @param {View} view */
export const oddity = (view) => odd.get(view) ?? '';

/** Of moves that the rules refuse there is no position. @param {unknown} error */
function refused(error) {
	if (error instanceof AskError && !['NotLoaded', 'Trapped'].includes(error.name)) return null;
	throw error;
}

/** @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * A game as it is shown.
 * @param {ViewedGame} told by the host
 * @returns {Promise<ViewedGame>}
 * @throws {Error} with words for the player, if what is told is no game
 */
export async function readGame(told) {
	/** @type {any} */
	let read;
	/** @type {number | null} */
	let limit;
	try {
		read = fields(told);
		limit = isVariant(read) ? maybe(number)(read.terms?.limit) : null;
	} catch {
		throw new Error(texts.distrust(texts.gameUnreadable));
	}
	const terms = isVariant(read) ? read.terms : classic(read.terms?.shape);
	const started = read.players.every((/** @type {any} */ { joined }) => joined);
	const halted = started ? (read.over ? texts.gameEnded : undefined) : texts.tableWaits;
	const { moves, departures } = whatWasDone(read);
	const found = await ask({ position: { terms, moves, departures, halted } }).catch(refused);
	if (!found) throw new Error(texts.distrust(texts.movesAgainstRules));
	if (found.players.length !== read.players.length) {
		throw new Error(texts.distrust(texts.gameUnreadable));
	}
	const view = read.moves_missing
		? { ...read, ...byBoard(read, found) }
		: { ...read, ...byRules(read, found) };
	const mover = started && !view.over ? view.to_move : null;
	const left = view.deadline === null ? null : view.deadline - Date.now() / 1000;
	/** The least that is known: another clock than the chain's, or a host, may say more. @param {number | null} told */
	const least = (told) => Math.floor(Math.min(left ?? 0, told ?? left ?? 0, limit ?? left ?? 0));
	/** @type {ViewedGame} */
	const shown = {
		...view,
		started,
		standing: '',
		terms: { ...view.terms, limit },
		to_move: mover,
		players: found.players.map((byMoves, index) => {
			const told = read.players[index];
			const seat = read.moves_missing ? told : { ...told, ...byMoves };
			const colour = COLOURS[index];
			const time = colour === mover && left !== null ? least(told.left) : null;
			return { ...seat, colour, name: null, computer: null, left: time };
		}),
	};
	if (!read.moves_missing) odd.set(shown, oddities(read, found));
	return shown;
}

/** The moves of a game, and who has left it. @param {any} read */
function whatWasDone(read) {
	if (read.moves_missing) return { moves: [], departures: [] };
	// Nobody leaves a plain game.
	return isVariant(read) ? read : { moves: read.moves, departures: [] };
}

/** Of a game whose moves the host does not know: its board, on which discs are dropped. @param {any} read @param {Played} found */
function byBoard({ board, over }, { terms }) {
	const { bins, capacity } = terms.shape;
	if (board.length !== bins) throw new Error(texts.distrust(texts.gameUnreadable));
	const drop = board.map((/** @type {unknown[]} */ { length }) =>
		over || length >= capacity ? null : length,
	);
	const refusals = { drop: drop.map((/** @type {unknown} */ row) => (row === null ? '' : null)) };
	const known = { terms, winning_cells: [], notation: '', moves: [], departures: [] };
	const none = { pop: [], take: [], clear: [], float: [], swap: false };
	return { ...known, targets: { drop, ...none }, refusals };
}

/** What follows from the moves. @param {any} read @param {Played} found */
function byRules(read, found) {
	const { moves, players: _, ...position } = found;
	// A player of a plain game can have given up; of a variant nothing but its storage is left.
	const { over, end, winner } = found.over || (isVariant(read) && !read.freed) ? found : read;
	return {
		...position,
		...{ over, end, winner },
		moves: moves.map((move, turn) => ({ ...move, transaction: read.moves[turn].transaction })),
	};
}

/** @param {any} read @param {Played} found */
function oddities(read, found) {
	const isMoved = read.turns !== found.turns || read.swapped !== found.swapped;
	if (isMoved || !same(read.board, found.board)) return texts.boardOfOthers;
	const mayEnd = !isVariant(read) || read.freed;
	const isOther = found.over ? !read.over || read.winner !== found.winner : read.over && !mayEnd;
	return isOther ? texts.resultOfOthers : '';
}
