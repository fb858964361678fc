// Whether contracts are those of this game, without asking anybody: their addresses follow from who has
// deployed them and from their code.

import { INIT_CODE } from './init-code.js';
import { ask } from './wasm.js';

/** @import { Public } from '../wire.d.ts' */

/** What is said of contracts that are others. */
export const WRONG =
	'This host names contracts that are not where it says that they were deployed. Nothing is signed: use another host. If they are those of another version of the game, use the page of that version.';

/**
 * Whether the addresses are those at which an account has deployed the contracts that this page was made for:
 * `unknown` if the host does not say who that was.
 * @param {Pick<Public, 'deployer' | 'games' | 'matches' | 'fast'>} named
 * @returns {Promise<'proven' | 'unknown' | 'wrong'>}
 */
export async function lookAtAddresses({ deployer, games, matches, fast }) {
	if (!deployer) return 'unknown';
	const there = await ask({ deployed: { deployer, init_code: INIT_CODE } });
	const named = { games, matches, fast };
	const kinds = /** @type {const} */ (['games', 'matches', 'fast']);
	const isSame = kinds.every((kind) => named[kind]?.toLowerCase() === there[kind].toLowerCase());
	return isSame ? 'proven' : 'wrong';
}
