// The module of WebAssembly by which the page decides and checks by itself. It is loaded when it is first
// asked something, and keeps nothing between two questions.

import { loaded } from '../late.js';
import { texts } from '../words/page.js';

/** @import { Answers, Failure, Requests } from '../ask.d.ts' */

/**
 * What the module exports; crates/browser/src/lib.rs describes it.
 * @typedef {{
 *   memory: WebAssembly.Memory,
 *   allocate: (length: number) => number,
 *   ask: (address: number, length: number) => bigint,
 *   release: (address: number, length: number) => void,
 * }} Exports
 */

/** Why the module does not answer: `name` for programs, `message` for people. */
export class AskError extends Error {
	/** @param {Failure} failure */
	constructor({ name, text }) {
		super(text);
		this.name = name;
	}
}

/** @type {Promise<WebAssembly.Module> | null} */
let loading = null;
/** @type {Promise<Exports> | null} */
let instance = null;

/** Has the page use these bytes in place of those that the server has. @param {BufferSource} bytes */
export function provide(bytes) {
	loading = WebAssembly.compile(bytes);
	instance = null;
}

/** Loads a module with the hash that index.html names. @param {URL} url */
export async function compiled(url) {
	return WebAssembly.compile(await (await loaded(url)).arrayBuffer());
}

/** @returns {Promise<Exports>} */
async function start() {
	loading ??= compiled(new URL('./page.wasm', import.meta.url));
	try {
		const made = await WebAssembly.instantiate(await loading, {});
		return /** @type {any} */ (made.exports);
	} catch (error) {
		// The next question tries again.
		loading = null;
		instance = null;
		const why = error instanceof Error ? error.message : String(error);
		throw new AskError({ name: 'NotLoaded', text: texts.partFails(why) });
	}
}

/**
 * Asks the module, by an object with one field whose name is that of the request.
 * @template {keyof Requests} Name
 * @param {{ [Key in Name]: Requests[Key] }} request
 * @returns {Promise<Answers[Name]>}
 * @throws {AskError} if it does not answer
 */
export async function ask(request) {
	instance ??= start();
	const wasm = await instance;
	let text = '';
	try {
		text = exchange(wasm, JSON.stringify(request));
	} catch {
		// Whatever is in its memory now, nobody uses it any more.
		instance = null;
		throw new AskError({ name: 'Trapped', text: texts.pageFault });
	}
	const { ok, error } = JSON.parse(text);
	if (error) throw new AskError(error);
	return ok;
}

/** @param {Exports} wasm @param {string} request */
export function exchange(wasm, request) {
	const bytes = new TextEncoder().encode(request);
	const at = wasm.allocate(bytes.length);
	new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
	const answer = BigInt.asUintN(64, wasm.ask(at, bytes.length));
	const [address, length] = [Number(answer >> 32n), Number(answer & 0xffff_ffffn)];
	const text = new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, address, length));
	wasm.release(address, length);
	return text;
}
