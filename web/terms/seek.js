// The lobby of a relay: who offers a game there, and how this player finds an opponent. What is signed is decided by the
// module of the game.

import { askAgain } from '../floods.js';
import { identity, payer } from '../guest/account.js';
import { contractAmount } from '../host/amounts.js';
import { contractOf } from '../host/contracts.js';
import { keepChain } from '../host/pins.js';
import { originOf, socketsOf } from '../host/room.js';
import { inOrder } from '../host/steps.js';
import { openGame } from '../navigation.js';
import { openLobby } from '../player/lobby.js';
import { openModule } from '../player/module.js';
import { askText, USUAL } from '../state/by-terms.js';
import { LEAST_BANK } from '../state/clock.js';
import { isGame, isHere } from '../state/seats.js';
import { reason } from '../state/text.js';
import { current, dispatch } from '../store.js';
import { texts } from '../words/terms.js';
import { isPlace, needHere, needStakes, untilHost } from './kept.js';
import { offerOf, wishOf } from './offer.js';
import { answerTo, completed, gameOf, takeOffer, whenPaid } from './pairing.js';
import { stakeAsked } from './stake.js';
import { begin, close, forget, hasBegun, offered, until } from './tables.js';

/** @import { HeardInLobby, ListedOffer, LobbyWelcome, OfferedGame } from '../ask.d.ts' */
/** @import { Identity } from '../guest/account.js' */
/** @import { Lobby } from '../player/lobby.js' */
/** @import { ListedSeek, Seek, Wish } from '../state/types.d.ts' */
/** @import { At } from './kept.js' */
/** @import { Taking } from './pairing.js' */
/** @import { Table } from './tables.js' */

/** Offers that are kept of those that are listed; the newest are left out. */
const MOST_SEEKS = 500;
const STANDS = 600; // seconds for which an offer in the lobby is taken
const RENEWAL = 300_000; // milliseconds after which it is made anew
const INVITES = 86_400; // seconds for which the offer of a link is taken
const BUSY = 5_000; // milliseconds after which a full lobby is asked again
const APART = 120_000; // milliseconds that clocks are apart, at most, so that terms are of the witness's time
const ANSWER = 15_000; // milliseconds in which a relay says what becomes of an offer that is taken
const LATE = 150_000; // milliseconds in which a game that was taken may still begin
const PAYMENT = 45_000; // milliseconds in which a stake is paid, usually: some blocks
/** Milliseconds after which an offer for a stake is taken that came after the own one, and whose player has not taken that. */
const LATER = 10_000;

/**
 * What is wanted: a game with anybody or, with `invite`, with the friend who opens a link; or by `joins` the game of an
 * offer that the player has chosen, of a friend's link or for a stake. `offer` is the own one of a link, or that one, and
 * `relay` where it is played.
 * @typedef {{
 *   who: Identity, wish: Wish, invite: boolean, joins: OfferedGame | null, offer: string | null, relay: string,
 *   agreed: boolean,
 * }} Wanted
 */

/** An offer of the lobby, and since when it is there, in milliseconds. @typedef {ListedOffer & { offer: string, game: OfferedGame, since: number }} Listed */

/** Who plays here, once somebody wants to. @type {Identity | null} */
let who = null;
/** @type {Wanted | null} */
let wanted = null;
/** What others offer. @type {Map<number, Listed>} */
let listed = new Map();
/**
 * The own offer. Its number is null until the lobby has listed it, and while it is off the list; it `isOff` if it has to be
 * listed as soon as the lobby is there. With a stake there is a table from the beginning: somebody who pays for it need not
 * have been in the lobby. Once somebody `isTaken` it who has not paid, it is off the list for a while, until `again`; then
 * it `stays` there, also if somebody takes it: one who takes offers and never pays would keep them from all others.
 * @typedef {{
 *   id: number | null, offer: string, invite: string | null, table: Table | null, isStaked: boolean,
 *   isOff: boolean, isTaken: boolean, stays: boolean, boundUntil: number, again: ReturnType<typeof setTimeout> | undefined,
 * }} Own
 */
