// The computer that plays in this page, and says what moves are worth: a module of WebAssembly in a worker, so that
// the page goes on while it thinks. Loaded when it is first asked something.

import { toHex } from '../host/hex.js';
import { AskError, compiled, exchange } from '../host/wasm.js';
import { loaded } from '../late.js';
import { texts } from '../words/here.js';

/** @import { ComputerAnswers, ComputerRequests, Drops } from '../ask.d.ts'
 * @import { Hint } from '../wire.d.ts' */

/** @typedef {{ resolve: (text: string) => void, reject: (why: Error) => void }} Asked */

/**
 * What runs in the worker. Its text is all that the worker has: a file of its own could not be held against the hash
 * that index.html names.
 */
function work() {
	/** @type {Promise<any> | null} */
	let instance = null;
	const now = () => performance.now();
	addEventListener('message', async ({ data }) => {
		instance ??= WebAssembly.instantiate(data.module, { page: { now } });
		try {
			const { exports } = await instance;
			postMessage({ id: data.id, text: exchange(exports, data.request) });
		} catch {
			postMessage({ id: data.id, text: null });
		}
	});
}

/** @type {Promise<WebAssembly.Module> | null} */
let loading = null;
/** A worker, and what it has not answered yet, by number. @typedef {{ worker: Worker, asked: Map<number, Asked> }} Mind */

/**
 * Who plays, and who looks at what moves are worth: a move of the computer does not wait for that.
 * @type {{ play: Mind | null, look: Mind | null }}
 */
const minds = { play: null, look: null };
let questions = 0;

/** Loads the module. */
export function load() {
	loading ??= compiled(new URL('./computer.wasm', import.meta.url));
	loading.catch(() => {
		// The next question tries again.
		loading = null;
	});
	return loading;
}

/** A worker, which is begun when it is needed. @param {keyof typeof minds} name @returns {Mind} */
function begun(name) {
	const there = minds[name];
	if (there) return there;
	const source = new Blob([`${exchange}\n(${work})();`], { type: 'text/javascript' });
	const url = URL.createObjectURL(source);
	const worker = new Worker(url);
	URL.revokeObjectURL(url);
	/** @type {Mind} */
	const mind = { worker, asked: new Map() };
	minds[name] = mind;
	/** Ends the worker, and all that it was asked. @param {string} text */
	const fail = (text) => {
		worker.terminate();
		if (minds[name] === mind) minds[name] = null;
		for (const { reject } of mind.asked.values()) reject(new AskError({ name: 'Trapped', text }));
	};
	worker.onmessage = ({ data: { id, text } }) => {
		if (text === null) return fail(texts.pageFault);
		mind.asked.get(id)?.resolve(text);
		mind.asked.delete(id);
	};
	worker.onerror = () => fail(texts.partFails);
	return mind;
}

/** The book of the opening, once it was loaded. @type {Promise<string> | null} */
let book = null;

/** Loads the book: most positions are not in it. */
function loadBook() {
	book ??= readBook();
	book.catch(() => {
		book = null;
	});
	return book;
}

async function readBook() {
	const answer = await loaded(new URL('./book.bin', import.meta.url));
	return toHex(new Uint8Array(await answer.arrayBuffer()));
}

/**
 * What is there once it was loaded.
 * @template Loaded @param {Promise<Loaded>} loading @returns {Promise<Loaded>} @throws {AskError} if it was not
 */
const here = (loading) =>
	loading.catch((why) => {
		const text = texts.computerFails(why instanceof Error ? why.message : why);
		throw new AskError({ name: 'NotLoaded', text });
	});

/** Asks the computer once. @param {keyof typeof minds} name @param {Partial<ComputerRequests>} request */
async function asked(name, request) {
	const module = await here(load());
	questions += 1;
	const id = questions;
	const mind = begun(name);
	/** @type {string} */
	const text = await new Promise((resolve, reject) => {
		mind.asked.set(id, { resolve, reject });
		mind.worker.postMessage({ id, module, request: JSON.stringify(request) });
	});
	const { ok, error } = JSON.parse(text);
	if (error) throw new AskError(error);
	return ok;
}

/**
 * Asks the computer, by an object with one field whose name is that of the request.
 * @template {keyof ComputerRequests} Name
 * @param {{ [Key in Name]: ComputerRequests[Key] }} request
 * @returns {Promise<ComputerAnswers[Name]>}
 * @throws {AskError} if it does not answer
 */
export async function think(request) {
	const name = 'hint' in request || 'review' in request ? 'look' : 'play';
	try {
		return await asked(name, request);
	} catch (failure) {
		if (!(failure instanceof AskError && failure.name === 'NoBook')) throw failure;
	}
	await asked(name, { book: await here(loadBook()) });
	return asked(name, request);
}

/**
 * What each legal move of a position is worth.
 * @param {Drops} drops @param {(hint: Hint) => boolean} [goesOn] hears each time that more is known, and says whether to
 * go on
 */
export async function hintFor(drops, goesOn = () => true) {
	for (;;) {
		const hint = await think({ hint: drops });
		if (!goesOn(hint) || hint.is_complete) return hint;
	}
}
