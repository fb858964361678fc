// Fast games of this browser: a session key signs each move, and the wallet is asked no more until the
// chain has to be told something.

import { relaySocket } from '../hosts.js';
import { isFast } from '../state/seats.js';
import { current, dispatch } from '../store.js';
import { texts } from '../words/host.js';
import { addressOf as addressOfAccount } from './account.js';
import { difference } from './agreed.js';
import { decode, read, ask as readBytes, readsByItself, timeOfBlock } from './chain.js';
import { contractOf } from './contracts.js';
import { WalletError } from './ethereum.js';
import { openJournal } from './journal.js';
import { isSeat, merged, noteOf } from './merged.js';
import { needFit } from './node.js';
import { openSeat } from './seat.js';
import { send } from './send.js';
import { session } from './session.js';
import { safely } from './stake.js';
import { ask } from './wasm.js';

/** @import { Called, ChainFastGame } from '../ask.d.ts' */
/** @import { ViewedGame } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */
/** @import { Agreed } from './agreed.js' */
/** @import { Landed } from '../wire.d.ts' */
/** @import { Shown, Why } from './seat.js' */

/** By their seats. @type {('red' | 'blue')[]} */
const PAIR = ['red', 'blue'];
/** Milliseconds between looks at the chain, besides those that the host causes. */
const LOOK = 4_000;

/** What the wallet is asked to sign, in words. @type {Record<Why, string>} */
const WORDS = {
	drop: texts.dropOnChain,
	swap: texts.takeOverOnChain,
	press: texts.pressFast,
	bring: texts.bringSigned,
	settle: texts.settleGame,
	duty: texts.sendLatest,
};

/** @type {ReturnType<typeof openJournal> | null} */
let opening = null;
const journal = () => {
	opening ??= openJournal();
	opening.catch(() => {
		opening = null;
	});
	return opening;
};

/**
 * Makes a session key for a game on which this was agreed. It is on this browser's disk before anybody is told
 * its address.
 * @param {Agreed} agreed
 */
export const newKey = async (agreed) => (await journal()).create(agreed);

/** The game that is open. @type {Table | null} */
let table = null;

/**
 * @typedef {{
 *   game: string,
 *   account: string,
 *   address: string,
 *   mine: 'red' | 'blue',
 *   seat: ReturnType<typeof openSeat>,
 *   chain: ChainFastGame | null,
 *   told: ViewedGame,
 *   since: number,
 *   seen: string,
 *   look: () => Promise<void>,
 *   last: Landed | null,
 *   close: () => void,
 * }} Table
 */

/** A game without what only this browser can know: that it is played here. @param {ViewedGame} view @returns {ViewedGame} */
const playedNowhere = (view) =>
	view.fast && !view.fast.settled ? { ...view, fast: { ...view.fast, here: [] } } : view;

/** The game with the moves that were signed here, which the host need not know. @param {ViewedGame} said */
export function overlay(said) {
	const view = playedNowhere(said);
	if (!view.fast || !isFast(view.game) || view.freed) {
		leave();
		return view;
	}
	// It is opened once, and told of what the host says of the chain; again if that was not true at first, so
	// that there was no key for it.
	const open = table?.game === view.game && table.account === session.account?.id ? table : null;
	if (!open || (isWatched(open) && !view.players.some(({ account }) => account === open.address))) {
		leave();
		sitDown(view);
		return view;
	}
	open.told = view;
	open.since = Date.now();
	const seen = chainPart(view);
	if (seen !== open.seen) {
		open.seen = seen;
		open.look();
	}
	return withSeat(open, view);
}

/** Whether nothing can be signed here. @param {Table} of */
const isWatched = ({ seat }) => seat.shown.role === 'watcher';

/** Whether nothing of the game is kept by the key that it was opened with, which may have been a false one. @param {Table} of */
const isUnbound = (of) => isWatched(of) || (of.seat.shown.role === 'player' && !of.seat.isBound);

/** What of a view is about the chain. @param {ViewedGame} view */
const chainPart = ({ fast, clock, match }) =>
	JSON.stringify([fast?.on_chain, fast?.settled, clock, match]);

