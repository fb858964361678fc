// The computer that plays in this page, and says what moves are worth: a module of WebAssembly in a worker, so that
// the page goes on while it thinks. Loaded when it is first asked something.

import { AskError, compiled, exchange } from '../host/wasm.js';
import { texts } from '../words/here.js';

/** @import { ComputerAnswers, ComputerRequests } from '../ask.d.ts' */

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

/**
 * Asks the computer, by an object with one field whose name is that of the request.
 * @template {keyof ComputerRequests} Name
 * @param {{ [Key in Name]: ComputerRequests[Key] }} request
 * @returns {Promise<ComputerAnswers[Name]>}
 * @throws {AskError} if it does not answer
 */
export async function think(request) {
	const module = await load().catch((why) => {
		const text = texts.computerFails(why instanceof Error ? why.message : why);
		throw new AskError({ name: 'NotLoaded', text });
	});
	questions += 1;
	const id = questions;
	const { worker, asked } = begun('hint' in request || 'review' in request ? 'look' : 'play');
	/** @type {string} */
	const text = await new Promise((resolve, reject) => {
		asked.set(id, { resolve, reject });
		worker.postMessage({ id, module, request: JSON.stringify(request) });
	});
	const { ok, error } = JSON.parse(text);
	if (error) throw new AskError(error);
	return ok;
}
