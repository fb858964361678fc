// What the tests of fast games in a browser need: a chain as the contract runs it, a room of a relay, a
// disk that survives its page, locks that tabs share.

import { readFile } from 'node:fs/promises';

import { ask, provide } from './wasm.js';

export { Database } from './database-fakes.mjs';

provide(await readFile(new URL('../../artifacts/page.wasm', import.meta.url)));

export const GAME = 'f3';
export const CHAIN_ID = 420420421;
export const CONTRACT = `0x${'cc'.repeat(20)}`;
const ACCOUNTS = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`];

/** Secrets of session keys. */
export const SECRETS = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`];
export const KEYS = await Promise.all(
	SECRETS.map(async (session) => (await ask({ session })).address),
);

/** @param {number | bigint} value @param {number} bytes */
const little = (value, bytes) =>
	Array.from({ length: bytes }, (_, index) =>
		Number((BigInt(value) >> BigInt(8 * index)) & 0xffn)
			.toString(16)
			.padStart(2, '0'),
	).join('');
/** @param {string} hex */
const bare = (hex) => hex.slice(2);

/**
 * What `read_fast` answers for a game on the standard board that has just begun, with these session keys and
 * players.
 * @param {string[]} keys @param {string[]} accounts
 */
export const started = (keys = KEYS, accounts = ACCOUNTS) =>
	[
		'0x0000', // ink!'s result, and the contract's
		...accounts.map(bare),
		'00'.repeat(32), // no discs
		'070604', // 7 bins of 6, lines of 4
		'02000200', // nobody has moved, turns, no winner, not over
		bare(accounts[0]),
		'00'.repeat(16), // the clock stands
		...keys.map(bare),
		'01', // with these banks
		little(600, 4),
		little(600, 4),
		little(5, 4),
		'00', // no contest
		'00', // begun by no terms
		'00', // no pie rule
	].join('');

/** The same with one disc of red in the first bin. */
export const moved = (accounts = ACCOUNTS) =>
	started(KEYS, accounts)
		.replace(`${'00'.repeat(32)}070604`, `01${'00'.repeat(31)}070604`)
		.replace('02000200', '00010200');

/**
 * The same game while a clock runs: red has until this second, as no move of it is on the chain.
 * @param {number} deadline @param {string} [chain]
 */
export const pressed = (deadline, chain = started()) => {
	const payer = bare(ACCOUNTS[0] ?? '');
	const runs = little(deadline, 8) + little(600, 4) + little(5, 4);
	return chain
		.replace(`${payer}${'00'.repeat(16)}`, `${payer}${runs}`)
		.replace(/01.{24}000000$/, '00000000');
};

/** What `match_of` and `fast_match_of` answer for a match for a stake. @param {number | bigint} stake */
export const matchFor = (stake) => `0x0000${little(stake, 16)}${'00'.repeat(12)}`;

/** The same, in which red has offered a draw before blue's first move. @param {number | bigint} stake */
export const drawFor = (stake) => matchFor(stake).replace(/0000$/, '01000000');

/** A number in SCALE's compact form. @param {bigint} number */
function compact(number) {
	if (number < 64n) return little(number << 2n, 1);
	if (number < 1n << 14n) return little((number << 2n) | 1n, 2);
	if (number < 1n << 30n) return little((number << 2n) | 2n, 4);
	const bytes = Math.ceil(number.toString(16).length / 2);
	return little(3n | (BigInt(bytes - 4) << 2n), 1) + little(number, bytes);
}

/**
 * `Revive.call`, the extrinsic by which a contract is called.
 * @param {{
 *   index?: string, contract: string, value?: bigint, time?: bigint, proof?: bigint, deposit?: bigint,
 *   input: string,
 * }} call
 */
export const reviveCall = ({
	index = '3c01',
	contract,
	value = 0n,
	time = 500_000_000n,
	proof = 40_000n,
	deposit = 1_000n,
	input,
}) =>
	`0x${index}${contract.slice(2)}${[value, time, proof, deposit].map(compact).join('')}${compact(BigInt(input.length / 2 - 1))}${input.slice(2)}`;

/** A browser's disk, which outlives its pages. */
export class Disk {
	/** @type {Map<string, { secret: string, books: Record<string, string> }>} */
	sessions = new Map();
	/** Fails before it writes. */
	isFull = false;
	/** Pages that ask it wait here before they go on. @type {Promise<void>} */
	gate = Promise.resolve();

