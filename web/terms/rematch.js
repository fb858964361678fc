// The rematch of a game by signed terms: each player sees the opponent's offer in the lobby of the relay, by what both know.

import { inOrder } from '../host/steps.js';
import { openLobby } from '../player/lobby.js';
import { reason } from '../state/text.js';
import { texts } from '../words/stakes.js';
import { answerTo, completed, takeOffer, whenPaid } from './pairing.js';
import { begin, forget, nonce } from './tables.js';

/** @import { HeardInLobby, SignedPlace } from '../ask.d.ts' */
/** @import { Identity } from '../guest/account.js' */
/** @import { Lobby } from '../player/lobby.js' */
/** @import { Score } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */
/** @import { Taking } from './pairing.js' */
/** @import { Table } from './tables.js' */

const STANDS = 86_400; // seconds for which a rematch is offered
const LEFT = 60; // seconds of that which a taker needs
const AGAIN = 5_000; // milliseconds after which a lobby that has refused is asked again

/** @typedef {ReturnType<typeof openRematch>} Rematch */

/**
 * Looks for the opponent's offer of a rematch, and makes the own one. For a stake the taker pays first, once the player who
 * offers has accepted it, and that one once it has seen the payment.
 * @param {{
 *   table: Table, place: SignedPlace, relay: string,
 *   who: () => Promise<Identity>,
 *   series: () => { score: Score, previous: GameId },
 *   changed: (offered: 'theirs' | 'mine' | null, note: string) => void,
 *   begun: (next: Table) => void,
 * }} of
 */
