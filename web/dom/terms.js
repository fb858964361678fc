// What is shown before a stake is paid. Loaded once it is wanted.

import { allTerms } from '../state/terms.js';
import { capital } from '../words/forms.js';
import { el } from './elements.js';

/** @import { Address, Hello, OpenChallenge } from '../wire.d.ts' */

/** What a player should know before a stake is paid. @param {string[]} warnings */
export const warningList = (warnings) =>
	el('ul', { class: 'warnings' }, ...warnings.map((text) => el('li', {}, `${capital(text)}.`)));

/**
 * All terms of a challenge, and what is known about them.
 * @param {OpenChallenge} challenge @param {Hello} hello
 * @param {Address} by the account that is about to accept it
 */
export function termsTable(challenge, hello, by) {
	const terms = allTerms(challenge, hello, by).flatMap(([name, text]) => [
		el('dt', {}, name),
		el('dd', {}, text),
	]);
	return el('div', { class: 'terms' }, el('dl', {}, ...terms), warningList(challenge.warnings));
}
