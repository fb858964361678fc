// What asks the program or a host: requests, which go to the next host if one does not answer, and sockets that
// open again when they break.

import { flooded, isGivenUp } from './floods.js';
import { host, hostCount, nextHost, socketAt } from './hosts.js';
import { readHello } from './state/hello.js';
import {
	behindProxy,
	failed,
	isLoopback,
	late,
	tooLong,
	unknownHello,
	unreached,
	unreadable,
} from './state/reach.js';
import { current } from './store.js';

/** @import { Reach } from './state/types.d.ts'
 * @import { Hello, Live, Refusal } from './wire.d.ts' */

const PATIENCE = 30_000; // milliseconds for an answer
/** The longest answer that is read, in bytes: the longest that hosts give are some hundred thousand. */
const MOST = 4_000_000;
/** What a proxy answers for a host that it does not reach. */
const UNREACHED = [502, 503, 504];
/** Of these, what says that the host has not got the request, or is gone. */
const GONE = [502, 503];
/** Milliseconds for which a proxy is asked again that does not reach its host, which may have been restarted. */
const RETURN = 5_000;
const LEAST_WAIT = 300; // milliseconds before a socket is opened again
const MOST_WAIT = 3_000;
const LONGER = 1.7; // how much longer each wait is than the one before
const ASLEEP = 20_000; // milliseconds out of sight after which a socket is not trusted

/** Why a request failed, in words for the player. */
export class Failure extends Error {
	/** @param {string} message @param {Refusal['kind'] | 'away'} kind @param {number} [status] of the answer, if there was one */
	constructor(message, kind, status = 0) {
		super(message);
		this.kind = kind;
		this.status = status;
		/** Whether a host that has not answered may have done what was asked. */
		this.mayBeDone = kind === 'away';
	}
}

/** Address of the contract by which this page plays; null until it is known. @type {string | null} */
let contract = null;

/**
 * What the program or a host says of itself.
 * @param {HeadersInit} headers
 * @returns {Promise<Hello>}
 */
export async function greet(headers) {
	const said = readHello(await request('/api/hello', { headers }));
	if (!said) {
		throw new Failure(unknownHello(reachOf([host()])), 'other');
	}
	contract = said.chain.contract ?? contract;
	return said;
}

/** @param {string} path @returns {Promise<any>} */
export const get = (path) => request(path, { headers: opening.headers() });

/**
 * @typedef {{ patience?: number, isIdempotent?: boolean }} Asks
 *
 * `patience` is in milliseconds. What is idempotent is asked again while a proxy does not reach the host, which may
 * have got it the first time.
 */

/**
 * What a program wants to be told with what is asked of it; `renew` gets it anew once the program was restarted.
 * @typedef {{ headers: () => Record<string, string>, renew: () => Promise<unknown> }} Opening
 */

/** @type {Opening} */
let opening = { headers: () => ({}), renew: async () => {} };
/** @param {Opening} by */
export const openBy = (by) => {
	opening = by;
};

/**
 * @param {string} path @param {object} body @param {Asks} [how]
 * @returns {Promise<any>}
 */
export async function tell(path, body, how = {}) {
	const send = () =>
		request(path, {
			...how,
			method: 'POST',
			headers: { 'content-type': 'application/json', ...opening.headers() },
			body: JSON.stringify(body),
		});
	try {
		return await send();
	} catch (failure) {
		if (!(failure instanceof Failure) || failure.kind !== 'token') throw failure;
		await opening.renew();
		return send();
	}
}

/**
 * Asks the host, and if it does not answer the others that there are.
 * @param {string} path @param {RequestInit & Asks} options
 * @returns {Promise<any>}
 */
async function request(path, { isIdempotent = false, ...options } = {}) {
	const until = performance.now() + RETURN;
	let wait = LEAST_WAIT;
	let wasAway = false;
	/** The hosts that have not answered. @type {Set<string>} */
	const silent = new Set();
	for (let left = hostCount() - 1; ; left -= 1) {
		const asked = host();
		try {
			return await requestOf(asked, path, options);
		} catch (failure) {
			if (!(failure instanceof Failure)) throw failure;
			failure.mayBeDone ||= wasAway;
			if (failure.kind !== 'away') throw failure;
			wasAway = true;
			nextHost(asked);
			if (failure.status === 0) silent.add(asked);
			if (left > 0) continue;
			const isLate = performance.now() > until;
			if (!isIdempotent || !GONE.includes(failure.status) || isLate) {
				if (silent.size < Math.max(2, hostCount())) throw failure;
				throw new Failure(unreached(reachOf([...silent]), current().hello), 'away');
			}
			const now = wait;
			await new Promise((resolve) => setTimeout(resolve, now));
			wait *= LONGER;
		}
	}
}

