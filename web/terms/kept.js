// What this browser keeps of games by signed terms, and where the host has its relay.

import { keepApp } from '../app.js';
import { openJournal } from '../host/journal.js';
import { needPlace, place } from '../host/place.js';
import { session } from '../host/session.js';
import { NO_SCORE } from '../state/by-terms.js';
import { pruned } from '../state/by-terms-kept.js';
import { BY_TERMS } from '../state/here.js';
import { short } from '../state/text.js';
import { changeKept, isSame, recall } from '../storage.js';
import { current, dispatch, subscribe } from '../store.js';
import { Failure, reason } from '../transport.js';
import { texts } from '../words/terms.js';
import { beginTable, bookName } from './table.js';

/** @import { NextGame, Place, TermsState } from '../ask.d.ts' */
/** @import { Journal } from '../host/journal.js' */
/** @import { KeptByTerms } from '../state/types.d.ts'
 * @import { GameId, Score } from '../wire.d.ts' */

/** @type {Promise<Journal> | null} */
let opening = null;
/** The keys of this browser; opened anew after they could not be. */
export function journal() {
	opening ??= openJournal();
	opening.catch(() => {
		opening = null;
	});
	return opening;
}

/** @type {Record<GameId, KeptByTerms>} */
const NONE = {};

/** The games by terms of this browser, as other tabs know them, too. */
export const kept = () => recall(BY_TERMS, NONE);

/** Keeps a game, and forgets finished ones that are many. @param {GameId} game @param {KeptByTerms} of */
export function write(game, of) {
	const now = Date.now() / 1000;
	const before = kept();
	const { gone } = pruned({ ...before, [game]: of }, now);
	changeKept(BY_TERMS, NONE, (games) =>
		// Another tab may have kept more of this game.
		isSame(games[game], before[game]) ? pruned({ ...games, [game]: of }, now).stay : games,
	);
	for (const [name, { key, chain_id, contract }] of gone) {
		if (key) forget(key, bookName({ chain_id, contract }, name)).catch(() => {});
	}
}

/** @param {string} key @param {string} book */
const forget = async (key, book) => (await journal()).forgetBook(key, book);

/** Where the host of this page has its relay, and for which contract of which chain terms are signed there. */
export function hostPlace() {
	const at = place();
	return at && { place: at, relay: session.chain?.relay ?? null };
}

/**
 * A relay's address by that which is kept: null is the host that is used now, at which `relaySocket` opens the paths.
 * @param {string | null} relay
 */
export const relayAt = (relay) => relay ?? location.origin;

/** The same once the host has said it, and what it says was accepted. @returns {Promise<NonNullable<ReturnType<typeof hostPlace>>>} */
export function untilHost() {
	const now = hostPlace();
	if (now) return Promise.resolve(now);
	return new Promise((resolve, reject) => {
		let isDone = false;
		const look = () => {
			const { hello } = current();
			// What was kept of a host that is away says nothing yet.
			if (isDone || !hello || (hello.public && !session.chain)) return;
			isDone = true;
			try {
				needPlace();
				resolve(/** @type {NonNullable<ReturnType<typeof hostPlace>>} */ (hostPlace()));
			} catch (error) {
				reject(new Failure(reason(error), 'refused'));
			}
		};
		subscribe(look);
	});
}

/** The opponent, in words. @param {TermsState} state @param {string} key */
function opponentOf({ players: { red, blue } }, key) {
	const { account, guest } = red.key === key ? blue : red;
	return guest ? `guest ${short(account)}` : short(account);
}

/**
 * Begins a game that this browser has just signed.
 * @param {NextGame} signed @param {{ place: Place, relay: string | null }} at
 * @param {{ key: string, secret: string }} who
 * @param {{ score: Score, previous: GameId | null }} [series]
 */
export async function begin(
	{ game, terms },
	{ place, relay },
	who,
	series = { score: NO_SCORE, previous: null },
) {
	/** @param {TermsState} state */
	const begun = (state) => ({
		terms,
		...place,
		relay,
		opponent: opponentOf(state, who.key),
		key: who.key,
		time: state.time,
		turns: 0,
		over: false,
		...series,
	});
	const named = { game: /** @type {GameId} */ (game) };
	const at = { game, terms, place, ...who };
	const keeping = {
		journal: await journal(),
		begun: (/** @type {TermsState} */ of) => ({ ...named, ...begun(of) }),
	};
	const state = await beginTable({ ...at, ...keeping }).catch((error) => {
		throw new Error(texts.doesNotBegin(reason(error)));
	});
	// A full storage forgets it with the page, and then the journal has it.
	write(game, begun(state));
	keepApp();
}

/**
 * Lists the games that this browser has begun and whose list it has lost, or had no room for.
 * @returns {Promise<void>}
 */
export async function recallBegun() {
	const listed = kept();
	const lost = (await (await journal()).begun()).filter(({ game }) => !listed[game]);
	for (const { game, ...of } of lost) write(game, of);
	const { hello } = current();
	if (lost.length && hello) dispatch({ type: 'hello', hello });
}
