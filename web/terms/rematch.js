// The rematch of a game by signed terms: each player sees the opponent's offer in the lobby of the relay, by what both know.

import { inOrder } from '../host/steps.js';
import { openLobby } from '../player/lobby.js';
import { begin, forget, hasBegun, nonce } from './tables.js';

/** @import { HeardInLobby, SignedPlace } from '../ask.d.ts' */
/** @import { Lobby } from '../player/lobby.js' */
/** @import { Score } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */
/** @import { Table } from './tables.js' */

const STANDS = 3_600; // seconds for which a rematch is offered

/** @typedef {ReturnType<typeof openRematch>} Rematch */

/**
 * Looks for the opponent's offer of a rematch, and makes the own one.
 * @param {{
 *   table: Table, place: SignedPlace, relay: string,
 *   who: () => Promise<{ by: string, account: string | null, session: string | null }>,
 *   series: () => { score: Score, previous: GameId },
 *   changed: (offered: 'theirs' | 'mine' | null) => void,
 *   begun: (next: Table) => void,
 * }} of
 */
export function openRematch({ table, place, relay, who, series, changed, begun }) {
	const { game } = table;
	const { number, side, terms } = /** @type {any} */ (game.standing.shown);
	// Anyone who knows the game sees the offers of both, and can take neither.
	const invites = { red: `0x${number.slice(2, 34)}`, blue: `0x${number.slice(34)}` };
	/** @type {('red' | 'blue')[]} */
	const [me = 'red', them = 'blue'] = side === 'red' ? ['red', 'blue'] : ['blue', 'red'];
	/** @type {string} */
	const by = terms.players[me].key;
	/** The opponent's offer. @type {{ id: number, offer: string } | null} */
	let offered = null;
	/** The own one. @type {{ id: number | null, offer: string, table: Table | null } | null} */
	let own = null;
	/** @type {{ id: number, table: Table } | null} */
	let taking = null;
	/** Whether this player wants a rematch. */
	let isWanted = false;
	let isClosed = false;
	let ahead = 0;
	const inTurn = inOrder();
	/** @type {Lobby | null} */
	let lobby = null;
	const seconds = () => Math.floor((Date.now() + ahead) / 1000);
	const show = () => !isClosed && changed(offered ? 'theirs' : isWanted ? 'mine' : null);

	/** Takes the opponent's offer, or makes the own one. */
	async function goOn() {
		if (!lobby || !isWanted || taking || isClosed) return;
		if (offered) {
			const { id, offer } = offered;
			if (own) lobby.say('withdraw');
			own = null;
			const taker = await who();
			const { account, session } = taker;
			const common = { account, session, program: false, colour: null };
			const game = { take: { ...common, offer, time: seconds(), nonce: nonce() } };
			const next = await begin({ place, by: taker.by, relay, game }, series());
			taking = { id, table: next };
			lobby.say({ take: { offer: id, letter: next.letters.at(-1) ?? '0x' } });
		} else if (!own) {
			const offer = await game.rematch({ until: seconds() + STANDS, nonce: nonce() });
			own = { id: null, offer, table: null };
			lobby.say({ offer: { offer, invite: invites[me] } });
		}
		show();
	}

	/** @param {Table} next */
	function done(next) {
		close();
		begun(next);
	}

	/** @param {HeardInLobby} said */
	async function hear(said) {
		if (isClosed || !lobby || typeof said === 'string') return;
		if ('welcome' in said) {
			ahead = said.welcome.time - Date.now();
			lobby.say({ look: invites[them] });
			return goOn();
		}
		if ('listed' in said) {
			const { id, offer } = said.listed;
			if (!offer) return;
			if (own?.offer === offer) own.id = id;
			else if (await game.isRematch(offer)) offered = { id, offer };
			// Of two offers the first one is taken, in whichever order they are seen.
			if (offered && (!own || (own.id !== null && offered.id < own.id))) await goOn();
			return show();
		}
		if ('gone' in said && offered?.id === said.gone) {
			offered = null;
			return show();
		}
		if ('taken' in said) return taken(said.taken);
		if ('accepted' in said && taking && taking.id === said.accepted.offer) {
			const { table: next } = taking;
			await next.game.receive(said.accepted.letter);
			if (hasBegun(next.game.standing)) done(next);
		} else if ('not_paired' in said && taking?.id === said.not_paired.offer) {
			taking = null;
			offered = null;
			show();
		}
	}

	/** @param {Extract<HeardInLobby, { taken: unknown }>['taken']} said */
	async function taken({ offer: id, id: take, letter }) {
		if (!lobby) return;
		const answer = { offer: id, take, letter: '0x', stays: false };
		if (!own || own.id !== id || taking) return lobby.say({ decline: answer });
		own.table ??= await begin({ place, by, relay, game: { offer: own.offer } }, series());
		const { table: next } = own;
		next.letters.length = 0;
		await next.game.receive(letter);
		const agreed = next.letters.at(-1);
		if (!agreed || !hasBegun(next.game.standing)) return lobby.say({ decline: answer });
		lobby.say({ accept: { ...answer, letter: agreed } });
		own.table = null;
		done(next);
	}

	openLobby({
		relay,
		heard: (said) => {
			inTurn(() => hear(said)).catch(() => {});
		},
		changed(isThere) {
			if (isThere) return;
			// It is listed again on the next connection.
			if (own?.table) forget(own.table).catch(() => {});
			own = taking = offered = null;
			show();
		},
	}).then(
		(opened) => {
			lobby = opened;
			if (isClosed) opened.close();
		},
		() => {},
	);

	function close() {
		isClosed = true;
		if (own?.table) forget(own.table).catch(() => {});
		lobby?.close();
	}

	return {
		/** Offers a rematch, or takes the opponent's. */
		want: () =>
			inTurn(async () => {
				isWanted = true;
				await goOn();
				show();
			}),
		close,
	};
}
