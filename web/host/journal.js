// Session keys of this browser, each with what was signed by it, in the browser's database.

import { texts } from '../words/host.js';
import { JournalError, openDatabase } from './database.js';
import { toHex } from './hex.js';
import { ask } from './wasm.js';

export { JournalError };

/** @import { Agreed } from './agreed.js' */
/** @import { KeptByTerms } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */

/** A game by signed terms as it began. @typedef {KeptByTerms & { game: GameId }} Begun */

/**
 * A session key with the books of its games, written and read as a whole: so a key that is there is there
 * with all that was signed by it. Keys of earlier pages do not say what was agreed on. `begun` has the games by signed
 * terms as they began, by the names of their books.
 * @typedef {{
 *   key: string, secret: string, made: number, books: Record<string, string>, agreed?: Agreed,
 *   begun?: Record<string, Begun>,
 * }} Session
 */

/**
 * The session key of an account that plays by signed terms. `phrase` is that of a guest; `session` is what an
 * account of a wallet has signed about the key, until this second since 1970.
 * @typedef {Session & {
 *   account: string, phrase?: string, session?: string, until?: number,
 * }} Player
 */

const MISSING = texts.keyGone;
const DAMAGED = texts.gameDamaged;

/** Whether the browser keeps what is here also when the disk is nearly full; null until it says so. @type {boolean | null} */
let keeps = null;

/** What the player should know of what is kept here; empty if nothing. */
export const keepsNote = () => (keeps === false ? texts.mayDelete : '');

/** Asks the browser to keep what is here. Some ask the user first, so that it is not waited for. */
function askToKeep() {
	const asked = globalThis.navigator?.storage?.persist?.();
	asked?.then(
		(answer) => {
			keeps = answer;
		},
		() => {
			keeps = false;
		},
	);
}

/** @typedef {Awaited<ReturnType<typeof openJournal>>} Journal */

/**
 * Opens the keys of this browser.
 * @param {IDBFactory} [factory]
 */
export async function openJournal(factory) {
	const { change, find, findAll, close } = await openDatabase(factory);

	/**
	 * Changes a session, or makes one. What was changed is on disk when this returns.
	 * @param {string} key
	 * @param {(session: Session | undefined) => Session} changed may throw, and nothing is changed
	 */
	const write = (key, changed) =>
		change(key, (session, sessions) => sessions.put(changed(session)));

	return {
		/**
		 * Makes a session key for a game on which this was agreed; returns its address. It is on disk then.
		 * @param {Agreed} agreed
		 * @returns {Promise<string>}
		 */
		async create(agreed) {
			askToKeep();
			const secret = toHex(crypto.getRandomValues(new Uint8Array(32)));
			const { address: key } = await ask({ session: secret });
			await write(key, () => ({ key, secret, made: Date.now(), books: {}, agreed }));
			return key;
		},

		/**
		 * Secret and book of one game of a key; the book is null if nothing was signed in it.
		 * @param {string} key @param {string} game
		 * @throws {JournalError}
		 */
		async read(key, game) {
			const session = await find(key);
			if (!session) throw new JournalError('missing', MISSING);
			const { address } = await ask({ session: session.secret }).catch(() => ({ address: null }));
			if (address !== key || typeof session.books !== 'object') {
				throw new JournalError('damaged', DAMAGED);
			}
			return { secret: session.secret, book: session.books[game] ?? null };
		},

		/**
		 * What was agreed on when the key was made; null if that is not known.
		 * @param {string} key
		 */
		agreed: async (key) => (await find(key))?.agreed ?? null,

		/**
		 * Keeps the book of a game in place of the one before. It is on disk when this returns.
		 * @param {string} key @param {string} game @param {string} book @param {Begun} [begun] if it begins, with its terms
		 * @throws {JournalError}
		 */
		async keep(key, game, book, begun) {
			await write(key, (session) => {
				if (!session) throw new JournalError('missing', MISSING);
				const now = { ...session, books: { ...session.books, [game]: book } };
				return begun ? { ...now, begun: { ...session.begun, [game]: begun } } : now;
			});
		},

		/**
		 * Fails if the browser does not keep anything more of a key.
		 * @param {string} key
		 * @throws {JournalError}
		 */
		async check(key) {
			await change(key, (session, sessions) => {
				if (session) sessions.put(session);
			});
		},

		/** The games by signed terms that this browser has begun, and not forgotten. @returns {Promise<Begun[]>} */
		begun: async () =>
			(await findAll('0x')).flatMap((/** @type {Session} */ { begun = {} }) =>
				Object.values(begun),
			),

		/**
		 * Forgets the book of a game, which has ended for good.
		 * @param {string} key @param {string} game
		 */
		async forgetBook(key, game) {
			await change(key, (session, sessions) => {
				if (!session) return;
				const { [game]: _, ...books } = session.books;
				const { [game]: __, ...begun } = session.begun ?? {};
				sessions.put({ ...session, books, begun });
			});
		},

		/**
		 * Who plays by signed terms under a name; null if nobody.
		 * @param {string} name
		 * @returns {Promise<Player | null>}
		 */
		async player(name) {
			const named = await find(nameOf(name));
			return (named && (await find(named.is))) ?? null;
		},

		/**
		 * Has a player play under a name, unless there is one: then that one stays. It is on disk then.
		 * @param {string} name
		 * @param {Player} player
		 * @param {Player | null} [before] the one that is replaced; its key and books stay until they are forgotten
		 * @returns {Promise<Player>} who plays
		 */
		async setPlayer(name, player, before = null) {
			askToKeep();
			let stays = '';
			await change(nameOf(name), (named, sessions) => {
				stays = named && named.is !== before?.key ? named.is : '';
				if (stays) return;
				sessions.put(player);
				sessions.put({ key: nameOf(name), is: player.key });
			});
			return stays ? await find(stays) : player;
		},

		/** The guests of this browser, the oldest first. @returns {Promise<Player[]>} */
		async guests() {
			const all = await findAll('0x');
			return all.filter(({ phrase }) => phrase).sort((one, other) => one.made - other.made);
		},

		/** Has a player of this browser play under a name, in place of a player who does. @param {string} name @param {Player} player */
		async switchTo(name, { key }) {
			await change(key, (found, sessions) => {
				if (found) sessions.put({ key: nameOf(name), is: key });
			});
		},

		/**
		 * Forgets a player, with its key and all that was signed by it.
		 * @param {string} name @param {Player} player
		 */
		async forgetPlayer(name, player) {
			await change(nameOf(name), (named, sessions) => {
				if (named?.is === player.key) sessions.delete(nameOf(name));
				sessions.delete(player.key);
			});
		},

		close,
	};
}

/** The key under which it is kept who plays under a name: no session key looks like it. @param {string} name */
const nameOf = (name) => `player ${name}`;
