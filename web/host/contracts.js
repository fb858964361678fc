// The contracts that the page calls.

import { texts } from '../words/host.js';
import { WRONG } from './proven.js';

/** Addresses of the contracts by their kind. @type {Record<string, string | null>} */
let contracts = {};

/** Why there are none, for the player. */
let missing = '';

/** @typedef {() => Promise<'proven' | 'unknown' | 'wrong'>} Prove */

/** @type {Prove} */
const notProven = async () => 'unknown';
/** Looks whether the addresses are those of the game's contracts. */
let prove = notProven;

/**
 * @param {Record<string, string | null>} addresses
 * @param {{ why?: string, prove?: Prove }} [known] `why` there are none, for the player; `prove` looks whether
 * they are those of the game, before something is signed
 */
export const useContracts = (addresses, known = {}) => {
	contracts = addresses;
	missing = known.why ?? '';
	prove = known.prove ?? notProven;
};

/** What the player has to be asked before anything is signed here; empty if nothing. */
export const openQuestion = () => missing;

/** Whether the addresses show that the contracts are those of the game; fails if they are others. */
export async function areProven() {
	const found = await prove();
	if (found === 'wrong') throw new Error(WRONG);
	return found === 'proven';
}

/** Address of one of the contracts. @param {string} kind */
export const contractOf = (kind) => contracts[kind] ?? null;

/** Address of one of the contracts, to sign for it or to read from it. @param {string} kind */
export function needContract(kind) {
	const address = contractOf(kind);
	if (address) return address;
	throw new Error(missing || texts.noContract(kind));
}
