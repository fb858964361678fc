// The records of signed games in this browser, beside its keys.

import { JournalError, openDatabase } from '../host/database.js';
import { texts } from '../words/player.js';

/** @import { SignedPlace } from '../ask.d.ts' */

/**
 * A game as it is kept: `by` is the address of the key that signs in it, `relay` the address of the relay in place of
 * the one that its offer names, and `record` what the module has made. `over` says that nothing is to be done in it;
 * `told` are those who have taken an offer for a stake, of whom one is in the record once it has paid; `since` is the
 * number of the first block in which somebody may have.
 * @typedef {{
 *   name: string, by: string, place: SignedPlace, relay?: string | null, record: string, over?: boolean, told?: string[],
 *   since?: number,
 * }} Kept
 */

/** Takers that are remembered, at most: so many the module looks for. */
const MOST_TOLD = 16;

/** Another tab has written the record, or somebody has deleted it. Nothing was written. */
export class ChangedError extends Error {}

/** Other games are there under these numbers. Nothing was written. */
export class OtherGamesError extends Error {
	/** @param {string[]} games */
	constructor(games) {
		super(games.join(', '));
		this.games = games;
	}
}

/** No session key has a name like these. @param {string} name */
const rowOf = (name) => `game ${name}`;
/** @param {string} game */
const numberOf = (game) => `played ${game}`;

/** @typedef {Awaited<ReturnType<typeof openRecords>>} Records */

/** @param {IDBFactory} [factory] @throws {JournalError} */
export async function openRecords(factory) {
	const { changeAll, find, findAll, close } = await openDatabase(factory);

	return {
		/** The secret of a key of this browser. @param {string} by @returns {Promise<string>} */
		async secret(by) {
			const { secret } = (await find(by)) ?? {};
			if (!secret) throw new JournalError('missing', texts.keyGone);
			return secret;
		},

		/** A game; null if it is not kept. @param {string} name @returns {Promise<Kept | null>} */
		read: async (name) => (await find(rowOf(name))) ?? null,

		/** The name of the game with this number; null if it is not kept. @param {string} number @returns {Promise<string | null>} */
		named: async (number) => (await find(numberOf(number)))?.is ?? null,

		/** All games. @returns {Promise<Kept[]>} */
		all: () => findAll(rowOf('')),

		/**
		 * Keeps a game in place of one of the records that it may have; null stands for none. It is on disk when this
		 * returns.
		 * @param {Kept} game @param {(string | null)[]} before
		 * @param {string[]} numbers those of which no other game of this browser may be from now on
		 * @throws {ChangedError} @throws {OtherGamesError} @throws {JournalError} if the disk takes nothing
		 */
		async write(game, before, numbers) {
			/** @type {Error | null} */
			let why = null;
			const keys = [rowOf(game.name), ...numbers.map(numberOf)];
			await changeAll(keys, ([found, ...others], records) => {
				const taken = numbers.filter((_, at) => others[at] && others[at].is !== game.name);
				if (!before.includes(found?.record ?? null)) why = new ChangedError(game.name);
				else if (taken.length > 0) why = new OtherGamesError(taken);
				if (why) return;
				records.put({ ...found, ...game, key: rowOf(game.name) });
				for (const number of numbers) records.put({ key: numberOf(number), is: game.name });
			});
			if (why) throw why;
		},

		/** Remembers one more who has taken an offer. @param {string} name @param {string} message */
		tell: (name, message) =>
			changeAll([rowOf(name)], ([found], records) => {
				if (!found) return;
				/** @type {string[]} */
				const all = [found.told ?? []].flat();
				const before = all.filter((one) => one !== message);
				records.put({ ...found, told: [...before, message].slice(-MOST_TOLD) });
			}),

		/**
		 * The number of the first block in which somebody may have paid for an offer: this one, if none is remembered.
		 * @param {string} name @param {number} block @returns {Promise<number>}
		 */
		async since(name, block) {
			let since = block;
			await changeAll([rowOf(name)], ([found], records) => {
				if (!found) return;
				since = found.since ?? block;
				if (found.since === undefined) records.put({ ...found, since });
			});
			return since;
		},

		/** Remembers that nothing is to be done in a game. @param {string} name */
		finish: (name) =>
			changeAll([rowOf(name)], ([found], records) => {
				if (found) records.put({ ...found, over: true });
			}),

		/**
		 * Forgets a game in which nothing was signed, if it is as it was read.
		 * @param {string} name @param {(string | null)[]} before
		 */
		forget: (name, before) =>
			changeAll([rowOf(name)], ([found], records) => {
				if (found && before.includes(found.record)) records.delete(rowOf(name));
			}),

		close,
	};
}
