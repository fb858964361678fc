// What the browser keeps: keys, seats, sound, theme, signatures. Where storage is refused, it is kept for as long as
// the page lasts.

const PREFIX = 'connect4-';
/** What the browser did not keep, by storage and name. @type {Map<string, string>} */
const unkept = new Map();

/**
 * What was kept under a name.
 * @template Kept
 * @param {string} name @param {Kept} otherwise
 * @param {'localStorage' | 'sessionStorage'} storage
 * @returns {Kept}
 */
export function recall(name, otherwise, storage = 'localStorage') {
	try {
		const here = unkept.get(storage + name);
		return JSON.parse(here ?? window[storage].getItem(PREFIX + name) ?? 'null') ?? otherwise;
	} catch {
		return otherwise;
	}
}

/**
 * @param {string} name @param {unknown} value
 * @param {'localStorage' | 'sessionStorage'} storage
 */
export function keep(name, value, storage = 'localStorage') {
	const text = JSON.stringify(value);
	try {
		window[storage].setItem(PREFIX + name, text);
		unkept.delete(storage + name);
	} catch {
		// In a private window, or on a full disk.
		unkept.set(storage + name, text);
	}
}

/** Calls a function when another tab of this browser has kept something under a name. @param {string} name @param {() => void} changed */
export const onKept = (name, changed) =>
	addEventListener('storage', ({ key }) => {
		if (key === PREFIX + name) changed();
	});
