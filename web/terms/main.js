// Signed games: found in the lobby of a relay, played in its rooms, kept in this browser.

import { identity, payer } from '../guest/account.js';
import { contractAmount } from '../host/amounts.js';
import { ask } from '../host/wasm.js';
import { witnessAt } from '../player/lobby.js';
import { watchGame } from '../player/watch.js';
import { NO_SCORE, nextScore, seenBy, viewOf } from '../state/by-terms.js';
import { classic } from '../state/classic.js';
import { isGame } from '../state/seats.js';
import { stakeSeen } from '../state/staked.js';
import { reason } from '../state/text.js';
import { current } from '../store.js';
import { Failure } from '../transport.js';
import { texts } from '../words/terms.js';
import { indexed } from './indexed.js';
import { records, seriesOf, untilHost } from './kept.js';
import { openRematch } from './rematch.js';
import { close, tableOf } from './tables.js';

export { agree, answer, invite, join, payUnasked, seek, watchSeeks, withdraw } from './seek.js';

/** @import { PlayerCommand, PlayerShown, SignedPlace, WatchedGame } from '../ask.d.ts' */
/** @import { Identity } from '../guest/account.js' */
/** @import { Acts } from '../player.js' */
/** @import { StakeAct } from '../state/staked.js' */
/** @import { Watch } from '../player/watch.js' */
/** @import { TableSeen } from '../state/types.d.ts'
 * @import { GameId, Live } from '../wire.d.ts' */
/** @import { Rematch } from './rematch.js' */
/** @import { Table } from './tables.js' */

/**
 * The game that is open.
 * @typedef {{
 *   game: GameId,
 *   table: Table | null,
 *   watch: Watch | null,
 *   rematch: Rematch | null,
 *   offered: 'theirs' | 'mine' | null,
 *   note: string,
 *   next: GameId | null,
 *   isClosed: boolean,
 *   take: (said: Live) => void,
 * }} Open
 */

/** @type {Open | null} */
let open = null;

/** Of somebody who watches. */
const NOBODY = /** @type {const} */ ({
	role: 'watcher',
	opponent: null,
	taken: null,
	rematch: null,
	stake: null,
});

/**
 * Tells of a game until it is stopped.
 * @param {GameId} game @param {(said: Live) => void} take
 * @returns {() => void} stops it
 */
export function watch(game, take) {
	/** @type {Open} */
	const mine = {
		...{ game, take, table: null, watch: null, rematch: null },
		...{ offered: null, note: '', next: null, isClosed: false },
	};
	open = mine;
	sit(mine).catch((failure) => {
		if (!mine.isClosed) take({ type: 'missing', error: reason(failure) });
	});
	return () => {
		mine.isClosed = true;
		if (open === mine) open = null;
		mine.watch?.close();
		mine.rematch?.close();
		if (mine.table) close(mine.table);
	};
}

/** Plays the game if this browser has begun it, or watches it. @param {Open} mine */
async function sit(mine) {
	const table = await tableOf(mine.game);
	if (!table) return look(mine, true);
	if (mine.isClosed) return close(table);
	mine.table = table;
	const told = () => (mine.isClosed ? table.told.delete(told) : tell(mine));
	table.told.add(told);
	told();
}

/** Tells how a game stands that is played in this browser. @param {Open} mine */
function tell(mine) {
	const { table, take } = mine;
	if (!table || mine.isClosed) return;
	const { standing } = table.game;
	const { shown, role, trouble } = standing;
	if (role === 'elsewhere' || !shown) {
		if (role === 'elsewhere' && !mine.watch) look(mine, false).catch(() => {});
		else if (!shown && trouble && role !== 'elsewhere') take({ type: 'missing', error: trouble });
		return;
	}
	mine.watch?.close();
	mine.watch = null;
	const seen = seenBy(shown);
	if (!seen) return take({ type: 'missing', error: texts.noGame });
	if (shown.stage === 'no_game') return take({ type: 'missing', error: texts.noGame });
	const isAway =
		shown.refusal && !shown.refusal.closes ? texts.roomRefuses(shown.refusal.text) : '';
	if (shown.stage === 'over') prepareRematch(mine, shown);
	const { you } = seen.game;
	const them = you === 'red' ? 'blue' : 'red';
	show(mine, seen, {
		role,
		stage: shown.stage,
		relay: standing.relay,
		opponent: standing.opponent,
		watchers: standing.watchers,
		note: trouble || mine.note || isAway,
		taken: standing.taken,
		ahead: standing.ahead,
		rematch: mine.offered && (mine.offered === 'mine' ? you : them),
		stake: stakeSeen(shown, table.stake, contractAmount),
	});
}

/** @param {Open} mine @param {WatchedGame} seen @param {Omit<TableSeen, 'series' | 'next'>} of */
function show(mine, seen, of) {
	const { game, next, take } = mine;
	take({ type: 'game', ...viewOf(game, seen, { ...of, next, series: seriesOf(game) }) });
}

/**
 * Looks at the room of a game that is not played in this tab; once it is gone the host's index may have the game.
 * @param {Open} mine @param {boolean} isAlone whether no other tab of this browser plays it
 */
