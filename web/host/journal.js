// Session keys of this browser that play by signed terms, in the browser's database.

import { texts } from '../words/host.js';
import { openDatabase } from './database.js';

/**
 * The session key of an account that plays by signed terms. `phrase` is that of a guest; `session` is what an
 * account of a wallet has signed about the key, until this second since 1970.
 * @typedef {{
 *   key: string, secret: string, made: number, account: string, phrase?: string, session?: string, until?: number,
 * }} Player
 */

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

	return {
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
		 * @param {Player | null} [before] the one that is replaced; its key stays until it is forgotten
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
