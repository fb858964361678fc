// The module of WebAssembly that plays a signed game. Each game has an instance of its own, which keeps it: its memory
// is nobody else's, and a fault in it ends no other game. Loaded when a game is first played.

import { AskError, compiled, exchange } from '../host/wasm.js';
import { texts } from '../words/page.js';

/** @import { PlayerAnswers, PlayerRequests } from '../ask.d.ts' */

/**
 * Asks the module of a game, by an object with one field whose name is that of the request.
 * @typedef {<Name extends keyof PlayerRequests>(
 *   request: { [Key in Name]: PlayerRequests[Key] },
 * ) => PlayerAnswers[Name]} Ask
 */

/** @type {Promise<WebAssembly.Module> | null} */
let loading = null;

/** Has the page use these bytes in place of those that the server has. @param {BufferSource} bytes */
export function provide(bytes) {
	loading = WebAssembly.compile(bytes);
}

/** @returns {Promise<Ask>} throws an {@link AskError} where there is no answer */
export async function openModule() {
	loading ??= compiled(new URL('./player.wasm', import.meta.url));
	loading.catch(() => {
		// The next game tries again.
		loading = null;
	});
	/** @type {any} */
	const { exports } = await WebAssembly.instantiate(await loading, {});
	return (request) => {
		let text = '';
		try {
			text = exchange(exports, JSON.stringify(request));
		} catch {
			throw new AskError({ name: 'Trapped', text: texts.pageFault });
		}
		const { ok, error } = JSON.parse(text);
		if (error) throw new AskError(error);
		return ok;
	};
}
