// What a game with a stake has on the chain: the page looks at it, and has the player's wallet do there what the module of
// the game wants.

import { addressOf } from '../host/account.js';
import { contractAmount } from '../host/amounts.js';
import { contractOf } from '../host/contracts.js';
import { openDuties } from '../host/duties.js';
import { openEvents } from '../host/events.js';
import { look } from '../host/look.js';
import { send } from '../host/send.js';
import { session } from '../host/session.js';
import { reason, short } from '../state/text.js';
import { texts } from '../words/stakes.js';
import { isOver } from './kept.js';

/** @import { OfferedGame, PlayerCall, PlayerShown } from '../ask.d.ts' */
/** @import { Seen } from '../host/look.js' */
/** @import { Game, Standing } from '../player/game.js' */

const LOOK = 2_000; // milliseconds between looks at the chain
/** After how many looks it is looked who has paid for an offer. */
const PAID = 3;
const FINAL = 30_000; // milliseconds for which a final block is waited for before the opponent is pressed

/** What does not rely on how the game stands. */
const FREELY = ['fund', 'refund', 'withdraw', 'free'];

/** Whether somebody may pay for an offer of this player. @param {PlayerShown | null} shown */
export const isOffered = (shown) => shown?.awaited?.what === 'taker' && shown.stake !== '0';

/** @typedef {ReturnType<typeof openStake>} Stake */

/**
 * @param {{ game: () => Game | null, changed: () => void }} of `game` has none while it is being begun; `changed` is told
 * when `due` or `trouble` is another one
 */
