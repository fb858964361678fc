// The lobby of a relay: who seeks a game there, and how this player finds an opponent. What is signed, and who answers
// whom, is decided by the module.

import { askAgain } from '../floods.js';
import { identity } from '../guest/account.js';
import { toHex } from '../host/hex.js';
import { keepChain } from '../host/pins.js';
import { needPlace, notSigned } from '../host/place.js';
import { openRoom, originOf, relayUrl } from '../host/room.js';
import { inOrder } from '../host/steps.js';
import { ask } from '../host/wasm.js';
import { relaySocket } from '../hosts.js';
import { openGame } from '../navigation.js';
import { askText } from '../state/by-terms.js';
import { STANDARD } from '../state/classic.js';
import { isHere } from '../state/seats.js';
import { current, dispatch } from '../store.js';
import { capital } from '../words/forms.js';
import { texts } from '../words/terms.js';
import { begin, hostPlace, journal, relayAt } from './kept.js';

/** @import { InLobby, LobbySaid, ShownSeek, Who, Wish } from '../ask.d.ts' */
/** @import { Seek } from '../state/types.d.ts' */

/** Frames that a lobby may send at once: all that it lists. */
const AT_ONCE = 2_000;
/** Seeks that are kept of those that are listed; the newest are left out. */
const MOST_SEEKS = 500;
const RENEWAL = 300_000; // milliseconds after which a seek is made anew: an old one is believed by nobody
const BUSY = 5_000; // milliseconds after which a full lobby is asked again

/** What is wanted. @typedef {{ wish: Wish, invite: string | null, joins: boolean, id: number | null }} Wanted */

/** The standard board in its pool, each player as likely to begin. @type {Wish} */
const USUAL = {
	shape: STANDARD,
	pie_rule: false,
	pool: 1,
	clock: null,
	side: 'random',
};

/** Somebody who only reads. */
const READER = {
	secret: toHex(crypto.getRandomValues(new Uint8Array(32))),
	account: null,
	session: null,
};

/** Who plays here, once somebody wants to. @type {(Who & { key: string }) | null} */
let who = null;
/** Whether this player seeks it itself, on another device: nobody plays with itself. @param {ShownSeek} seek */
const isOwn = ({ account }) => who !== null && account === (who.account ?? who.key);
/** @type {Wanted | null} */
let wanted = null;
/** The place in the lobby, for the next step. @type {string | null} */
let visit = null;
/** What others seek. @type {Map<number, ShownSeek>} */
let seeks = new Map();
let isAsking = false;
/** Whether a seek of this player stands, or was sent. */
let isSeeking = false;
/** Whether the list of the lobby is shown. */
let isWatched = false;
/** Whether what is wanted was said on this socket. */
let isSaid = false;
/** The socket, and where it is. @type {{ room: ReturnType<typeof openRoom>, at: NonNullable<ReturnType<typeof hostPlace>> } | null} */
let open = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** @type {ReturnType<typeof setInterval> | undefined} */
let renewal;

/** Why no game can be agreed on at this relay; empty if one can. */
let wrongClock = '';

/** @param {Partial<Seek> | null} change */
function tell(change) {
	if (!change) return dispatch({ type: 'seek', seek: null });
	/** @type {Seek} */
	const none = { phase: 'connecting', invite: wanted?.invite ?? null, note: '', game: null };
	dispatch({ type: 'seek', seek: { ...none, ...current().seek, note: '', ...change } });
}

/** Tells what is sought by others, once for all messages that have come. */
let isTelling = false;
function list() {
	if (isTelling) return;
	isTelling = true;
	queueMicrotask(() => {
		isTelling = false;
		const all = [...seeks.values()].filter((seek) => !isOwn(seek));
		all.sort((one, other) => one.id - other.id);
		dispatch({ type: 'seeks', seeks: open && visit ? all : null });
	});
}

/** Steps follow each other: each one begins with the visit that the one before has left. */
const inTurn = inOrder();

/** One step in the lobby. @param {InLobby} step */
async function take(step) {
	// Contracts about which the player is asked meanwhile are not signed for.
	const why = open ? notSigned(open.at.place, { isFresh: true }) : '';
	if (why) return fail(why);
	const random = toHex(crypto.getRandomValues(new Uint8Array(32)));
	const now = Math.floor(Date.now() / 1000);
	const { secret, account, session } = who ?? READER;
	const asked = { who: { secret, account, session }, visit, now, random, step };
	const { said, send, refused, ...left } = await ask({ lobby: asked });
	({ visit, asking: isAsking, seeking: isSeeking } = left);
	for (const frame of send) open?.room.send(frame);
	if (refused) return fail(texts.lobbyRefuses(refused.text));
	if (said !== null) await hear(said);
	// What was heard may have led to further steps.
	if (wanted && isSaid && !wanted.joins && !isSeeking && !isAsking && visit) await say();
}