function leave() {
	clearTimeout(again);
	table?.close();
	table = null;
}

/** The game that is being opened, and the account that plays it. */
let sitting = '';
/** Done when the game that is looked at is open, or could not be opened. @type {Promise<void>} */
let sat = Promise.resolve();
/** Why it could not be opened, as the player was told. */
let told = '';
/** When that is tried again. @type {ReturnType<typeof setTimeout> | undefined} */
let again;

/** Opens the game of a view, unless that is under way. @param {ViewedGame} view */
function sitDown(view) {
	const asked = `${view.game} ${session.account?.id}`;
	if (sitting === asked) return;
	sitting = asked;
	const opened = () => {
		if (told && current().error?.text === told) dispatch({ type: 'dismiss' });
		told = '';
	};
	/** @param {unknown} error */
	const failed = (error) => {
		told = error instanceof Error ? error.message : String(error);
		dispatch({ type: 'refuse', text: told });
		again = setTimeout(() => {
			const { view: shown } = current();
			if (shown?.game === view.game) overlay(/** @type {ViewedGame} */ (shown));
		}, LOOK);
	};
	sat = sit(view)
		.then(opened, failed)
		.finally(() => {
			if (sitting === asked) sitting = '';
		});
}

/** A journal that cannot be opened: the game is watched then, and goes on by moves on the chain. @param {unknown} why */
const closedJournal = (why) => ({
	read: () => Promise.reject(why),
	keep: () => Promise.reject(why),
	agreed: async () => null,
});

/** @param {ViewedGame} view */
async function sit(view) {
	const { game } = view;
	const { chain, account } = session;
	const contract = contractOf('fast');
	if (!chain?.chainId || !contract || !account) return;
	const me = await addressOfAccount(account);
	// Anyone who does not play it watches it through the host.
	if (!view.players.some(({ account }) => account === me)) return;
	const [{ fast_game: found }, { match }] = await Promise.all([
		read('read_fast', { game }),
		read('fast_match_of', { game }),
	]);
	// By the seat: after a swap the board shows a player in the other colour.
	const mine = PAIR[found.game.players.indexOf(me)];
	if (!mine) return;
	const kept = await journal().catch(closedJournal);
	const key = found.keys[mine];
	const agreed = await kept.agreed(key);
	const differs = difference(agreed, found, match);
	if (differs) throw new Error(differs);
	/** @type {Table} */
	const opened = {
		game,
		account: account.id,
		address: me,
		mine,
		chain: null,
		told: view,
		since: Date.now(),
		seen: chainPart(view),
		last: null,
		look: async () => {},
		close: () => {},
		seat: openSeat({
			game,
			chainId: chain.chainId,
			contract,
			relay: chain.relay ?? location.origin,
			terms: match.clock,
			key,
			journal: kept,
			socket: relaySocket(chain.relay),
			changed: (shown) => changed(opened, shown),
			transact: async (call, why, unanswered) => {
				// A disc on the chain could be replaced by another branch, a signed move not.
				const how = why === 'drop' || why === 'swap' ? await safely(game) : {};
				opened.last = await send(`${WORDS[why]}: game ${game}`, call, { ...how, unanswered });
				await opened.look();
			},
		}),
	};
	/** Looks that were begun, and the newest one that was taken: the answer to an older one may come later. */
	const looks = { begun: 0, taken: 0 };
	opened.look = async () => {
		looks.begun += 1;
		const look = looks.begun;
		const [output, time] = await Promise.all([
			readBytes('read_fast', { game }).catch((error) => {
				opened.seat.misses(error instanceof Error ? error.message : String(error));
				return null;
			}),
			timeOfBlock().catch(() => null),
		]);
		if (!output) return;
		const decoded = await decode('read_fast', { game }, output).catch(() => null);
		if (look < looks.taken) return;
		looks.taken = look;
		const isOther =
			decoded &&
			(decoded.fast_game.keys[mine] !== key ||
				PAIR[decoded.fast_game.game.players.indexOf(me)] !== mine ||
				difference(agreed, decoded.fast_game) !== '');
		// While it is still being opened, the next look is early enough: a host could say something else each time.
		if (isOther && isUnbound(opened) && table === opened && !sitting) {
			leave();
			return sitDown(opened.told);
		}
		// By another board than was agreed on the seat would judge lines.
		if (agreed && (!decoded || difference(agreed, decoded.fast_game))) return;
		opened.chain = decoded?.fast_game ?? opened.chain;
		await opened.seat.see(output, time ?? 0);
	};
	const timer = setInterval(() => {
		// The host says when the chain has changed. What it has said wrongly is asked again.
		if (readsByItself() || opened.seat.shown.trouble) opened.look();
	}, LOOK);
	opened.close = () => {
		clearInterval(timer);
		opened.seat.close();
	};
	if (current().view?.game !== game || session.account?.id !== account.id) return opened.close();
	table = opened;
	await opened.look();
}

