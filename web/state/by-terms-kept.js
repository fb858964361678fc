// Which games by signed terms a browser keeps.

/** @import { KeptByTerms } from './types.d.ts'
 * @import { GameId } from '../wire.d.ts' */

/** Finished games that are kept, at most. */
export const MOST_FINISHED = 100;
/** Seconds after its terms in which nothing of a game goes: within them it can be disputed, and its terms brought again. */
const YOUNG = 2 * 86_400;
/** Seconds after its terms from which on no chain takes a game. */
const OLD = 31 * 86_400;

/**
 * Whether nothing is lost with a game: it has ended, and its end is signed, or no chain takes it any more. What a host
 * says is recorded does not count.
 * @param {KeptByTerms} game @param {number} now in seconds since 1970
 */
function mayGo({ over, agreed, time }, now) {
	if (!time || now < time + YOUNG) return false;
	return now > time + OLD || Boolean(over && agreed);
}

/**
 * The games to keep, and those that go: of those with which nothing is lost, all but the newest.
 * @param {Record<GameId, KeptByTerms>} games the oldest first @param {number} now in seconds since 1970
 */
export function pruned(games, now) {
	const all = Object.entries(games);
	const finished = all.filter(([, game]) => mayGo(game, now));
	const gone = finished.slice(0, Math.max(0, finished.length - MOST_FINISHED));
	const names = new Set(gone.map(([name]) => name));
	return { stay: Object.fromEntries(all.filter(([name]) => !names.has(name))), gone };
}
