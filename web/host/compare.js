// Compares a game as the host shows it with the same game as a node has it.

import { ask } from './wasm.js';

/** @import { ChainGame } from '../ask.d.ts' */
/** @import { ViewedGame } from '../state/types.d.ts' */

/**
 * How what is shown compares with what a node has: `same`; `behind` if the node has the same game up to an
 * earlier move, player or end, `ahead` if it has more of them, `other` if it has another game.
 * @typedef {'same' | 'behind' | 'ahead' | 'other'} Compared
 */

/** @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * @param {ViewedGame} shown @param {ChainGame} found by the node
 * @returns {Promise<Compared>}
 */
export async function compare(shown, found) {
	if (!covers(shown.terms, found.terms) || shown.named !== found.named) return 'other';
	if (!shown.freed && shown.payer !== found.payer) return 'other';
	const [of, there] = [progress(shown), progress(found)];
	const differs = of.findIndex((count, index) => count !== there[index]);
	if (differs < 0) return factsOf(shown) === factsOf(found) ? 'same' : 'other';
	const isAhead = (there[differs] ?? 0) > (of[differs] ?? 0);
	const [fewer, more] = isAhead ? [shown, found] : [found, shown];
	// Nobody leaves a seat again but at a table.
	if (!areThere(fewer, more)) return 'other';
	if (isAhead) return 'ahead';
	// Who has left before a move has left after it.
	if (outs(found) > outs(shown)) return 'other';
	// Without its moves nothing can be said of an earlier position.
	if (!found.players.every(({ joined }) => joined) || shown.moves_missing) return 'behind';
	const { terms, turns, board } = found;
	const position = {
		terms,
		moves: shown.moves.slice(0, turns),
		departures: shown.departures.filter((gone) => gone.turns < turns),
	};
	return same((await ask({ position })).board, board) ? 'behind' : 'other';
}

/** Whether one value has all that is in another one, in any order. @param {any} one @param {any} other @returns {boolean} */
const covers = (one, other) =>
	Object(other) === other
		? Object.entries(other).every(([name, value]) => covers(one?.[name], value))
		: one === other;

/** @typedef {Pick<ChainGame, 'players' | 'turns' | 'over' | 'swapped' | 'board' | 'winner' | 'to_move' | 'deadline'>} Game */

/** How many have left. @param {Game | ViewedGame} game */
const outs = ({ players }) => players.filter(({ out }) => out).length;

/** How far a game has come: of players who have joined, of moves, of players who have left, and whether it is over. @param {Game | ViewedGame} game */
const progress = (game) => [
	game.players.filter(({ joined }) => joined).length,
	game.turns,
	outs(game),
	Number(game.over),
];

/** Whether who has joined a game, or has a seat kept, has that seat in the other one. @param {Game | ViewedGame} game @param {Game | ViewedGame} other */
const areThere = (game, other) => {
	const there = seated(other);
	return seated(game).every((account, seat) => account === null || account === there[seat]);
};

/** The accounts by their seats, which stay where they are when colours are exchanged. @param {Game | ViewedGame} game */
const seated = ({ players, swapped }) => {
	const [first, second, ...others] = players.map(({ account }) => account);
	return swapped ? [second, first, ...others] : [first, second, ...others];
};

/** All that both tell of how a game stands, as text. @param {Game | ViewedGame} game */
export const factsOf = ({ players, turns, board, swapped, over, winner, to_move, deadline }) =>
	JSON.stringify([
		players.map(({ account, joined, out, powers }) => [
			[account, joined, out],
			[powers.take, powers.clear, powers.float],
		]),
		[turns, board, swapped, over, winner, to_move, deadline],
	]);
