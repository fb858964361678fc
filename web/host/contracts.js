// The contracts that the page calls.

import { texts } from '../words/host.js';
import { WRONG } from './proven.js';

/** Addresses of the contracts by their kind. @type {Record<string, string | null>} */
let contracts = {};

/** Why there are none, for the player. */
let missing = '';

/** @typedef {(kind: any) => Promise<'proven' | 'unknown' | 'wrong'>} Prove */

/** @type {Prove} */
const notProven = async () => 'unknown';
/** Looks whether the address of a contract is that of one of the game. */
let prove = notProven;

/**
 * @param {Record<string, string | null>} addresses
 * @param {{ why?: string, prove?: Prove }} [known] `why` there are none, for the player; `prove` looks whether
 * one is that of the game, before something is signed
 */
export const useContracts = (addresses, known = {}) => {
	contracts = addresses;
	missing = known.why ?? '';
	prove = known.prove ?? notProven;
};

/** What the player has to be asked before anything is signed here; empty if nothing. */
export const openQuestion = () => missing;

/** Whether the address of a contract shows that it is that of the game; fails if it is another one. @param {string} kind */
export async function isProven(kind) {
	const found = await prove(kind);
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
