// The part of the page that shows players and games that go on. It is loaded when it is asked for.

import { loadStyle } from './load-style.js';

/** @typedef {typeof import('./people/main.js')} People */

/** @type {Promise<People> | null} */
let asked = null;

/** Loads the part and its styles. */
export function loadPeople() {
	asked ??= Promise.all([
		import('./people/main.js'),
		loadStyle('/page/style/variant.css'),
		loadStyle('/page/style/people.css'),
	]).then(([people]) => people);
	asked.catch(() => {
		asked = null; // The next one asks again.
	});
	return asked;
}
