// The rematch of a game by signed terms: each player sees the opponent's offer in the lobby of the relay, by what both know.

import { inOrder } from '../host/steps.js';
import { openLobby } from '../player/lobby.js';
import { texts } from '../words/stakes.js';
import { begin, forget, hasBegun, nonce } from './tables.js';

/** @import { HeardInLobby, SignedPlace, TakenOffer } from '../ask.d.ts' */
/** @import { Identity } from '../guest/account.js' */
/** @import { Lobby } from '../player/lobby.js' */
/** @import { Score } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */
/** @import { Table } from './tables.js' */

const STANDS = 3_600; // seconds for which a rematch is offered

/** @typedef {ReturnType<typeof openRematch>} Rematch */

/** Who takes an offer. @typedef {Pick<Identity, 'key' | 'secret'> & { account: string | null, session: string | null }} Taker */

/**
 * Looks for the opponent's offer of a rematch, and makes the own one. For a stake the taker pays first, once the player who
 * offers has accepted it, and that one once it has seen the payment.
 * @param {{
 *   table: Table, place: SignedPlace, relay: string,
 *   who: () => Promise<Taker>,
 *   series: () => { score: Score, previous: GameId },
 *   changed: (offered: 'theirs' | 'mine' | null, note: string) => void,
 *   begun: (next: Table) => void,
 * }} of
 */
export function openRematch({ table, place, relay, who, series, changed, begun }) {
	const { game } = table;
	const { number, side, stake, terms } = /** @type {any} */ (game.standing.shown);
	// Anyone who knows the game sees the offers of both, and can take neither.
	const invites = { red: `0x${number.slice(2, 34)}`, blue: `0x${number.slice(34)}` };
	/** @type {('red' | 'blue')[]} */
	const [me = 'red', them = 'blue'] = side === 'red' ? ['red', 'blue'] : ['blue', 'red'];
	/** @type {string} */
	const by = terms.players[me].key;
	const isStaked = stake !== '0';
	/** The opponent's offer. @type {{ id: number, offer: string } | null} */
	let offered = null;
	/**
	 * The own one; `isTaken` once it was accepted that the opponent pays for it.
	 * @type {{ id: number | null, offer: string, table: Table | null, isTaken: boolean } | null}
	 */
	let own = null;
	/** What is taken; with a stake there is no table before the opponent has accepted that. @type {{ id: number, table: Table | null, by: Taker, taken: TakenOffer } | null} */
	let taking = null;
	/** Whether this player wants a rematch. */
	let isWanted = false;
	let isClosed = false;
	let ahead = 0;
	const inTurn = inOrder();
	/** @type {Lobby | null} */
	let lobby = null;
	const seconds = () => Math.floor((Date.now() + ahead) / 1000);
	const show = () =>
		!isClosed &&
		changed(
			offered && !own?.isTaken ? 'theirs' : isWanted ? 'mine' : null,
			own?.isTaken ? texts.awaits.rematch : '',
		);

	/** Takes the opponent's offer, or makes the own one. */
	async function goOn() {
		if (!lobby || !isWanted || taking || own?.isTaken || isClosed) return;
		if (offered) {
			const { id, offer } = offered;
			if (own) lobby.say('withdraw');
			own = null;
			const taker = await who();
			const { account, session, secret } = taker;
			const common = { account, session, program: false, colour: null };
			/** @type {TakenOffer} */
			const taken = { ...common, offer, time: seconds(), nonce: nonce() };
			const next = isStaked ? null : await take(taker, taken);
			taking = { id, table: next, by: taker, taken };
			const letter = next
				? (next.letters.at(-1) ?? '0x')
				: lobby.ask({ complete: { secret, taken } }).letter;
			lobby.say({ take: { offer: id, letter } });
		} else if (!own) {
			const offer = await game.rematch({ until: seconds() + STANDS, nonce: nonce() });
			own = { id: null, offer, table: null, isTaken: false };
			lobby.say({ offer: { offer, invite: invites[me] } });
		}
		show();
	}

	/** Begins the game of an offer that is taken. @param {Taker} by @param {TakenOffer} taken */
	const take = ({ key }, taken) =>
		begin({ place, by: key, relay, game: { take: taken } }, series());

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
			await accepted(taking, said.accepted.letter);
		} else if ('not_paired' in said && taking?.id === said.not_paired.offer) {
			taking = null;
			offered = null;
			show();
		}
	}

	/** @param {NonNullable<typeof taking>} of @param {string} letter */
	async function accepted({ table: next, by: { secret, ...taker }, taken }, letter) {
		if (next) {
			await next.game.receive(letter);
			if (hasBegun(next.game.standing)) done(next);
		} else if (lobby?.ask({ is_accepted: { secret, taken, letter } })) {
			done(await take({ secret, ...taker }, taken));
		} else {
			taking = offered = null;
			show();
		}
	}

	/** The game begins once the opponent has paid. @param {Table} next */
	function awaitPayment(next) {
		/** @param {import('../player/game.js').Standing} standing */
		const look = ({ shown }) => {
			if (!shown || shown.stage === 'offered') return;
			next.told.delete(look);
			if (isClosed) return;
			own = null;
			done(next);
		};
		next.told.add(look);
		look(next.game.standing);
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
		const { standing } = next.game;
		const isIt = isStaked ? standing.shown?.number : hasBegun(standing);
		if (!agreed || !isIt) return lobby.say({ decline: answer });
		lobby.say({ accept: { ...answer, letter: agreed } });
		if (isStaked) {
			if (!own.isTaken) awaitPayment(next);
			own.isTaken = true;
			return show();
		}
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
			// It is listed again on the next connection, but for one that the opponent may be paying for.
			if (own?.table && !own.isTaken) forget(own.table).catch(() => {});
			if (!own?.isTaken) own = null;
			taking = offered = null;
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
		// One that the opponent may be paying for stays in the list of this browser.
		if (own?.table && !own.isTaken) forget(own.table).catch(() => {});
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
