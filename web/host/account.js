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
