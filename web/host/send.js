// A transaction from its trial to its block: the host tries it, the player is told what it does and what
// it costs, the wallet signs, and it is followed until it lies deep enough.

import { get, tell } from '../api.js';
import { codeOf, readOwn } from './chain.js';
import { isOurs, otherCode } from './code.js';
import { contractOf } from './contracts.js';
import { WalletError } from './ethereum.js';
import { session } from './session.js';
import { ask } from './wasm.js';

/** @import { Landed, Prepared } from '../wire.d.ts' */
/** @import { Outcome, Progress, Slow } from './types.d.ts' */
/** @typedef {{ contract: string, message: string, input: string }} Call */

/**
 * How far a transaction is, for those who show it.
 * @typedef {{
 *   step: 'settling' | 'trying' | 'agreeing' | 'signing' | 'waiting' | 'slow' | 'deep' | 'done',
 *   what: string, prepared?: Prepared, payment?: bigint, maps?: boolean, depth?: number, wanted?: number,
 *   slow?: Slow, stop?: () => void,
 * }} Stage
 *
 * `stop` ends the waiting for a transaction.
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
 * @typedef {{ hash: string, block: number, game: number | string, turns: number }} Answered
 * @typedef {{ payment?: bigint, depth?: number, answers?: Answered | null }} How
 *
 * `payment` is in the token's smallest unit. `depth` is how many blocks have to lie on top of it. `answers`
 * is the transaction that it answers to, with the number of moves after it, which has to lie as deep before
 * anything is signed.
 */

/** A transaction at a time: a wallet asks for one signature after the other. @type {Promise<unknown>} */
let queue = Promise.resolve();

/**
 * Sends a call.
 * @param {string} what it does, for the player
 * @param {Call} call
 * @param {How} [how]
 * @returns {Promise<Landed>} where it is and what the contracts told
 */
export function send(what, call, how = {}) {
	const sending = queue.then(() => sendNow(what, call, how));
	queue = sending.catch(() => {});
	return sending;
}

/** @param {string} what @param {Call} call @param {How} how */
async function sendNow(what, call, { payment = 0n, depth = 0, answers = null }) {
	const { wallet, account, chain } = session;
	if (!wallet || !account || !chain) {
		throw new WalletError('Connect a wallet first: it signs what you do.', 'locked');
	}
	try {
		await checkCode(call.contract);
		if (answers) await settled(what, answers, wallet.kind === 'ethereum');
		for (;;) {
			show({ step: 'trying', what });
			/** @type {Prepared} */
			const prepared = await tell('/api/prepare', {
				account: account.id,
				contract: call.contract,
				data: call.input,
				payment: String(payment),
			});
			await check(prepared, call, payment);
			const maps = prepared.unsigned?.maps ?? false;
			const stage = { what, prepared, payment, maps };
			if (payment > 0n && !maps && !(await agreed({ step: 'agreeing', ...stage }))) {
				throw new WalletError('Nothing was paid or signed.', 'refused');
			}
			show({ step: 'signing', ...stage });
			const sent = await wallet.send({ account, chain, prepared, data: call.input, payment });
			show({ step: 'waiting', ...stage });
			const waiting = new AbortController();
			const stop = () => waiting.abort();
			/** @param {Progress} progress */
			const told = ({ slow, depth: reached = 0 }) => {
				if (slow) show({ step: 'slow', ...stage, slow, stop });
				else if (depth) show({ step: 'deep', ...stage, depth: reached, wanted: depth });
			};
			const outcome = await wallet.follow(sent, maps ? 0 : depth, told, waiting.signal);
			if (outcome.failed) throw await whyFailed(call, payment);
			if (!maps) return await landed(outcome);
		}
	} finally {
		show({ step: 'done', what });
	}
}

/** Era of a transaction that is valid for ever. */
const IMMORTAL = '0x00';
/** Milliseconds between two looks at a transaction that is answered. */
const LOOK = 700;

/**
 * Waits until a transaction lies so deep that the chain does not take it back: else who made it could have
 * it replaced, knowing the answer. A transaction of Ethereum is valid on every branch, so that one answers
 * only what is final.
 * @param {string} what @param {Answered} answers @param {boolean} onlyFinal
 */
async function settled(what, answers, onlyFinal) {
	const { hash, block } = answers;
	const wanted = session.chain?.confirmations ?? 1;
	for (;;) {
		const searched = await get(`/api/transactions/${hash}?from=${block}`);
		if (!searched.found) {
			throw new WalletError(
				'The chain took back the move that you answer: look at the board, then go on from there.',
				'failed',
			);
		}
		const isDeep = !onlyFinal && searched.best - block >= wanted;
		if (isDeep || (searched.last_final >= block && (await isFinal(answers)))) return;
		show({ step: 'settling', what });
		await new Promise((resolve) => setTimeout(resolve, LOOK));
	}
}

