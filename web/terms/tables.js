// The games by signed terms that are played in this tab, each by a module of its own: from the taking of an offer on, or
// from its record.

import { keepApp } from '../app.js';
import { toHex } from '../host/hex.js';
import { beginGame, resumeGame } from '../player/game.js';
import { current, dispatch } from '../store.js';
import { isOver, kept, records, unlist, write } from './kept.js';
import { isOffered, openStake } from './stake.js';

/** @import { OpenedGame, PlayerCall, SignedPlace } from '../ask.d.ts' */
/** @import { Game, Standing } from '../player/game.js' */
/** @import { Kept } from '../player/records.js' */
/** @import { KeptSigned, Score } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */
/** @import { Stake } from './stake.js' */

/**
 * A game of this tab. `told` are called when it has changed; `letters` are messages to the opponent that were not sent.
 * `stake` is what it has on the chain, null without a stake.
 * @typedef {{
 *   game: Game,
 *   stake: Stake | null,
 *   told: Set<(standing: Standing) => void>,
 *   letters: string[],
 *   series?: { score: Score, previous: GameId | null },
 * }} Table
 */

/** Milliseconds for which a game that is resumed is waited for. */
const PATIENCE = 5_000;

/** @type {Set<Table>} */
const tables = new Set();
/** Those that are being closed, by name. @type {Map<string, Promise<void>>} */
const closing = new Map();

/** The games of which it was kept that they are over. @type {Set<string>} */
const finished = new Set();
/** @param {string} name */
async function finish(name) {
	if (finished.has(name)) return;
	finished.add(name);
	await (await records()).finish(name).catch(() => finished.delete(name));
}

/** A random number of 32 bits. */
export const nonce = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
/** Random bytes. @param {number} length */
export const random = (length) => toHex(crypto.getRandomValues(new Uint8Array(length)));

/** @returns {{ table: Table, around: { changed: (standing: Standing) => void, send: (message: string) => void, transact: (call: PlayerCall, isAsked: boolean) => Promise<void> } }} */
function make() {
	/** @type {Table} */
	const table = { game: /** @type {any} */ (null), stake: null, told: new Set(), letters: [] };
	const tell = () => {
		for (const take of table.told) take(table.game.standing);
	};
	const staked = () => {
		table.stake ??= openStake({ game: () => table.game, changed: tell });
		return table.stake;
	};
	return {
		table,
		around: {
			changed(standing) {
				const { name, shown } = standing;
				if (name && shown) {
					write(name, shown, table.series);
					if (isOver(shown)) finish(name);
				}
				if (standing.reads || isOffered(standing.shown)) staked().heard(standing);
				for (const take of table.told) take(standing);
			},
			send: (message) => table.letters.push(message),
			transact: async (call, isAsked) => staked().transact(call, isAsked),
		},
	};
}

/**
 * Makes an offer, or takes one. It is kept when this returns.
 * @param {{ place: SignedPlace, by: string, relay: string, game: Exclude<OpenedGame, { record: string }> }} how
 * @param {Table['series']} [series]
 */
export async function begin(how, series) {
	const { table, around } = make();
	table.series = series;
	table.game = await beginGame({ ...how, ...around, records: await records() });
	tables.add(table);
	// Whatever was told before had no game to look at.
	around.changed(table.game.standing);
	keepApp();
	return table;
}

/** Resumes the game with this number; null if it is not kept here. @param {GameId} number @returns {Promise<Table | null>} */
export async function tableOf(number) {
	for (const table of tables) if (table.game.standing.shown?.number === number) return table;
	const all = await records();
	const name = (await all.named(number)) ?? kept()[number]?.name;
	if (!name || !(await all.read(name))) return null;
	await closing.get(name);
	const { table, around } = make();
	table.game = resumeGame({ name, ...around, records: all });
	tables.add(table);
	return table;
}

/** A game that is kept, once it is known how it stands, or that another tab plays it. @param {string} name of its record */
async function resumed(name) {
	const { table, around } = make();
	table.game = resumeGame({ name, ...around, records: await records() });
	await until(table, ({ shown, role }) => shown !== null || role === 'elsewhere', PATIENCE);
	return table;
}