/** @type {Own | null} */
let own = null;
/** The offer that this player takes. @type {Taking | null} */
let taking = null;
/** The game of a friend's link that this player has signed, while the friend's page is away. @type {Table | null} */
let signed = null;
/** Offers that this player has taken, without a game. @type {Set<string>} */
const tried = new Set();
/** Whether the list of the lobby is shown. */
let isWatched = false;
/** Whether all that the lobby has was listed. */
let isListed = false;

/**
 * The lobby that is connected. `witness` is null until the relay has said it, or if it is none.
 * @type {{ lobby: Lobby | null, at: At, witness: string | null, ahead: number } | null}
 */
let open = null;
/** Why no game can be agreed on at this relay; empty if one can. */
let wrong = '';
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let later;
/** @type {ReturnType<typeof setInterval> | undefined} */
let renewal;

/** @param {Partial<Seek> | null} change */
function tell(change) {
	if (!change) return dispatch({ type: 'seek', seek: null });
	/** @type {Seek} */
	const none = {
		phase: 'connecting',
		invite: wanted?.offer ?? null,
		note: '',
		game: null,
		since: null,
		staked: Boolean(wanted?.wish.stake),
	};
	const joins = wanted?.joins;
	const facts = joins && joins.stake !== '0' ? stakeAsked(joins) : [];
	dispatch({ type: 'seek', seek: { ...none, ...current().seek, note: '', facts, ...change } });
}

/** Tells what is offered by others, once for all messages that have come. */
let isTelling = false;
function list() {
	if (isTelling) return;
	isTelling = true;
	queueMicrotask(() => {
		isTelling = false;
		const witnesses = current().hello?.witnesses ?? [];
		/** @type {ListedSeek[]} */
		const seeks = [...listed.values()]
			.filter(({ id, game }) => id !== own?.id && game.by.account !== who?.account)
			.sort((one, other) => one.id - other.id)
			.map(({ id, offer, game }) => ({
				id,
				offer,
				account: game.by.account,
				guest: game.by.guest,
				program: game.by.program,
				wish: wishOf(game),
				rated: game.witness !== null && witnesses.includes(game.witness),
				stake: game.stake === '0' ? null : contractAmount(game.stake),
			}));
		dispatch({ type: 'seeks', seeks: open?.witness ? seeks : null });
	});
}

/** The time of the witness, in seconds. */
const seconds = () => Math.floor((Date.now() + (open?.ahead ?? 0)) / 1000);

/** Steps follow each other. */
const inTurn = inOrder();

/** @param {() => Promise<unknown>} does */
const step = (does) => inTurn(does).catch((error) => fail(reason(error)));

/** @param {HeardInLobby} said */
async function hear(said) {
	if (said === 'complete') {
		isListed = true;
		return goOn();
	}
	if (said === 'cleared') {
		listed.clear();
		return list();
	}
	if ('welcome' in said) return welcome(said.welcome);
	if ('counts' in said) return dispatch({ type: 'counts', counts: said.counts });
	if ('listed' in said) return hearListed(said.listed);
	if ('gone' in said) return gone(said.gone);
	if ('taken' in said) return taken(said.taken);
	if ('refused' in said) {
		const { text, closes } = said.refused;
		return closes ? fail(texts.lobbyRefuses(text)) : wait();
	}
	if ('accepted' in said) return accepted(said.accepted);
	await notPaired(said.not_paired);
}

