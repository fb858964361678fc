// A transaction from its trial to its block: the host tries it, the player is told what it does and what
// it costs, the wallet signs, and it is followed until a block has it.

import { exactAmount } from '../state/text.js';
import { texts } from '../words/host.js';
import { addressOf } from './account.js';
import { codeOf, givenNode, readOwn } from './chain.js';
import { isOurs, otherCode } from './code.js';
import { contractOf, isProven, needContract } from './contracts.js';
import { WalletError } from './ethereum.js';
import { alone, ElsewhereError } from './lock.js';
import { needFit } from './node.js';
import { keepPallet } from './pallet.js';
import { keepChain } from './pins.js';
import { prepare } from './prepare.js';
import { checkPrepared, differs } from './prepared.js';
import { hasItsNumber } from './proven.js';
import { search } from './search.js';
import { session, useChain } from './session.js';
import { dropSigned, followed, forgetSigned, keepSigned, mayHappenToo } from './signed.js';

/** @import { Called, SignedPlace } from '../ask.d.ts' */
/** @import { AnsweredBlock, Landed, Prepared } from '../wire.d.ts' */
/** @import { Signed } from './signed.js' */
/** @import { Chain, Outcome, Slow } from './types.d.ts' */

/**
 * How far a transaction is, for those who show it.
 * @typedef {{
 *   step: 'trying' | 'agreeing' | 'signing' | 'silent' | 'waiting' | 'slow' | 'done',
 *   what: string, prepared?: Prepared, payment?: bigint, maps?: boolean, slow?: Slow, stop?: () => void,
 *   depositLimit?: bigint | null, others?: Signed[], isUnknown?: boolean, facts?: [string, string][],
 * }} Stage
 *
 * It is `silent` while the wallet has not answered for long. `stop` ends the waiting for a transaction.
 * `depositLimit` is the most that may be held as a deposit, if it is much more than `prepared` says. `others`
 * are signatures that may happen beside this one. `isUnknown` is whether nothing shows that the contract is that
 * of the game.
 */

/** @type {(stage: Stage) => void} */
let show = () => {};
/** Whether the player agrees to what is paid. @type {(stage: Stage) => Promise<boolean>} */
let agreed = async () => true;

/** @param {{ show: (stage: Stage) => void, agreed: (stage: Stage) => Promise<boolean> }} to */
export function showTo(to) {
	({ show, agreed } = to);
}

/**
 * How a call is sent.
 * @typedef {{
 *   payment?: bigint, answers?: AnsweredBlock | null, unanswered?: (why: string) => void, facts?: [string, string][],
 *   to?: string | null, by?: string | null, isLookedAt?: boolean, isDue?: () => Promise<void>,
 * }} How
 *
 * `payment` is in the token's smallest unit. `answers` is the block on which it relies: it is void on a branch of the
 * chain without it.
 * If there are `facts`, each with its name, the player has to agree to them, also if nothing is paid. `to` is the
 * contract that was agreed on, if one was: no other one is called, whatever the host has named meanwhile. `by` is the
 * account that was chosen, if one was: no other one signs, whatever the wallet uses meanwhile. `unanswered`
 * is told, in words for the player, if the wallet does not answer for long; it may do so later. What the call changes
 * may be `isLookedAt` anyway: then nobody asks what the contracts have told, and `unanswered` is told of a slow chain, too.
 * `isDue` looks once more after the player has agreed, which may take long, and throws if the call is not due any more.
 */

/** A transaction at a time: a wallet asks for one signature after the other. @type {Promise<unknown>} */
let queue = Promise.resolve();
/** Milliseconds in one step after which a transaction holds up no other one: a wallet may never answer. */
const PATIENCE = 30_000;
/** What is paid, from when it is prepared until it is in a block or can't be any more; empty if nothing is. */
let paying = '';
/** What the wallet has not answered for long. @type {Set<Stage>} */
const silent = new Set();
/** A question to the player at a time. @type {Promise<unknown>} */
let asking = Promise.resolve();

/**
 * Sends a call.
 * @param {string} what it does, for the player
 * @param {Called} call
 * @param {How} [how]
 * @returns {Promise<Landed>} where it is and what the contracts told
 */
