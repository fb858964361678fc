// The part of the page that shows variants. It is loaded when the first one is asked for, so that
// the classic game does not wait for it.

import { loadStyle } from './load-style.js';

/** @typedef {typeof import('./variant/main.js')} Variants */

/** @type {Promise<Variants> | null} */
let asked = null;
/** @type {Variants | null} */
let there = null;

/** The part, if it has been loaded. */
export const loadedVariants = () => there;

/** Loads the part and its style. */
export function loadVariants() {
	asked ??= Promise.all([import('./variant/main.js'), loadStyle('/page/style/variant.css')]).then(
		([variants]) => {
			there = variants;
			return variants;
		},
	);
	asked.catch(() => {
		asked = null; // The next one asks again.
	});
	return asked;
}
