// Which games by signed terms a browser lists.

/** @import { KeptSigned } from './types.d.ts'
 * @import { GameId } from '../wire.d.ts' */

/** Finished games that are listed, at most. */
export const MOST_FINISHED = 100;

/**
 * The games to list, and those that go: of those that have ended, all but the newest. Their records stay.
 * @param {Record<GameId, KeptSigned>} games the oldest first
 */
export function pruned(games) {
	const all = Object.entries(games);
	const finished = all.filter(([, { over }]) => over).map(([game]) => game);
	const gone = new Set(finished.slice(0, Math.max(0, finished.length - MOST_FINISHED)));
	return Object.fromEntries(all.filter(([game]) => !gone.has(game)));
}
