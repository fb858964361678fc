// Games by signed terms: found in the lobby of a relay, played in its rooms, kept in this browser.

import { ask } from '../host/wasm.js';
import { relaySocket } from '../hosts.js';
import { NO_SCORE, nextScore, turned, viewOf } from '../state/by-terms.js';
import { Failure, reason } from '../transport.js';
import { texts } from '../words/terms.js';
import { indexed } from './indexed.js';
import { begin, journal, kept, relayAt, untilHost, write } from './kept.js';
import { openTable } from './table.js';

export { agree, answer, join, seek, watchSeeks, withdraw } from './lobby.js';

/** @import { Acts } from '../player.js' */
/** @import { TermsState } from '../ask.d.ts' */
/** @import { TermsShown } from '../state/types.d.ts'
 * @import { GameId, Live } from '../wire.d.ts' */
/** @import { ChainPart } from './chain-part.js' */
/** @import { Table } from './table.js' */

/** The game that is open, and the game on the chain. @type {{ game: GameId, table: Table, chain: ChainPart | null } | null} */
let open = null;

/**
 * Tells of a game until it is stopped.
 * @param {GameId} game @param {(said: Live) => void} take
 * @returns {() => void} stops it
 */
export function watch(game, take) {
	let isOver = false;
	/** @type {Table | null} */
	let table = null;
	sit(game, take, () => isOver).then(
		(opened) => {
			table = opened;
			if (isOver) return table.close();
			open = { game, table, chain: null };
			followChain(open, take);
		},
		(failure) => {
			if (!isOver) take({ type: 'missing', error: reason(failure) });
		},
	);
	return () => {
		isOver = true;
		if (open?.table === table) {
			open?.chain?.close();
			open = null;
		}
		table?.close();
	};
}

/**
 * Follows the game on the chain, at a public host: no other page has a wallet.
 * @param {NonNullable<typeof open>} of @param {(said: Live) => void} take
 */
async function followChain(of, take) {
	const { game, table } = of;
	const { place } = placeOf(game) ?? (await untilHost());
	const { openChainPart } = await import('./chain-part.js');
	if (open !== of) return;
	const { dispute = null, recorded = null, block = 0 } = kept()[game] ?? {};
	of.chain = openChainPart({
		game,
		place,
		table,
		known: { dispute, recorded, block },
		changed(shown) {
			const before = kept()[game];
			const { dispute, recorded, block } = shown;
			if (before) write(game, { ...before, dispute, recorded, block });
			tell(game, table.shown, take);
		},
	});
}

/** Where a game of this browser is. @param {GameId} game */
function placeOf(game) {
	const found = kept()[game];
	if (!found) return null;
	const { chain_id, contract, relay } = found;
	return { place: { chain_id, contract }, relay };
}

/** The series of a game of this browser. @param {GameId} game */
const seriesOf = (game) => {
	const { score = NO_SCORE, previous = null } = kept()[game] ?? {};
	return { score, previous };
};

/** The game as it is shown. @param {GameId} game @param {TermsShown & { state: TermsState }} shown */
const shownOf = (game, shown) => {
	const onChain = open?.game === game ? open.chain?.shown : undefined;
	return viewOf(game, shown, seriesOf(game), onChain);
};

/** Tells how a game stands. @param {GameId} game @param {TermsShown} shown @param {(said: Live) => void} take */
function tell(game, shown, take) {
	const { state } = shown;
	if (!state) return;
	const { turns, over } = state.position;
	const { agreed, time } = state;
	const before = kept()[game];
	const now = { turns, over, agreed, time };
	const isNews =
		before && Object.entries(now).some(([name, of]) => Reflect.get(before, name) !== of);
	if (isNews) write(game, { ...before, ...now });
	take({ type: 'game', ...shownOf(game, { ...shown, state }) });
}

/** @param {GameId} game @param {(said: Live) => void} take @param {() => boolean} isOver */
async function sit(game, take, isOver) {
	const at = placeOf(game) ?? (await untilHost());
	let isSought = false;
	let isShown = false;
	/** @param {TermsShown} shown */
	const changed = (shown) => {
		if (isOver()) return;
		if (shown.state) {
			isShown = true;
			return tell(game, shown, take);
		}
		const why = shown.trouble || (shown.relay && shown.relay !== CONNECTING ? shown.relay : '');
		if (!why || isSought) return;
		// The room is gone, and the chain may have the game.
		isSought = true;
		recorded(game)
			.catch(() => null)
			.then((view) => {
				if (isOver() || isShown) return;
				take(view ? { type: 'game', ...view } : { type: 'missing', error: missing(why) });
			});
	};
	return openTable({
		game,
		...at,
		relay: relayAt(at.relay),
		terms: kept()[game]?.terms ?? null,
		own: kept()[game]?.key ?? null,
		journal: await journal(),
		socket: relaySocket(at.relay),
		changed,
		async rematch(next, who) {
			if (!who || kept()[next.game]) return;
			const { shown } = openOf(game);
			const { state } = shown;
			const score = state
				? nextScore(shownOf(game, { ...shown, state }))
				: turned(seriesOf(game).score);
			await begin(next, at, who, { score, previous: game });
		},
	});
}

const CONNECTING = texts.relayConnecting;

/** A game as the chain has it; null if nobody has recorded it. @param {GameId} game */
async function recorded(game) {
	const found = (await indexed(game))?.game;
	if (!found?.signed) return null;
	const { binsOf, recordedView } = await import('../state/recorded.js');
	const { shape, moves } = found;
	return recordedView(found, await ask({ position: { shape, moves: binsOf(moves) } }));
}

/** @param {string} why */
const missing = (why) => texts.unknownGame(why);

/** The game that is open. @param {GameId} game @returns {Table} */
function openOf(game) {
	if (open?.game === game) return open.table;
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
	if (asked.kind === 'swap') return wanted(openOf(game).swap);
	if (asked.kind !== 'drop') throw new Failure(texts.onlyDiscs, 'refused');
	return wanted(() => openOf(game).drop(asked.bin));
}

/** @type {Acts['act']} */
export async function act(game, { act: what }) {
	const table = openOf(game);
	/** @type {Record<string, () => Promise<unknown>>} */
	const acts = {
		resign: table.resign,
		offer_draw: table.offerDraw,
		accept_draw: table.acceptDraw,
		decline_draw: table.declineDraw,
	};
	const does = acts[what];
	if (!does) throw new Failure(texts.notDone, 'refused');
	return wanted(does);
}

/** @type {import('../player.js').Terms['toChain']} */
export function toChain(game, what) {
	openOf(game);
	const chain = open?.chain;
	if (!chain) throw new Failure(texts.opening, 'refused');
	return wanted(chain[what]);
}

/** @type {Acts['next']} */
export async function next(game) {
	const table = openOf(game);
	await wanted(table.rematch);
	return { game: table.shown.next };
}
