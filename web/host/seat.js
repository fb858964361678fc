// A fast game that is played in this browser: the seat, with its session key on disk, the room of the
// relay, and the chain as the page reads it.
//
// What the seat signs, takes and has to do is decided by the module. Here its steps follow each other,
// and of each one the book is on disk before anything of it leaves the page.

import { texts } from '../words/host.js';
import { chainTime } from './chain-time.js';
import { openDuties } from './duties.js';
import { hold } from './lock.js';
import { openRoom, roomUrl } from './room.js';
import { inOrder } from './steps.js';
import { AskError, ask } from './wasm.js';

/** @import { Called, FromRoom, Offers, SeatState, Step, TableState } from '../ask.d.ts' */
/** @import { Clock } from '../wire.d.ts' */
/** @import { Journal } from './journal.js' */

const TICK = 1_000; // milliseconds between looks at deadlines
const TELL_AGAIN = 10; // ticks after which the relay is told the latest position again
const NO_LOCKS = texts.cannotLock;

/** Why a player can't do what it wants now. Nothing was signed. */
export class SeatError extends Error {}

/**
 * Where a fast game is.
 * @typedef {{
 *   game: string,
 *   chainId: number,
 *   contract: string,
 *   relay: string | null,
 *   terms?: Clock | null,
 * }} Place
 *
 * `terms` is the clock that was agreed on, which limits the time for a first move; null if it is not known.
 */

/**
 * What of a fast game is shown.
 * @typedef {{
 *   state: SeatState | TableState | null,
 *   role: 'waiting' | 'player' | 'elsewhere' | 'watcher',
 *   relay: string | null,
 *   opponent: boolean | null,
 *   watchers: number,
 *   trouble: string,
 *   duty: Called | null,
 *   ahead: number,
 * }} Shown
 *
 * `state` is null until the chain was read. `role` is `elsewhere` while another tab plays, and `watcher`
 * where there is no key, or none that can be used; `trouble` says why. `relay` is why there is no relay,
 * null if there is one. `duty` is what has to be done on the chain, and was not yet. `ahead` is by how many
 * seconds this machine's clock is ahead of the chain's, if that is much.
 */

/** @typedef {'drop' | 'swap' | 'press' | 'bring' | 'settle' | 'duty'} Why */

/** @typedef {ReturnType<typeof openSeat>} OpenSeat */

/**
 * Plays a fast game with the session key of this address, or watches it without one.
 * @param {Place & {
 *   key: string | null,
 *   journal: Pick<Journal, 'read' | 'keep'> | null,
 *   changed: (shown: Shown) => void,
 *   transact: (call: Called, why: Why, unanswered: (trouble: string) => void) => Promise<void>,
 *   locks?: Pick<LockManager, 'request'>,
 *   socket?: (url: string) => WebSocket,
 *   time?: () => number,
 * }} options `changed` is told how the game stands. `transact` has the player's account call a contract,
 * and resolves once that is in a block: for what the player does, and by itself for what has to be done, again
 * after a pause until the chain has it or the player refuses. It tells `unanswered` if the wallet is not waited
 * for any more, though it may answer later. `time` is this machine's, in seconds since 1970.
 */
