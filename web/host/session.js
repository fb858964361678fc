// The wallet that is connected, and the account that plays.

import { isOfLink } from '../hosts.js';
import { keep, recall } from '../storage.js';
import { texts } from '../words/host.js';
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
	/** Whether there is a kind of wallets that can be connected. */
	takesWallets: true,
	isLocked: false,
	/** Whether the wallet is on the chain of the game; null while that is not known. @type {boolean | null} */
	isHere: null,
	/** @type {Chain | null} */
	chain: null,

	/** What is wrong with the wallet now; empty if nothing is. */
	get trouble() {
		const { wallet, chain } = session;
		if (!wallet || !chain) return '';
		if (session.isLocked) return texts.lockedToPlay(wallet.name);
		return session.isHere === false ? texts.switchAsked(wallet.name, chain.name) : '';
	},
};

/** What is known of no wallet yet. */
const UNKNOWN = { isLocked: false, isHere: null };

/** @type {(() => void)[]} */
const told = [];

/** Calls a function after each change. @param {() => void} changed */
export const onSession = (changed) => told.push(changed);

const tell = () => {
	for (const changed of told) changed();
};

/** What is kept once the player has left the wallet. */
const NOBODY = { wallet: '', account: '' };

/** Finds wallets. @typedef {(found: (wallet: Wallet) => void) => void} Find */

/**
 * Looks for wallets on a chain, and connects the one that was used last without asking for anything; that of a program,
 * until the player has left it. The host of a link learns an account only when the player connects it there.
 * @param {Chain} chain @param {Find[]} finds
 */
export function lookForWallets(chain, finds = [findEthereum, findSubstrate]) {
	const last = recall(LAST, /** @type {typeof NOBODY | null} */ (null));
	/** @param {Wallet} wallet */
	const found = async (wallet) => {
		if (wallet.kind === 'ethereum' && chain.chainId === null) return;
		if (session.wallets.some(({ id, kind }) => id === wallet.id && kind === wallet.kind)) return;
		session.wallets.push(wallet);
		tell();
		const isLast = last ? wallet.id === last.wallet : wallet.isProgram;
		if (isLast && !session.wallet && !isOfLink()) {
			await connect(wallet, { silently: true, account: last?.account }).catch(() => {});
		}
	};
	session.takesWallets = finds.length > 0;
	for (const find of finds) find(found);
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
		throw new WalletError(texts.noAccount(wallet.name), 'locked');
	}
	// Before anything is told: while that is not known, its node is not asked, and the host is believed.
	const isHere = await wallet.isOn(chain);
	session.wallet?.leave();
	Object.assign(session, { wallet, accounts, ...UNKNOWN, isHere });
	choose(accounts.find(({ id }) => id === account) ?? accounts[0] ?? null);
	wallet.listen({ accounts: accountsChanged, chain: chainChanged });
}

/**
 * Has the wallet use the chain of the game, so that its own node can be asked before it signs.
 * @throws {WalletError} if it does not
 */
export async function useChain() {
	const { wallet, chain } = session;
	if (!wallet || !chain) return;
	await wallet.useChain(chain);
	if (session.isHere) return;
	session.isHere = true;
	tell();
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
	Object.assign(session, { wallet: null, accounts: [], account: null, ...UNKNOWN });
	keep(LAST, NOBODY);
	tell();
}

/** @param {WalletAccount[]} accounts */
function accountsChanged(accounts) {
	const { wallet, account } = session;
	if (!wallet) return;
	session.accounts = accounts;
	const same = accounts.find(({ id }) => id === account?.id);
	session.isLocked = !accounts.length;
	if (session.isLocked || (same && wallet.kind === 'substrate')) tell();
	else {
		// A wallet of Ethereum tells the account that it uses first.
		choose(wallet.kind === 'ethereum' ? (accounts[0] ?? null) : (same ?? accounts[0] ?? null));
	}
}

/** @param {number} id */
function chainChanged(id) {
	session.isHere = id === session.chain?.chainId;
	tell();
}
