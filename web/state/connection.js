// The connection to the program that serves the page, and from there to the chain.

import { texts } from '../words/page.js';
import { lost } from './reach.js';
import { isByTerms, isHere } from './seats.js';

/** @import { State } from './types.d.ts' */

/** The time of day, as 14:05:09. @param {number} seconds since 1970 */
const timeOfDay = (seconds) => {
	const time = new Date(seconds * 1000);
	const two = (/** @type {number} */ part) => String(part).padStart(2, '0');
	return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
};

/**
 * Whether the page shows by itself what the address names.
 * @param {Pick<State, 'route' | 'hello' | 'view'>} state
 */
export const isByPage = ({ route, hello, view }) =>
	isHere(route.game) ||
	route.page === 'puzzles' ||
	(route.page === 'line' && hello !== null && view !== null);

/** What is wrong with the connection; null if nothing is. @param {State} state */
export function away({ link, reach, chain, hello, unread, route, view }) {
	// It needs neither, nor does a game at a relay.
	if (isByPage({ route, hello, view }) || isByTerms(route.game)) return null;
	if (link === 'lost') return lost(reach, hello);
	// Without it there is nothing else to show.
	if (!hello && unread) return unread;
	if (!chain || chain.up) return null;
	const since = chain.since ? timeOfDay(chain.since) : '';
	return texts.chainLost(since, chain.why?.replace(/[.\s]+$/, '') ?? '');
}