	/** @param {string} key @param {string} secret */
	constructor(key, secret) {
		this.sessions.set(key, { secret, books: {} });
	}

	/** @param {string} key @param {string} game */
	async read(key, game) {
		const session = this.sessions.get(key);
		if (!session) throw new Error('there is no key');
		return { secret: session.secret, book: session.books[game] ?? null };
	}

	/** @param {string} key @param {string} game @param {string} book */
	async keep(key, game, book) {
		if (this.isFull) throw new Error('the disk is full');
		const session = this.sessions.get(key);
		if (session) session.books[game] = book;
		await this.gate;
	}
}

/** Locks that the tabs of one browser share. */
export class Locks {
	/** @type {Map<string, Promise<unknown>>} */
	held = new Map();

	/** @param {string} name @param {any} options @param {any} [act] */
	async request(name, options, act = options) {
		const { ifAvailable = false, signal = null } = typeof options === 'object' ? options : {};
		if (this.held.has(name)) {
			if (ifAvailable) return act(null);
			while (this.held.has(name)) await this.held.get(name);
			if (signal?.aborted) throw signal.reason;
		}
		const done = Promise.resolve(act({ name }));
		const settled = done.catch(() => {});
		this.held.set(name, settled);
		await settled;
		this.held.delete(name);
		return done;
	}
}

/** Numbers from the relay of what has the numbers from 0 to it: positions, offers, joins, terms, rematches. */
const FROM_RELAY = [1, 2, 3, 5, 6];

/** A relay with one room: it passes on what it is sent, and checks nothing. */
export class Relay {
	/** @type {Set<any>} */
	sockets = new Set();
	/** The latest position. @type {Uint8Array | null} */
	latest = null;
	/** The latest offer of a draw. @type {Uint8Array | null} */
	offer = null;
	/** The terms of a game by signed terms. @type {Uint8Array | null} */
	terms = null;
	/** Lets nothing through. */
	isDown = false;

	/** @type {(url: string) => any} */
	socket = (url) => {
		const relay = this;
		const made = {
			url,
			binaryType: '',
			readyState: 0,
			/** @type {any} */ onopen: null,
			/** @type {any} */ onmessage: null,
			/** @type {any} */ onclose: null,
			/** @type {any} */ onerror: null,
			/** @param {Uint8Array} frame */
			send(frame) {
				if (relay.isDown) return;
				const [kind] = frame;
				// A join is the relay's own business.
				if (kind === 2) return;
				const passed = Uint8Array.of(FROM_RELAY[kind ?? 0] ?? 0, ...frame.slice(1));
				if (kind === 0) relay.latest = passed;
				if (kind === 1) relay.offer = passed;
				if (kind === 3) relay.terms = passed;
				relay.tell(passed);
			},
			close() {
				relay.sockets.delete(made);
				made.readyState = 3;
			},
		};
		setTimeout(() => {
			if (this.isDown) return made.onclose?.();
			made.readyState = 1;
			this.sockets.add(made);
			made.onopen?.();
			const welcome = new Uint8Array(33);
			this.give(made, welcome);
			if (this.terms) this.give(made, this.terms);
			if (this.latest) this.give(made, this.latest);
		});
		return made;
	};

	/** Tells everybody in the room. @param {Uint8Array} frame */
	tell(frame) {
		for (const socket of this.sockets) this.give(socket, frame);
	}

	/** @param {any} socket @param {Uint8Array} frame */
	give(socket, frame) {
		setTimeout(() => socket.onmessage?.({ data: framed(frame) }));
	}

	/** Loses all sockets. */
	drop() {
		for (const socket of [...this.sockets]) {
			this.sockets.delete(socket);
			socket.onclose?.();
		}
	}
}

/** A frame as a browser gives it to the page; it is read at once, so that no test depends on a thread. @param {Uint8Array} bytes */
export const framed = (bytes) =>
	Object.assign(new Blob([Uint8Array.from(bytes)]), {
		arrayBuffer: async () => Uint8Array.from(bytes).buffer,
	});

/** Resolves once `is` is true. @param {() => boolean} is @param {string} what */
export async function until(is, what) {
	for (let turn = 0; turn < 2_000; turn += 1) {
		if (is()) return;
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
	throw new Error(`it does not come to this: ${what}`);
}
