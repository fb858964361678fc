// The module of WebAssembly that reads, checks and writes records, in a worker: a file of many games takes seconds, and
// the page goes on meanwhile.

import { AskError, compiled, exchange } from '../host/wasm.js';
import { texts } from '../words/file.js';

/** @import { RecordAnswers, RecordRequests } from '../ask.d.ts' */

/** What runs in the worker. Its text is all that the worker has, as in computer/mind.js. */
function work() {
	addEventListener('message', async ({ data }) => {
		try {
			/** @type {any} */
			const { exports } = await WebAssembly.instantiate(data.module, {});
			postMessage(exchange(exports, data.request));
		} catch {
			postMessage(null);
		}
	});
}

/** @type {Promise<WebAssembly.Module> | null} */
let loading = null;

/**
 * Asks the module, by an object with one field whose name is that of the request. Each question has a worker of its own,
 * which ends with the answer, or when it is not wanted any more.
 * @template {keyof RecordRequests} Name
 * @param {{ [Key in Name]: RecordRequests[Key] }} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<RecordAnswers[Name]>}
 */
export async function ask(request, signal) {
	loading ??= compiled(new URL('./record.wasm', import.meta.url));
	loading.catch(() => {
		loading = null;
	});
	const module = await loading;
	const source = new Blob([`${exchange}\n(${work})();`], { type: 'text/javascript' });
	const url = URL.createObjectURL(source);
	const worker = new Worker(url);
	URL.revokeObjectURL(url);
	/** @type {string | null} */
	const text = await new Promise((resolve, reject) => {
		worker.onmessage = ({ data }) => resolve(data);
		worker.onerror = () => reject(new Error(texts.partFails));
		signal?.addEventListener('abort', () => reject(signal.reason));
		worker.postMessage({ module, request: JSON.stringify(request) });
	}).finally(() => worker.terminate());
	if (text === null) throw new Error(texts.pageFault);
	const { ok, error } = JSON.parse(text);
	if (error) throw new AskError(error);
	return ok;
}