export function openStake({ game, changed }) {
	/** @type {Seen | null} */
	let newest = null;
	/** @type {Seen | null} */
	let lastFinal = null;
	/** @type {PlayerCall | null} */
	let due = null;
	let trouble = '';
	/** What the player has asked for last, until it is known what came of it. */
	let asked = Promise.resolve();
	/** Why the chain can't be looked at. */
	let blind = '';
	let isClosed = false;
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let timer;
	/** @type {Promise<void> | null} */
	let looking = null;
	/** What is read, as it was when the chain was looked at last. */
	let read = '';
	let looks = 0;
	/** Reads who has paid since it was asked last; null until it is known from which block on. @type {ReturnType<typeof openEvents> | null} */
	let payments = null;
	/** What was read, and the player has not heard yet. @type {string[]} */
	const unheard = [];
	/** The block in which nothing was left to be done. @type {number | null} */
	let settledIn = null;

	/** @param {string} now @param {'trouble' | 'blind'} what */
	function complain(now, what) {
		if ((what === 'blind' ? blind : trouble) === now || isClosed) return;
		if (what === 'blind') blind = now;
		else trouble = now;
		changed();
	}
	const duties = openDuties({
		transact: (call, unanswered) => transactNow(/** @type {PlayerCall} */ (call), unanswered),
		due: (call) => {
			due = /** @type {PlayerCall | null} */ (call);
		},
		complain: (now) => complain(now, 'trouble'),
	});

	/** Looks at the chain now, and again after a while. */
	function lookNow() {
		looking ??= lookOnce()
			.then(
				() => complain('', 'blind'),
				(error) => complain(texts.notSeen(reason(error)), 'blind'),
			)
			.finally(() => {
				looking = null;
				clearTimeout(timer);
				if (!isClosed && !isSettled()) timer = setTimeout(lookNow, LOOK);
			});
		return looking;
	}

	/** How the game stands. */
	function standing() {
		const found = game()?.standing;
		if (!found) throw new Error(texts.noAnswer);
		return found;
	}

	/** Whether nothing more comes of looking: the game is over, nothing is owed, and no other block can say otherwise. */
	function isSettled() {
		const { shown } = standing();
		if (!shown || !isOver(shown) || shown.owed !== '0') {
			settledIn = null;
			return false;
		}
		settledIn ??= newest?.block ?? null;
		return settledIn !== null && (lastFinal?.block ?? 0) >= settledIn;
	}

	/** The contract that both have agreed on. @throws {Error} if the host has another one, or is one of another chain */
	function needAgreed() {
		const { place } = standing();
		const contract = contractOf('stakes');
		const isHere =
			place?.chain_id === session.chain?.chainId &&
			place?.genesis === session.chain?.genesis &&
			place?.stakes?.toLowerCase() === contract?.toLowerCase();
		if (!contract || !isHere) throw new Error(texts.otherContract);
		return contract;
	}

	/** Looks who has paid for the own offer: of those who only say that they take it, too many are forgotten. */
	async function lookForPayments() {
		if (!payments) {
			const { last_final: last } = await look('stakes', []);
			const since = await game()?.since(last.block);
			if (since === undefined) return;
			payments = openEvents('stakes', since);
		}
		unheard.push(...(await payments()));
		// One that the player refuses is none that it could follow.
		for (; unheard[0] !== undefined; unheard.shift()) await game()?.hear(unheard[0]);
	}

	async function lookOnce() {
		const mayBePaid = isOffered(standing().shown);
		if (isClosed || !(mayBePaid || standing().reads)) return;
		needAgreed();
		if (mayBePaid && looks++ % PAID === 0) await lookForPayments();
		const { reads } = standing();
		if (!reads || isClosed) return;
		read = reads.number;
		const seen = await look('stakes', [reads.game.input, reads.owed.input]);
		// What is done because of a block is based on it.
		({ newest, last_final: lastFinal } = seen);
		for (const [at, isFinal] of /** @type {const} */ ([
			[seen.last_final, true],
			[seen.newest, false],
		])) {
			const [found = null, owed = null] = at.data;
			if (owed === null) throw new Error(texts.noAnswer);
			await game()?.see({
				time: at.time,
				is_final: isFinal,
				number: reads.number,
				game: found,
				owed,
			});
		}
	}

	/** Waits until what was seen last can't be replaced any more. @throws {Error} if that takes long: something else may be due by then */
	async function untilFinal() {
		const wanted = newest?.block ?? 0;
		const late = Date.now() + FINAL;
		while (!isClosed && (lastFinal?.block ?? 0) < wanted) {
			if (Date.now() > late) throw new Error(texts.notFinal);
			await new Promise((resolve) => setTimeout(resolve, LOOK));
			await lookNow();
		}
	}

	/** Looks whether a payment is still to be made: the opponent may have taken its own back. @throws {Error} if it is not */
	async function needPayment() {
		// One that is under way may have begun before.
		await looking;
		await lookNow();
		if (blind || isClosed) throw new Error(blind || texts.notDue);
		const { awaited } = standing().shown ?? {};
		if (awaited?.of !== 'program' || awaited.what !== 'payment') throw new Error(texts.notDue);
	}

	/** @param {PlayerCall} call @param {(why: string) => void} unanswered */
	async function transactNow(call, unanswered) {
		const { shown } = standing();
		const { account, chain, wallet } = session;
		if (!shown?.terms || !shown.side || !chain) throw new Error(texts.noAnswer);
		const me = shown.terms.players[shown.side === 'red' ? 'red' : 'blue'].account;
		if (!account || (await addressOf(account)).toLowerCase() !== me.toLowerCase()) {
			throw new Error(texts.otherAccount(short(me)));
		}
		const inContracts = BigInt(call.payment);
		if (inContracts % chain.ratio) throw new Error(texts.brokenStake);
		const to = needAgreed();
		const base = newest?.hash ? { block: newest.block, hash: newest.hash } : null;
		// What is good on every branch presses the opponent only by what is final.
		const isOnAny = wallet?.kind === 'ethereum' || !base;
		if (call.message === 'press' && isOnAny) await untilFinal();
		const isFree = FREELY.includes(call.message) || !base;
		await send(whatFor(call, shown), call, {
			payment: inContracts / chain.ratio,
			facts: factsOf(call, shown),
			to,
			answers: isFree ? null : base,
			unanswered,
			isLookedAt: true,
			...(call.message === 'fund' && { isDue: needPayment }),
		});
		await lookNow();
	}

	return {
		/** What has to be done by the wallet, and waits for the player. */
		get due() {
			return trouble ? due : null;
		},
		/** What keeps it from being done, or the chain from being seen; empty if nothing does. */
		get trouble() {
			return trouble || blind;
		},
		/** Takes how the game stands now. @param {Standing} standing */
		heard({ reads, shown }) {
			const isNews = reads ? reads.number !== read : isOffered(shown) && !payments;
			if (isNews && game() && !looking) lookNow();
			const isDue = shown?.awaited?.of === 'program';
			if (!isDue && due) duties.consider(null);
		},
		/** Has the wallet make a call, unless the player has refused it. @param {PlayerCall} call @param {boolean} isAsked */
		async transact(call, isAsked) {
			if (!isAsked) return duties.consider(call);
			due = call;
			asked = duties.now(call);
			await asked;
		},
		/** Waits for what came of what the player has asked for last. @throws {Error} if it was not done */
		async answered() {
			await asked;
			if (trouble) throw new Error(trouble);
		},
		/** Has the wallet do what is due, also if the player has refused before. */
		now: async () => due && duties.now(due),
		close() {
			isClosed = true;
			clearTimeout(timer);
		},
	};
}

