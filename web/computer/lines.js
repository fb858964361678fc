// Lines of moves, on no chain: a host tells what one leads to, as it has the rules at once. If none answers, the
// computer of this page tells the same, also what is wrong with a line.

import { AskError } from '../host/wasm.js';
import { Failure, get } from '../transport.js';

/** @import { Line as ViewedLine } from '../wire.d.ts' */

/** What a line leads to. @param {string} query of its address @returns {Promise<ViewedLine>} */
export async function lineOf(query) {
	try {
		return await get(`/api/line?${query}`);
	} catch (failure) {
		if (!(failure instanceof Failure && failure.kind === 'away')) throw failure;
		return fromPage(query, failure);
	}
}

/** @param {string} query @param {Failure} away why no host has told it */
async function fromPage(query, away) {
	// A browser that has not kept the computer needs the host.
	const mind = await import('./mind.js').catch(() => null);
	if (!mind) throw away;
	try {
		return await mind.think({ line_of: { query: [...new URLSearchParams(query)] } });
	} catch (failure) {
		const isRead = failure instanceof AskError && failure.name !== 'NotLoaded';
		throw isRead ? failure : away;
	}
}
