// Wallets of Ethereum: found by EIP-6963, spoken to by EIP-1193.

import { texts } from '../words/host.js';
import { guard } from './guards.js';
import { quantity } from './hex.js';

/** @import { Chain, WalletAccount, Sent, Slow, Transaction, Wallet, WalletEvents } from './types.d.ts' */

/** The nodes that hosts have named to wallets, by wallet and chain. @type {Record<string, string | null>} */
const NONE = {};
const given = guard('given-nodes', NONE, (kept, before) => ({ ...before, ...kept }));
/** The same as it was read last; null if it can't be, so that no node is known to be a wallet's own. @type {typeof NONE | null} */
let givenNow = null;
const lookForGiven = async () => {
	givenNow = await given.read().catch(() => null);
};

/** Codes of EIP-1193 and of wallets. */
const REFUSED = 4001;
const UNAUTHORIZED = 4100;
const UNKNOWN_CHAIN = 4902;
const ALREADY_ASKED = -32002;

/** Milliseconds between two looks at a transaction. */
const LOOK = 700;
/**
 * What is known of a transaction: its number, whether a node has told that of it, and how often in a row more
 * transactions were in blocks than that.
 * @typedef {{ nonce: number | null, isTold: boolean, overtaken: number }} Known
 */

/** Looks in a row after which it is believed that another transaction is in the place of one. */
const SURE = 5;
/** What nodes say that do not know which block is final. */
export const NO_TAG = /(unknown|invalid|unsupported|no such) (block )?tag|without 0x prefix/i;
/** Looks without a block after which the player is told that it takes long. */
const LONG = 60;

/** What is said when a player waits for a transaction no more. */
export const STOPPED = texts.stoppedInBlock;

/** Why a wallet did not do what was asked, in words for its owner. */
export class WalletError extends Error {
	/** @param {string} message @param {'refused' | 'locked' | 'chain' | 'failed' | 'replaced'} kind */
	constructor(message, kind) {
		super(message);
		this.kind = kind;
	}
}

/** @typedef {{ request: (asked: { method: string, params?: unknown }) => Promise<any>, on?: Function, removeListener?: Function }} Provider */
/** @typedef {{ info: { uuid: string, name: string, icon?: string, rdns: string }, provider: Provider }} Announced */

/** @param {any} error */
const codeOf = (error) => error?.code ?? error?.data?.originalError?.code;

/** The error of a provider in words. @param {any} error @param {string} name of the wallet */
function inWords(error, name) {
	if (error instanceof WalletError) return error;
	switch (codeOf(error)) {
		case REFUSED:
			return new WalletError(texts.refused(name), 'refused');
		case UNAUTHORIZED:
			return new WalletError(texts.lockedOrBarred(name), 'locked');
		case ALREADY_ASKED:
			return new WalletError(texts.walletBusy(name), 'failed');
		default:
			return new WalletError(`${name} says: ${error?.message ?? error}`, 'failed');
	}
}

/** Whether a wallet that has failed has surely signed nothing: an answer of its node may have been lost. @param {unknown} error */
const isUnsigned = (error) =>
	error instanceof WalletError &&
	(error.kind === 'refused' ||
		error.kind === 'locked' ||
		/insufficient funds|waits for an answer already/i.test(error.message));

/**
 * Finds wallets that announce themselves, from now on.
 * @param {(wallet: Wallet) => void} found
 */
export function findEthereum(found) {
	/** @param {any} event */
	const heard = ({ detail }) => found(wallet(detail));
	addEventListener('eip6963:announceProvider', heard);
	dispatchEvent(new Event('eip6963:requestProvider'));
}

