// Whether a contract has the code that this page was made for. A host that leads players to another
// one could keep what they pay.

import { texts } from '../words/host.js';
import { CODES } from './codes.js';
import { fromHex, toHex } from './hex.js';

/**
 * Whether this is the code of a contract of this kind. Where the browser makes no hashes, as the page does
 * not come by https, it is taken for it: such a page can be changed on its way as well.
 * @param {string} kind as `games` @param {string} code in hexadecimal digits, as a node has it
 */
export async function isOurs(kind, code) {
	const { subtle } = globalThis.crypto ?? {};
	if (!subtle) return true;
	const hash = await subtle.digest('SHA-256', fromHex(code));
	/** @type {Record<string, string>} */
	const codes = CODES;
	return codes[kind] === toHex(new Uint8Array(hash));
}

/**
 * What is said of a contract that has other code.
 * @param {string} address @param {string} by the node that has it, within a sentence @param {string} advice
 */
export const otherCode = (address, by, advice) => texts.otherCode(address, by, advice);
