// Styles of the parts of the page that are loaded when they are needed.

import { integrityOf } from './integrity.js';

/** @param {string} href @returns {Promise<void>} */
export function loadStyle(href) {
	const link = document.createElement('link');
	link.rel = 'stylesheet';
	link.integrity = integrityOf(href);
	link.href = href;
	const loaded = new Promise((resolve, reject) => {
		link.onload = () => resolve(undefined);
		link.onerror = () => reject(new Error(`${href} was not loaded`));
	});
	document.head.append(link);
	return loaded;
}