/** The relay welcomes: what it says of its chain has to be what the host says. @param {LobbyWelcome} said */
async function welcome({ time, witness }) {
	if (!open?.lobby) return;
	const { at, lobby } = open;
	const ahead = time - Date.now();
	const isChanged = open.witness !== null && open.witness !== witness?.key;
	Object.assign(open, { witness: witness?.key ?? null, ahead });
	wrong = '';
	if (!witness) wrong = texts.noWitness;
	else if (!isPlace(witness.place, at.place)) wrong = texts.relayOfOtherChain;
	else if (Math.abs(ahead) > APART) wrong = texts.wrongClock(Math.round(Math.abs(ahead) / 60_000));
	if (wrong) {
		open.witness = null;
		listed.clear();
		list();
		// A stake needs no witness, and can be paid without the lobby.
		if (wanted?.joins && wanted.joins.stake !== '0') return tell({ phase: 'away', note: wrong });
		return wanted ? fail(wrong) : tell({ phase: 'failed', note: wrong });
	}
	// The offer names the key before; with a stake it names none.
	if (isChanged && own && !own.isStaked) await unlist();
	list();
	if (wanted?.joins && wanted.agreed) lookFor(lobby, wanted.joins);
	lobby.say('list');
}

/** Whether an offer is one that is played here. @param {ListedOffer} said @returns {Listed | null} */
function playable({ id, invited, offer, game }) {
	if (!open || !offer || !game) return null;
	const { place, witness, stake } = game;
	const isStaked = stake !== '0';
	const here = isStaked ? { ...open.at.place, stakes: contractOf('stakes') } : open.at.place;
	const isKnown = isStaked ? here.stakes && witness === null : witness === open.witness;
	const isPlayed = isPlace(place, here) && isKnown && mayTake(game, who?.account);
	return isPlayed ? { id, invited, offer, game, since: Date.now() } : null;
}

/**
 * Whether an offer is of a game that is taken here, by this account: of no tournament. The taker of a stake has to see which
 * colour it pays for.
 * @param {OfferedGame} game @param {string | undefined} account
 */
const mayTake = ({ stake, event, taker, colours }, account) =>
	event === null &&
	(taker === null || taker === account) &&
	(stake === '0' || colours === 'red' || colours === 'blue');

/** @param {ListedOffer} said */
async function hearListed(said) {
	if (own && said.offer === own.offer) {
		// Anybody can list a copy of it, but not before.
		own.id ??= said.id;
		if (wanted) tell({ phase: standsAs(own) });
		return goOn();
	}
	const found = playable(said);
	if (!found) return;
	if (wanted?.joins && wanted.agreed && found.offer === wanted.offer && !taking) await take(found);
	if (found.invited) return;
	if (listed.size >= MOST_SEEKS) return;
	listed.set(found.id, found);
	list();
	if (isListed) await goOn();
}

/** Takes the first offer that suits, or makes the own one. @returns {Promise<unknown>} */
async function goOn() {
	if (!wanted || wanted.joins || taking || !open?.lobby || !open.witness || !isListed) return;
	if (own?.isOff) return offerAgain(own);
	// Which offers were there before is known once it is listed.
	if (own && own.id === null) return;
	const { lobby } = open;
	if (!wanted.invite) {
		if (own && isBound(own)) return;
		const mine = own?.offer ?? make(lobby, wanted, STANDS);
		const found = firstThatSuits(lobby, wanted, mine);
		if (found) {
			await unlist();
			return wanted && take(found);
		}
		if (!own) await offer(lobby, mine, null);
		return;
	}
	if (own) return;
	const stood = wanted.offer && lobby.ask({ read_offer: wanted.offer });
	const stands =
		stood &&
		stood.until > seconds() &&
		stood.by.key === wanted.who.key &&
		(stood.stake !== '0' || stood.witness === open.witness);
	if (!stands) wanted.offer = make(lobby, wanted, INVITES);
	const link = wanted.offer ?? '';
	tell({ invite: link });
	await offer(lobby, link, lobby.ask({ read_offer: link }).invite);
}