export async function send(what, call, how = {}) {
	const before = queue;
	/** @type {(_?: unknown) => void} */
	let goOn = () => {};
	queue = new Promise((resolve) => {
		goOn = resolve;
	});
	await before;
	const { payment = 0n, unanswered } = how;
	/** @type {Stage} */
	let shown = { step: 'trying', what };
	const late = () => {
		goOn();
		// What the game needs next can't wait for a chain or host that says nothing of it.
		if (how.isLookedAt && shown.step !== 'agreeing') unanswered?.(texts.slowToLand);
		if (shown.step !== 'trying' && shown.step !== 'signing') return;
		shown = { ...shown, step: 'silent' };
		silent.add(shown);
		show(shown);
		unanswered?.(texts.walletSilent(session.wallet?.name));
	};
	let timer = setTimeout(late, PATIENCE);
	/** @param {Stage} stage */
	const shows = (stage) => {
		if (stage.step !== shown.step) {
			clearTimeout(timer);
			timer = setTimeout(late, PATIENCE);
		}
		silent.delete(shown);
		shown = stage;
		if (stage.step !== 'agreeing') show(stage);
	};
	try {
		// With another number both would be paid.
		if (payment > 0n && paying) {
			throw new WalletError(texts.mayStillPaySign(paying, session.wallet?.name), 'failed');
		}
		if (payment > 0n) paying = what;
		try {
			return await sendNow(what, call, how, shows);
		} finally {
			if (payment > 0n) paying = '';
		}
	} finally {
		clearTimeout(timer);
		silent.delete(shown);
		goOn();
		done(what);
	}
}

/** Shows that nothing is under way any more but what the wallet has not answered. @param {string} what */
function done(what) {
	show({ step: 'done', what });
	for (const stage of silent) show(stage);
}

/**
 * Asks the player, once other questions are answered.
 * @param {Stage} stage @param {(stage: Stage) => void} shows
 * @returns {Promise<boolean>}
 */
function agrees(stage, shows) {
	shows(stage);
	const answer = asking.then(() => agreed(stage));
	asking = answer.catch(() => {});
	return answer;
}

/** The wallet that signs, which is on the chain, for a contract that is the right one. @param {Called} call */
async function signer({ contract, message }) {
	const { wallet, account, chain } = session;
	if (!wallet || !account || !chain) {
		throw new WalletError(texts.connectFirst, 'locked');
	}
	const place = { contract, address: needContract(contract), chain };
	await needFit();
	// Else the wallet's own node would be one of another chain, and could not be asked.
	await useChain();
	const isKnown = await checkCode(contract);
	if (message === 'fund' && !wallet.isProgram) await needProvenStakes();
	await keepChain();
	needPlace(place);
	return { wallet, account, place, isKnown };
}

/**
 * Where something is signed for: what was looked at.
 * @typedef {{ contract: string, address: string, chain: Chain }} Place
 */

/**
 * Looks whether the host still names the chain and the contract that were looked at: it can greet anew at any time.
 * @param {Place} place @throws {WalletError} if it does not
 */
function needPlace({ contract, address, chain }) {
	const now = session.chain;
	if (now?.genesis !== chain.genesis || now.chainId !== chain.chainId) {
		throw differs(texts.differsChain);
	}
	if (needContract(contract) !== address) throw differs(texts.differsContract);
}

/**
 * @param {string} what @param {Called} call @param {How} how
 * @param {(stage: Stage) => void} shows is told each step
 */
