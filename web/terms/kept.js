// What this browser keeps of games by signed terms, and where they are signed and played.

import { contractOf, openQuestion } from '../host/contracts.js';
import { session } from '../host/session.js';
import { host } from '../hosts.js';
import { openRecords } from '../player/records.js';
import '../names.js';
import { accountName } from '../state/account-name.js';
import { NO_SCORE } from '../state/by-terms.js';
import { pruned } from '../state/by-terms-kept.js';
import { SIGNED } from '../state/here.js';
import { changeKept, isSame, recall } from '../storage.js';
import { current, subscribe } from '../store.js';
import { Failure } from '../transport.js';
import { texts } from '../words/terms.js';

/** @import { PlayerShown, SignedPlace } from '../ask.d.ts' */
/** @import { Records } from '../player/records.js' */
/** @import { KeptSigned, Score } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */

/** @type {Promise<Records> | null} */
let opening = null;
/** The records of this browser; opened anew after they could not be. */
export function records() {
	opening ??= openRecords();
	opening.catch(() => {
		opening = null;
	});
	return opening;
}

/** @type {Record<GameId, KeptSigned>} */
const NONE = {};

/** The games by terms of this browser, as other tabs know them, too. */
export const kept = () => recall(SIGNED, NONE);

/** The series of a game, before it. @param {GameId} game @returns {{ score: Score, previous: GameId | null }} */
export const seriesOf = (game) => {
	const { score = NO_SCORE, previous = null } = kept()[game] ?? {};
	return { score, previous };
};

/** Whether nothing is to be done in a game any more. @param {PlayerShown} shown */
export const isOver = ({ stage, awaited }) =>
	['over', 'no_game', 'no_result'].includes(stage) || (stage === 'refunded' && !awaited);

/**
 * Lists a game as it stands, and forgets finished ones that are many. `series` is what is known of it when it begins.
 * @param {string} name of its record @param {PlayerShown} shown
 * @param {{ score: Score, previous: GameId | null }} [series]
 */
export function write(name, shown, series) {
	const { number, side, terms, game } = shown;
	if (!number || !side || !terms || !game) return;
	const before = kept()[number];
	const own = terms.players[side === 'red' ? 'red' : 'blue'];
	const { account, guest } = terms.players[side === 'red' ? 'blue' : 'red'];
	const { score, previous } = series ?? before ?? { score: NO_SCORE, previous: null };
	/** @type {KeptSigned} */
	const now = {
		name,
		opponent: guest ? `guest ${accountName(account)}` : accountName(account),
		key: own.key,
		turns: game.position.turns,
		over: isOver(shown),
		time: terms.time,
		score,
		previous,
	};
	if (isSame(before, now)) return;
	// With a stake several may have taken the offer: what is listed is the game with the one that is looked for.
	changeKept(SIGNED, NONE, (games) => pruned({ ...without(games, name), [number]: now }));
}

/** The games but those of a record. @param {Record<GameId, KeptSigned>} games @param {string} of */
const without = (games, of) =>
	Object.fromEntries(Object.entries(games).filter(([, { name }]) => name !== of));

/** Lists a game no more that has not begun. @param {string} name of its record */
export const unlist = (name) => changeKept(SIGNED, NONE, (games) => without(games, name));

/** The host's relay, and the chain for which games are signed there. @typedef {{ place: SignedPlace, relay: string }} At */

/** Where games are signed and played at the host that is used; null if it is not known. @returns {At | null} */
export function here() {
	const { chain } = session;
	if (!chain || chain.chainId === null) return null;
	return {
		place: { chain_id: chain.chainId, genesis: chain.genesis, stakes: null },
		relay: chain.relay ?? (host() || location.origin),
	};
}

/** The same, to sign for it. @throws {Error} with words for the player */
export function needHere() {
	const question = openQuestion();
	if (question) throw new Error(question);
	const at = here();
	if (at) return at;
	throw new Error(texts.noChain);
}

/** Where games with a stake are signed at the host that is used. @throws {Error} with words for the player @returns {SignedPlace} */
export function needStakes() {
	const stakes = contractOf('stakes');
	if (!stakes) throw new Error(texts.noStakes);
	return { ...needHere().place, stakes };
}

/** The same once the host has said it. @returns {Promise<At>} */
export function untilHost() {
	const now = here();
	if (now) return Promise.resolve(now);
	return new Promise((resolve, reject) => {
		let isDone = false;
		const look = () => {
			const { hello } = current();
			// What was kept of a host that is away says nothing yet.
			if (isDone || !hello || (hello.signing && !session.chain)) return;
			isDone = true;
			const at = here();
			if (at) resolve(at);
			else reject(new Failure(texts.noChain, 'refused'));
		};
		subscribe(look);
		look();
	});
}

/** Whether two places are one. @param {SignedPlace} one @param {SignedPlace} other */
export const isPlace = (one, other) =>
	one.chain_id === other.chain_id &&
	one.genesis === other.genesis &&
	(one.stakes ?? '').toLowerCase() === (other.stakes ?? '').toLowerCase();