/** @param {Table} of @param {Shown} shown */
function changed(of, shown) {
	if (table !== of || !shown.state) return;
	const view = withSeat(of, of.told);
	// Clocks run from when they were told: by the seat now, else by the host.
	dispatch({ type: 'view', view, now: view === of.told ? of.since : Date.now() });
}

/** @param {Table} of @param {ViewedGame} view */
const withSeat = ({ seat, mine, chain }, view) =>
	merged(view, { shown: seat.shown, mine, chain, now: seat.now(), machine: Date.now() });

/**
 * The game, for what a player does; null if the page has no key for it, so that it is done on the chain.
 * @param {GameId} game
 */
export async function tableOf(game) {
	// Before it is known whether this browser has the key, a disc would go to the chain.
	await sat;
	const of = table;
	if (!of || of.game !== game) return null;
	await needFit();
	await of.seat.ready;
	const { role, trouble } = of.seat.shown;
	if (role === 'elsewhere') throw new WalletError(noteOf(of.seat.shown), 'failed');
	if (role !== 'player') {
		await bringForLost(of);
		return null;
	}
	return {
		drop: of.seat.drop,
		swap: of.seat.swap,
		/** Does something that is signed; whether it is such an action. @param {string} action */
		async act(action) {
			const { seat } = of;
			/** @type {Record<string, () => Promise<void>>} */
			const acts = {
				resign: seat.resign,
				offer_draw: seat.offerDraw,
				accept_draw: seat.acceptDraw,
				decline_draw: seat.declineDraw,
				press: seat.press,
				// The seat claims what it is due by itself.
				...(seat.shown.duty ? { claim_timeout: seat.doDuty } : {}),
			};
			const does = acts[action];
			if (does) await does();
			return Boolean(does);
		},
		/** Brings what is signed to the chain. */
		async settle() {
			const { state, duty } = of.seat.shown;
			of.last = null;
			if (duty) await of.seat.doDuty();
			else if (isSeat(state) && state.may_settle) await of.seat.settle();
			else await of.seat.bring();
			if (!of.last) throw new WalletError(of.seat.shown.trouble || trouble || NOTHING, 'failed');
			return of.last;
		},
	};
}

/** How often the signed moves are waited for, five times a second. */
const LOOKS = 25;
const UNHEARD = texts.relayLacksMoves;
const NOTHING = texts.nothingToBring;

/**
 * Brings what both have signed to the chain for a player who has lost the key, so that a disc on the chain
 * follows it.
 * @param {Table} of
 */
async function bringForLost({ game, seat, told }) {
	// A disc on a stale position would be overtaken by the signed moves.
	for (let looks = 0; (seat.shown.state?.position.turns ?? -1) < told.turns; looks += 1) {
		if (looks === LOOKS) throw new WalletError(UNHEARD, 'failed');
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	const { state } = seat.shown;
	if (!state || isSeat(state) || state.position.turns <= state.on_chain) return;
	const { evidence } = state;
	/** @type {Called} */
	const call = await ask({ call: { advance: { game, press: false, evidence } } });
	await send(`${WORDS.bring}: game ${game}`, call);
}
