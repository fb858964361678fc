// The page of a program: the program's own accounts act, and this browser has keys that open them.

import { host } from '../hosts.js';
import { changeKept, recall } from '../storage.js';
import { greet as ask, openBy, tell } from '../transport.js';

/** @import { Acts } from '../player.js' */
/** @import { Hello } from '../wire.d.ts' */

const PATIENCE = 200_000; // milliseconds for what waits for a block: the program gives up before

/** @type {string[]} */
const NONE = [];
let keys = recall('keys', NONE);
let token = '';

/** Keeps a secret that opens one account, or all. @param {string} key */
export function addKey(key) {
	if (keys.includes(key)) return;
	keys = [...keys, key];
	changeKept('keys', NONE, (kept) => [...kept.filter((one) => one !== key), key]);
}

/** Whether this browser has keys. */
export const hasKeys = () => keys.length > 0;

/** Forgets all keys of this browser. */
export function forgetKeys() {
	keys = [];
	changeKept('keys', NONE, () => []);
}

/** The keys, for the program that serves this page: hosts elsewhere have no accounts that they open. @returns {Record<string, string>} */
const opening = () => (keys.length && !host() ? { 'x-connect4-keys': keys.join(',') } : {});

openBy({
	headers: () => (token && !host() ? { 'x-connect4-token': token, ...opening() } : {}),
	// The program was restarted, and has a new token.
	renew: async () => join(await greet()),
});

/** What the program says of itself, and of the accounts that the keys open. */
export const greet = () => ask(opening());

/**
 * Takes what the program says of itself. Keys that open nothing are forgotten.
 * @param {Hello} said
 */
export async function join(said) {
	token = said.token;
	if (said.unknown_keys.length) {
		/** @param {string[]} all */
		const known = (all) => all.filter((key) => !said.unknown_keys.includes(key));
		keys = known(keys);
		changeKept('keys', NONE, known);
	}
	return said;
}

/** The program is the player's own. */
export const check = () => {};

/** @type {Acts['startGame']} */
export const startGame = (asked) => post('/api/games', asked);

/** @type {Acts['openTable']} */
export const openTable = (asked) => post('/api/tables', asked);

/** @type {Acts['move']} */
export const move = (game, asked) => post(`/api/games/${game}/move`, asked);

/** @type {Acts['act']} */
export const act = (game, asked) => post(`/api/games/${game}/act`, asked);

/** @type {Acts['setComputer']} */
export const setComputer = (game, asked) => post(`/api/games/${game}/computer`, asked);

/** @param {string} path @param {object} body @returns {Promise<any>} */
const post = (path, body) => tell(path, body, { patience: PATIENCE });
