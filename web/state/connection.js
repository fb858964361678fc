// The connection to the program that serves the page, and from there to the chain.

/** @import { State } from './types.d.ts' */

/** What is wrong with the connection; null if nothing is. @param {State} state */
export function away({ link, chain }) {
	if (link === 'lost') return 'The program that serves this page does not answer. Trying again.';
	if (!chain || chain.up) return null;
	const why = chain.why ? `: ${chain.why.replace(/[.\s]+$/, '')}` : '';
	return `The chain cannot be reached${why}. Trying again.`;
}