/** @param {LobbySaid} said */
async function hear(said) {
	if (said === 'complete') return pair();
	if (said === 'cleared') {
		seeks.clear();
		return list();
	}
	if (said === 'busy') return wait();
	if ('welcome' in said) return enter(said.welcome);
	if ('seeking' in said) {
		if (wanted) wanted.id = said.seeking;
		tell({ phase: 'waiting' });
		return pair();
	}
	if ('listed' in said) return listed(said.listed);
	if ('gone' in said) {
		seeks.delete(said.gone);
		list();
		if (invited?.id === said.gone) {
			invited = null;
			return tell({ phase: 'looking' });
		}
		if (wanted?.id === said.gone) {
			wanted = null;
			tell({ phase: 'failed', note: texts.soughtElsewhere });
		}
		return;
	}
	if ('not_paired' in said) return notPaired(said.not_paired);
	await paired(said.paired);
}

/** The relay welcomes: what it says has to be what the host says. @param {Extract<LobbySaid, { welcome: unknown }>['welcome']} said */
async function enter({ chain_id: chain, contract, clock }) {
	const { place } = /** @type {NonNullable<typeof open>} */ (open).at;
	if (chain !== place.chain_id || contract !== place.contract) {
		return fail(texts.relayOfOtherChain);
	}
	list();
	wrongClock = clock ? `${capital(clock)}.` : '';
	if (wrongClock && wanted) return fail(wrongClock);
	// A visitor who only looks sees nothing that others seek, as it is of another time.
	if (wrongClock) tell({ phase: 'failed', note: wrongClock });
	if (wanted) await say();
	if (!wanted?.joins) await take('list');
}

/** Says what is wanted. */
async function say() {
	if (!wanted || !who) return;
	isSaid = true;
	const { wish, invite, joins } = wanted;
	tell({ phase: joins ? 'looking' : 'connecting' });
	await take(joins ? { look: invite ?? '' } : { seek: { wish, invite } });
}

/** Seeks the same anew. */
async function renew() {
	if (!wanted || !isSaid || wanted.joins || isAsking || !visit) return;
	// The seek before is gone then.
	wanted.id = null;
	const { wish, invite } = wanted;
	await take({ seek: { wish, invite } });
}

/** @param {ShownSeek} seek */
async function listed(seek) {
	if (seek.invited && wanted?.joins) {
		if (isOwn(seek)) {
			wanted = null;
			tell({ phase: 'own', note: texts.ownLink });
			return settle();
		}
		// By a clock a player can lose who has no wallet: nobody agrees to one unasked.
		if (seek.wish.clock && JSON.stringify(seek.wish) !== agreedTo) {
			invited = seek;
			return tell({ phase: 'asking', note: askText(seek.wish) });
		}
		return accept(seek);
	}
	if (seeks.size >= MOST_SEEKS) return;
	seeks.set(seek.id, seek);
	list();
	await pair();
}

/** The friend's seek, while this player has not agreed to its clock. @type {ShownSeek | null} */
let invited = null;
/** What a friend wants to which this player has agreed, also if the friend seeks it anew. */
let agreedTo = '';

/** @param {ShownSeek} seek */
function accept({ id, signed, wish }) {
	invited = null;
	agreedTo = JSON.stringify(wish);
	tell({ phase: 'pairing' });
	return take({ answer: { id, signed } });
}

/** Plays the friend by the terms that were shown. */
export const agree = () => inTurn(async () => invited && wanted?.joins && accept(invited));

/** Answers the first that fits. */
async function pair() {
	if (!wanted || wanted.invite || wanted.joins || wanted.id === null || isAsking) return;
	const own = wanted.id;
	const before = [...seeks.values()].filter((seek) => seek.id < own && !isOwn(seek));
	if (!before.length) return;
	await take({ pair: before.map(({ id, signed }) => ({ id, signed })) });
	if (isAsking) tell({ phase: 'pairing' });
}

/** @type {Record<string, string>} */
const WHY = {
	taken: texts.tooSlow,
	gone: texts.seekGone,
	declined: texts.declined,
	silent: texts.noAnswer,
};

/** @param {{ seek: number, why: string }} said */
async function notPaired({ seek, why }) {
	// If it is there again it is listed again.
	if ((why === 'taken' || why === 'gone') && seeks.delete(seek)) list();
	// A friend who has loaded the page again seeks anew, by the same invite.
	if (wanted?.joins && (why === 'gone' || why === 'silent')) return tell({ phase: 'looking' });
	if (answering === seek || wanted?.joins) {
		answering = null;
		wanted = null;
		return tell({ phase: 'failed', note: WHY[why] ?? '' });
	}
	if (wanted) tell({ phase: 'waiting' });
	await pair();
}

/** The seek of the list that the player has answered. @type {number | null} */
let answering = null;

/** The lobby is full: asks again in a while. */
function wait() {
	answering = null;
	tell({ phase: 'away', note: texts.relayFull });
	clearTimeout(again);
	again = setTimeout(() => inTurn(async () => visit && say()), BUSY);
}

