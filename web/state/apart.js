// Accounts of a list that share a name.

/** @import { Address } from '../wire.d.ts' */

/**
 * What tells an account of a list from others there with its name: the first four digits of its address, as a name
 * follows from the last ones; empty if the list has no other.
 * @template T
 * @param {readonly T[]} list @param {(one: T) => Address} addressOf @param {(one: T) => string} nameOf
 * @returns {(one: T) => string}
 */
export function apart(list, addressOf, nameOf) {
	/** @type {Map<string, Set<Address>>} */
	const sharing = new Map();
	for (const one of list) {
		const addresses = sharing.get(nameOf(one)) ?? new Set();
		sharing.set(nameOf(one), addresses.add(addressOf(one)));
	}
	return (one) =>
		(sharing.get(nameOf(one))?.size ?? 0) > 1 ? addressOf(one).slice('0x'.length, 6) : '';
}
