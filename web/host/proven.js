// Whether contracts are those of this game, without asking anybody: their addresses follow from who has
// deployed them and from their code.

import { texts } from '../words/host.js';
import { INIT_CODES } from './init-code.js';
import { ask } from './wasm.js';

/** @import { Public } from '../wire.d.ts' */

/** What is said of contracts that are others. */
export const WRONG = texts.unproven;

/** @typedef {Pick<Public, 'games' | 'matches'> & { records?: string | null }} Named */

const KINDS = /** @type {const} */ (['games', 'matches']);

/**
 * Whether both are the same address. @param {string | null | undefined} one @param {string | null} other
 */
const isSame = (one, other) => one?.toLowerCase() === other?.toLowerCase();

/**
 * Whether the addresses are those at which an account has deployed the contracts that this page was made for: `unknown`
 * if the host does not say who that was.
 * @param {Named & Pick<Public, 'deployer'>} named
 * @returns {Promise<'proven' | 'unknown' | 'wrong'>}
 */
export async function lookAtAddresses({ deployer, ...named }) {
	if (!deployer) return 'unknown';
	const { matches: init_code, records: records_init_code } = INIT_CODES;
	const there = await ask({ deployed: { deployer, init_code, records_init_code } });
	const isThere =
		KINDS.every((kind) => isSame(named[kind], there[kind])) &&
		// A host may have none.
		(!named.records || isSame(named.records, there.records));
	return isThere ? 'proven' : 'wrong';
}
