// Names and pictures by which people tell accounts apart. Anybody can make a key whose account has the name of another:
// where money or trust is decided, the address is what counts, and stands beside them.

import { capital } from '../words/forms.js';
import { short } from './text.js';

/** @import { Address } from '../wire.d.ts' */

const BITS = 11; // that choose one of the words
const SIDE = 5; // cells of a picture in each direction; the right half is the left one in a mirror
const HALF = Math.ceil(SIDE / 2);
const BYTE = 256;

/** Those of BIP-39; empty until they are needed. @type {string[]} */
let words = [];
/** Has the words loaded; null while they are on their way. @type {(() => void) | null} */
let load = null;

/** Calls a function once a name is needed whose words are not known. @param {() => void} needed */
export const loadWordsBy = (needed) => {
	load = needed;
};

/** @param {string} coded the words in their order, as bip39.js has them */
export function knowWords(coded) {
	let before = '';
	words = (coded.match(/[A-Z][a-z]*/g) ?? []).map((word) => {
		before = before.slice(0, word.charCodeAt(0) - 'A'.charCodeAt(0)) + word.slice(1);
		return before;
	});
}

/**
 * Two words, chosen by the last 22 bits of an address, as the program has them; until the words are loaded both ends of
 * the address.
 * @param {Address} address
 */
export function accountName(address) {
	if (!words.length) {
		const needed = load;
		load = null;
		needed?.();
		return short(address);
	}
	const bits = Number.parseInt(address.slice(-6), 16);
	return [bits >> BITS, bits].map((at) => capital(words[at % (1 << BITS)] ?? '')).join(' ');
}

/**
 * A picture by other bits of an address: a hue in degrees, and the cells that have it, from the upper left one.
 * @param {Address} address
 */
export function accountPicture(address) {
	const [hue = 0, high = 0, low = 0] = [18, 20, 22].map((at) =>
		Number.parseInt(address.slice(at, at + 2), 16),
	);
	const bits = high * BYTE + low;
	/** @type {{ x: number, y: number }[]} */
	const cells = [];
	for (let y = 0; y < SIDE; y += 1) {
		for (let x = 0; x < SIDE; x += 1) {
			const at = y * HALF + Math.min(x, SIDE - 1 - x);
			if (bits & (1 << at)) cells.push({ x, y });
		}
	}
	return { hue: Math.floor((hue * 360) / BYTE), cells };
}