/**
 * @param {string} at @param {string} path @param {RequestInit & Pick<Asks, 'patience'>} options
 * @returns {Promise<any>}
 */
async function requestOf(at, path, { patience = PATIENCE, ...options }) {
	const stop = new AbortController();
	const reach = () => reachOf([at]);
	const { hello } = current();
	const timer = setTimeout(() => stop.abort(), patience);
	try {
		const answer = await fetch(at + path, {
			...options,
			signal: stop.signal,
			cache: 'no-store',
		});
		const said = await textOf(answer);
		if (said === null) throw new Failure(tooLong(reach(), hello), 'other', answer.status);
		const body = parse(said);
		if (answer.ok && body) return body;
		const { status } = answer;
		const isAway = UNREACHED.includes(status);
		/** @type {{ error: string, kind: Refusal['kind'] | null }} */
		const { error, kind } = body ?? {
			error: answer.ok
				? unreadable(reach(), hello)
				: (isAway ? behindProxy : failed)(reach(), hello, status),
			kind: null,
		};
		throw new Failure(error, kind ?? (isAway ? 'away' : 'other'), status);
	} catch (failure) {
		if (failure instanceof Failure) throw failure;
		throw new Failure(
			stop.signal.aborted ? late(reach(), hello, patience) : unreached(reach(), hello),
			'away',
		);
	} finally {
		clearTimeout(timer);
	}
}

/** What an answer says; null if that is too long. @param {Response} answer */
async function textOf(answer) {
	const reader = answer.body?.getReader();
	const decoder = new TextDecoder();
	let text = '';
	for (let size = 0; reader; ) {
		const { done, value } = await reader.read();
		if (done) break;
		size += value.length;
		if (size > MOST) {
			reader.cancel().catch(() => {});
			return null;
		}
		text += decoder.decode(value, { stream: true });
	}
	return text + decoder.decode();
}

/** What is known of servers that were tried. @param {string[]} tried their origins, empty for that of the page @returns {Reach} */
function reachOf(tried) {
	const { navigator } = globalThis;
	const at = tried.map((origin) => new URL(origin || location.origin));
	return {
		names: at.map(({ host: name }) => name),
		isNamed: tried.some((origin) => origin !== ''),
		isKept: Boolean(navigator?.serviceWorker?.controller),
		isLocal: at.every(({ hostname }) => isLoopback(hostname)),
		isOffline: navigator?.onLine === false,
		isGivenUp: false,
	};
}

/** @param {string} path */
const socketTo = (path) => new WebSocket(socketAt(path));

/** A message of a socket; null for what can't be read. @param {string} text */
export const parse = (text) => {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
};

/**
 * Listens to the program until it is stopped, and connects again when the connection breaks.
 * @param {string} path
 * @param {{ message: (said: Live) => void, up: () => void, down: (reach: Reach) => void }} on
 * @returns {() => void} stops it
 */
export function listen(path, on) {
	let timer = 0;
	let wait = LEAST_WAIT;
	let over = false;

	/** @type {WebSocket | null} */
	let socket = null;

	const openLater = () => {
		timer = setTimeout(open, wait);
		wait = Math.min(MOST_WAIT, wait * LONGER);
	};

	const open = () => {
		const at = host();
		if (isGivenUp(at)) {
			nextHost(at);
			on.down({ ...reachOf([at]), isGivenUp: true });
			if (host() !== at) openLater();
			return;
		}
		// Else a host with other contracts shows another game of the same number.
		const mine = socketTo(contract && path.includes('?') ? `${path}&contract=${contract}` : path);
		socket = mine;
		mine.onopen = () => {
			wait = LEAST_WAIT;
			if (socket === mine) on.up();
		};
		mine.onmessage = ({ data }) => {
			if (data.length > MOST) {
				flooded(at);
				return mine.close();
			}
			const said = parse(data);
			if (said && socket === mine) on.message(said);
		};
		mine.onclose = () => {
			if (over || socket !== mine) return;
			nextHost(at);
			on.down(reachOf([at]));
			openLater();
		};
	};
	open();

	// After a machine slept, a socket may be dead without having been closed.
	let hiddenAt = 0;
	const wake = () => {
		if (document.hidden) {
			hiddenAt = Date.now();
		} else if (
			hiddenAt &&
			Date.now() - hiddenAt > ASLEEP &&
			socket?.readyState === WebSocket.OPEN
		) {
			const old = socket;
			open();
			old.close();
		}
	};
	document.addEventListener('visibilitychange', wake);

	return () => {
		over = true;
		clearTimeout(timer);
		document.removeEventListener('visibilitychange', wake);
		socket?.close();
	};
}