async function sendNow(what, call, how, shows) {
	const { payment = 0n, answers = null, to = null, by = null } = how;
	const { wallet, account, place, isKnown } = await signer(call);
	if (by && (await addressOf(account)) !== by.toLowerCase()) {
		throw new WalletError(texts.otherAccount(wallet.name), 'failed');
	}
	const { chain } = place;
	for (let isMapped = false; ; isMapped = true) {
		shows({ step: 'trying', what });
		const told = await prepare({
			account: account.id,
			contract: call.contract,
			data: call.input,
			payment: String(payment),
			answers,
		});
		const { prepared, depositLimit } = await checkPrepared(told, call, payment, answers);
		needPlace(place);
		if (to && prepared.to !== to.toLowerCase()) throw differs(texts.differsContract);
		const { maps = false } = prepared.unsigned ?? {};
		if (maps && isMapped) throw differs(texts.differsAgain);
		// What makes the account known calls no contract, and pays nothing.
		const pays = maps ? 0n : payment;
		const facts = maps ? [] : (how.facts ?? []);
		const isUnknown = !maps && !isKnown && !accepted.has(acceptedAs(place));
		const signature = signatureOf(what, prepared, pays);
		const stage = { what, prepared, payment: pays, maps, depositLimit, isUnknown, facts };
		/** Keeps what is known of the signature by now. @param {Partial<Signed>} now */
		const knows = async (now) => {
			if (signature) await keepSigned(Object.assign(signature, now));
		};
		/**
		 * Keeps that the wallet is asked, and what it has answered, before anything of it leaves the page.
		 * @type {import('./types.d.ts').Transaction['signed']}
		 */
		const signed = async (hash, after, nonce = signature?.nonce ?? 0) => {
			if (!signature) return;
			if (hash === null) return forgetSigned(signature);
			const known = knows({ hash, after, nonce });
			// A wallet that passes it on itself has done so, and its number is on disk.
			await (signature.ethereum && hash ? known.catch(() => {}) : known);
		};
		/** Asks the player if something is paid or odd, then the wallet. */
		const sign = async () => {
			const others = signature ? await beside(signature) : [];
			const isOdd = depositLimit !== null || others.length > 0 || isUnknown;
			const asks = pays > 0n || facts.length > 0 || isOdd;
			if (asks && !(await agrees({ step: 'agreeing', ...stage, others }, shows))) {
				throw new WalletError(texts.nothingPaid, 'refused');
			}
			if (isUnknown) accepted.add(acceptedAs(place));
			// The question may have stood for long.
			if (asks && signature) await needSame(signature, others);
			if (asks) await how.isDue?.();
			needPlace(place);
			shows({ step: 'signing', ...stage, others });
			if (signature) followed.add(signature.time);
			const of = { account, chain, prepared, data: call.input, payment, signed };
			return { sent: await wallet.send(of), others };
		};
		/** @type {Outcome} */
		let outcome;
		try {
			const { sent, others } = await (signature?.stake ? one(signature, sign) : sign());
			shows({ step: 'waiting', ...stage, others });
			const waiting = new AbortController();
			const stop = () => waiting.abort();
			/** @param {Slow} slow */
			const late = (slow) => shows({ step: 'slow', ...stage, others, slow, stop });
			outcome = await wallet.follow(sent, late, waiting.signal);
		} finally {
			if (signature) followed.delete(signature.time);
		}
		// If that can't be kept, what was kept before says less than is known.
		await ended(signature, outcome).catch(() => {});
		if (prepared.unsigned) await keepPallet(prepared.unsigned.payload).catch(() => {});
		if (outcome.failed) throw await whyFailed(call, payment);
		if (maps) continue;
		return how.isLookedAt ? (outcome.found ?? unseen(outcome)) : await landed(outcome);
	}
}

/**
 * Keeps what became of a signature.
 * @param {Signed | null} signature @param {Outcome} outcome
 */
async function ended(signature, outcome) {
	if (!signature) return;
	if (signature.ethereum) return keepSigned({ ...signature, isDone: true });
	if (outcome.failed) return keepSigned({ ...signature, after: 0, hasFailed: true });
	await dropSigned(signature, signature.nonce);
	// A fork may take it back.
	if (signature.stake) await keepSigned({ ...signature, isDone: true });
}

/**
 * Signs the stake of an account while no other tab does.
 * @template Done
 * @param {Signed} of @param {() => Promise<Done>} sign
 */
async function one({ account, genesis }, sign) {
	try {
		return await alone(`connect4-stake/${genesis}/${account}`, sign);
	} catch (error) {
		if (!(error instanceof ElsewhereError)) throw error;
		throw new WalletError(texts.otherTab, 'failed');
	}
}

/**
 * What is remembered of a signature until its fate is known; null of one that pays nothing and that a wallet of
 * Ethereum numbers and passes on itself, as the host can't keep it.
 * @param {string} what @param {Prepared} prepared @param {bigint} stake
 * @returns {Signed | null}
 */
function signatureOf(what, { unsigned }, stake) {
	if (!unsigned && !stake) return null;
	const { account, chain } = session;
	return {
		account: account?.id ?? '',
		genesis: chain?.genesis ?? '',
		nonce: unsigned ? Number(unsigned.payload.nonce) : 0,
		what,
		time: Date.now(),
		hash: '',
		after: 0,
		...(stake && chain ? { stake: exactAmount(String(stake), chain) } : {}),
		...(unsigned ? {} : { ethereum: { isTold: false } }),
	};
}

/**
 * What may happen beside something that is to be signed.
 * @param {Signed} signature
 * @throws {WalletError} if both would pay a stake
 */
async function beside(signature) {
	const { account, wallet } = session;
	const address = account ? await addressOf(account) : '';
	const of = { ...signature, address };
	const others = await mayHappenToo(of, signature.ethereum ? null : signature.nonce);
	const first = signature.stake && others.find(({ stake, fate }) => stake && fate === 'open');
	if (!first) return others;
	throw new WalletError(
		first.ethereum
			? texts.mayStillPayCancel(first.what, first.stake, wallet?.name)
			: texts.mayStillPay(first.what, first.stake),
		'failed',
	);
}

/**
 * Looks again what may happen beside something, once the player has agreed to it.
 * @param {Signed} signature @param {Signed[]} shown what the player was told
 * @throws {WalletError} if there is more than that
 */
