// As much of a browser as the page of a public host needs: its elements keep what is shown, and time passes as
// fast as it is waited for.

import { createHash } from 'node:crypto';

/** Milliseconds from which on nothing is waited for: these are limits for what does not come. */
const LONG = 4_000;

/** An element: it keeps its children and attributes, and has no layout. */
class Element {
	children = [];
	attributes = {};
	dataset = {};
	style = {};
	hidden = false;
	open = false;
	returnValue = '';
	classList = { add() {}, remove() {}, toggle() {} };
	#heard = {};

	constructor(page, tag) {
		this.page = page;
		this.tag = tag;
	}

	get textContent() {
		return this.children.map((child) => child.textContent ?? String(child)).join('');
	}

	set textContent(text) {
		this.children = [text];
	}

	setAttribute(name, value) {
		this.attributes[name] = value;
		if (name === 'id') this.page.elements.set(value, this);
		if (name === 'hidden') this.hidden = true;
	}

	getAttribute = (name) => this.attributes[name] ?? null;
	append = (...more) => this.children.push(...more);
	prepend = (...more) => this.children.unshift(...more);
	after() {}
	focus() {}
	replaceChildren = (...children) => {
		this.children = children;
	};

	addEventListener(name, heard, { once = false } = {}) {
		this.#heard[name] ??= [];
		this.#heard[name].push({ heard, once });
	}

	emit(name) {
		const all = this.#heard[name] ?? [];
		this.#heard[name] = all.filter(({ once }) => !once);
		for (const { heard } of all) heard({ target: this, preventDefault() {} });
	}

	showModal() {
		this.open = true;
		this.page.onDialog(this);
	}

	close(value = '') {
		this.open = false;
		this.returnValue = value;
		this.emit('close');
	}

	/** The first element within that has this tag or class. */
	find(name) {
		for (const child of this.children) {
			if (!(child instanceof Element)) continue;
			if (child.tag === name || child.attributes.class === name) return child;
			const found = child.find(name);
			if (found) return found;
		}
		return null;
	}

	querySelector = (name) => this.find(name);
	querySelectorAll = () => [];
}

/** How a browser keeps things: as it should, or not at all times. @typedef {{ refuses: () => boolean }} Keeping */

/** What the browser keeps between two visits. */
export class Storage {
	kept = new Map();
	/** @param {Keeping} [keeping] */
	constructor(keeping = { refuses: () => false }) {
		this.keeping = keeping;
	}
	getItem = (name) => this.kept.get(name) ?? null;
	setItem = (name, value) => {
		if (this.keeping.refuses()) throw new Error('QuotaExceededError');
		this.kept.set(name, value);
	};
	removeItem = (name) => this.kept.delete(name);
}

/** As much of IndexedDB as the page needs. What a transaction puts counts once it is complete. */
export class Database {
	records = new Map();
	/** @param {Keeping} [keeping] */
	constructor(keeping = { refuses: () => false }) {
		this.keeping = keeping;
	}
	open() {
		const opening = { result: this, error: new Error('UnknownError') };
		const isRefused = this.keeping.refuses();
		queueMicrotask(() => {
			if (isRefused) return opening.onerror();
			opening.onupgradeneeded?.();
			opening.onsuccess();
		});
		return opening;
	}
	createObjectStore() {}
	close() {}
	transaction() {
		const put = new Map();
		const transaction = {
			error: new Error('QuotaExceededError'),
			abort: () => queueMicrotask(() => transaction.onabort?.()),
			objectStore: () => ({
				get: (key) => {
					const found = { result: structuredClone(this.records.get(key)) };
					queueMicrotask(() => {
						found.onsuccess?.();
						if (put.size && this.keeping.refuses()) return transaction.onabort?.();
						for (const [name, record] of put) this.records.set(name, record);
						transaction.oncomplete?.();
					});
					return found;
				},
				put: (record) => put.set(record.key, structuredClone(record)),
			}),
		};
		return transaction;
	}
}