/** The oldest offer of the lobby that suits, unless its player takes the own one. @param {Lobby} lobby @param {Wanted} of @param {string} mine @returns {Listed | null} */
function firstThatSuits(lobby, of, mine) {
	const isStaked = Boolean(of.wish.stake);
	const before = own?.id ?? Number.POSITIVE_INFINITY;
	/** @param {string} one @param {string} other */
	const suits = (one, other) => lobby.ask({ suits: { own: one, other, now: seconds() } });
	// With a stake an offer names a colour, also of a player who takes either.
	const either = isStaked && of.wish.side === 'random';
	const taken = either
		? /** @type {const} */ (['first', 'second']).map((side) =>
				make(lobby, { ...of, wish: { ...of.wish, side } }, STANDS),
			)
		: [mine];
	clearTimeout(later);
	let waits = false;
	for (const found of listed.values()) {
		const { id, offer, since, game } = found;
		if (tried.has(offer) || !taken.some((one) => suits(one, offer))) continue;
		// A person chooses to pay a program, or one who may answer much later.
		const isOdd = game.by.program || game.until > seconds() + 2 * STANDS;
		if (isStaked && isOdd) continue;
		// One that came later is taken by its player, unless that one could not: it wants a colour, and a coin decides here.
		if (id < before || !(either || suits(offer, mine))) return found;
		if (!isStaked) continue;
		// A person who has agreed to pay one opponent alone takes nobody.
		const left = since + LATER - Date.now();
		if (left <= 0) return found;
		if (!waits) later = setTimeout(() => step(goOn), left);
		waits = true;
	}
	return null;
}

/** @param {Lobby} lobby @param {Wanted} of @param {number} stands in seconds */
function make(lobby, { who: by, wish }, stands) {
	const { at, witness } = /** @type {NonNullable<typeof open>} */ (open);
	return lobby.ask({ offer: offerOf(wish, by, at, witness, seconds() + stands) });
}

/** @param {Lobby} lobby @param {string} text @param {string | null} invite */
async function offer(lobby, text, invite) {
	const of = /** @type {Wanted} */ (wanted);
	const isStaked = Boolean(of.wish.stake);
	const none = { isOff: false, isTaken: false, stays: false, boundUntil: 0, again: undefined };
	/** @type {Own} */
	const mine = { id: null, offer: text, invite, table: null, isStaked, ...none };
	own = mine;
	if (isStaked) {
		const { place } = lobby.ask({ read_offer: text });
		// Somebody who has taken it before this page was loaded may pay, or has paid.
		const kept = invite ? await offered(place, of.who.key, text) : null;
		const table = kept?.table ?? (await gameOfOffer(text));
		if (!isOwn(mine)) {
			if (kept) follow(table);
			else await forget(table);
			return;
		}
		Object.assign(mine, { table, isTaken: Boolean(kept?.isTaken), stays: Boolean(kept?.isTaken) });
		whenPaid(table, () =>
			step(async () => {
				// It was called off while somebody paid.
				if (!isOwn(mine)) return lead(table);
				clearTimeout(mine.again);
				open?.lobby?.say('withdraw');
				paired(table);
			}),
		);
	}
	if (isOwn(mine)) listOwn(lobby, mine);
}

/** Begins the game of the own offer. @param {string} text */
async function gameOfOffer(text) {
	const { at, lobby } = /** @type {NonNullable<typeof open>} */ (open);
	const { who: by } = /** @type {Wanted} */ (wanted);
	const { place } = /** @type {Lobby} */ (lobby).ask({ read_offer: text });
	return begin({ place, by: by.key, relay: at.relay, game: { offer: text } });
}

/** @param {Lobby} lobby @param {Own} of */
const listOwn = (lobby, { offer: text, invite }) => lobby.say({ offer: { offer: text, invite } });

/** Whether it still is the own offer. @param {Own} of */
const isOwn = (of) => own === of;

/** Whether somebody who has taken the own offer may be paying. @param {Own} of */
const isBound = ({ boundUntil }) => Date.now() < boundUntil;

/** What the player is told of the own offer. @param {Own} of */
const standsAs = ({ isTaken }) => (isTaken ? 'unpaid' : 'waiting');

