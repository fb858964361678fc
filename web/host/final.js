// Whether a move of a game can be answered for a stake: it has to be final, or to lie deep, as else who made
// it could have it replaced, knowing the answer.

import { texts } from '../words/host.js';
import { bestBlock, readOwn } from './chain.js';
import { NO_TAG, WalletError } from './ethereum.js';
import { quantity } from './hex.js';
import { search } from './search.js';
import { session } from './session.js';

/** @import { AnsweredBlock, GameId } from '../wire.d.ts' */

/**
 * The moves of a game that are answered, of which the newest was made by a transaction in the block `base`; null
 * if that is not known, as the host need not tell it.
 * @typedef {{
 *   game: GameId, turns: number,
 *   transaction: { hash: string, block: number } | null,
 *   base: AnsweredBlock | null,
 * }} Answered
 */

/** Milliseconds between two looks. */
const LOOK = 700;
/** Looks in vain after which the player is told why. */
const LONG = 15;
/** Hash of no transaction, and a block that no chain has: what is asked for them tells the newest blocks. */
const NOTHING = { hash: `0x${'00'.repeat(32)}`, from: 2 ** 32 - 1 };

/**
 * Waits until moves are settled. A transaction of Ethereum is valid on every branch of the chain, so that one
 * answers only what is final.
 * @param {Answered} answers @param {boolean} onlyFinal
 * @param {(why: string) => void} waits is told each time they are not, and why if it takes long
 * @param {AbortSignal} stop
 */
export async function settled(answers, onlyFinal, waits, stop) {
	// One at least, whatever a host says.
	const wanted = Math.max(1, session.chain?.confirmations ?? 1);
	/** @type {number | null} */
	let first = null;
	for (let looks = 0; ; looks += 1) {
		const host = await byHost(answers);
		/** @type {number} */
		const block = host.block ?? first ?? host.best;
		first = block;
		const isFinal = host.last_final >= block;
		// Not by the host's newest block, where there is a node that tells another one.
		const best = (onlyFinal ? null : await bestBlock().catch(() => null)) ?? host.best;
		const isDeep = !onlyFinal && best - block >= wanted;
		const at = isDeep ? quantity(Math.max(0, best - wanted)) : 'finalized';
		const { has, why } = isFinal || isDeep ? await ownHas(answers, at) : NOT_YET;
		if (has) return;
		waits(looks >= LONG ? why : '');
		await new Promise((resolve) => setTimeout(resolve, LOOK));
		if (stop.aborted) throw new WalletError(texts.stopped, 'refused');
	}
}

const NOT_YET = { has: false, why: '' };

/** The newest blocks by the host, and the one in which the newest move is, if it tells that. @param {Answered} answers */
async function byHost({ transaction }) {
	const { hash, from } = transaction ? { ...transaction, from: transaction.block } : NOTHING;
	const { found, best, last_final } = await search(hash, from);
	if (transaction && !found) {
		throw new WalletError(texts.answeredGone, 'failed');
	}
	return { best, last_final, block: transaction?.block ?? null };
}

/**
 * Whether a node of the player's choice has the moves in a block; it has if there is no such node, or it can't
 * tell what is final.
 * @param {Answered} answers @param {import('./chain.js').At} at
 */
async function ownHas({ game, turns }, at) {
	try {
		const own = await readOwn('read_game', { game }, at);
		return { has: !own || own.found.game.turns >= turns, why: '' };
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		// The contract refuses as long as the game itself is not there. Whatever else goes wrong says nothing.
		return { has: NO_TAG.test(why), why };
	}
}
