// The names of a chain and of its token. A host says them, and they stand in questions that are asked because the host
// is not trusted: they have a length, and nothing in them that changes how other text is read.

import { CHAINS } from './public-chains.js';

const SYMBOL = /^[\p{L}\p{N}.$-]{1,12}$/u;
const LONGEST = 40; // characters of a name

/** A name as it is compared with others. @param {string} name */
const letters = (name) =>
	name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/** @param {string | null} name */
function nameOf(name) {
	const plain = (name ?? '').replace(/\s+/gu, ' ').replace(/\p{C}/gu, '').trim();
	const all = [...plain];
	const isOthers = CHAINS.some((one) => letters(one.name) === letters(plain));
	if (!plain || isOthers) return null;
	return all.length > LONGEST ? `${all.slice(0, LONGEST).join('')}…` : plain;
}

/**
 * The names of a chain and of its token, as they are shown; null for none. One that is known has those of this table,
 * which no other chain has.
 * @param {{ genesis: string, chainId: number | null, name: string | null, symbol: string | null }} of
 * @returns {{ name: string | null, symbol: string | null }}
 */
export function namesOf({ genesis, chainId, name, symbol }) {
	const known = CHAINS.find((one) => one.genesis === genesis);
	// What a wallet of Ethereum signs is for the chain with the number.
	if (known && (chainId === null || chainId === known.chainId)) {
		return { name: known.name, symbol: known.symbol };
	}
	const shown = symbol !== null && !SYMBOL.test(symbol) ? 'units' : symbol;
	return { name: nameOf(name), symbol: shown };
}