/** Leaves a game that is none of this tab, and forgets one whose offer is over. @param {Table} table */
async function leave(table) {
	const { shown } = table.game.standing;
	if (shown?.stage === 'offered' && !shown.awaited) return forget(table);
	table.stake?.close();
	await table.game.close();
}

/**
 * Leaves a game; another tab may go on. One with a stake stays open until it is over: an opponent who sees that the page
 * shows something else would start the clock, and nobody would answer.
 * @param {Table} table
 */
export function close(table) {
	const { shown } = table.game.standing;
	if (table.stake && shown && !isOver(shown)) return;
	if (!tables.delete(table)) return;
	table.stake?.close();
	const { name } = table.game.standing;
	const ended = table.game.close();
	if (!name) return;
	closing.set(name, ended);
	ended.finally(() => closing.get(name) === ended && closing.delete(name));
}

/** Forgets a game whose offer nobody has taken, or paid for. @param {Table} table */
export async function forget(table) {
	const { name, shown } = table.game.standing;
	// Somebody has paid meanwhile, or it was signed.
	if (shown && shown.stage !== 'offered') return close(table);
	tables.delete(table);
	table.stake?.close();
	await table.game.forget();
	if (name) unlist(name);
}

/**
 * The game of an own offer for a stake that this page, or the one before it was loaded again, has kept; null if there is
 * none. `isTaken` is whether somebody has taken the offer.
 * @param {SignedPlace} at @param {string} key that of this player @param {string} offer
 * @returns {Promise<{ table: Table, isTaken: boolean } | null>}
 */
export async function offered(at, key, offer) {
	const isIt = (/** @type {Table} */ { game }) => game.standing.offer === offer;
	for (const table of tables) {
		if (isIt(table)) return { table, isTaken: Boolean(table.game.standing.shown?.number) };
	}
	const open = new Set([...tables].map(({ game }) => game.standing.name));
	const all = await (await records()).all();
	const mine = all.filter(
		({ name, by, place, over }) =>
			!over && by === key && place.stakes === at.stakes && !open.has(name),
	);
	for (const { name, told } of mine) {
		const table = await resumed(name);
		if (isIt(table)) {
			tables.add(table);
			return { table, isTaken: Boolean(told?.length) };
		}
		await leave(table);
	}
	return null;
}

/**
 * Waits until a game stands so, or has come to nothing.
 * @param {Table} table @param {(standing: Standing) => boolean} is @param {number} patience in milliseconds
 * @returns {Promise<boolean>} whether it does
 */
export function until({ game, told }, is, patience) {
	if (is(game.standing)) return Promise.resolve(true);
	return new Promise((resolve) => {
		/** @param {boolean} does */
		const done = (does) => {
			clearTimeout(late);
			told.delete(look);
			resolve(does);
		};
		const late = setTimeout(() => done(false), patience);
		/** @param {Standing} standing */
		const look = (standing) => {
			if (is(standing)) done(true);
		};
		told.add(look);
	});
}

/** Whether both have signed the terms. @param {Standing} standing */
export const hasBegun = ({ shown }) =>
	shown !== null && ['playing', 'ending', 'over'].includes(shown.stage);

/**
 * Lists the games that this browser has begun and whose list it has lost, or had no room for, and looks who has paid for
 * offers that still stand: a friend may have done so while no page was open.
 * @param {Record<GameId, KeptSigned>} listed @param {(table: Table) => void} follow is called with the game of each such offer
 */
export async function recallBegun(listed, follow) {
	const known = new Map(Object.values(listed).map(({ name, turns }) => [name, turns]));
	const all = await (await records()).all();
	// One that somebody has said to take is listed, and may be paid for still.
	const isLost = (/** @type {Kept} */ { name, told }) =>
		!known.has(name) || (told?.length && known.get(name) === 0);
	const lost = all.filter((one) => !one.over && isLost(one));
	for (const { name } of lost) {
		const table = await resumed(name);
		const { shown, role } = table.game.standing;
		if (role !== 'player' || !isOffered(shown)) {
			await leave(table);
			continue;
		}
		tables.add(table);
		follow(table);
	}
	const { hello } = current();
	if (lost.length && hello) dispatch({ type: 'hello', hello });
}
