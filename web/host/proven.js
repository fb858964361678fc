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
 * Whether the addresses are those at which an account has deployed the contracts that this page was made for: `unknown`
 * if the host does not say who that was. The address of the contract of the stakes shows for which chain it was deployed,
 * too.
 * @param {Named} named
 * @returns {Promise<'proven' | 'unknown' | 'wrong'>}
 */
export async function lookAtAddresses({ deployer, genesis, ...named }) {
	if (!deployer) return 'unknown';
	const there = await ask({ deployed: { deployer, ...INIT_CODES, genesis } });
	const isThere = KINDS.every(
		(kind) =>
			isSame(named[kind], there[kind]) ||
			// A host may have none.
			(kind !== 'games' && named[kind] === null),
	);
	return isThere ? 'proven' : 'wrong';
}

/**
 * Whether the chain with this first block is known to have this number, by which games with a stake are signed for it;
 * null if the page does not know that chain. @param {{ genesis: string, chainId: number | null }} chain
 */
export function hasItsNumber({ genesis, chainId }) {
	const known = CHAINS.find((one) => one.genesis === genesis);
	return known ? known.chainId === chainId : null;
}