/** What is agreed to by taking an offer for a stake, each with its name. @param {OfferedGame} offer @returns {[string, string][]} */
export const stakeAsked = ({ stake, by, place, until }) => [
	[texts.stake, texts.ofEach(contractAmount(stake))],
	[texts.opponent, by.program ? texts.aProgram(by.account) : by.account],
	[texts.theirKey, by.key],
	[texts.contract, place.stakes ?? ''],
	[texts.until, new Date(until * 1000).toLocaleString()],
];

/** What a call does, for the player. @param {PlayerCall} call @param {PlayerShown} shown */
function whatFor({ message }, { number, stake }) {
	const game = short(number ?? '');
	/** @type {Record<string, string>} */
	const words = {
		fund: texts.paysStake(contractAmount(stake), game),
		refund: texts.refunds(game),
		advance: texts.brings(game),
		press: texts.presses(game),
		drop_disc: texts.drops(game),
		claim_timeout: texts.claims(game),
		withdraw: texts.withdraws,
		free: texts.frees(game),
	};
	return words[message] ?? message;
}

/**
 * What is agreed to by a call, which bytes do not show: by a payment the terms, and by a move the bin, as it is made on a
 * board that a host alone may show. By nothing else anything can be lost.
 * @param {PlayerCall} call @param {PlayerShown} shown @returns {[string, string][]}
 */
function factsOf({ message, input, payment }, { terms, side, stake }) {
	if (message === 'drop_disc') return [[texts.move, moveText(input)]];
	if (message !== 'fund' || !terms || !side) return [];
	const opponent = terms.players[side === 'red' ? 'blue' : 'red'];
	const { clock } = terms.rules;
	const fromOwed = String(BigInt(stake) - BigInt(payment));
	/** @type {[string, string][]} */
	const facts = [[texts.stake, contractAmount(stake)]];
	if (fromOwed !== '0') facts.push([texts.fromOwed, contractAmount(fromOwed)]);
	facts.push([texts.opponent, opponent.account], [texts.theirKey, opponent.key]);
	if (clock) facts.push([texts.clock, texts.clockOf(clock.bank, clock.increment)]);
	facts.push([texts.agreedAt, new Date(terms.time * 1000).toLocaleString()]);
	return facts;
}

/** The move of a call whose last byte is the bin, from 0, or 255 for a swap. @param {string} input */
function moveText(input) {
	const bin = Number.parseInt(input.slice(-2), 16);
	return bin === 255 ? texts.swap : texts.bin(bin + 1);
}
