// Who plays by signed terms in this browser: an account of a wallet, by a session key that it names once a day; else
// a guest, whose account is a key that this page makes.
//
// Neither is a place for money: anyone who serves the page could read what is kept here.

import { addressOf } from '../host/account.js';
import { WalletError } from '../host/ethereum.js';
import { toHex } from '../host/hex.js';
import { openJournal } from '../host/journal.js';
import { session } from '../host/session.js';
import { ask } from '../host/wasm.js';
import { openModule } from '../player/module.js';
import { texts } from '../words/host.js';
import { phraseIsKnown } from './phrases.js';

/** @import { SignedPlace } from '../ask.d.ts' */
/** @import { Journal, Player } from '../host/journal.js' */
/** @import { Wallet, WalletAccount } from '../host/types.d.ts' */

/**
 * Who plays: the account, and the key that signs for it. `session` is what the account has signed about the key,
 * in SCALE; null if the key is the account's own.
 * @typedef {{ account: string, key: string, secret: string, session: string | null }} Identity
 */

/** The name under which the guest plays. */
const GUEST = 'guest';
const DAY = 86_400; // seconds for which an account names a session key
const REST = 3_600; // seconds before the end of that time from which another one is named

/** @type {Promise<Journal> | null} */
let opening = null;
/** The keys of this browser; opened anew after they could not be. */
function journal() {
	opening ??= openJournal();
	opening.catch(() => {
		opening = null;
	});
	return opening;
}

/** @type {(() => void)[]} */
const told = [];
/** Calls a function when another guest plays here, or none any more. @param {() => void} changed */
export const onGuest = (changed) => told.push(changed);
/** To the other tabs of this browser, which have the same guest. */
const tabs = new BroadcastChannel('connect4-guest');
const hear = () => {
	for (const changed of told) changed();
};
tabs.onmessage = hear;
const tell = () => {
	hear();
	tabs.postMessage(null);
};

/** Shows that a wallet is asked to sign; null once it is not any more. @type {(wallet: Wallet | null) => void} */
let showAsking = () => {};
/** @param {typeof showAsking} show */
export const showAskingBy = (show) => {
	showAsking = show;
};

/** The guest of this browser; null if there is none. */
export const guest = async () => (await journal()).player(GUEST);

/** Random bytes from the browser. @param {number} length */
const random = (length) => toHex(crypto.getRandomValues(new Uint8Array(length)));
const now = () => Math.floor(Date.now() / 1000);

/** @type {Map<string, Promise<Identity>>} What is under way, so that a wallet is asked once. */
const pending = new Map();

/**
 * Who plays in games that are signed for a chain. Makes a guest if there is neither one nor a wallet; a wallet is asked to
 * sign, unless it has today.
 * @param {SignedPlace} place
 * @returns {Promise<Identity>}
 */
export function identity(place) {
	const { wallet, account } = session;
	const name = `${place.genesis} ${wallet && account ? account.id : GUEST}`;
	const found =
		pending.get(name) ?? (wallet && account ? ofWallet(wallet, account, place) : ofGuest(place));
	pending.set(name, found);
	const done = () => pending.delete(name);
	found.then(done, done);
	return found;
}

/** @param {SignedPlace} place @returns {Promise<Identity>} */
async function ofGuest(place) {
	const player = (await guest()) ?? (await makeGuest());
	const { account, key, secret } = player;
	if (account === key) return { account, key, secret, session: null };
	// Restored: the same phrase on two devices would sign a turn twice by one key.
	const { secret: own } = (await openModule())({ guest: { words: player.phrase ?? '' } });
	const named = { account, key, until: now() + DAY, place };
	return {
		account,
		key,
		secret,
		session: await ask({ signed_session: { named, by: { secret: own } } }),
	};
}

async function makeGuest() {
	const { address, secret, phrase } = (await openModule())({ guest: { random: random(16) } });
	const made = { key: address, account: address, secret, phrase, made: Date.now() };
	// Another tab may have made one meanwhile.
	const player = await (await journal()).setPlayer(GUEST, made);
	tell();
	return player;
}

/** A new session key of this browser for an account. @param {string} account @returns {Promise<Player>} */
async function newKey(account) {
	const secret = random(32);
	const { address: key } = await ask({ session: secret });
	return { key, secret, account, made: Date.now() };
}

/** @param {Wallet} wallet @param {WalletAccount} of @param {SignedPlace} place @returns {Promise<Identity>} */
async function ofWallet(wallet, of, place) {
	const account = await addressOf(of);
	const name = `${place.chain_id}/${place.genesis}/${account}`;
	const keys = await journal();
	const before = await keys.player(name);
	if (before?.session && (before.until ?? 0) > now() + REST) return identityOf(before);
	const player = await newKey(account);
	const named = { account, key: player.key, until: now() + DAY, place };
	const toSign = await ask({ session_to_sign: named });
	showAsking(wallet);
	try {
		const by = await wallet.sign({
			account: of,
			chain: /** @type {any} */ (session.chain),
			named,
			toSign,
		});
		const signed = await ask({ signed_session: { named, by } }).catch((error) => {
			throw new WalletError(`${wallet.name}: ${error.message}`, 'failed');
		});
		const known = { ...player, session: signed, until: named.until };
		return identityOf(await keys.setPlayer(name, known, before));
	} finally {
		showAsking(null);
	}
}

/**
 * Who plays for a stake: the account of the wallet, by a key of this browser that its payment names.
 * @param {SignedPlace} place
 * @returns {Promise<Identity>}
 */
export async function payer(place) {
	const { wallet, account: of } = session;
	if (!wallet || !of) {
		const isOfProgram = session.wallets.some(({ isProgram }) => isProgram);
		throw new WalletError(isOfProgram ? texts.chooseFirst : texts.connectFirst, 'locked');
	}
	const account = await addressOf(of);
	const name = `${place.chain_id}/${place.genesis}/${place.stakes}/${account}`;
	const keys = await journal();
	const player = (await keys.player(name)) ?? (await keys.setPlayer(name, await newKey(account)));
	return { ...identityOf(player), session: null };
}

/** @param {Player} player @returns {Identity} */
const identityOf = ({ account, key, secret, session: signed }) => ({
	account,
	key,
	secret,
	session: signed ?? null,
});

/**
 * Plays as the guest with this phrase from now on, in place of the present one.
 * @param {string} words
 * @returns {Promise<string>} its address
 * @throws {Error} if they are no phrase
 */
export async function restore(words) {
	const { address, phrase } = (await openModule())({ guest: { words } });
	phraseIsKnown(address);
	const before = await guest();
	if (before?.account === address) return address;
	const there = (await guests()).find(({ account }) => account === address);
	if (there) await playAs(there);
	else {
		const player = { ...(await newKey(address)), phrase };
		await (await journal()).setPlayer(GUEST, player, before);
		tell();
	}
	return address;
}

/** All guests of this browser, of which one plays. */
export const guests = async () => (await journal()).guests();

/** Plays as another guest of this browser from now on. @param {Player} player */
export async function playAs(player) {
	await (await journal()).switchTo(GUEST, player);
	tell();
}

/** Forgets a guest of this browser, with its phrase and all that it has signed: the one who plays, if none is named. @param {Player} [named] */
export async function forget(named) {
	const player = named ?? (await guest());
	if (player) await (await journal()).forgetPlayer(GUEST, player);
	tell();
}
