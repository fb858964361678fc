// Wallets of Polkadot SDK chains, as Talisman, SubWallet and polkadot-js put them into the page.

import { reason } from '../state/text.js';
import { Failure, tell } from '../transport.js';
import { texts } from '../words/host.js';
import { STOPPED, WalletError } from './ethereum.js';
import { MORTALITY } from './public-chains.js';
import { search } from './search.js';
import { ask } from './wasm.js';

/** @import { Sent, Transaction, Wallet, WalletEvents } from './types.d.ts' */

/** Name of the page as wallets show it. */
const PAGE = texts.page;
/** Milliseconds between two looks at a transaction. */
const LOOK = 700;
/** Looks in a row without an answer after which the player is told. */
const LONG = 20;
const UNSEEN = texts.expired;
/** Milliseconds to wait for wallets that put themselves into the page late. */
const LATE = 600;

/**
 * @typedef {{ address: string, name?: string, type?: string }} InjectedAccount
 * @typedef {{
 *   accounts: { get: () => Promise<InjectedAccount[]>, subscribe?: (changed: (all: InjectedAccount[]) => void) => () => void },
 *   signer: {
 *     signPayload?: (payload: object) => Promise<{ signature: string }>,
 *     signRaw?: (raw: { address: string, data: string, type: 'bytes' }) => Promise<{ signature: string }>,
 *   },
 * }} Injected
 */

/**
 * Finds wallets that are in the page.
 * @param {(wallet: Wallet) => void} found
 */
export function findSubstrate(found) {
	const known = new Set();
	const look = () => {
		/** @type {Record<string, { version?: string, enable: (name: string) => Promise<Injected> }>} */
		const injected = /** @type {any} */ (window).injectedWeb3 ?? {};
		for (const [id, entry] of Object.entries(injected)) {
			if (known.has(id)) continue;
			known.add(id);
			found(substrateWallet(id, NAMES[id] ?? id, () => entry.enable(PAGE)));
		}
	};
	look();
	setTimeout(look, LATE);
}

/** Whether a node has a transaction already that was passed on. @param {unknown} error */
const isThere = (error) => error instanceof Failure && /already imported/i.test(error.message);

/**
 * Whether the chain may have a transaction although passing it on has failed: no host has answered, or one has
 * it already from another that has not answered.
 * @param {unknown} error
 */
const mayBeThere = (error) => isThere(error) || (error instanceof Failure && error.mayBeDone);

/**
 * Passes a transaction on, each time that it is called, until a node is known to have it. A refusal says nothing: it
 * may be in a block already.
 * @param {() => Promise<unknown>} again
 */
function passing(again) {
	let isDone = false;
	let isUnderWay = false;
	return async () => {
		if (isDone || isUnderWay) return;
		isUnderWay = true;
		isDone = await again().then(() => true, isThere);
		isUnderWay = false;
	};
}

/** @type {Record<string, string>} */
const NAMES = {
	'polkadot-js': 'polkadot{.js}',
	talisman: texts.talisman,
	'subwallet-js': 'SubWallet',
};

/** A wallet that signs what polkadot-js defines. @param {string} id @param {string} name @param {() => Promise<Injected>} enable @returns {Wallet} */
export function substrateWallet(id, name, enable) {
	/** @type {Injected | null} */
	let injected = null;
	/** @type {() => void} */
	let deaf = () => {};

	/** @param {InjectedAccount[]} all */
	const accounts = (all) =>
		all
			// Accounts of Ethereum in such a wallet sign otherwise: they are offered by EIP-6963.
			.filter(({ type, address }) => type !== 'ethereum' && !address.startsWith('0x'))
			.map((account) => ({ id: account.address, name: account.name ?? null }));

	/** Fails if the wallet does not let this page use an account. @param {{ id: string }} account */
	async function needs({ id }) {
		const unlocked = accounts((await injected?.accounts.get()) ?? []);
		if (unlocked.some((account) => account.id === id)) return;
		throw new WalletError(texts.accountBarred(name), 'locked');
	}

	/** @param {unknown} error @returns {never} */
	function fail(error) {
		const why = reason(error);
		throw /cancel|reject|denied/i.test(why)
			? new WalletError(texts.refused(name), 'refused')
			: new WalletError(`${name} says: ${why}`, 'failed');
	}

	return {
		kind: 'substrate',
		id,
		name,
		icon: null,

		async connect() {
			try {
				injected = await enable();
				return accounts(await injected.accounts.get());
			} catch (error) {
				const why = reason(error);
				throw new WalletError(texts.pageBarred(name, why), 'locked');
			}
		},

		listen(/** @type {WalletEvents} */ on) {
			deaf();
			deaf = injected?.accounts.subscribe?.((all) => on.accounts(accounts(all))) ?? deaf;
		},

		leave: () => deaf(),

		// What is signed names the chain.
		useChain: async () => {},
		isOn: async () => true,

		async sign({ account: { id }, toSign: { digest } }) {
			await needs({ id });
			if (!injected?.signer.signRaw) throw new WalletError(texts.noBytes(name), 'failed');
			const { signature } = await injected.signer
				.signRaw({ address: id, data: digest, type: 'bytes' })
				.catch(fail);
			return { sr25519: [id, signature] };
		},

		async send(/** @type {Transaction} */ { account, prepared, signed }) {
			const { unsigned } = prepared;
			if (!unsigned) throw new WalletError(texts.nothingPrepared, 'failed');
			if (!injected?.signer.signPayload) {
				throw new WalletError(texts.noTransactions(name), 'failed');
			}
			await needs(account);
			const { head, tail, payload } = unsigned;
			// It is looked for from the block on which it is based.
			const base = Number(payload.blockNumber);
			// What can't be kept is not asked for.
			await signed('', base);
			const { signature } = await injected.signer.signPayload(payload).catch(async (error) => {
				await signed(null, base);
				fail(error);
			});
			const { hash } = await ask({ extrinsic: { head, signature, tail } });
			await signed(hash, base);
			const submit = () => tell('/api/submit', { head, tail, signature });
			try {
				const { after } = await submit();
				// It is in no block whose number is beyond its time.
				const isInTime = after >= base && after <= base + MORTALITY;
				return { hash, after: isInTime ? after : base };
			} catch (error) {
				if (!mayBeThere(error)) throw error;
				return { hash, after: base, ...(isThere(error) ? {} : { again: submit }) };
			}
		},

		async follow(/** @type {Sent} */ { hash, after = 0, again }, told, stop) {
			let from = after + 1;
			const passOn = again ? passing(again) : null;
			for (let failures = 0; ; ) {
				if (stop?.aborted) throw new WalletError(STOPPED, 'replaced');
				const searched = await search(hash, from).catch(() => null);
				failures = searched ? 0 : failures + 1;
				if (failures === LONG) told('untold');
				const found = searched?.found;
				if (found) {
					const { block } = found.transaction;
					if (found.failure) return { hash, block, failed: true };
					return { hash, block, failed: false, found };
				}
				if (searched) {
					if (searched.next > after + MORTALITY) throw new WalletError(UNSEEN, 'replaced');
					// What was looked at may be replaced by other blocks, which have it earlier.
					from = searched.next < searched.best ? searched.next : after + 1;
				}
				passOn?.();
				await new Promise((resolve) => setTimeout(resolve, LOOK));
			}
		},

		// These wallets ask no node.
		node: null,
	};
}