async function look(mine, isAlone) {
	const { game, take } = mine;
	const { relay } = await untilHost();
	let isSought = false;
	/** @param {string} why */
	const seek = (why) => {
		if (isSought) return;
		isSought = true;
		recorded(game)
			.catch(() => null)
			.then((view) => {
				if (mine.isClosed || mine.watch?.seen.game) return;
				take(view ? { type: 'game', ...view } : { type: 'missing', error: texts.unknownGame(why) });
			});
	};
	const known = current().hello?.witness;
	const witness = known ?? (await witnessAt(relay).catch((error) => seek(reason(error))));
	if (!witness) return seek(texts.noWitness);
	const watching = await watchGame({
		number: game,
		witness,
		relay,
		changed({ game: seen, relay: away, watchers, ahead, trouble }) {
			if (mine.isClosed || (mine.table && mine.table.game.standing.role === 'player')) return;
			if (!seen) {
				const why = trouble || (away === texts.relayConnecting ? '' : away);
				if (why) seek(why);
				return;
			}
			show(mine, seen, {
				...NOBODY,
				role: isAlone || seen.is_over ? 'watcher' : 'elsewhere',
				stage: seen.is_over ? 'over' : 'playing',
				...{ relay: away, watchers, ahead, note: trouble },
			});
		},
	});
	if (mine.isClosed) watching.close();
	else mine.watch = watching;
}

/** A game as the chain has it; null if nobody has recorded it. @param {GameId} game */
async function recorded(game) {
	const found = (await indexed(game))?.game;
	if (!found?.signed) return null;
	const { binsOf, recordedView } = await import('../state/recorded.js');
	const { shape } = found;
	const moves = binsOf(found.moves).map((bin) => /** @type {const} */ ({ kind: 'drop', bin }));
	return recordedView(found, await ask({ position: { terms: classic(shape), moves } }));
}

/**
 * Who plays the next game: the player of this one.
 * @param {PlayerShown} shown @param {SignedPlace} place
 * @returns {Promise<Identity>}
 */
async function sameAs({ terms, side, stake }, place) {
	const me = terms?.players[/** @type {'red' | 'blue'} */ (side)];
	if (!me) throw new Error(texts.opening);
	if (me.guest) return { account: me.key, key: me.key, secret: '', session: null };
	const same = await (stake === '0' ? identity(place) : payer(place));
	if (same.account !== me.account) throw new Error(texts.otherAccount);
	return same;
}

/** Looks for the opponent's offer of a rematch. @param {Open} mine @param {PlayerShown} shown */
async function prepareRematch(mine, shown) {
	const { table } = mine;
	if (!table || mine.rematch || mine.next) return;
	const { name, offer } = table.game.standing;
	const kept = name ? await (await records()).read(name) : null;
	const relay = kept?.relay;
	if (!kept || !relay || !offer || mine.rematch || mine.isClosed) return;
	const { place } = kept;
	mine.rematch = openRematch({
		table,
		place,
		relay,
		who: () => sameAs(shown, place),
		series() {
			const { view } = current();
			const isThis = view && isGame(view) && view.game === mine.game;
			return { score: isThis ? nextScore(view) : NO_SCORE, previous: mine.game };
		},
		changed(offered, note) {
			mine.offered = offered;
			mine.note = note;
			tell(mine);
		},
		begun(next) {
			mine.next = next.game.standing.shown?.number ?? null;
			tell(mine);
		},
	});
}

/** The game that is open. @param {GameId} game */
function openOf(game) {
	if (open?.game === game && open.table) return { ...open, table: open.table };
	throw new Failure(texts.opening, 'refused');
}

/** What a player wants, or why it is not done. @param {() => Promise<unknown>} does */
async function wanted(does) {
	await does().catch((why) => {
		throw new Failure(reason(why), 'refused');
	});
	return null;
}

/** @type {Acts['move']} */
export async function move(game, { move: asked }) {
	const { table } = openOf(game);
	// Once moves are made on the chain, the player is asked about each, and pays for it.
	const isOnChain = table.game.standing.shown?.is_on_chain;
	if (!['swap', 'drop'].includes(asked.kind)) throw new Failure(texts.onlyDiscs, 'refused');
	return wanted(async () => {
		if (asked.kind === 'drop') {
			const { bin } = asked;
			await table.game.act(isOnChain ? { move_on_chain: bin } : { move: bin });
		} else await table.game.act(isOnChain ? 'swap_on_chain' : 'swap');
		if (isOnChain) await table.stake?.answered();
	});
}

/** What is done in a game besides moves. @type {Record<string, PlayerCommand>} */
const ACTS = {
	resign: 'resign',
	offer_draw: 'offer_draw',
	accept_draw: 'accept_draw',
	decline_draw: 'decline_draw',
};

/** @type {Acts['act']} */
export async function act(game, { act: what }) {
	const { table } = openOf(game);
	const command = ACTS[what];
	if (!command) throw new Failure(texts.notDone, 'refused');
	return wanted(() => table.game.act(command));
}

/** Has something done on the chain for a game with a stake. @param {GameId} game @param {StakeAct} what */
export async function actOnChain(game, what) {
	const { table } = openOf(game);
	return wanted(async () => {
		if (what === 'now') await table.stake?.now();
		else await table.game.act(what === 'cancel' ? 'refund' : what);
	});
}

/** @param {GameId} game */
export async function next(game) {
	const { rematch } = openOf(game);
	if (!rematch) throw new Failure(texts.opening, 'refused');
	await wanted(() => rematch.want());
	return { game: open?.game === game ? open.next : null };
}
