// Wallets whose owner agrees to everything: what they were asked to sign is looked at there and then.

import { CHAIN_ID } from './truth.mjs';

const refused = (code, message) => Object.assign(new Error(message), { code });
const hash = (dice) =>
	`0x${Array.from({ length: 32 }, () => dice.below(256))
		.map((byte) => byte.toString(16).padStart(2, '0'))
		.join('')}`;

/** A wallet of Ethereum, which knows the one chain, and has a node of it. */
export function ethereumWallet({ page, address, truth, node, dice, signs }) {
	// Wallets write addresses with the digits of their checksum.
	const mixed = address.replace(/[a-f]/g, (digit, at) => (at % 2 ? digit.toUpperCase() : digit));
	page.announce(
		{ uuid: '1', name: 'Purse', rdns: 'purse.example' },
		{
			on() {},
			removeListener() {},
			async request({ method, params = [] }) {
				switch (method) {
					case 'eth_requestAccounts':
					case 'eth_accounts':
						return [mixed];
					case 'eth_chainId':
						return `0x${truth.node(method).slice(2).toUpperCase()}`;
					case 'wallet_switchEthereumChain':
						if (Number(params[0].chainId) === CHAIN_ID) return null;
						throw refused(4902, 'Unrecognized chain ID.');
					case 'wallet_addEthereumChain':
						throw refused(4001, 'User rejected the request.');
					case 'eth_sendTransaction': {
						await signs({ ethereum: params[0] });
						const made = hash(dice);
						truth.include(made, params[0].data);
						return made;
					}
					default:
						return node(method, params);
				}
			},
		},
	);
}

/** A wallet of a Polkadot SDK chain. */
export function substrateWallet({ page, id, signs }) {
	page.inject({
		accounts: { get: async () => [{ address: id, name: 'Me', type: 'sr25519' }] },
		signer: {
			async signPayload(payload) {
				await signs({ substrate: payload });
				return { id: 1, signature: `0x01${'09'.repeat(64)}` };
			},
		},
	});
}
