// As much of a browser as the modules of a public host's page ask when they are loaded. It is imported
// before them.

import { Database } from './database-fakes.mjs';

/** What the browser keeps. @type {Map<string, string>} */
export const kept = new Map();
const storage = {
	getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
	setItem: (/** @type {string} */ name, /** @type {string} */ value) => kept.set(name, value),
	removeItem: (/** @type {string} */ name) => kept.delete(name),
};
/** The database of the browser. */
export const disk = new Database();
/** What it keeps of what guards money, under a name. @param {string} name */
export const guarded = (name) => disk.records.get(`guard ${name}`)?.value;
/** Has the browser keep nothing of what it has kept. */
export function clear() {
	kept.clear();
	disk.records.clear();
}

/** Tabs that tell each other. An open channel of Node.js would keep the tests from ending. @type {Set<Channel>} */
const tabs = new Set();
class Channel {
	/** @type {((event: { data: unknown }) => void) | null} */
	onmessage = null;
	/** @param {string} name */
	constructor(name) {
		this.name = name;
		tabs.add(this);
	}

	/** @param {unknown} data */
	postMessage(data) {
		for (const tab of tabs) if (tab !== this && tab.name === this.name) tab.onmessage?.({ data });
	}
}

// Looks that go on as long as a page is open would keep the tests from ending.
const { setInterval } = globalThis;
Object.assign(globalThis, {
	BroadcastChannel: Channel,
	indexedDB: disk,
	window: { localStorage: storage, sessionStorage: storage },
	document: { querySelector: () => null },
	location: { protocol: 'https:', origin: 'https://games.example', pathname: '/', search: '' },
	setInterval: (/** @type {Parameters<typeof setInterval>} */ ...of) => setInterval(...of).unref(),
});

/** Asks what is not the host. */
const { fetch } = globalThis;
/** What the host answers, by the beginning of the path; a number is what a proxy answers for it. @type {Record<string, (asked: any, path: string) => unknown>} */
export const host = {};
/** What the host was asked. @type {{ path: string, body: any }[]} */
export const asked = [];

globalThis.fetch = /** @type {any} */ (
	async (/** @type {string} */ path, /** @type {RequestInit} */ options = {}) => {
		if (/^https?:/.test(path)) return fetch(path, options);
		const body = options.body ? JSON.parse(String(options.body)) : null;
		asked.push({ path, body });
		const found = Object.keys(host).find((beginning) => path.startsWith(beginning));
		if (!found) return new Response('', { status: 404 });
		const answer = await host[found]?.(body, path);
		if (typeof answer === 'number') return new Response('no JSON', { status: answer });
		if (answer instanceof Error) {
			return Response.json({ error: answer.message, kind: 'refused' }, { status: 400 });
		}
		return Response.json(answer ?? null);
	}
);
