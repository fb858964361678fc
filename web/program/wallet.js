// The program that serves the page as a wallet: its accounts sign what its owner does here.

import { substrateWallet } from '../host/substrate.js';
import { tell } from '../transport.js';
import { texts } from '../words/host.js';

/** @import { Wallet } from '../host/types.d.ts' */
/** @import { Hello } from '../wire.d.ts' */

/** @typedef {{ address: string, name?: string }} Account */

/** @type {Account[]} */
let accounts = [];
/** @type {(all: Account[]) => void} */
let changed = () => {};

/** Takes the accounts that the program has now. One of Ethereum signs nothing else than its moves. @param {Hello} said */
export function accountsOf(said) {
	const before = JSON.stringify(accounts);
	const own = said.accounts.filter(({ ethereum }) => !ethereum);
	accounts = own.map(({ account, name }) => ({ address: account, name: name ?? undefined }));
	if (JSON.stringify(accounts) !== before) changed(accounts);
}

const injected = {
	accounts: {
		get: async () => accounts,
		subscribe: (/** @type {typeof changed} */ take) => {
			changed = take;
			return () => {
				changed = () => {};
			};
		},
	},
	signer: { signPayload: (/** @type {object} */ payload) => tell('/api/sign', { payload }) },
};

/** @type {Wallet} */
export const ofProgram = {
	isProgram: true,
	...substrateWallet('program', texts.ofProgram, async () => injected),
	// The program says by itself what the account signs.
	sign: ({ named: { account, key, until } }) => tell('/api/sessions', { account, key, until }),
};
