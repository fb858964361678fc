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

/** The development accounts, whose secrets are known to everybody, as contracts know them. @type {Record<string, string>} */
const DEVELOPMENT = {
	alice: '0x9621dde636de098b43efb0fa9b61facfe328f99d',
	bob: '0x41dccbd49b26c50d34355ed86ff0fa9e489d1e01',
	charlie: '0xe2235a2ffe0354b27a6a1c543be6bf2920ff2134',
	dave: '0xa799a942f85792ddc0028a7dd32b582e75d5e57b',
	eve: '0x203aedc6e1ee061f55ec52309d5ac8674d4e8352',
	ferdie: '0x21a8aa80a3b05b3dd74e337f9a8f5ae4a8e39f22',
};

/** Of the names that a host gives to accounts those that the page knows: another could be anybody's. @param {Record<string, string>} names */
export const ownNames = (names) =>
	Object.fromEntries(
		Object.entries(DEVELOPMENT)
			.filter(([, address]) => Object.hasOwn(names, address))
			.map(([name, address]) => [address, name]),
	);

/** The address of the account that a player has typed in; names are not the host's to give. @param {string} text */
export async function typedAddress(text) {
	const name = text.trim().toLowerCase();
	const known = Object.hasOwn(DEVELOPMENT, name) && DEVELOPMENT[name];
	return known || (await ask({ account: text.trim() })).address;
}