/** Opens a page in a browser with these memories. What it asks for is up to `on`. */
export class Page {
	elements = new Map();
	sockets = new Set();
	intervals = [];
	/** Timers that have passed, since somebody looked. */
	waits = 0;
	isClosed = false;
	onDialog = () => {};

	constructor({ dice, storage, database, locks, fetch, socket }) {
		const page = this;
		const make = (tag) => new Element(page, tag);
		const events = new EventTarget();
		const document = {
			hidden: false,
			activeElement: null,
			body: make('body'),
			head: make('head'),
			createElement: make,
			createElementNS: (_, tag) => make(tag),
			addEventListener() {},
			removeEventListener() {},
			querySelectorAll: () => [],
			querySelector: (name) => {
				if (!name.startsWith('#')) return null;
				const id = name.slice(1);
				if (!page.elements.has(id)) page.elements.set(id, make('div'));
				return page.elements.get(id);
			},
		};
		class Socket {
			constructor(url) {
				if (page.isClosed) return;
				page.sockets.add(this);
				socket(this, url);
			}
			send() {}
			close() {
				page.sockets.delete(this);
			}
		}
		const bound = (name) => events[name].bind(events);
		this.window = { localStorage: storage, sessionStorage: new Storage() };
		const kinds = ['', 'Button', 'Input', 'Anchor', 'Form'].map((kind) => `HTML${kind}Element`);
		Object.assign(globalThis, {
			window: this.window,
			document,
			location: {
				protocol: 'https:',
				origin: 'https://games.example',
				search: '',
				pathname: '/',
				hash: '',
			},
			history: { pushState() {}, replaceState() {} },
			scrollTo() {},
			...Object.fromEntries([...kinds, 'SVGElement'].map((kind) => [kind, Element])),
			indexedDB: database,
			WebSocket: Socket,
			addEventListener: bound('addEventListener'),
			dispatchEvent: bound('dispatchEvent'),
			// Nobody waits: what is to happen later happens once nothing else is left to do.
			setTimeout: (act, time = 0) =>
				time > LONG
					? 0
					: setImmediate(() => {
							if (page.isClosed) return;
							page.waits += 1;
							act();
						}),
			clearTimeout: (timer) => clearImmediate(timer),
			setInterval: (act) => page.intervals.push(act),
			clearInterval: (number) => {
				page.intervals[number - 1] = () => {};
			},
			fetch: async (path, { body } = {}) => {
				if (page.isClosed) return new Promise(() => {});
				const answer = await fetch(path, body ? JSON.parse(body) : null);
				return answer instanceof Error
					? Response.json({ error: answer.message, kind: 'refused' }, { status: 400 })
					: Response.json(answer ?? null);
			},
		});
		const crypto = {
			getRandomValues: (bytes) => bytes.map(() => dice.below(256)),
			// At once, so that nothing depends on how fast a thread is.
			subtle: { digest: async (_, bytes) => createHash('sha256').update(bytes).digest() },
		};
		const configurable = true;
		Object.defineProperty(globalThis, 'navigator', { value: { locks }, configurable });
		Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable });
	}

	/** Puts a wallet of Ethereum into the page. */
	announce(info, provider) {
		const tell = () =>
			dispatchEvent(
				Object.assign(new Event('eip6963:announceProvider'), { detail: { info, provider } }),
			);
		addEventListener('eip6963:requestProvider', tell);
	}

	/** Puts a wallet of a Polkadot SDK chain into the page. */
	inject(injected) {
		this.window.injectedWeb3 = { talisman: { enable: async () => injected } };
	}

	/** What an element shows; empty if it is hidden. */
	text(id) {
		const element = this.elements.get(id);
		return element && !element.hidden ? element.textContent : '';
	}

	/** Has what is repeated from time to time happen now. */
	tick() {
		for (const act of this.intervals) act();
	}

	/** Nothing happens in it any more. */
	close() {
		this.isClosed = true;
	}
}
