// Accounts of wallets, as contracts know them.

import { ask } from './wasm.js';

/** @import { WalletAccount } from './types.d.ts' */

/** @type {Map<string, string>} */
const known = new Map();

/** The address by which contracts know an account. @param {WalletAccount} account */
export async function addressOf({ id }) {
	const found = known.get(id) ?? (await ask({ account: id })).address;
	known.set(id, found);
	return found;
}

/** The development accounts, whose secrets are known to everybody, in SS58. @type {Record<string, string>} */
const DEVELOPMENT = {
	alice: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
	bob: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty',
	charlie: '5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y',
	dave: '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy',
	eve: '5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw',
	ferdie: '5CiPPseXPECbkjWCa6MnjNokrgYjMqmKndv2rSnekmSK2DjL',
};

/** Of the names that a host gives to accounts those that the page knows: another could be anybody's. @param {Record<string, string>} names */
export async function ownNames(names) {
	const known = await Promise.all(
		Object.keys(DEVELOPMENT).map(async (name) => [await typedAddress(name), name]),
	);
	return Object.fromEntries(known.filter(([address = '']) => address in names));
}

/** The address of the account that a player has typed in; names are not the host's to give. @param {string} text */
export async function typedAddress(text) {
	const name = text.trim().toLowerCase();
	return (await ask({ account: DEVELOPMENT[name] ?? text.trim() })).address;
}
