// The wallet that is connected, and the account that plays.

import { keep, recall } from '../storage.js';
import { findEthereum, WalletError } from './ethereum.js';
import { findSubstrate } from './substrate.js';

/** @import { Chain, Wallet, WalletAccount } from './types.d.ts' */

/** In the browser's storage: the wallet and the account that were used last. */
const LAST = 'wallet';

/** What is known of wallets. */
export const session = {
	/** @type {Wallet[]} */
	wallets: [],
	/** @type {Wallet | null} */
	wallet: null,
	/** @type {WalletAccount[]} */
	accounts: [],
	/** @type {WalletAccount | null} */
	account: null,
	/** What is wrong with the wallet now; empty if nothing is. */
	trouble: '',
	/** @type {Chain | null} */
	chain: null,
};

/** @type {(() => void)[]} */
const told = [];

/** Calls a function after each change. @param {() => void} changed */
export const onSession = (changed) => told.push(changed);

const tell = () => {
	for (const changed of told) changed();
};

/** Looks for wallets, and connects the one that was used last without asking for anything. @param {Chain} chain */
export function begin(chain) {
	session.chain = chain;
	const last = recall(LAST, /** @type {{ wallet: string, account: string } | null} */ (null));
	/** @param {Wallet} wallet */
	const found = async (wallet) => {
		if (wallet.kind === 'ethereum' && chain.chainId === null) return;
		if (session.wallets.some(({ id, kind }) => id === wallet.id && kind === wallet.kind)) return;
		session.wallets.push(wallet);
		tell();
		if (wallet.id === last?.wallet && !session.wallet) {
			await connect(wallet, { silently: true, account: last.account }).catch(() => {});
		}
	};
	findEthereum(found);
	findSubstrate(found);
}

/**
 * Connects a wallet.
 * @param {Wallet} wallet @param {{ silently?: boolean, account?: string }} [how]
 */
export async function connect(wallet, { silently = false, account } = {}) {
	const { chain } = session;
	if (!chain) return;
	const accounts = await wallet.connect(chain, silently);
	if (!accounts.length) {
		if (silently) return;
		throw new WalletError(
			`${wallet.name} shows no account to this page: unlock it, or allow one, then try again.`,
			'locked',
		);
	}
	session.wallet?.leave();
	Object.assign(session, { wallet, accounts, trouble: '' });
	choose(accounts.find(({ id }) => id === account) ?? accounts[0] ?? null);
	wallet.listen({ accounts: accountsChanged, chain: chainChanged });
	if (!(await wallet.isOn(chain))) chainChanged(0);
}

/** Plays with another account of the wallet. @param {WalletAccount | null} account */
export function choose(account) {
	session.account = account;
	if (account && session.wallet) keep(LAST, { wallet: session.wallet.id, account: account.id });
	tell();
}

/** Forgets the wallet. */
export function leave() {
	session.wallet?.leave();
	Object.assign(session, { wallet: null, accounts: [], account: null, trouble: '' });
	keep(LAST, null);
	tell();
}

/** @param {WalletAccount[]} accounts */
function accountsChanged(accounts) {
	const { wallet, account } = session;
	if (!wallet) return;
	session.accounts = accounts;
	const same = accounts.find(({ id }) => id === account?.id);
	if (!accounts.length) {
		session.trouble = `${wallet.name} is locked: unlock it to go on playing.`;
		tell();
	} else if (same && wallet.kind === 'substrate') {
		session.trouble = '';
		tell();
	} else {
		// A wallet of Ethereum tells the account that it uses first.
		session.trouble = '';
		choose(wallet.kind === 'ethereum' ? (accounts[0] ?? null) : (same ?? accounts[0] ?? null));
	}
}

/** @param {number} id */
function chainChanged(id) {
	const { wallet, chain } = session;
	if (!wallet || !chain) return;
	session.trouble =
		id === chain.chainId
			? ''
			: `${wallet.name} is on another chain: it is asked to switch to ${chain.name} before you sign.`;
	tell();
}