/** Offers the same again: the connection was lost, or nobody has paid. @param {Own} of */
async function offerAgain(of) {
	if (!open?.lobby) return;
	// One of the lobby is made anew in time for a payment.
	const least = of.invite ? 0 : RENEWAL / 1000;
	if (open.lobby.ask({ read_offer: of.offer }).until <= seconds() + least) {
		await unlist();
		return goOn();
	}
	Object.assign(of, { id: null, stays: of.isTaken, isOff: false });
	listOwn(open.lobby, of);
}

/** The own offer is not on the list any more. It is forgotten, unless somebody may be about to pay for it. */
function dropOff() {
	if (!own) return;
	clearTimeout(own.again);
	const mayBePaid = own.table && own.isStaked && (own.invite || own.isTaken);
	if (mayBePaid) Object.assign(own, { id: null, isOff: true });
	else {
		if (own.table) forget(own.table).catch(() => {});
		own = null;
	}
}

/** The own offer does not stand any more. */
async function unlist() {
	if (!own) return;
	const { table, again: relisting } = own;
	clearTimeout(relisting);
	own = null;
	open?.lobby?.say('withdraw');
	if (table) await forget(table);
}

/** @param {Listed} found */
async function take({ id, offer: text, game: { place } }) {
	const by = wanted?.who ?? who;
	if (!open?.lobby || !by) return;
	const { at, lobby } = open;
	tell({ phase: 'pairing' });
	tried.add(text);
	const of = { at: { place, relay: at.relay }, by, taken: completed(by, text, seconds()) };
	// An offer is taken once: a friend who has loaded the page again is told the same.
	const mine = await takeOffer(lobby, { id, ...of, signed });
	taking = mine;
	signed = null;
	setTimeout(
		() => step(async () => taking === mine && notPaired({ offer: id, why: 'silent' })),
		ANSWER,
	);
}

/** Somebody takes the own offer. @param {Extract<HeardInLobby, { taken: unknown }>['taken']} said */
async function taken({ offer: id, id: take, letter }) {
	const lobby = open?.lobby;
	if (!lobby) return;
	const mine = own;
	const answer = { offer: id, take, letter: '0x', stays: mine?.stays ?? false };
	if (!mine || !wanted) return lobby.say({ decline: answer });
	tell({ phase: 'pairing' });
	mine.table ??= await gameOfOffer(mine.offer);
	const { table, isStaked } = mine;
	const agreed = await answerTo(table, letter, isStaked);
	if (!isOwn(mine)) return;
	if (!agreed || !wanted) {
		lobby.say({ decline: answer });
		return wanted && tell({ phase: standsAs(mine) });
	}
	// Only who offers is told, and what for is in the letter.
	mine.id = id;
	lobby.say({ accept: { ...answer, letter: agreed } });
	if (!isStaked) return paired(table);
	// Who takes it pays first: the game begins with the first who does. Nobody else is waited for because of the others.
	if (!mine.isTaken) Object.assign(mine, { isTaken: true, boundUntil: Date.now() + PAYMENT });
	tell({ phase: 'unpaid' });
}

/** Waits for the payment of the first taker, to whom the lobby has passed it on that it is accepted. @param {Own} mine */
function waitForPayment(mine) {
	if (mine.stays) return;
	mine.id = null;
	mine.again = setTimeout(() => {
		mine.isOff = true;
		step(goOn);
	}, PAYMENT);
}

/** @param {Extract<HeardInLobby, { accepted: unknown }>['accepted']} said */
async function accepted({ offer: id, letter }) {
	if (own?.isTaken && own.id === id) return waitForPayment(own);
	if (taking?.id !== id) return;
	const { staked } = taking;
	const table = await taking.accepted(letter);
	if (table) return paired(table);
	if (!staked || !wanted?.joins) return notPaired({ offer: id, why: 'declined' });
	taking = null;
	fail(texts.notAccepted);
}

/** @param {number} id */
async function gone(id) {
	if (listed.delete(id)) list();
	if (own?.id !== id) return;
	// This page has said nothing in time.
	dropOff();
	await goOn();
}

const WHY = {
	taken: texts.tooSlow,
	gone: texts.seekGone,
	declined: texts.declined,
	silent: texts.noAnswer,
};

