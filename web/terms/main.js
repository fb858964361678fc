// Games by signed terms: found in the lobby of a relay, played in its rooms, kept in this browser.

import { relaySocket } from '../hosts.js';
import { NO_SCORE, nextScore, turned, viewOf } from '../state/by-terms.js';
import { Failure, reason } from '../transport.js';
import { begin, journal, kept, relayAt, untilHost, write } from './kept.js';
import { openTable } from './table.js';

export { answer, join, seek, watchSeeks, withdraw } from './lobby.js';

/** @import { Acts } from '../player.js' */
/** @import { GameId, Live, TermsShown } from '../state/types.d.ts' */
/** @import { Table } from './table.js' */

/** The game that is open. @type {{ game: GameId, table: Table } | null} */
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
			if (isOver) table.close();
			else open = { game, table };
		},
		(failure) => {
			if (!isOver) take({ type: 'missing', error: reason(failure) });
		},
	);
	return () => {
		isOver = true;
		if (open?.table === table) open = null;
		table?.close();
	};
}

/** @param {GameId} game @param {(said: Live) => void} take @param {() => boolean} isOver */
async function sit(game, take, isOver) {
	const found = kept()[game];
	const at = found
		? { place: { chain_id: found.chain_id, contract: found.contract }, relay: found.relay }
		: await untilHost();
	const series = { score: found?.score ?? NO_SCORE, previous: found?.previous ?? null };
	/** @param {TermsShown} shown */
	const changed = (shown) => {
		if (isOver()) return;
		const { state } = shown;
		if (!state) {
			const why = shown.trouble || (shown.relay && shown.relay !== CONNECTING ? shown.relay : '');
			if (why) take({ type: 'missing', error: missing(why) });
			return;
		}
		const view = viewOf(game, { ...shown, state }, series);
		const { turns, over } = state.position;
		const before = kept()[game];
		if (before && (before.turns !== turns || before.over !== over)) {
			write(game, { ...before, turns, over });
		}
		take({ type: 'game', ...view });
	};
	return openTable({
		game,
		...at,
		relay: relayAt(at.relay),
		terms: found?.terms ?? null,
		journal: await journal(),
		socket: relaySocket(at.relay),
		changed,
		async rematch(next, who) {
			if (!who || kept()[next.game]) return;
			const { state } = openOf(game).shown;
			const view = state && viewOf(game, { ...openOf(game).shown, state }, series);
			const score = view ? nextScore(view) : turned(series.score);
			await begin(next, at, who, { score, previous: game });
		},
	});
}

const CONNECTING = 'it is being connected';

/** @param {string} why */
const missing = (why) =>
	`This game is not known here, and the relay does not show it: ${why}. A relay keeps a game for a quarter of an hour while nobody is there.`;

/** @param {GameId} game @returns {Table} */
function openOf(game) {
	if (open?.game === game) return open.table;
	throw new Failure('The game is being opened: try again in a moment.', 'refused');
}

/** What a player wants, or why it is not done. @param {() => Promise<void>} does */
async function wanted(does) {
	await does().catch((why) => {
		throw new Failure(reason(why), 'refused');
	});
	return null;
}

/** @type {Acts['move']} */
export async function move(game, { move: asked }) {
	if (asked.kind === 'swap') return wanted(openOf(game).swap);
	if (asked.kind !== 'drop') throw new Failure('Only discs are dropped here.', 'refused');
	return wanted(() => openOf(game).drop(asked.bin));
}

/** @type {Acts['act']} */
export async function act(game, { act: what }) {
	const table = openOf(game);
	/** @type {Record<string, () => Promise<void>>} */
	const acts = {
		resign: table.resign,
		offer_draw: table.offerDraw,
		accept_draw: table.acceptDraw,
		decline_draw: table.declineDraw,
	};
	const does = acts[what];
	if (!does) throw new Failure('That is not done in such a game.', 'refused');
	return wanted(does);
}

/** @type {Acts['next']} */
export async function next(game) {
	const table = openOf(game);
	await wanted(table.rematch);
	return { game: table.shown.next };
}