async function needSame(signature, shown) {
	const now = await beside(signature);
	if (now.every(({ time, what }) => shown.some((one) => one.time === time && one.what === what))) {
		return;
	}
	throw new WalletError(texts.signedElsewhere, 'failed');
}

/** Contracts whose code is the one that this page was made for, each on its chain. @type {Set<string>} */
const trusted = new Set();

/** Contracts that the player has accepted without knowing their code. @type {Set<string>} */
const accepted = new Set();
/** @param {Place} place */
const acceptedAs = ({ address, chain: { genesis, chainId } }) => `${genesis}/${chainId}/${address}`;

/**
 * Looks by a node of the player's choice whether a contract is the one that this page was made for. Whether
 * that is known, by the node or by its address.
 * @param {string} kind
 */
async function checkCode(kind) {
	const address = contractOf(kind);
	const { chain, wallet } = session;
	if (!address || !chain) return false;
	if (wallet?.isProgram) return true;
	const it = [kind, address, chain.genesis, chain.chainId].join(' ');
	if (trusted.has(it)) return true;
	const isThere = (await isProven(kind)) && (kind !== 'stakes' || isSignedFor(chain));
	const own = await codeOf(address);
	if (!own) return isThere;
	if (!(await isOurs(kind, own.answer))) {
		throw new WalletError(otherCode(address, own.by, texts.unsignedDontUse), 'failed');
	}
	// The host's own node says of its contract what it likes.
	if (givenNode()) return isThere;
	if (kind === 'stakes') await needDomain(address, chain);
	trusted.add(it);
	return true;
}

/**
 * Looks whether the address of the contract of the stakes shows who has deployed it. One of the right code elsewhere can
 * have what another contract left there, which a chain deletes some blocks after that has ended.
 * @throws {WalletError} if it does not
 */
async function needProvenStakes() {
	if (!(await isProven('stakes'))) throw new WalletError(texts.unprovenStakes, 'failed');
}

/**
 * Whether it is known without a node that games with a stake are signed for the chain on which they are paid: another
 * number of it would make void what both players sign. A wallet of Ethereum signs for the number itself.
 * @param {Chain} chain @throws {WalletError} if they are not
 */
function isSignedFor(chain) {
	const hasNumber = hasItsNumber(chain);
	if (hasNumber === false) throw otherDomain();
	return hasNumber ?? session.wallet?.kind === 'ethereum';
}

/**
 * Asks a node of the player's choice for what chain the contract of the stakes takes signatures.
 * @param {string} address @param {Chain} chain @throws {WalletError} if it is another one
 */
async function needDomain(address, { genesis, chainId }) {
	const read = await readOwn('read_domain', {});
	if (!read) throw new WalletError(texts.domainUnread, 'failed');
	/** @type {SignedPlace | undefined} */
	const domain = read.found.domain;
	const isIt =
		domain?.chain_id === chainId &&
		domain.genesis === genesis &&
		domain.stakes?.toLowerCase() === address.toLowerCase();
	if (!isIt) throw otherDomain();
}

const otherDomain = () => new WalletError(texts.otherDomain, 'failed');

/** Why a transaction in a block failed, which a trial tells. @param {Called} call @param {bigint} payment */
async function whyFailed(call, payment) {
	const again = { account: session.account?.id, contract: call.contract, data: call.input };
	try {
		await prepare({ ...again, payment: String(payment) });
	} catch (failure) {
		if (failure instanceof Error) return failure;
	}
	return new WalletError(texts.chainRefused, 'failed');
}

/** How often a transaction that is in a block is looked for, to learn what the contracts told. */
const LOOKS = 100;
/** Milliseconds between two looks. */
const LOOK = 300;
/** How many blocks earlier a fork may have put it. */
const BACK = 64;

/**
 * The events of a transaction that has succeeded; none if the host does not tell them, as it has discarded the
 * state of the block.
 * @param {Outcome} outcome @returns {Promise<Landed>}
 */
async function landed({ found, hash, block }) {
	if (found) return found;
	let from = block;
	for (let looks = 0; looks < LOOKS; looks += 1) {
		const searched = await search(hash, from).catch(() => null);
		if (searched?.found) return searched.found;
		// The host may be behind the wallet's node.
		await new Promise((resolve) => setTimeout(resolve, LOOK));
		if (!searched) continue;
		from = searched.next <= searched.best ? searched.next : Math.max(0, block - BACK);
	}
	return unseen({ hash, block });
}

/**
 * A transaction that has succeeded, of which nothing else is known.
 * @param {Pick<Outcome, 'hash' | 'block'>} outcome @returns {Landed}
 */
function unseen({ hash, block }) {
	const transaction = { hash, block, block_hash: '0x', index: 0, fee: '0' };
	return { transaction, failure: null, events: [] };
}