/** @param {Extract<HeardInLobby, { not_paired: unknown }>['not_paired']} said */
async function notPaired({ offer: id, why }) {
	const found = listed.get(id);
	if ((why === 'taken' || why === 'gone') && listed.delete(id)) list();
	// Else it is listed again without its taker.
	if (own?.id === id && why === 'silent') return gone(id);
	if (taking?.id !== id) return;
	const { table, staked } = taking;
	taking = null;
	// It is listed again if its taker does not pay.
	if (staked && why === 'taken' && found) tried.delete(found.offer);
	if (wanted?.joins && wanted.agreed && (staked || why === 'gone' || why === 'silent')) {
		signed = table;
		return tell({ phase: 'looking' });
	}
	if (table) letGo(table);
	if (wanted && !wanted.joins) {
		tell({ phase: 'connecting' });
		return goOn();
	}
	wanted = null;
	tell({ phase: 'failed', note: WHY[why] });
	settle();
}

/**
 * A game that was taken may still begin, where the other one has signed it and the lobby does not say so.
 * @param {Table} table
 */
function letGo(table) {
	until(table, hasBegun, LATE).then((isThere) => {
		if (isThere) tellPaired(table);
		else close(table);
	});
}

/** The lobby is full: asks again in a while. */
function wait() {
	dropOff();
	if (taking?.table) letGo(taking.table);
	taking = null;
	tell({ phase: 'away', note: texts.relayFull });
	clearTimeout(again);
	again = setTimeout(() => step(goOn), BUSY);
}

/** @param {Table} table */
const tellPaired = (table) =>
	tell({ phase: 'paired', invite: null, game: table.game.standing.shown?.number ?? null });

/** Leads to the game of an offer for a stake that an earlier page has made, once somebody has paid. @param {Table} table */
export const follow = (table) => whenPaid(table, () => step(() => lead(table)));

/** Tells that somebody has paid, and seeks nothing else any more. @param {Table} table */
async function lead(table) {
	// That leads to it by itself.
	if (own?.table === table) return;
	wanted = null;
	await unlist();
	tellPaired(table);
}

/** Both have signed. @param {Table} table */
function paired(table) {
	const game = table.game.standing.shown?.number;
	wanted = own = taking = null;
	const { route, view } = current();
	// Somebody who plays the computer meanwhile is not led away.
	if (isHere(route.game) && !(view && isGame(view) && view.over)) tellPaired(table);
	else {
		tell(null);
		if (game) openGame(game);
	}
	settle();
}

/** @param {string} note */
function fail(note) {
	wanted = null;
	tell({ phase: 'failed', note });
	// Somebody may be about to pay: its game is kept in this browser.
	if (own?.isStaked) {
		clearTimeout(own.again);
		own = null;
	}
	leave();
}

/** Leaves the lobby if nobody needs it any more. */
function settle() {
	if (!wanted && !taking && !isWatched) leave();
}

function leave() {
	clearTimeout(again);
	clearTimeout(later);
	clearInterval(renewal);
	clearTimeout(own?.again);
	if (own?.table) forget(own.table).catch(() => {});
	for (const table of [taking?.table, signed]) if (table) letGo(table);
	own = taking = signed = null;
	const was = open;
	open = null;
	was?.lobby?.close();
	listed = new Map();
	list();
	dispatch({ type: 'counts', counts: null });
}