/** @param {Announced} announced @returns {Wallet} */
function wallet({ info: { name, icon, rdns }, provider }) {
	/** @param {string} method @param {unknown} [params] */
	const request = async (method, params) => {
		try {
			return await provider.request(params === undefined ? { method } : { method, params });
		} catch (error) {
			throw inWords(error, name);
		}
	};
	/** @param {string[]} addresses */
	const accounts = (addresses) =>
		addresses.map((address) => ({ id: address.toLowerCase(), name: null }));
	/** What stops listening. @type {() => void} */
	let deaf = () => {};

	/** Whether it is on a chain: wallets write its number in digits of either case. @param {Chain} chain */
	async function isOn({ chainId }) {
		const isThere = Number(await request('eth_chainId')) === chainId;
		// Before its node is asked. Another tab may have had one added.
		await lookForGiven();
		return isThere;
	}

	/**
	 * Has the wallet add a chain with the host's node. That it was asked is on disk before: its owner may agree when
	 * this page is gone.
	 * @param {Chain} chain @param {object} asked
	 */
	async function add({ chainId, rpc }, asked) {
		const name = `${rdns} ${chainId}`;
		const before = (await given.read())[name];
		await given.change((nodes) => ({ ...nodes, [name]: rpc }));
		try {
			await request('wallet_addEthereumChain', [asked]);
		} catch (error) {
			if (error instanceof WalletError && error.kind === 'refused' && before === undefined) {
				await given.change(({ [name]: _, ...others }) => others);
			}
			throw error;
		}
	}

	/** @param {Chain} chain */
	async function useChain(chain) {
		const wanted = quantity(chain.chainId ?? 0);
		if (await isOn(chain)) return;
		try {
			await provider.request({
				method: 'wallet_switchEthereumChain',
				params: [{ chainId: wanted }],
			});
		} catch (error) {
			const code = codeOf(error);
			const unknown = code === UNKNOWN_CHAIN || (code !== REFUSED && code !== ALREADY_ASKED);
			if (!unknown) throw inWords(error, name);
			if (!chain.rpc) {
				throw new WalletError(texts.chainUnknown(name, chain.name, chain.chainId), 'chain');
			}
			await add(chain, {
				chainId: wanted,
				chainName: chain.name,
				rpcUrls: [chain.rpc],
				nativeCurrency: { name: chain.symbol, symbol: chain.symbol, decimals: 18 },
			});
		}
		if (!(await isOn(chain))) {
			throw new WalletError(texts.switchChain(name, chain.name), 'chain');
		}
	}

	/** Has the wallet use an account on the chain. @param {WalletAccount} account @param {Chain} chain */
	async function use(account, chain) {
		const unlocked = accounts(await request('eth_accounts'));
		if (!unlocked.some(({ id }) => id === account.id)) {
			throw new WalletError(
				unlocked.length ? texts.otherAccount(name) : texts.locked(name),
				'locked',
			);
		}
		await useChain(chain);
	}

	return {
		kind: 'ethereum',
		id: rdns,
		name,
		icon: icon?.startsWith('data:image/') ? icon : null,

		async connect(chain, silently) {
			const found = accounts(await request(silently ? 'eth_accounts' : 'eth_requestAccounts'));
			if (found.length && !silently) await useChain(chain);
			return found;
		},

		listen(/** @type {WalletEvents} */ on) {
			deaf();
			/** @param {string[]} addresses */
			const changed = (addresses) => on.accounts(accounts(addresses));
			/** @param {string} id */
			const moved = async (id) => {
				await lookForGiven();
				on.chain(Number(id));
			};
			provider.on?.('accountsChanged', changed);
			provider.on?.('chainChanged', moved);
			deaf = () => {
				provider.removeListener?.('accountsChanged', changed);
				provider.removeListener?.('chainChanged', moved);
			};
		},

		leave: () => deaf(),

		useChain,

		isOn,

		async sign({ account, chain, toSign: { typed } }) {
			await use(account, chain);
			return { ethereum: await request('eth_signTypedData_v4', [account.id, typed]) };
		},

		async send(/** @type {Transaction} */ { account, prepared, data, payment, chain, signed }) {
			await use(account, chain);
			const count = await request('eth_getTransactionCount', [account.id, 'pending']).catch(
				() => null,
			);
			const nonce = count === null ? Number.MAX_SAFE_INTEGER : Number(count);
			// The page may be closed before its owner has answered.
			await signed('', 0, nonce);
			const hash = await request('eth_sendTransaction', [
				{
					from: account.id,
					to: prepared.to,
					// The wallet may be moved to another chain until its owner agrees.
					chainId: quantity(chain.chainId ?? 0),
					data,
					value: quantity(payment * chain.ratio),
					...(prepared.gas ? { gas: quantity(BigInt(prepared.gas)) } : {}),
				},
			]).catch(async (error) => {
				if (isUnsigned(error)) await signed(null, 0);
				throw error;
			});
			await signed(hash, 0, nonce);
			const number = count === null ? {} : { nonce };
			return { hash, from: account.id, chain: quantity(chain.chainId ?? 0), ...number };
		},

		// The wallet's own node tells what became of it, not the host.
		async follow(/** @type {Sent} */ { hash, from, nonce: expected, chain }, told, stop) {
			/** @type {Known} */
			let known = { nonce: expected ?? null, isTold: false, overtaken: 0 };
			/** @type {Slow | null} */
			let said = null;
			for (let looks = 0; ; looks += 1) {
				if (stop?.aborted) throw new WalletError(STOPPED, 'replaced');
				const receipt = await request('eth_getTransactionReceipt', [hash]).catch(() => undefined);
				if (receipt?.blockNumber) {
					const failed = Number(receipt.status) === 0;
					return { hash, block: Number(receipt.blockNumber), failed };
				}
				const now = await lookFor(hash, from ?? '', known, chain);
				known = now.known;
				const slow = receipt === undefined ? 'silent' : now.slow;
				if ((looks >= LONG || slow === 'overtaken') && slow !== said) {
					said = slow;
					told(slow);
				}
				await new Promise((resolve) => setTimeout(resolve, LOOK));
			}
		},

		async fateOf({ hash, from, nonce, isTold }, told) {
			// Before its block is looked for, so that it is in one of these if it is among them.
			const count = Number(await finalCount(from));
			const receipt = hash ? await request('eth_getTransactionReceipt', [hash]) : null;
			if (receipt?.blockNumber) {
				return (await isFinal(Number(receipt.blockNumber))) ? 'final' : 'in block';
			}
			if (count > nonce && (isTold || !hash)) return 'final';
			const found = hash ? await request('eth_getTransactionByHash', [hash]) : null;
			if (found?.nonce !== undefined && !isTold) told(Number(found.nonce));
			return 'open';
		},

		async cancel(chain, from, nonce) {
			await useChain(chain);
			const nothing = { from, to: from, value: '0x0', nonce: quantity(nonce) };
			await request('eth_sendTransaction', [{ ...nothing, chainId: quantity(chain.chainId ?? 0) }]);
		},

		node: request,
		hasGivenNode: ({ chainId }) => givenNow === null || `${rdns} ${chainId}` in givenNow,
	};

	/** Whether the wallet is on the chain on which a transaction was sent. @param {string} [chain] */
	async function isStillOn(chain) {
		return !chain || Number(await request('eth_chainId').catch(() => null)) === Number(chain);
	}

	/** How many transactions of an account are in final blocks; in all, if its node does not know these. @param {string} from */
	async function finalCount(from) {
		try {
			return await request('eth_getTransactionCount', [from, 'finalized']);
		} catch (error) {
			if (!(error instanceof Error && NO_TAG.test(error.message))) throw error;
			return request('eth_getTransactionCount', [from, 'latest']);
		}
	}

	/** Whether a block is final, by the wallet's own node. @param {number} block */
	async function isFinal(block) {
		const last = await request('eth_getBlockByNumber', ['finalized', false]).catch(() => null);
		return last !== null && Number(last.number) >= block;
	}

	/**
	 * Where a transaction without a block is, and what is known of it by then; fails if another one has taken
	 * its number.
	 * @param {string} hash @param {string} from @param {Known} before @param {string} [chain]
	 * @returns {Promise<{ known: Known, slow: Slow }>}
	 */
	async function lookFor(hash, from, before, chain) {
		const found = await request('eth_getTransactionByHash', [hash]).catch(() => undefined);
		const isTold = found?.nonce !== undefined || before.isTold;
		const nonce = found?.nonce === undefined ? before.nonce : Number(found.nonce);
		const known = { nonce, isTold, overtaken: 0 };
		/** @type {Slow} */
		const slow = found === undefined ? 'silent' : found === null ? 'unknown' : 'pending';
		if (nonce === null || found || found === undefined) return { known, slow };
		// A wallet that was moved to another chain says how many transactions there are on that one.
		if (!(await isStillOn(chain))) return { known, slow: 'silent' };
		const count = Number(await request('eth_getTransactionCount', [from, 'latest']).catch(() => 0));
		const receipt = await request('eth_getTransactionReceipt', [hash]).catch(() => undefined);
		if (!(await isStillOn(chain))) return { known, slow: 'silent' };
		// It may be in a block since it was looked for, and nodes behind one name may differ.
		if (count <= nonce || receipt !== null) return { known, slow };
		const overtaken = before.overtaken + 1;
		if (overtaken < SURE) return { known: { ...known, overtaken }, slow };
		// Some nodes count no transaction that waits, so that its number may be a higher one.
		if (!isTold) return { known: { ...known, overtaken }, slow: 'overtaken' };
		throw new WalletError(texts.replaced(name), 'replaced');
	}
}
