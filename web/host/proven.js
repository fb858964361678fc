// Whether contracts are those of this game, without asking anybody: their addresses follow from who has
// deployed them and from their code.

import { texts } from '../words/host.js';
import { INIT_CODES } from './init-code.js';
import { CHAINS } from './public-chains.js';
import { ask } from './wasm.js';

/** @import { Signing } from '../wire.d.ts' */

/** What is said of contracts that are others. */
export const WRONG = texts.unproven;

/** @typedef {Pick<Signing, 'games' | 'variants' | 'stakes' | 'genesis' | 'deployer'>} Named */

/** The contracts for which wallets sign. */
export const KINDS = /** @type {const} */ (['games', 'variants', 'stakes']);

/**
 * Whether both are the same address. @param {string | null} one @param {string | null} other
 */
const isSame = (one, other) => one?.toLowerCase() === other?.toLowerCase();

/**
 * Whether the address of a contract is the one at which an account has deployed the contract that this page was made for:
 * `unknown` if the host does not say who that was. The address of the contract of the stakes shows for which chain it was
 * deployed, too.
 * @param {Named} named @param {(typeof KINDS)[number]} kind
 * @returns {Promise<'proven' | 'unknown' | 'wrong'>}
 */
export async function lookAtAddress({ deployer, genesis, ...named }, kind) {
	if (!deployer) return 'unknown';
	const there = await ask({ deployed: { deployer, ...INIT_CODES, genesis } });
	return isSame(named[kind], there[kind]) ? 'proven' : 'wrong';
}

/**
 * Whether the chain with this first block is known to have this number, by which games with a stake are signed for it;
 * null if the page does not know that chain. @param {{ genesis: string, chainId: number | null }} chain
 */
export function hasItsNumber({ genesis, chainId }) {
	const known = CHAINS.find((one) => one.genesis === genesis);
	return known ? known.chainId === chainId : null;
}