export function openSeat({
	game,
	chainId,
	contract,
	relay,
	terms = null,
	key,
	journal,
	changed,
	transact,
	locks = globalThis.navigator?.locks,
	socket,
	time = () => Math.floor(Date.now() / 1000),
}) {
	const name = `${chainId}/${contract}/${game}`;
	const mayPlay = Boolean(key && journal && locks);
	/** What the contract has answered last. @type {string | null} */
	let chain = null;
	const clock = chainTime(time);
	/** @type {string | null} Secret of the session key, while this tab plays. */
	let secret = null;
	/** @type {string | null} */
	let book = null;
	/** The frame with the newest position that was heard without playing. @type {string | null} */
	let newest = null;
	/** @type {Offers} */
	let offers = { theirs: null, declined: false };
	/** What is wrong, the first of which is shown. */
	const troubles = {
		chain: '',
		duty: '',
		look: '',
		other: key && journal && !locks ? NO_LOCKS : '',
	};
	/** @type {Shown} */
	let shown = {
		state: null,
		role: mayPlay ? 'waiting' : 'watcher',
		relay: relay ? texts.relayConnecting : texts.relayNone,
		opponent: null,
		watchers: 0,
		trouble: troubles.other,
		duty: null,
		ahead: 0,
	};
	/** @type {() => void} */
	let decided = () => {};
	/** Done once it is known whether this tab plays. @type {Promise<void>} */
	const ready = new Promise((resolve) => {
		decided = resolve;
	});
	let told = '';
	let isClosed = false;
	/** @type {ReturnType<typeof openRoom> | null} */
	let room = null;
	let ticks = 0;
	/** @param {Partial<Shown>} change */
	function show(change) {
		shown = { ...shown, ...change };
		if (shown.role !== 'waiting') decided();
		const now = JSON.stringify(shown);
		if (now === told || isClosed) return;
		told = now;
		changed(shown);
	}

	/** Says what is wrong, or that nothing is any more. @param {keyof typeof troubles} of @param {string} text */
	function complain(of, text) {
		troubles[of] = text;
		show({ trouble: Object.values(troubles).find((one) => one) ?? '' });
	}

	/** Steps follow each other: each one begins with the book that the one before has left. */
	const inTurn = inOrder();

	const table = () => {
		if (!chain) throw new SeatError(texts.chainUnread);
		return {
			game,
			chain_id: chainId,
			contract,
			chain,
			now: clock.block(),
			machine: clock.now(),
			ahead: clock.first(),
			clock: terms,
		};
	};

	/**
	 * One step of the player: kept, then sent.
	 * @param {Step} step
	 * @returns {Promise<Called | null>} what the account calls
	 */
	async function step(step) {
		if (secret === null || !key || !journal) throw new SeatError(absent());
		const stepped = await ask({ seat: { table: table(), secret, book, offers, step } });
		// What others have signed is shown before it is kept. What is signed here is not.
		if (!stepped.send.length) show({ state: stepped.state });
		if (stepped.book !== null) {
			await journal.keep(key, name, stepped.book);
			book = stepped.book;
		}
		offers = stepped.offers;
		for (const frame of stepped.send) room?.send(frame);
		hear(stepped.from_room);
		show({ state: stepped.state });
		duties.consider(stepped.state.duty);
		return stepped.call;
	}

	/** One step of a watcher. @param {string | null} frame */
	async function watch(frame) {
		const seen = await ask({ watch: { table: table(), book, frame } });
		book = seen.book ?? book;
		if (seen.from_room?.heard === 'news') newest = frame;
		for (const answer of seen.send) room?.send(answer);
		hear(seen.from_room);
		show({ state: seen.state });
	}

	/** Why this tab does not play. */
	const absent = () =>
		shown.trouble || (shown.role === 'elsewhere' ? texts.isElsewhere : texts.notPlayedHere);

	/** What is seen or heard. @param {'look' | 'tell' | { hear: string }} what */
	const perceive = (what) =>
		inTurn(async () => {
			if (!chain || isClosed) return;
			try {
				if (secret !== null) await step(what);
				else if (shown.role !== 'waiting') {
					await watch(typeof what === 'object' ? what.hear : null);
				}
				complain('look', '');
			} catch (error) {
				if (error instanceof AskError && error.name === 'DamagedBook') {
					// What was signed is not known: from now on this tab watches.
					secret = null;
					book = null;
					show({ role: 'watcher', duty: null });
					complain('other', reason(error));
				} else complain('look', reason(error));
			}
		});

	/** @param {FromRoom | null} said */
	function hear(said) {
		if (!said) return;
		const { present, refused, bad } = said;
		if (present && shown.state) {
			const player = 'player' in shown.state ? shown.state.player : null;
			const other = player === 'red' ? 'blue' : 'red';
			const opponent = player ? present.players[other] : null;
			if (opponent !== null) room?.meets(opponent);
			show({ opponent, watchers: present.watchers });
		}
		if (refused?.closes) show({ relay: refused.text });
		if (bad) complain('other', texts.relaySendsUnsigned(bad.text));
	}

	const duties = openDuties({
		transact: (call, unanswered) => transact(call, 'duty', unanswered),
		due: (duty) => show({ duty }),
		complain: (trouble) => complain('duty', trouble),
	});

	/** A step that the player wants. @param {Step} what @param {Why} why */
	async function act(what, why) {
		const call = await inTurn(() => step(what));
		complain('other', '');
		if (call) await transact(call, why, () => {});
	}

	/**
	 * This tab has the game to itself: what another one has signed before is on disk, and what was heard
	 * since then is taken before anything is signed.
	 */
	async function begin() {
		await inTurn(async () => {
			if (isClosed || !key || !journal) return;
			try {
				const kept = await journal.read(key, name);
				({ secret, book } = kept);
				complain('other', '');
			} catch (error) {
				book = null;
				show({ role: 'watcher' });
				complain('other', reason(error));
			}
		});
		await perceive(newest === null ? 'look' : { hear: newest });
		if (isClosed) return;
		if (secret !== null) show({ role: 'player' });
		enter();
	}

	/** Connects to the room once frames have a game to be compared with; anew if it was as a watcher. */
	function enter() {
		if (!relay || !chain) return;
		room?.close();
		room = openRoom(roomUrl(relay, game), {
			socket,
			frame: (frame) => perceive({ hear: frame }),
			changed: (isThere, why) =>
				show({ relay: isThere ? null : why, ...(isThere ? {} : { opponent: null }) }),
		});
	}

	if (!mayPlay) decided();
	const leave =
		mayPlay && locks
			? hold(`connect4-fast/${key}/${name}`, {
					held: begin,
					elsewhere: () => {
						show({ role: 'elsewhere' });
						enter();
						perceive('look');
					},
					locks,
				})
			: () => {};

	const timer = setInterval(() => {
		ticks += 1;
		perceive(secret !== null && ticks % TELL_AGAIN === 0 ? 'tell' : 'look');
	}, TICK);

	return {
		/**
		 * The contract's answer to `read_fast`, and the time of the newest block.
		 * @param {string} output @param {number} time in seconds since 1970; 0 if it is not known
		 */
		see(output, time) {
			const before = chain;
			chain = output;
			if (time) clock.see(time);
			show({ ahead: clock.ahead });
			complain('chain', '');
			if (!before && shown.role !== 'waiting') enter();
			return perceive('look');
		},
		/** The chain could not be read, for this reason. @param {string} why */
		misses(why) {
			complain('chain', texts.chainUnseen(why));
		},
		/** Drops a disc: by a signature, or on the chain if the game goes on there. @param {number} bin */
		drop: (bin) => act({ drop: bin }, 'drop'),
		/** Takes the first disc over, by the pie rule, in the same way. */
		swap: () => act('swap', 'swap'),
		resign: () => act('resign', 'settle'),
		offerDraw: () => act('offer_draw', 'settle'),
		acceptDraw: () => act('accept_draw', 'settle'),
		declineDraw: () => act('decline_draw', 'settle'),
		/** Starts the opponent's clock on the chain. */
		press: () => act('press', 'press'),
		/** Brings the latest position to the chain, as there is no relay. */
		bring: () => act('bring', 'bring'),
		/** Sends the end to the chain, though that is the opponent's duty. */
		settle: () => act('settle', 'settle'),
		/** Does what has to be done on the chain, also if the player has refused before. */
		async doDuty() {
			if (shown.duty) await duties.now(shown.duty);
		},
		ready,
		/** The time on the chain, in seconds since 1970. */
		now: clock.now,
		/** Whether something of the game is kept by its key, so that it is played by this one alone. */
		get isBound() {
			return book !== null;
		},
		/** How the game stands. */
		get shown() {
			return shown;
		},
		/** Leaves the game; another tab may go on. Resolves when nothing is under way any more. */
		async close() {
			isClosed = true;
			decided();
			clearInterval(timer);
			room?.close();
			await inTurn(async () => {});
			secret = null;
			leave();
		},
	};
}

/** @param {unknown} error */
const reason = (error) => (error instanceof Error ? error.message : String(error));
