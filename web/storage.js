// What the browser keeps for convenience: keys, games, seats, sound, theme. Where storage is refused, it is kept for as
// long as the page lasts. What guards money is kept by host/guards.js.

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

/** Whether it was kept. @param {string} name @param {Change[]} changes @param {Area} storage */
function write(name, changes, storage) {
	try {
		const text = JSON.stringify(changed(name, changes, storage));
		window[storage].setItem(PREFIX + name, text);
		unkept.delete(storage + name);
		return true;
	} catch {
		// In a private window, or on a full disk.
		unkept.set(storage + name, changes);
		return false;
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
 * @returns {boolean} whether the browser has kept it; else it is there as long as the page lasts
 */
export const keep = (name, value, storage = 'localStorage') => write(name, [() => value], storage);

/**
 * Changes what is kept, of which other tabs keep parts, too.
 * @template Kept
 * @param {string} name @param {Kept} otherwise
 * @param {(kept: Kept) => Kept} how may be asked again, of what another tab has kept
 * @returns {boolean} as {@link keep}
 */
export function changeKept(name, otherwise, how) {
	const storage = 'localStorage';
	const before = unkept.get(storage + name) ?? [];
	return write(name, [...before, (kept) => how(kept ?? otherwise)], storage);
}

/** Keeps nothing under a name any more. @param {string} name */
export function forget(name) {
	unkept.delete(`localStorage${name}`);
	try {
		window.localStorage.removeItem(PREFIX + name);
	} catch {
		// It is refused as a whole.
	}
}

/** Whether two values are the same as they are kept. @param {unknown} one @param {unknown} other */
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Calls a function when another tab of this browser has kept something under a name. @param {string} name @param {() => void} changed */
export const onKept = (name, changed) =>
	addEventListener('storage', ({ key }) => {
		if (key === PREFIX + name) changed();
	});
