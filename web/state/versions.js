// Contracts of several versions: those of an earlier one are shown below a path of their own, where their
// games go on.

import { ownPath } from './route.js';

/** @import { Hello } from '../wire.d.ts' */

/** The path below which contracts of an earlier version are shown. @param {number} version */
export const pathOf = (version) => `/earlier/${version}`;

/** That part of an address's path; empty for the newest contracts. @param {string} path */
export const baseOf = (path) => /^\/earlier\/\d{1,9}(?=\/|$)/.exec(path)?.[0] ?? '';

/**
 * Where to go on when a host answers by other contracts than before, as it has changed over to the next
 * version while a page was open: a game goes on below the path of its contracts, and what else was shown is
 * there under the same address. Null if the contracts are the same, or are not known.
 * @param {string | null} before address of the contract that was used
 * @param {Hello} now @param {string} path
 */
export function movedTo(before, { chain, contracts }, path) {
	if (before === null || chain.contract === null || chain.contract === before) return null;
	const earlier = contracts.earlier.find(({ contract }) => contract === before);
	if (!earlier) return null;
	const [, known = '', search = ''] = /^([^?]*)(.*)$/s.exec(path) ?? [];
	const own = ownPath(known, search);
	return own.startsWith('/game/') ? pathOf(earlier.version) + own : own;
}