/** Connects to the lobby of a relay, unless it is connected. @param {At} at */
async function connect(at) {
	if (open && open.at.relay === at.relay) return;
	leave();
	/** @type {NonNullable<typeof open>} */
	const mine = { lobby: null, at, witness: null, ahead: 0 };
	open = mine;
	const isThis = () => open === mine;
	const lobby = await openLobby({
		relay: at.relay,
		heard: (said) => step(async () => (isThis() ? hear(said) : undefined)),
		changed(isThere, why) {
			if (!isThis()) return;
			// What was taken or offered on the socket before is gone with it, but for a payment.
			dropOff();
			if (taking && wanted?.joins) signed = taking.table;
			else if (taking?.table) letGo(taking.table);
			taking = null;
			mine.witness = null;
			isListed = false;
			listed = new Map();
			list();
			if (!isThere && wanted?.agreed) tell({ phase: 'away', note: why });
		},
	}).catch((error) => {
		if (isThis()) open = null;
		throw error;
	});
	if (!isThis()) return lobby.close();
	mine.lobby = lobby;
	renewal = setInterval(() => step(renew), RENEWAL);
}

/** Makes the own offer in the lobby anew, before it is over. */
async function renew() {
	if (!wanted || wanted.invite || wanted.joins || !own || own.id === null || taking) return;
	if (isBound(own)) return;
	await unlist();
	await goOn();
}

/** How often something was wanted, or not any more. */
let wishes = 0;
/** Begins a wish; the answer says whether nothing else was wanted since. */
function wishing() {
	wishes += 1;
	const mine = wishes;
	return () => mine === wishes;
}

/** @param {Pick<Wanted, 'wish' | 'invite' | 'offer'>} what */
async function want({ wish, invite, offer: text }) {
	const since = invite ? null : Date.now();
	const isWanted = wishing();
	const staked = Boolean(wish.stake);
	tell({ phase: 'connecting', invite: invite ? (text ?? '') : null, game: null, since, staked });
	try {
		await untilHost();
		await keepChain();
		const at = needHere();
		if (wish.stake && (wish.clock?.bank ?? 0) < LEAST_BANK) throw new Error(texts.stakeNeedsClock);
		const by = wish.stake ? await payer(needStakes()) : await identity(at.place);
		if (!isWanted()) return;
		who = by;
		if (askAgain(originOf(socketsOf(at.relay))) || wrong) leave();
		const { relay } = at;
		wanted = { who: by, wish, invite, joins: null, offer: text, relay, agreed: true };
		tried.clear();
		await connect(at);
		await step(async () => {
			await unlist();
			await goOn();
		});
	} catch (error) {
		if (isWanted()) fail(reason(error));
		throw error;
	}
}

/**
 * Seeks a game: the first that fits, or somebody who takes the own offer. Leads to the game.
 * @param {{ wish?: Partial<Wish> | null }} asked
 */
export const seek = ({ wish = null }) =>
	want({ wish: { ...USUAL, ...wish }, invite: false, offer: null });

/**
 * Invites a friend, by a link with an offer: `seek.invite` of the state has it, once it is known.
 * @param {Partial<Wish> | null} wish @param {string | null} offer that of the link, if it was made before
 */
export const invite = (wish, offer = null) =>
	want({ wish: { ...USUAL, ...wish }, invite: true, offer });

/** Joins the player whose offer this is: of a friend's link, or for a stake. @param {string} text */
export async function join(text) {
	const isWanted = wishing();
	tell({ phase: 'connecting', invite: text, game: null, since: null, staked: false });
	try {
		const ask = await openModule();
		await untilHost();
		const joins = ask({ read_offer: text });
		const at = needHere();
		const isStaked = joins.stake !== '0';
		// With a stake moves can be made on the chain.
		const relay = joins.relay ?? (isStaked ? at.relay : '');
		if (!isPlace(joins.place, isStaked ? needStakes() : at.place)) {
			throw new Error(texts.offerOfOtherChain);
		}
		if ((!isStaked && !joins.witness) || !/^(ws|http)s?:\/\//.test(relay)) {
			throw new Error(texts.offerNotHere);
		}
		if (joins.until * 1000 < Date.now()) throw new Error(texts.offerOver);
		await keepChain();
		const by = isStaked ? await payer(joins.place) : await identity(at.place);
		if (!isWanted()) return;
		if (joins.by.account === by.account) return tell({ phase: 'own', note: texts.ownLink });
		if (!mayTake(joins, by.account)) throw new Error(texts.offerNotHere);
		// What was sought before is not any more.
		wanted = null;
		await step(async () => {
			if (taking?.table) letGo(taking.table);
			taking = null;
			await unlist();
		});
		if (!isWanted()) return;
		who = by;
		const wish = wishOf(joins);
		wanted = { who: by, wish, invite: false, joins, offer: text, relay, agreed: false };
		const isElsewhere = socketsOf(relay) !== socketsOf(at.relay);
		// By a clock a player can lose: nobody agrees to one unasked. And no relay that a link names is asked unasked.
		if (!joins.rules.clock && !isElsewhere && !isStaked) return await look();
		const notes = [askText(wish, isStaked), ...(isElsewhere ? [texts.atOtherRelay(relay)] : [])];
		tell({ phase: 'asking', note: notes.join(' '), staked: isStaked });
	} catch (error) {
		if (isWanted()) fail(reason(error));
	}
}

