// The lobby of a relay for signed games: frames to messages and back, by the module. What they lead to is decided by who
// opens it.

import { flooded } from '../floods.js';
import { openRoom, originOf, socketsOf } from '../host/room.js';
import { openModule } from './module.js';

/** @import { HeardInLobby, SaidInLobby } from '../ask.d.ts' */

const PATH = '/signed/lobby';
/** Bytes of a frame of the lobby, at most. */
const LONGEST = 1_224;
/** Frames that a lobby may send at once: all that it lists. */
const AT_ONCE = 2_000;

/** @typedef {Awaited<ReturnType<typeof openLobby>>} Lobby */

/**
 * The key of the witness that a relay is, as it says; null if it is none.
 * @param {string} relay @returns {Promise<string | null>}
 */
export async function witnessAt(relay) {
	/** @type {(key: string | null) => void} */
	let found = () => {};
	/** @type {Promise<string | null>} */
	const told = new Promise((resolve, reject) => {
		found = resolve;
		openLobby({
			relay,
			heard: (said) =>
				typeof said === 'object' && 'welcome' in said && found(said.welcome.witness?.key ?? null),
			changed: (isThere, why) => isThere || reject(new Error(why)),
		}).then((lobby) => {
			const close = () => lobby.close();
			told.then(close, close);
		}, reject);
	});
	return told;
}

/**
 * Connects to the lobby of a relay, again and again.
 * @param {{
 *   relay: string,
 *   heard: (said: HeardInLobby) => void,
 *   changed: (isThere: boolean, why: string) => void,
 *   socket?: (url: string) => WebSocket,
 * }} on `heard` is told each message in order; a welcome is the first one on each connection
 */
export async function openLobby({ relay, heard, changed, socket }) {
	const ask = await openModule();
	const url = socketsOf(relay) + PATH;
	const room = openRoom(url, {
		atOnce: AT_ONCE,
		longest: LONGEST,
		socket,
		frame(frame) {
			const said = ask({ hear_lobby: frame });
			if (said) heard(said);
			else flooded(originOf(url));
		},
		changed,
	});
	return {
		/** The module, for what is no game's. */
		ask,
		/** @param {SaidInLobby} said */
		say: (said) => room.send(ask({ say_in_lobby: said })),
		close: room.close,
	};
}
