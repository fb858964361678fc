// Whether contracts are those of this game, without asking anybody: their addresses follow from who has
// deployed them and from their code.

import { INIT_CODES } from './init-code.js';
import { ask } from './wasm.js';

/** @import { Public } from '../wire.d.ts' */

/** What is said of contracts that are others. */
export const WRONG =
	'This host names contracts that are not where it says that they were deployed. Nothing is signed: use another host. If they are those of another version of the game, use the page of that version.';

/** @typedef {Pick<Public, 'games' | 'matches' | 'fast'> & { records?: string | null }} Named */

const KINDS = /** @type {const} */ (['games', 'matches', 'fast']);

/**
 * Whether both are the same address. @param {string | null | undefined} one @param {string | null} other
 */
const isSame = (one, other) => one?.toLowerCase() === other?.toLowerCase();

/**
 * The version of contracts that an account has deployed, by its place among those that this page knows, of
 * which the first one is the newest; -1 if it has deployed none of them at these addresses.
 * @param {string} deployer @param {Named} named
 */
async function versionOf(deployer, named) {
	const all = INIT_CODES.map(({ matches, records }) =>
		ask({ deployed: { deployer, init_code: matches, records_init_code: records } }),
	);
	return (await Promise.all(all)).findIndex(
		(there) =>
			KINDS.every((kind) => isSame(named[kind], there[kind])) &&
			// A host may have none.
			(!named.records || isSame(named.records, there.records)),
	);
}

/**
 * Whether the addresses are those at which an account has deployed the contracts that this page was made for,
 * or those of an earlier version: `unknown` if the host does not say who that was.
 * @param {Named & Pick<Public, 'deployer'>} named
 * @returns {Promise<'proven' | 'unknown' | 'wrong'>}
 */
export async function lookAtAddresses({ deployer, ...named }) {
	if (!deployer) return 'unknown';
	return (await versionOf(deployer, named)) < 0 ? 'wrong' : 'proven';
}

/**
 * Whether an account has deployed both, as two versions of the contracts.
 * @param {string | null} deployer @param {Named} one @param {Named} other
 */
export async function areVersions(deployer, one, other) {
	if (!deployer) return false;
	const versions = await Promise.all([versionOf(deployer, one), versionOf(deployer, other)]);
	return versions.every((version) => version >= 0);
}