/**
 * Whether a move is final by a node of the player's choice too, where there is one that can tell.
 * @param {Answered} answers
 */
async function isFinal({ game, turns }) {
	const isFast = typeof game === 'string';
	const message = isFast ? 'read_fast' : 'read_game';
	try {
		const own = await readOwn(message, { game }, 'finalized');
		if (!own) return true;
		const found = isFast ? own.found.fast_game.game : own.found.game;
		return found.turns >= turns;
	} catch (error) {
		// The contract refuses as long as the game itself is not final. Other nodes do not tell what is.
		return !/revert/i.test(String(error));
	}
}

/** Addresses of contracts whose code is the one that this page was made for. @type {Set<string>} */
const trusted = new Set();

/**
 * Looks by a node of the player's choice whether a contract is the one that this page was made for.
 * @param {string} kind
 */
async function checkCode(kind) {
	const address = contractOf(kind);
	if (!address || trusted.has(`${kind} ${address}`)) return;
	const own = await codeOf(address);
	if (!own) return;
	if (!(await isOurs(kind, own.answer))) {
		throw new WalletError(
			otherCode(address, own.by, 'nothing was signed. Don’t use this host'),
			'failed',
		);
	}
	trusted.add(`${kind} ${address}`);
}

/**
 * Compares what the host prepared with what the player wanted.
 * @param {Prepared} prepared @param {Call} call @param {bigint} payment
 */
async function check(prepared, call, payment) {
	const wanted = contractOf(call.contract);
	/** @param {string} what */
	const differs = (what) =>
		new WalletError(
			`This host prepared something else than you wanted (${what}): nothing was signed. Don't use it any more.`,
			'failed',
		);
	if (!wanted || prepared.to.toLowerCase() !== wanted.toLowerCase())
		throw differs('another contract');
	if (BigInt(prepared.payment) !== payment) throw differs('another payment');
	const { unsigned } = prepared;
	if (!unsigned) return;
	const { payload, tail } = unsigned;
	if (payload.address !== session.account?.id && !(await isSame(payload.address))) {
		throw differs('another account');
	}
	if (BigInt(payload.tip) !== 0n) throw differs('a tip');
	if (payload.genesisHash !== session.chain?.genesis) throw differs('another chain');
	// Else the host could keep what was signed, and pass it on when it likes.
	if (payload.era === IMMORTAL) throw differs('a transaction that is valid for ever');
	if (!tail.endsWith(payload.method.slice(2))) throw differs('other bytes than those it shows');
	const does = await ask({ substrate_call: payload.method });
	if (unsigned.maps) {
		if (!('plain' in does)) throw differs('another call');
		return;
	}
	if (!('contract' in does)) throw differs('another call');
	if (does.contract.contract.toLowerCase() !== wanted.toLowerCase())
		throw differs('another contract');
	if (BigInt(does.contract.value) !== payment) throw differs('another payment');
	if (does.contract.input !== call.input) throw differs('another call');
}

/** Whether an account in SS58 is the one that plays, as wallets may write it otherwise. @param {string} address */
async function isSame(address) {
	const [mine, theirs] = await Promise.all(
		[session.account?.id ?? '', address].map((one) => ask({ account: one })),
	);
	return mine?.account === theirs?.account;
}

/** Why a transaction in a block failed, which a trial tells. @param {Call} call @param {bigint} payment */
async function whyFailed(call, payment) {
	const again = { account: session.account?.id, contract: call.contract, data: call.input };
	try {
		await tell('/api/prepare', { ...again, payment: String(payment) });
	} catch (failure) {
		if (failure instanceof Error) return failure;
	}
	return new WalletError(
		'The chain did not do it: something changed meanwhile. Look at the board, then try again.',
		'failed',
	);
}

/** The events of a transaction that has succeeded. @param {Outcome} outcome @returns {Promise<Landed>} */
async function landed({ found, hash, block }) {
	if (found) return found;
	for (let from = block; ; ) {
		const searched = await get(`/api/transactions/${hash}?from=${from}`).catch(() => null);
		if (searched?.found) return searched.found;
		// The host may be behind the wallet's node.
		await new Promise((resolve) => setTimeout(resolve, 300));
		from = Math.min(block, searched?.next ?? block);
	}
}
