// A game by signed terms on the chain: its dispute, in which any wallet pays for what has to be done, and its record.

import { askFinal, timeOfBlock } from '../host/chain.js';
import { contractOf } from '../host/contracts.js';
import { openDuties } from '../host/duties.js';
import { send } from '../host/send.js';
import { session } from '../host/session.js';
import { mayBeDisputed, ON_NO_CHAIN } from '../state/by-terms-chain.js';
import { recordAfter } from '../state/recorded.js';
import { short } from '../state/text.js';
import { Failure, reason } from '../transport.js';
import { texts } from '../words/terms.js';
import { indexed } from './indexed.js';

/** @import { Called, Place } from '../ask.d.ts' */
/** @import { TermsOnChain } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */
/** @import { Table } from './table.js' */

const LOOK = 4_000; // milliseconds between looks at the game on the chain
/** Milliseconds between looks at what the host's index has of the game: where a clock may run on the chain, and else. */
const SEARCH = { clock: 20_000, none: 60_000 };

/** @typedef {ReturnType<typeof openChainPart>} ChainPart */

/**
 * Follows a game on the chain, once it is there.
 * @param {{
 *   game: GameId, place: Place, table: Pick<Table, 'shown' | 'see' | 'dispute' | 'press'>,
 *   known: Pick<TermsOnChain, 'dispute' | 'recorded' | 'block'>, changed: (shown: TermsOnChain) => void,
 * }} of `known` is what this browser has found before
 */
export function openChainPart({ game, place, table, known, changed }) {
	/** @type {TermsOnChain} */
	let shown = { ...ON_NO_CHAIN, ...known };
	let isClosed = false;
	let isLooking = false;
	let searched = 0;

	/** @param {Partial<TermsOnChain>} change */
	function show(change) {
		const before = JSON.stringify(shown);
		shown = { ...shown, ...change };
		if (!isClosed && JSON.stringify(shown) !== before) changed(shown);
	}

	/**
	 * Has the wallet send a call.
	 * @param {string} what @param {Called} call @param {import('../host/send.js').How} [how]
	 */
	async function pay(what, call, how) {
		const isSame = contractOf('fast')?.toLowerCase() === place.contract.toLowerCase();
		if (!isSame || session.chain?.chainId !== place.chain_id) {
			throw new Failure(texts.otherContracts, 'refused');
		}
		return send(`${what}: game ${short(game)}`, call, how);
	}

	const duties = openDuties({
		transact: async (call, unanswered) => {
			await pay(texts.sendLatest, call, { unanswered });
			await look();
		},
		due: (call) => show({ due: call !== null }),
		complain: (trouble) => show({ trouble }),
	});

	/** Reads the game on the chain. */
	async function look() {
		const { dispute } = shown;
		if (!dispute || isClosed) return;
		const [answer, time] = await Promise.all([
			askFinal('read_fast', { game: dispute }),
			timeOfBlock().catch(() => null),
		]);
		await table.see({ game: dispute, answer, time: time ?? 0 });
		if (!isClosed) duties.consider(table.shown.state?.dispute?.duty ?? null);
	}

	/** Looks whether the game is on the chain. */
	async function find() {
		searched = Date.now();
		const said = await indexed(game);
		const { state } = table.shown;
		const dispute = said?.game?.signed?.dispute ?? shown.dispute;
		// Of a dispute the index has the end of all together.
		const isClear = said && state && !dispute;
		show({ dispute, ...(isClear ? recordAfter(shown, said, state) : {}) });
	}

	/** Whether the host is asked if the game is on the chain. */
	function isWanted() {
		const { state, role } = table.shown;
		if (!state) return false;
		const { position, agreed, clock } = state;
		const isPlayer = role === 'player';
		const isOver = position.over && (agreed || !isPlayer);
		if (Date.now() - searched < SEARCH[clock && !isOver ? 'clock' : 'none']) return false;
		// A record comes after the end, and goes if its block is replaced.
		if (isOver) return isPlayer || !searched;
		return isPlayer && mayBeDisputed(state, Date.now());
	}

	/** One look, unless one is under way. */
	async function tick() {
		if (isLooking || isClosed) return;
		isLooking = true;
		try {
			const { state } = table.shown;
			if (shown.dispute) {
				if (!state?.dispute || !state.settled) await look();
			} else if (isWanted()) await find();
		} catch (error) {
			if (shown.dispute) show({ trouble: texts.chainUnreadable(reason(error)) });
		} finally {
			isLooking = false;
		}
	}
	const timer = setInterval(tick, LOOK);
	tick();

	return {
		/** Starts the game on the chain by its terms. */
		async dispute() {
			const call = await table.dispute();
			if (!call) return;
			try {
				const { events } = await pay(texts.toChain, call);
				const started = events.find(({ event }) => event === 'started_by_terms');
				if (started?.game) show({ dispute: started.game });
				else await find();
			} catch (error) {
				// Somebody else may have been faster.
				await find().catch(() => {});
				if (!shown.dispute) throw error;
			}
			await look();
		},
		/** Starts the opponent's clock there. */
		async press() {
			const call = await table.press();
			if (call) await pay(texts.press, call);
			await look();
		},
		/** Records the game. */
		async record() {
			const record = table.shown.state?.record;
			if (!record) throw new Failure(texts.nothingToRecord, 'refused');
			const { transaction } = await pay(texts.recordGame, record.call);
			searched = Date.now();
			show({ recorded: record.file, block: transaction.block, lost: null });
		},
		/** Does what is due, also if the wallet has refused before. */
		async settle() {
			const duty = table.shown.state?.dispute?.duty;
			if (duty) await duties.now(duty.call);
		},
		/** How the game stands on the chain. */
		get shown() {
			return shown;
		},
		close() {
			isClosed = true;
			clearInterval(timer);
		},
	};
}
