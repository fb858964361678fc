// Fast games of this browser: a session key signs each move, and the wallet is asked no more until the
// chain has to be told something.

import { socketHost } from '../hosts.js';
import { current, dispatch } from '../store.js';
import { addressOf } from './account.js';
import { read, ask as readBytes, readsByItself } from './chain.js';
import { contractOf } from './contracts.js';
import { WalletError } from './ethereum.js';
import { openJournal } from './journal.js';
import { openSeat } from './seat.js';
import { send } from './send.js';
import { session } from './session.js';
import { ask } from './wasm.js';

/** @import { Called, SeatState, TableState } from '../ask.d.ts' */
/** @import { Colour, Fast, ViewedGame } from '../state/types.d.ts' */
/** @import { Landed } from '../wire.d.ts' */
/** @import { Shown, Why } from './seat.js' */

/** Milliseconds between looks at the chain, besides those that the host causes. */
const LOOK = 4_000;

/** What the wallet is asked to sign, in words. @type {Record<Why, string>} */
const WORDS = {
	drop: 'Drop your disc on the chain',
	press: 'Start the opponent’s clock',
	bring: 'Bring the signed moves to the chain',
	settle: 'Settle the game on the chain',
	duty: 'Tell the chain the latest signed moves',
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

/** Makes a session key, which is on this browser's disk before anybody is told its address. */
export const newKey = async () => (await journal()).create();

/** The game that is open. @type {Table | null} */
let table = null;

/**
 * @typedef {{
 *   game: string,
 *   account: string,
 *   mine: Colour | null,
 *   seat: ReturnType<typeof openSeat>,
 *   told: ViewedGame,
 *   since: number,
 *   seen: string,
 *   look: () => Promise<void>,
 *   last: Landed | null,
 *   close: () => void,
 * }} Table
 */

/** The game with the moves that were signed here, which the host need not know. @param {ViewedGame} view */
export function overlay(view) {
	if (!view.fast || typeof view.game !== 'string' || view.freed) {
		leave();
		return view;
	}
	// It is opened once, and told of what the host says of the chain.
	if (table?.game !== view.game || table.account !== session.account?.id) {
		leave();
		sitDown(view);
		return view;
	}
	table.told = view;
	table.since = Date.now();
	const seen = chainPart(view);
	if (seen !== table.seen) {
		table.seen = seen;
		table.look();
	}
	return merged(table, view);
}

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
});

/** @param {ViewedGame} view */
async function sit(view) {
	const game = String(view.game);
	const { chain, account } = session;
	const contract = contractOf('fast');
	if (!chain?.chainId || !contract || !account) return;
	const me = await addressOf(account);
	const mine = view.red === me ? 'red' : view.blue === me ? 'blue' : null;
	// Who does not play it watches by the host.
	if (!mine) return;
	const { fast_game: found } = await read('read_fast', { game });
	const kept = await journal().catch(closedJournal);
	/** @type {Table} */
	const opened = {
		game,
		account: account.id,
		mine,
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
			key: found.keys[mine],
			journal: kept,
			// Another host may have taken over since the last time.
			socket: (url) => new WebSocket(chain.relay ? url : socketHost() + new URL(url).pathname),
			changed: (shown) => changed(opened, shown),
			transact: async (call, why) => {
				opened.last = await send(`${WORDS[why]}: game ${game}`, call);
				await opened.look();
			},
		}),
	};
	opened.look = async () => {
		const output = await readBytes('read_fast', { game }).catch(() => null);
		if (output) await opened.seat.see(output, 0);
	};
	const timer = setInterval(() => {
		if (readsByItself()) opened.look();
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
	// Clocks run from when the host told of them.
	dispatch({ type: 'view', view: merged(of, of.told), now: of.since });
}

/** @param {Shown['state']} state @returns {state is SeatState} */
const isSeat = (state) => Boolean(state && 'player' in state);

/**
 * A view with what the seat knows.
 * @param {Table} of @param {ViewedGame} view
 * @returns {ViewedGame}
 */
function merged({ seat, mine }, view) {
	const { state, role, relay, opponent, duty } = seat.shown;
	if (!state || !view.fast || view.fast.settled) return view;
	const { position } = state;
	const isPlayer = role === 'player' && isSeat(state);
	/** @type {Fast & { note: string }} */
	const fast = {
		...view.fast,
		on_chain: state.on_chain,
		signed: state.signed,
		settled: state.settled,
		here: mine && role !== 'elsewhere' ? [mine] : [],
		press: isPlayer && state.may_press ? state.player : null,
		relay_missing: relay,
		opponent,
		note: noteOf(seat.shown, Boolean(duty)),
	};
	// The host may have heard of a later position than this tab, which watches then.
	if (position.turns < view.turns && !isPlayer) return { ...view, fast };
	const end = position.over ? 'the game has ended' : 'the bin is full';
	return {
		...view,
		...position,
		fast,
		refusals: view.refusals.map((_, bin) => (state.bins.includes(bin) ? null : end)),
		moves: movesOf(state, view),
		match: isPlayer ? { ...view.match, draw_offer: state.draw_offer } : view.match,
	};
}

/** The moves of a position: those that the chain knows with their transactions. @param {TableState | SeatState} state @param {ViewedGame} view */
function movesOf({ moves }, view) {
	if (!moves) return view.moves;
	/** @type {Colour[]} */
	const colours = ['red', 'blue'];
	return moves.map((bin, turn) => {
		const known = view.moves[turn];
		if (known?.bin === bin) return known;
		const row = moves.slice(0, turn).filter((other) => other === bin).length;
		return { player: colours[turn % 2] ?? 'red', bin, row, transaction: null };
	});
}

/** What the player should know, beyond what is said of any fast game. @param {Shown} shown @param {boolean} owes */
function noteOf({ role, trouble }, owes) {
	if (role === 'elsewhere') {
		return 'This game is played in another tab of this browser: close it to go on here.';
	}
	if (trouble) return trouble;
	return owes ? 'The chain has to be told of the latest signed moves: sign it in your wallet.' : '';
}

/**
 * The game, for what a player does; null if the page has no key for it, so that it is done on the chain.
 * @param {number | string} game
 */
export async function tableOf(game) {
	// Before it is known whether this browser has the key, a disc would go to the chain.
	await sat;
	const of = table;
	if (!of || of.game !== game) return null;
	await of.seat.ready;
	const { role, trouble } = of.seat.shown;
	if (role === 'elsewhere') throw new WalletError(noteOf(of.seat.shown, false), 'failed');
	if (role !== 'player') {
		await bringForLost(of);
		return null;
	}
	return {
		/** Drops a disc; returns its row. @param {number} bin */
		async drop(bin) {
			const row = of.seat.shown.state?.position.board[bin]?.length ?? 0;
			await of.seat.drop(bin);
			return row;
		},
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
const UNHEARD =
	'The relay has not sent the signed moves that this host shows: try again in a moment, or by another host.';
const NOTHING = 'There is nothing to bring to the chain.';

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
