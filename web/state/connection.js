// The connection to the program that serves the page, and from there to the chain.

/** @import { State } from './types.d.ts' */

/** The time of day, as 14:05:09. @param {number} seconds since 1970 */
const timeOfDay = (seconds) => {
	const time = new Date(seconds * 1000);
	const two = (/** @type {number} */ part) => String(part).padStart(2, '0');
	return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
};

/** What is wrong with the connection; null if nothing is. @param {State} state */
export function away({ link, chain }) {
	if (link === 'lost') return 'The program that serves this page does not answer. Trying again.';
	if (!chain || chain.up) return null;
	const since = chain.since ? ` since ${timeOfDay(chain.since)}` : '';
	const why = chain.why ? `: ${chain.why.replace(/[.\s]+$/, '')}` : '';
	return `The chain cannot be reached${since}${why}. Trying again.`;
}