/** Both have signed. @param {{ game: string, terms: string }} signed */
async function paired(signed) {
	const { game } = signed;
	const at = open?.at;
	if (!who || !at) return;
	wanted = null;
	answering = null;
	await begin(signed, at, { key: who.key, secret: who.secret });
	const { route } = current();
	// Somebody who plays the computer meanwhile is not led away.
	if (isHere(route.game) && !current().view?.over) tell({ phase: 'paired', game });
	else {
		tell(null);
		openGame(game);
	}
	settle();
}

/** @param {string} note */
function fail(note) {
	wanted = null;
	answering = null;
	tell({ phase: 'failed', note });
	close();
}

/** Leaves the lobby if nobody needs it any more. */
function settle() {
	if (!wanted && answering === null && !isWatched) close();
}

function close() {
	clearTimeout(again);
	clearInterval(renewal);
	if (!open) return;
	open.room.close();
	open = null;
	visit = null;
	seeks = new Map();
	list();
}

/** @param {Pick<NonNullable<ReturnType<typeof hostPlace>>, 'relay'>} at */
const lobbyOf = ({ relay }) => relayUrl(relayAt(relay), 'lobby');

/** Connects to the lobby, unless it is connected. */
function connect() {
	if (open) return;
	needPlace();
	const at = /** @type {NonNullable<ReturnType<typeof hostPlace>>} */ (hostPlace());
	const url = lobbyOf(at);
	const room = openRoom(url, {
		atOnce: AT_ONCE,
		socket: relaySocket(at.relay),
		frame: (frame) => {
			inTurn(async () => {
				if (open?.room === room) await take({ hear: frame });
			}).catch((error) => {
				if (open?.room === room) fail(error instanceof Error ? error.message : String(error));
			});
		},
		changed: (isThere, why) => {
			visit = null;
			isSaid = false;
			isAsking = false;
			invited = null;
			seeks = new Map();
			if (wanted) wanted.id = null;
			list();
			if (!isThere && wanted) tell({ phase: 'away', note: why });
		},
	});
	open = { room, at };
	renewal = setInterval(() => inTurn(renew).catch(() => {}), RENEWAL);
}

/** Who plays here, as the module takes it. @returns {Promise<Who & { key: string }>} */
async function player() {
	await keepChain();
	const { account, key, secret, session } = await identity();
	// Before terms are signed that could not be kept.
	await (await journal()).check(key);
	return { key, secret, session, account: session ? account : null };
}

/** @param {Omit<Wanted, 'id'>} what */
async function want(what) {
	tell({ phase: 'connecting', invite: what.invite, game: null });
	try {
		who = await player();
		const at = hostPlace();
		// The clock may have been set: the relay tells its time anew.
		if (at && (askAgain(originOf(lobbyOf(at))) || wrongClock)) close();
		const isNew = !open;
		wanted = { ...what, id: null };
		connect();
		if (!isNew && visit) await inTurn(say);
	} catch (error) {
		wanted = null;
		tell({ phase: 'failed', note: error instanceof Error ? error.message : String(error) });
		throw error;
	}
}

/**
 * Seeks a game: the first that fits, or one who answers; with an invite, the friend who has it. Leads to the game.
 * @param {{ wish?: Partial<Wish> | null, invite?: string | null }} asked `invite` has 32 hexadecimal digits
 */
export const seek = ({ wish = null, invite = null }) =>
	want({ wish: { ...USUAL, ...wish }, invite: invite && `0x${invite}`, joins: false });

/** Joins the friend who has made this invite. @param {string} invite 32 hexadecimal digits */
export const join = (invite) => want({ wish: USUAL, invite: `0x${invite}`, joins: true });

/** Answers a seek of the list. @param {number} id */
export async function answer(id) {
	const listed = seeks.get(id);
	if (!listed) return tell({ phase: 'failed', note: WHY.gone ?? '' });
	// One answer at a time: the seeker of the first may have signed it already.
	if (isAsking) return;
	who = await player();
	if (isOwn(listed)) {
		list();
		return tell({ phase: 'failed', note: texts.ownSeek });
	}
	const had = wanted && !wanted.joins;
	wanted = null;
	answering = id;
	tell({ phase: 'pairing', invite: null, game: null });
	await inTurn(async () => {
		if (had && visit) await take('withdraw');
		await take({ answer: { id, signed: listed.signed } });
	});
}

/** Seeks no more. */
export async function withdraw() {
	const had = wanted && !wanted.joins;
	wanted = null;
	invited = null;
	agreedTo = '';
	answering = null;
	tell(null);
	await inTurn(async () => {
		if (had && visit) await take('withdraw');
	});
	settle();
}

/** Shows the list of the lobby, or no more. @param {boolean} isShown */
export function watchSeeks(isShown) {
	if (isShown && !open && hostPlace()) connect();
	if (isWatched === isShown) return;
	isWatched = isShown;
	settle();
}
