// A game by signed terms in this browser: the seat, with its key on disk, and the room of the relay; or somebody who
// watches the room. No chain is asked for anything.
//
// What the seat signs and takes is decided by the module. Here its steps follow each other, and of each one the book is
// on disk before anything of it leaves the page.

import { hold } from '../host/lock.js';
import { notSigned } from '../host/place.js';
import { openRoom, roomUrl } from '../host/room.js';
import { inOrder } from '../host/steps.js';
import { AskError, ask } from '../host/wasm.js';
import { texts } from '../words/terms.js';

/** @import { Called, FromRoom, InTerms, NextGame, Offers, OnChain, Place, TermsState } from '../ask.d.ts' */
/** @import { Begun, Journal } from '../host/journal.js' */
/** @import { TermsShown } from '../state/types.d.ts' */

const TELL_AGAIN = 10_000; // milliseconds after which the relay is told the latest position again
const NO_LOCKS = texts.cannotLock;

const LOST = texts.keyGone;

/** Why a player can't do what it wants now. Nothing was signed. */
export class TableError extends Error {}

/** The name of a game's book. @param {Place} place @param {string} game */
export const bookName = ({ chain_id: chain, contract }, game) =>
	`terms/${chain}/${contract}/${game}`;

/** A random number for the module. */
const random = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/** The time of this machine, in seconds since 1970. */
const clock = () => Math.floor(Date.now() / 1000);

/**
 * Makes the book of a game whose terms were signed here just now. Without it nothing is signed in a game: another
 * device with the same key may have signed there.
 * @param {{
 *   game: string, place: Place, terms: string, secret: string, key: string, journal: Pick<Journal, 'read' | 'keep'>,
 *   time?: () => number, begun?: (state: TermsState) => Begun,
 * }} of `begun` is what is kept of it besides
 * @returns {Promise<TermsState>}
 */
export async function beginTable({ begun, ...of }) {
	const { game, place, terms, secret, key, journal, time = clock } = of;
	const name = bookName(place, game);
	const { book: before } = await journal.read(key, name);
	const fresh = { book: before, rematch: null, offers: { theirs: null, declined: false } };
	const common = { place, terms, now: time(), random: random(), secret };
	const { book, state } = await ask({ terms: { ...common, ...fresh, step: 'begin' } });
	if (book !== null) await journal.keep(key, name, book, begun?.(state));
	return state;
}

/** @typedef {ReturnType<typeof openTable>} Table */

/**
 * Plays a game by signed terms if this browser has begun it, or watches it.
 * @param {{
 *   game: string,
 *   place: Place,
 *   relay: string,
 *   terms: string | null,
 *   own?: string | null,
 *   journal: Pick<Journal, 'read' | 'keep'>,
 *   changed: (shown: TermsShown) => void,
 *   rematch: (next: NextGame, who: { key: string, secret: string } | null) => Promise<void>,
 *   locks?: Pick<LockManager, 'request'>,
 *   socket?: (url: string) => WebSocket,
 *   time?: () => number,
 * }} options `terms` is null if the room has to tell them. `own` is the key by which this browser has begun it. `rematch` takes what both have signed, before it is shown.
 */
