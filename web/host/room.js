// The socket to a room of a relay. It passes frames as hexadecimal digits; what they say is the module's to know.

import { flooded, isGivenUp } from '../floods.js';
import { texts } from '../words/host.js';
import { fromHex, toHex } from './hex.js';
import { inOrder } from './steps.js';

const LEAST_WAIT = 200; // milliseconds before the socket is opened again
const MOST_WAIT = 5_000;
const CONNECT = 5_000; // milliseconds for a connection to be made
const SILENCE = 25_000; // milliseconds without a frame after which a connection counts as lost
// Frames that a relay may send at once, and in each second after that.
const AT_ONCE = 200;
const A_SECOND = 50;
const TOO_LONG = texts.relaySendsWrong;
const GIVEN_UP = texts.relayGivenUp;

/** Where sockets of a relay are opened. @param {string} relay */
export const socketsOf = (relay) => relay.replace(/\/+$/, '').replace(/^http/, 'ws');

/** @param {string} url */
export const originOf = (url) => new URL(url).origin;

/** @typedef {ReturnType<typeof openRoom>} Room */

/**
 * Connects to a room, again and again.
 * @param {string} url
 * @param {{
 *   frame: (frame: string) => void,
 *   changed: (isConnected: boolean, why: string) => void,
 *   socket?: (url: string) => WebSocket,
 *   atOnce?: number,
 *   longest: number,
 * }} on `atOnce` is how many frames may come at once, and `longest` how many bytes each may have
 */
export function openRoom(
	url,
	{ frame, changed, socket = (url) => new WebSocket(url), atOnce = AT_ONCE, longest },
) {
	/** @type {WebSocket | null} */
	let open = null;
	let wait = LEAST_WAIT;
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let again;
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let silent;
	let isClosed = false;
	let allowance = atOnce;
	let counted = Date.now();

	function connect() {
		if (isGivenUp(originOf(url))) {
			// The caller may still be waiting for the room that it opens.
			queueMicrotask(() => isClosed || changed(false, GIVEN_UP));
			return;
		}
		const made = socket(url);
		// The browser keeps a frame out of the page's memory until its size was looked at.
		made.binaryType = 'blob';
		open = made;
		const inTurn = inOrder();
		let since = Number.POSITIVE_INFINITY;
		/** @param {string} why */
		const lose = (why) => {
			if (open !== made) return;
			// A relay that takes a socket and closes it again is not asked in a hurry.
			if (Date.now() - since > MOST_WAIT) wait = LEAST_WAIT;
			open = null;
			clearTimeout(silent);
			made.close();
			if (isClosed) return;
			changed(false, why);
			again = setTimeout(connect, wait);
			wait = Math.min(wait * 2, MOST_WAIT);
		};
		/** @param {number} patience */
		const expect = (patience) => {
			clearTimeout(silent);
			silent = setTimeout(() => lose(texts.relaySilent), patience);
		};
		expect(CONNECT);
		made.onopen = () => {
			if (open !== made) return;
			since = Date.now();
			expect(SILENCE);
			changed(true, '');
		};
		made.onmessage = ({ data }) => {
			if (open !== made) return;
			if (!(data instanceof Blob) || data.size > longest) {
				flooded(originOf(url));
				return lose(TOO_LONG);
			}
			expect(SILENCE);
			const now = Date.now();
			allowance = Math.min(atOnce, allowance + ((now - counted) * A_SECOND) / 1000);
			counted = now;
			// What comes faster would keep the player from looking at the chain.
			if (allowance < 1) return lose(texts.relaySendsMuch);
			allowance -= 1;
			inTurn(async () => {
				const bytes = new Uint8Array(await data.arrayBuffer());
				if (open === made) frame(toHex(bytes));
			}).catch(() => lose(texts.relayUnreadable));
		};
		made.onclose = () => lose(texts.relayClosed);
		made.onerror = () => lose(texts.relayUnreached);
	}

	connect();
	return {
		/** Sends a frame, if the socket is open: players say what they hold when it opens again. @param {string} frame */
		send(frame) {
			if (open?.readyState === 1) open.send(fromHex(frame));
		},
		close() {
			isClosed = true;
			clearTimeout(again);
			clearTimeout(silent);
			const was = open;
			open = null;
			// Browsers complain of a socket that is closed before it is open.
			if (was?.readyState === 0) was.onopen = () => was.close();
			else was?.close();
		},
	};
}
