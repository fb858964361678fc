// Games of two without rules of their own.

/** @import { ViewedGame } from './types.d.ts'
 * @import { Address, StartGame, Terms } from '../wire.d.ts' */

/** The standard board. @type {Terms['shape']} */
export const STANDARD = { bins: 7, capacity: 6, line: 4 };

/** The terms of a game of two on this board. @param {Terms['shape']} shape @returns {Terms} */
export const classic = (shape) => ({
	shape,
	players: 2,
	pop_out: false,
	pie_rule: false,
	powers: { take: 0, clear: 0, float: 0 },
	limit: null,
});

/**
 * The same game again: the loser begins, after a draw player two.
 * @param {ViewedGame} view @param {Address[] | undefined} plays the accounts played here, if chosen
 * @returns {[StartGame, Address[]]} the game, and the accounts that are played here
 */
export function again({ terms, players, winner }, plays) {
	const seats = players.map(({ account, computer }) => ({
		account: account ?? '',
		level: computer?.level ?? null,
	}));
	const mine = seats.filter(({ account, level }) => !level && (plays?.includes(account) ?? true));
	return [
		{ kind: 'classic', terms, seats: winner === 'blue' ? seats : seats.toReversed() },
		mine.map(({ account }) => account),
	];
}
