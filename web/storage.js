// What the browser keeps: keys, games, seats, sound, theme, signatures. Where storage is refused, it is kept for as long
// as the page lasts.

const PREFIX = 'connect4-';

/** @typedef {'localStorage' | 'sessionStorage'} Area */
/** @typedef {(kept: any) => any} Change */
/**
 * The changes that the browser did not keep, by storage and name. They are made to what is kept there now, so that
 * what other tabs have kept meanwhile stays.
 * @type {Map<string, Change[]>}
 */
const unkept = new Map();

/** @param {string} name @param {Change[]} changes @param {Area} storage */
function changed(name, changes, storage) {
	let kept = null;
	try {
		kept = JSON.parse(window[storage].getItem(PREFIX + name) ?? 'null');
	} catch {
		// Refused, or not of this page.
	}
	return changes.reduce((before, change) => change(before), kept);
}

/** @param {string} name @param {Change[]} changes @param {Area} storage */
function write(name, changes, storage) {
	try {
		const text = JSON.stringify(changed(name, changes, storage));
		window[storage].setItem(PREFIX + name, text);
		unkept.delete(storage + name);
	} catch {
		// In a private window, or on a full disk.
		unkept.set(storage + name, changes);
	}
}

/**
 * What was kept under a name.
 * @template Kept
 * @param {string} name @param {Kept} otherwise
 * @param {Area} storage
 * @returns {Kept}
 */
export const recall = (name, otherwise, storage = 'localStorage') =>
	changed(name, unkept.get(storage + name) ?? [], storage) ?? otherwise;

/**
 * Keeps a value, whatever was kept before.
 * @param {string} name @param {unknown} value
 * @param {Area} storage
 */
export const keep = (name, value, storage = 'localStorage') => write(name, [() => value], storage);

/**
 * Changes what is kept, of which other tabs keep parts, too.
 * @template Kept
 * @param {string} name @param {Kept} otherwise
 * @param {(kept: Kept) => Kept} how may be asked again, of what another tab has kept
 */
export function changeKept(name, otherwise, how) {
	const storage = 'localStorage';
	const before = unkept.get(storage + name) ?? [];
	write(name, [...before, (kept) => how(kept ?? otherwise)], storage);
}

/** Whether two values are the same as they are kept. @param {unknown} one @param {unknown} other */
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Calls a function when another tab of this browser has kept something under a name. @param {string} name @param {() => void} changed */
export const onKept = (name, changed) =>
	addEventListener('storage', ({ key }) => {
		if (key === PREFIX + name) changed();
	});