export function openTable({
	game,
	place,
	relay,
	terms: known,
	own = null,
	journal,
	changed,
	rematch: goOn,
	locks = globalThis.navigator?.locks,
	socket,
	time = clock,
}) {
	const name = bookName(place, game);
	let terms = known;
	/** The key of the seat that is played in this tab. @type {{ key: string, secret: string } | null} */
	let seat = null;
	/** @type {string | null} */
	let book = null;
	/** @type {Offers} */
	let offers = { theirs: null, declined: false };
	/** @type {string | null} */
	let rematch = null;
	/** The game on the chain as it was read last, in a dispute. @type {OnChain | null} */
	let onChain = null;
	/** @type {TermsShown} */
	let shown = {
		state: null,
		role: 'waiting',
		relay: texts.relayConnecting,
		opponent: null,
		watchers: 0,
		trouble: '',
		next: null,
	};
	let told = '';
	let isClosed = false;
	let isLooked = false;
	/** That the key of this game is gone; empty if it is not. */
	let lost = '';
	/** Whether something was not heard because nothing was to be signed. */
	let isHeldUp = false;
	/** @type {ReturnType<typeof openRoom> | null} */
	let room = null;
	/** @type {() => void} */
	let leave = () => {};

	/** @param {Partial<TermsShown>} change */
	function show(change) {
		shown = { ...shown, ...change };
		const now = JSON.stringify(shown);
		if (now === told || isClosed) return;
		told = now;
		changed(shown);
	}

	/** Steps follow each other: each one begins with the book that the one before has left. */
	const inTurn = inOrder();

	/**
	 * One step of the player: kept, then sent.
	 * @param {InTerms} step
	 * @returns {Promise<Called | null>} what a wallet calls for it
	 */
	async function step(step) {
		if (!seat || !terms) throw new TableError(absent());
		const question = notSigned(place);
		if (question) throw new TableError(question);
		const { key, secret } = seat;
		const common = { place, terms, now: time(), random: random(), secret };
		const asked = { ...common, book, on_chain: onChain, offers, rematch, step };
		const stepped = await ask({ terms: asked });
		// What others have signed is shown before it is kept. What is signed here is not.
		if (!stepped.send.length) show({ state: stepped.state });
		if (stepped.book !== null) {
			await journal.keep(key, name, stepped.book);
			book = stepped.book;
		}
		({ offers, rematch } = stepped);
		for (const frame of stepped.send) room?.send(frame);
		hear(stepped.from_room, stepped.state);
		if (stepped.next && stepped.next.game !== shown.next) {
			await goOn(stepped.next, seat);
			show({ next: stepped.next.game });
		}
		show({ state: stepped.state });
		return stepped.call;
	}

	/** One step of a watcher. @param {string | null} frame */
	async function watch(frame) {
		const seen = await ask({ terms_watch: { place, game, terms, book, frame } });
		const isNew = terms === null && seen.terms !== null;
		({ terms } = seen);
		book = seen.book ?? book;
		for (const answer of seen.send) room?.send(answer);
		hear(seen.from_room, seen.state);
		if (seen.next && seen.next.game !== shown.next) {
			await goOn(seen.next, null);
			show({ next: seen.next.game });
		}
		if (seen.state) show({ state: seen.state });
		return isNew;
	}

	/** Why this tab does not play. */
	const absent = () =>
		shown.trouble || (shown.role === 'elsewhere' ? texts.isElsewhere : texts.notPlayedHere);

	/** What is seen or heard. @param {InTerms} what */
	const perceive = (what) =>
		inTurn(async () => {
			if (isClosed) return;
			// Something is asked about the host: what is heard meanwhile is heard again in the room later.
			if (seat && notSigned(place)) {
				isHeldUp = true;
				return show({ trouble: notSigned(place) });
			}
			try {
				if (seat) await step(what);
				else if (await watch(typeof what === 'object' && 'hear' in what ? what.hear : null)) sit();
			} catch (error) {
				if (error instanceof AskError && error.name === 'DamagedBook') {
					seat = null;
					book = null;
					show({ role: 'watcher' });
				}
				show({ trouble: reason(error) });
			}
		});

	/** @param {FromRoom | null} said @param {TermsState | null} state */
	function hear(said, state) {
		if (!said) return;
		const { present, refused, bad } = said;
		if (present) {
			const player = seat && state?.player;
			const other = player === 'red' ? 'blue' : 'red';
			const opponent = player ? present.players[other] : null;
			if (opponent !== null) room?.meets(opponent);
			show({ opponent, watchers: present.watchers });
		}
		if (refused?.closes) show({ relay: refused.text });
		if (bad) show({ trouble: texts.relaySendsUnsigned(bad.text) });
		else if (said.heard === 'news') show({ trouble: lost });
	}

	/** Sits down where this browser has begun the game, once its terms are known. */
	async function sit() {
		if (isLooked || isClosed) return;
		isLooked = true;
		const { state } = shown;
		const keys = state ? [state.players.red.key, state.players.blue.key] : [];
		for (const key of keys) {
			const kept = await journal.read(key, name).catch((why) => {
				if (why?.kind !== 'missing') show({ trouble: reason(why) });
				else if (key === own) {
					lost = LOST;
					show({ trouble: lost });
				}
				return null;
			});
			if (!kept?.book || isClosed) continue;
			if (!locks) {
				show({ role: 'watcher', trouble: NO_LOCKS });
				return;
			}
			leave = hold(`connect4-terms/${key}/${name}`, {
				held: () => begin(key),
				elsewhere: () => {
					show({ role: 'elsewhere' });
					enter();
				},
				locks,
			});
			return;
		}
		show({ role: 'watcher' });
	}

	/** This tab has the game to itself: what another one has signed before is on disk. @param {string} key */
	async function begin(key) {
		await inTurn(async () => {
			if (isClosed) return;
			try {
				const kept = await journal.read(key, name);
				seat = { key, secret: kept.secret };
				({ book } = kept);
				show({ role: 'player', trouble: '' });
			} catch (error) {
				show({ role: 'watcher', trouble: reason(error) });
			}
		});
		await perceive('look');
		enter();
	}

	/** Connects to the room, anew if it was as a watcher. */
	function enter() {
		if (isClosed) return;
		room?.close();
		room = openRoom(roomUrl(relay, game), {
			socket,
			frame: (frame) => perceive({ hear: frame }),
			changed: (isThere, why) =>
				show({ relay: isThere ? null : why, ...(isThere ? {} : { opponent: null }) }),
		});
	}

	/** Goes on once the player has answered what was asked about the host. */
	function goOnAfterQuestion() {
		if (!isHeldUp || notSigned(place)) return;
		isHeldUp = false;
		show({ trouble: '' });
		enter();
	}

	const timer = setInterval(() => {
		if (!seat) return;
		goOnAfterQuestion();
		perceive('tell');
	}, TELL_AGAIN);

	/** What the player wants. @param {InTerms} what */
	async function act(what) {
		goOnAfterQuestion();
		const call = await inTurn(() => step(what));
		show({ trouble: '' });
		return call;
	}

	inTurn(async () => {
		if (terms === null) return;
		try {
			await watch(null);
			await sit();
		} catch (error) {
			show({ trouble: reason(error) });
		}
	}).then(() => {
		// A player enters once it has the game to itself.
		if (!terms || shown.role === 'watcher') enter();
	});

	return {
		/** Drops a disc. @param {number} bin */
		drop: (bin) => act({ drop: bin }),
		swap: () => act('swap'),
		resign: () => act('resign'),
		offerDraw: () => act('offer_draw'),
		acceptDraw: () => act('accept_draw'),
		declineDraw: () => act('decline_draw'),
		/** Proposes a rematch, or agrees to the opponent's. */
		rematch: () => act('rematch'),
		/** What a wallet calls to start the game on the chain. */
		dispute: () => act('dispute'),
		/** What a wallet calls to start the opponent's clock there. */
		press: () => act('press'),
		/** Takes the game as the chain has it in a dispute, unless it is another one. @param {OnChain} now */
		see: (now) =>
			inTurn(async () => {
				if (isClosed || !seat) return;
				const before = onChain;
				onChain = now;
				await step('look').catch((error) => {
					onChain = before;
					throw error;
				});
			}),
		/** How the game stands. */
		get shown() {
			return shown;
		},
		/** Leaves the game; another tab may go on. Resolves when nothing is under way any more. */
		async close() {
			isClosed = true;
			clearInterval(timer);
			room?.close();
			await inTurn(async () => {});
			seat = null;
			leave();
		},
	};
}

/** @param {unknown} error */
const reason = (error) => (error instanceof Error ? error.message : String(error));
