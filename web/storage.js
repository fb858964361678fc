// What the browser keeps: keys, seats, sound, theme. Where storage is refused, nothing is kept.

const PREFIX = 'connect4-';

/**
 * What was kept under a name.
 * @template Kept
 * @param {string} name @param {Kept} otherwise
 * @param {'localStorage' | 'sessionStorage'} storage
 * @returns {Kept}
 */
export function recall(name, otherwise, storage = 'localStorage') {
	try {
		return JSON.parse(window[storage].getItem(PREFIX + name) ?? 'null') ?? otherwise;
	} catch {
		return otherwise;
	}
}

/**
 * @param {string} name @param {unknown} value
 * @param {'localStorage' | 'sessionStorage'} storage
 */
export function keep(name, value, storage = 'localStorage') {
	try {
		window[storage].setItem(PREFIX + name, JSON.stringify(value));
	} catch {
		// In a private window or on a full disk, the value lasts as long as the page.
	}
}
