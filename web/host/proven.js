// Whether contracts are those of this game, without asking anybody: their addresses follow from who has
// deployed them and from their code.

import { texts } from '../words/host.js';
import { INIT_CODES } from './init-code.js';
import { ask } from './wasm.js';

/** @import { Public } from '../wire.d.ts' */

/** What is said of contracts that are others. */
export const WRONG = texts.unproven;

/** @typedef {Pick<Public, 'games' | 'matches' | 'fast'> & { records?: string | null }} Named */

const KINDS = /** @type {const} */ (['games', 'matches', 'fast']);

/**
 * Whether both are the same address. @param {string | null | undefined} one @param {string | null} other
 */
const isSame = (one, other) => one?.toLowerCase() === other?.toLowerCase();

/**
 * The version of contracts that an account has deployed; null if it has deployed none that this page knows at these
 * addresses, or nobody says who has.
 * @param {Named & Pick<Public, 'deployer'>} named
 * @returns {Promise<number | null>}
 */
export async function versionOf({ deployer, ...named }) {
	if (!deployer) return null;
	const all = INIT_CODES.map(({ matches, records }) =>
		ask({ deployed: { deployer, init_code: matches, records_init_code: records } }),
	);
	const found = (await Promise.all(all)).findIndex(
		(there) =>
			KINDS.every((kind) => isSame(named[kind], there[kind])) &&
			// A host may have none.
			(!named.records || isSame(named.records, there.records)),
	);
	return INIT_CODES[found]?.version ?? null;
}

/**
 * Whether the addresses are those at which an account has deployed the contracts that this page was made for,
 * or those of an earlier version: `unknown` if the host does not say who that was.
 * @param {Named & Pick<Public, 'deployer'>} named
 * @returns {Promise<'proven' | 'unknown' | 'wrong'>}
 */
export async function lookAtAddresses(named) {
	if (!named.deployer) return 'unknown';
	return (await versionOf(named)) === null ? 'wrong' : 'proven';
}

/**
 * Whether an account has deployed both, as two versions of the contracts.
 * @param {string | null} deployer @param {Named} one @param {Named} other
 */
export async function areVersions(deployer, one, other) {
	const both = [one, other].map((named) => versionOf({ ...named, deployer }));
	return (await Promise.all(both)).every((version) => version !== null);
}
