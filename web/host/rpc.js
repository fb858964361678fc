// A node's JSON-RPC, over HTTP or over a WebSocket.

import { texts } from '../words/host.js';

/** Milliseconds to wait for an answer. */
const PATIENCE = 6_000;
/** Characters of an answer, at most. A contract's code, the longest that is asked for, has some 60,000. */
const LONGEST = 1 << 20;
/** Answers that may be longer before the node is asked nothing more. Each of them may be hundreds of megabytes. */
const MOST_TOO_LONG = 3;

/**
 * Why a node did not do what was asked, in words. `kind` is `address` for one that a page can't ask,
 * `away` if there was no answer, `strange` if it was not one of JSON-RPC, `refused` if the node answered
 * with an error, and `unfit` for a node that is not one of this game.
 */
export class NodeError extends Error {
	/** @param {string} message @param {'address' | 'away' | 'strange' | 'refused' | 'unfit'} kind */
	constructor(message, kind) {
		super(message);
		this.kind = kind;
	}
}

/** @typedef {{ id: number, result?: any, error?: { code: number, message: string } }} Reply */
/**
 * A way to a node. `close` gives up all that is asked; what is asked later opens it again.
 * @typedef {{ ask: (id: number, body: string) => Promise<Reply>, close: () => void }} Line
 */

/**
 * @typedef {{
 *   request: (method: string, params?: unknown[]) => Promise<any>,
 *   close: () => void,
 * }} Rpc
 */

/** Hosts that a page may ask without encryption, as they are this machine. */
const HERE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The address of a node that a player typed in.
 * @param {string} text @param {string} protocol of the page, such as `https:`
 */
export function addressOf(text, protocol) {
	/** @type {URL | null} */
	let url = null;
	try {
		url = new URL(text.trim());
	} catch {
		// Said below.
	}
	if (!url || !/^(https?|wss?):$/.test(url.protocol)) {
		throw new NodeError(texts.nodeAddress, 'address');
	}
	if (url.username || url.password) {
		throw new NodeError(texts.nodeWithPassword, 'address');
	}
	const isPlain = url.protocol === 'http:' || url.protocol === 'ws:';
	if (isPlain && protocol === 'https:' && !HERE.test(url.hostname)) {
		throw new NodeError(texts.nodeUnencrypted, 'address');
	}
	url.hash = '';
	return url;
}

/**
 * Speaks to the node at an address.
 * @param {URL} url
 * @param {{ patience?: number, socket?: (url: URL) => WebSocket }} [how] `patience` in milliseconds
 * @returns {Rpc}
 */
export function connectTo(url, { patience = PATIENCE, socket = (of) => new WebSocket(of) } = {}) {
	let tooLong = 0;
	/** @param {number} length of an answer, as far as it has come; it is not read any further if it is too long */
	const fits = (length) => {
		if (length > LONGEST) tooLong += 1;
		return length <= LONGEST;
	};
	const line = url.protocol.startsWith('ws')
		? overSocket(() => socket(url), fits)
		: overHttp(url, fits);
	let last = 0;
	return {
		async request(method, params = []) {
			if (tooLong >= MOST_TOO_LONG) {
				throw new NodeError(texts.nodeTooLong(url.host), 'unfit');
			}
			last += 1;
			const body = JSON.stringify({ jsonrpc: '2.0', id: last, method, params });
			const timer = setTimeout(line.close, patience);
			const { result, error } = await line.ask(last, body).finally(() => clearTimeout(timer));
			if (error) throw new NodeError(error.message, 'refused');
			return result;
		},
		close: line.close,
	};
}

const away = () => new NodeError(texts.nodeSilent, 'away');
/** @param {number} status */
const strange = (status) =>
	new NodeError(status < 400 ? texts.answerStrange : texts.answerStatus(status), 'strange');

const tooLong = () => new NodeError(texts.answerTooLong, 'strange');

/** @param {any} said @returns {said is Reply} */
const isReply = (said) =>
	Boolean(said && typeof said === 'object' && ('result' in said || said.error));

/**
 * The text of an answer; null if it is too long, of which the rest is not loaded then.
 * @param {Response} answer @param {(length: number) => boolean} fits
 */
async function textOf({ body }, fits) {
	const decoder = new TextDecoder();
	let text = '';
	let length = 0;
	const reader = body?.getReader();
	for (;;) {
		const { done, value } = (await reader?.read()) ?? { done: true };
		if (done) return text + decoder.decode();
		length += value.length;
		if (!fits(length)) {
			reader?.cancel().catch(() => {});
			return null;
		}
		text += decoder.decode(value, { stream: true });
	}
}

/** @param {URL} url @param {(length: number) => boolean} fits @returns {Line} */
function overHttp(url, fits) {
	let stop = new AbortController();
	return {
		async ask(_, body) {
			const answer = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body,
				signal: stop.signal,
				cache: 'no-store',
				// The node is told nothing but what it is asked.
				credentials: 'omit',
				referrerPolicy: 'no-referrer',
			}).catch(() => {
				throw away();
			});
			// One that is asked too much, or stands behind a proxy that does not reach it, is as good as away.
			if (answer.status === 429 || answer.status >= 500) throw away();
			const text = await textOf(answer, fits).catch(() => {
				throw away();
			});
			if (text === null) throw tooLong();
			const said = parse(text);
			if (!isReply(said)) throw strange(answer.status);
			return said;
		},
		close() {
			stop.abort();
			stop = new AbortController();
		},
	};
}

/** @param {() => WebSocket} connect @param {(length: number) => boolean} fits @returns {Line} */
function overSocket(connect, fits) {
	/** @type {Promise<WebSocket> | null} */
	let opening = null;
	/** @type {Map<number, { resolve: (said: Reply) => void, reject: (error: Error) => void }>} */
	const waiting = new Map();

	/** @param {NodeError} why */
	function drop(why) {
		opening = null;
		for (const one of waiting.values()) one.reject(why);
		waiting.clear();
	}

	function open() {
		const opened = new Promise((/** @type {(socket: WebSocket) => void} */ resolve, reject) => {
			const socket = connect();
			socket.onopen = () => resolve(socket);
			// Texts are in memory however long they are; what is no text stays out of it.
			socket.binaryType = 'blob';
			socket.onmessage = ({ data }) => {
				if (!fits(typeof data === 'string' ? data.length : data.size)) {
					if (opening === opened) drop(tooLong());
					return socket.close();
				}
				const said = parse(data);
				if (!isReply(said)) return;
				waiting.get(said.id)?.resolve(said);
				waiting.delete(said.id);
			};
			socket.onclose = () => {
				reject(away());
				if (opening === opened) drop(away());
			};
		});
		return opened;
	}

	return {
		async ask(id, body) {
			opening ??= open();
			const socket = await opening;
			return new Promise((resolve, reject) => {
				waiting.set(id, { resolve, reject });
				socket.send(body);
			});
		},
		close() {
			opening?.then((socket) => socket.close()).catch(() => {});
			drop(away());
		},
	};
}

/** @param {string} text @returns {unknown} */
function parse(text) {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
