// The program that serves the page as a wallet: its accounts sign what its owner does here.

import { substrateWallet } from '../host/substrate.js';
import { tell } from '../transport.js';
import { texts } from '../words/host.js';

/** @import { Wallet } from '../host/types.d.ts' */
/** @import { Hello } from '../wire.d.ts' */

/**
 * @param {() => Hello | null} said what the program has said last
 * @returns {Wallet}
 */
export function ofProgram(said) {
	const accounts = () => {
		const own = said()?.accounts.filter(({ ethereum }) => !ethereum) ?? [];
		return own.map(({ account, name }) => ({ address: account, name: name ?? undefined }));
	};
	const injected = {
		accounts: { get: async () => accounts() },
		signer: { signPayload: (/** @type {object} */ payload) => tell('/api/sign', { payload }) },
	};
	return {
		isProgram: true,
		...substrateWallet('program', texts.ofProgram, async () => injected),
		// The program says by itself what the account signs.
		sign: ({ named: { account, key, until } }) => tell('/api/sessions', { account, key, until }),
	};
}