/** Looks for the player who has made the offer. */
async function look() {
	if (!wanted?.joins) return;
	wanted.agreed = true;
	const { joins, relay, offer: text } = wanted;
	const at = { place: needHere().place, relay };
	const isSame = open && socketsOf(open.at.relay) === socketsOf(at.relay);
	if (askAgain(originOf(socketsOf(at.relay)))) leave();
	await connect(isSame && open ? open.at : at);
	await step(async () => {
		if (!open?.lobby || !open.witness || wanted?.joins !== joins) return;
		await unlist();
		const found = [...listed.values()].find(({ offer }) => offer === text);
		if (found) return take(found);
		lookFor(open.lobby, joins);
	});
}

/** @param {Lobby} lobby @param {OfferedGame} joins */
function lookFor(lobby, joins) {
	tell({ phase: 'looking' });
	lobby.say({ look: joins.invite });
}

/**
 * Pays for the offer for a stake that is looked for, without waiting for its player, who sees the payment on the chain and
 * pays then, or has this player's stake paid back.
 */
export const payUnasked = () =>
	step(async () => {
		if (!wanted?.joins || taking || wanted.joins.stake === '0') return;
		const { joins, relay, offer: text, who: by } = wanted;
		const at = { place: joins.place, relay };
		paired(await gameOf(at, by, completed(by, text ?? '', seconds())));
	});

/** Plays the friend by the terms that were shown. */
export const agree = () => look().catch((error) => fail(reason(error)));

/** Takes an offer of the list, without a stake. @param {number} id */
export async function answer(id) {
	const found = listed.get(id);
	if (!found || !open) return tell({ phase: 'failed', note: WHY.gone });
	// One answer at a time: the other one may have signed the first already.
	if (taking) return;
	await keepChain();
	who = await identity(open.at.place);
	if (found.game.by.account === who.account) {
		list();
		return tell({ phase: 'failed', note: texts.ownSeek });
	}
	wanted = null;
	tell({ phase: 'pairing', invite: null, game: null, since: null });
	await step(async () => {
		await unlist();
		await take(found);
	});
}

/** Plays a program while a game is sought, which goes on if nothing comes of that. @param {number} id of its offer */
export const playProgram = (id) =>
	step(async () => {
		const found = listed.get(id);
		if (!found || !wanted || taking) return;
		await unlist();
		await take(found);
	});

/** Seeks no more. */
export async function withdraw() {
	wishing();
	wanted = null;
	tell(null);
	await inTurn(async () => {
		for (const table of [taking?.table, signed]) if (table) letGo(table);
		taking = signed = null;
		if (own) await unlist();
		else open?.lobby?.say('withdraw');
		// What was under way has told something since.
		if (!wanted) tell(null);
	});
	settle();
}

/** Shows the list of the lobby, or no more. @param {boolean} isShown */
export function watchSeeks(isShown) {
	if (isShown && !open) {
		try {
			connect(needHere()).catch(() => {});
		} catch {
			// It is not known yet where it is, or the player is asked about the host.
		}
	}
	if (isWatched === isShown) return;
	isWatched = isShown;
	settle();
}
