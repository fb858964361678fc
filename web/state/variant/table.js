// What accounts of this browser can do at a table, and about a player who is late.

import { lateOne } from '../clock.js';
import { away } from '../connection.js';

/** @import { Shown, TableActions } from '../types.d.ts'
 * @import { Address, Hello, ListedGame } from '../../wire.d.ts' */

/**
 * The accounts of this browser that can join a table, and those that can leave it.
 * @param {Hello | null} hello
 * @param {Pick<ListedGame, 'players' | 'named' | 'started'>} table
 * @returns {TableActions}
 */
export function tableActions(hello, { players, named, started }) {
	if (!hello || started) return { join: [], leave: [] };
	/** @param {Address} address */
	const seat = (address) => players.find(({ account }) => account === address);
	const mine = hello.accounts.map(({ address }) => address);
	const isFree = players.some(({ account }) => account === null);
	return {
		join: mine.filter((address) => {
			const kept = seat(address);
			return named ? kept && !kept.joined : isFree && !kept;
		}),
		leave: mine.filter((address) => seat(address)?.joined),
	};
}

/**
 * The account of this browser that can remove the player to move, who is late; null if there is none.
 * @param {Shown} state @param {number} now in milliseconds of the browser's clock
 */
export function remover(state, now) {
	if (!lateOne(state, now) || state.at !== null || away(state)) return null;
	return state.hello?.accounts[0]?.address ?? null;
}
