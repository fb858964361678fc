// The name of an account, with the way to its profile where there is an index to show one.

import { nameOf } from '../state/seats.js';
import { el } from './elements.js';

/** @import { Address, Hello } from '../state/types.d.ts' */

/** @param {Hello | null} hello @param {Address} address */
export const personName = (hello, address) =>
	hello?.index
		? el('a', { class: 'profile', href: `/player/${address}` }, nameOf(hello, address))
		: el('span', {}, nameOf(hello, address));

/**
 * Writes a name, only when it changes, so that a link keeps the focus.
 * @param {HTMLElement} place @param {Hello | null} hello @param {Address} address
 */
export function setPerson(place, hello, address) {
	const name = personName(hello, address);
	if (place.title === address && place.innerHTML === name.outerHTML) return;
	place.title = address;
	place.replaceChildren(name);
}