export function openRematch({ table, place, relay, who, series, changed, begun }) {
	const { game } = table;
	const { number, side, stake, terms } = /** @type {any} */ (game.standing.shown);
	// Anyone who knows the game sees the offers of both, and plays neither.
	const invites = { red: `0x${number.slice(2, 34)}`, blue: `0x${number.slice(34)}` };
	/** @type {('red' | 'blue')[]} */
	const [me = 'red', them = 'blue'] = side === 'red' ? ['red', 'blue'] : ['blue', 'red'];
	/** @type {string} */
	const by = terms.players[me].key;
	const isStaked = stake !== '0';
	/** The opponent's offer. @type {{ id: number, offer: string } | null} */
	let offered = null;
	/**
	 * The own one; `isTaken` once it was accepted that somebody pays for it as the opponent. It stays listed, as that may
	 * be anybody, or come to nothing.
	 * @type {{ id: number | null, offer: string, table: Table | null, isTaken: boolean } | null}
	 */
	let own = null;
	/** @type {Taking | null} */
	let taking = null;
	/** Whether this player wants a rematch. */
	let isWanted = false;
	/** What keeps it from being played; empty if nothing does. */
	let trouble = '';
	let isClosed = false;
	let ahead = 0;
	const inTurn = inOrder();
	/** @type {Lobby | null} */
	let lobby = null;
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let again;
	const seconds = () => Math.floor((Date.now() + ahead) / 1000);
	const show = () =>
		!isClosed &&
		changed(
			offered && !taking ? 'theirs' : isWanted ? 'mine' : null,
			trouble || (own?.isTaken ? texts.awaits.rematch : ''),
		);

	/** Steps follow each other. What fails is shown, and can be tried again. @param {() => Promise<unknown>} does */
	const step = (does) =>
		inTurn(does).catch((error) => {
			taking = null;
			isWanted = own !== null;
			trouble = reason(error);
			show();
			throw error;
		});

	/** The own offer does not stand any more, and nobody is followed who pays for it. */
	async function drop() {
		const was = own;
		own = null;
		if (was?.table) await forget(was.table);
	}

	/** The own offer is not listed any more. One for which somebody may be paying is made again. */
	async function unlisted() {
		if (!own?.isTaken) return drop();
		own.id = null;
	}

	/** @param {Lobby} at @param {string} offer */
	const list = (at, offer) => at.say({ offer: { offer, invite: invites[me] } });

	/** Asks a lobby again that has refused. */
	function later() {
		clearTimeout(again);
		again = setTimeout(() => step(goOn).catch(() => {}), AGAIN);
	}

	/** Takes the opponent's offer, or makes the own one. */
	async function goOn() {
		if (!lobby || !isWanted || taking || isClosed) return;
		// For a stake the wallet has to be that of the player, before anybody pays.
		const taker = isStaked || offered ? await who() : null;
		if (offered && taker) {
			const { id, offer } = offered;
			if (own) lobby.say('withdraw');
			await drop();
			const taken = completed(taker, offer, seconds());
			const of = { id, at: { place, relay }, by: taker, taken, series: series() };
			taking = await takeOffer(lobby, of);
		} else if (!own) {
			const offer = await game.rematch({ until: seconds() + STANDS, nonce: nonce() });
			own = { id: null, offer, table: null, isTaken: false };
			list(lobby, offer);
		}
		trouble = '';
		show();
	}

	/** @param {Table} next */
	function done(next) {
		if (own?.table === next) own = null;
		close();
		begun(next);
	}

	/** What is taken comes to nothing. */
	function fall() {
		taking = offered = null;
		show();
	}

	/** @param {HeardInLobby} said */
	async function hear(said) {
		if (isClosed || !lobby || typeof said === 'string') return;
		if ('welcome' in said) {
			ahead = said.welcome.time - Date.now();
			lobby.say({ look: invites[them] });
			if (own) list(lobby, own.offer);
			return goOn();
		}
		if ('listed' in said) {
			const { id, offer } = said.listed;
			if (!offer) return;
			if (own?.offer === offer) own.id ??= id;
			else if (await isTheirs(offer)) offered = { id, offer };
			// Of two offers the first one is taken, in whichever order they are seen; one that somebody has taken counts no more.
			const isFirst = !own || own.isTaken || (own.id !== null && (offered?.id ?? own.id) < own.id);
			if (offered && isFirst) await goOn();
			return show();
		}
		if ('gone' in said) {
			if (offered?.id === said.gone) offered = null;
			if (own?.id === said.gone) {
				await unlisted();
				if (own) list(lobby, own.offer);
			}
			await goOn();
			return show();
		}
		if ('refused' in said) {
			await unlisted();
			fall();
			return later();
		}
		if ('taken' in said) return taken(said.taken);
		if ('accepted' in said && taking && taking.id === said.accepted.offer) {
			const next = await taking.accepted(said.accepted.letter);
			if (next) return done(next);
			fall();
			later();
		} else if ('not_paired' in said && taking?.id === said.not_paired.offer) {
			fall();
			later();
		}
	}

	/** Whether an offer is the opponent's, and can be taken still. @param {string} offer */
	const isTheirs = async (offer) =>
		(await game.isRematch(offer)) &&
		(lobby?.ask({ read_offer: offer }).until ?? 0) > seconds() + LEFT;

	/** @param {Extract<HeardInLobby, { taken: unknown }>['taken']} said */
	async function taken({ offer: id, id: take, letter }) {
		if (!lobby) return;
		const answer = { offer: id, take, letter: '0x', stays: isStaked };
		const mine = own;
		if (!mine || taking) return lobby.say({ decline: answer });
		mine.table ??= await begin({ place, by, relay, game: { offer: mine.offer } }, series());
		const { table: next } = mine;
		if (isClosed || own !== mine) return forget(next);
		const agreed = await answerTo(next, letter, isStaked);
		if (!agreed) return lobby.say({ decline: answer });
		// Only who offers is told, and what for is in the letter.
		mine.id = id;
		lobby.say({ accept: { ...answer, letter: agreed } });
		if (!isStaked) return done(next);
		const begins = () => !isClosed && own?.table === next && done(next);
		if (!mine.isTaken) whenPaid(next, begins);
		mine.isTaken = true;
		show();
	}

	openLobby({
		relay,
		heard: (said) => {
			step(() => hear(said)).catch(() => {});
		},
		changed(isThere) {
			if (isThere) return;
			// It is listed again on the next connection.
			unlisted().catch(() => {});
			fall();
		},
	}).then(
		(opened) => {
			lobby = opened;
			if (isClosed) opened.close();
		},
		() => {},
	);

	/** A player who leaves the game offers no rematch any more, and follows nobody who pays for it then: that one has it back. */
	function close() {
		isClosed = true;
		clearTimeout(again);
		drop().catch(() => {});
		lobby?.close();
	}

	return {
		/** Offers a rematch, or takes the opponent's. */
		want: () =>
			step(async () => {
				isWanted = true;
				await goOn();
				show();
			}),
		close,
	};
}
