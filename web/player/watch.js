// The room of a signed game without a stake, as somebody sees it who has no key of it.

import { openRoom, socketsOf } from '../host/room.js';
import { texts } from '../words/player.js';
import { LONGEST } from './game.js';
import { openModule } from './module.js';

/** @import { WatchedGame } from '../ask.d.ts' */

/**
 * What is seen of a game. `game` is null before the room has told it. `relay` is why there is no connection to the room,
 * null if there is one; `trouble` is what the room has told that is not believed, or why it tells nothing.
 * @typedef {{
 *   game: WatchedGame | null, relay: string | null, watchers: number, ahead: number, trouble: string,
 * }} Seen
 */

/** @typedef {Awaited<ReturnType<typeof watchGame>>} Watch */

/**
 * Watches a game.
 * @param {{
 *   number: string,
 *   witness: string,
 *   relay: string,
 *   changed: (seen: Seen) => void,
 *   socket?: (url: string) => WebSocket,
 *   time?: () => number,
 * }} options
 */
export async function watchGame({ number, witness, relay, changed, socket, time = Date.now }) {
	const ask = await openModule();
	const path = ask({ watch: { number, witness } });
	/** @type {Seen} */
	let seen = {
		game: null,
		relay: texts.relayConnecting,
		watchers: 0,
		ahead: 0,
		trouble: '',
	};
	let told = '';
	let isClosed = false;

	/** @param {Partial<Seen>} change */
	function show(change) {
		seen = { ...seen, ...change };
		const now = JSON.stringify(seen);
		if (now === told || isClosed) return;
		told = now;
		changed(seen);
	}

	const room = openRoom(socketsOf(relay) + path, {
		socket,
		longest: LONGEST,
		frame(frame) {
			const { game, present, time: witnessTime, refusal, wrong } = ask({ seen: frame });
			show({
				game,
				...(present && { watchers: present.watchers }),
				...(witnessTime && { ahead: witnessTime - time() }),
				...(wrong ? { trouble: wrong } : refusal ? { trouble: refusal.text } : {}),
			});
			// What has ended is told once, and the room has nothing more.
			if (refusal?.closes || game?.is_over) close();
		},
		changed: (isThere, why) => show({ relay: isThere ? null : why }),
	});

	function close() {
		isClosed = true;
		room.close();
	}

	return {
		get seen() {
			return seen;
		},
		close,
	};
}
