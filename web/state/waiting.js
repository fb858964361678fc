// A challenge of this browser that waits for an answer.

import { texts } from '../words/page.js';
import { isTooOld } from './challenges.js';

/** @import { State, Waiting } from './types.d.ts'
 * @import { ListedGame } from '../wire.d.ts' */

/**
 * The state once it is known what became of the challenge that waits, as far as the lists of the lobby
 * tell. They may tell it before the wallet has told that the challenge is on the chain, and long after, if
 * the page was closed or cut off.
 * @param {State} state
 * @returns {State}
 */
export function awaited(state) {
	const { waits, games: lists, hello } = state;
	if (!waits || !lists || !hello) return state;
	const listed = lists.challenges.find(({ challenge }) => challenge === waits.challenge);
	if (listed) return listed === waits.listed ? state : { ...state, waits: { ...waits, listed } };
	// Nobody is led away from an account that is not used any more.
	if (!hello.accounts.some(({ address }) => address === waits.account)) return state;
	const mine = lists.games.filter(
		(game) => isNewer(game, waits) && game.players.some(({ account }) => account === waits.account),
	);
	const accepted = mine.find((game) => !game.over) ?? mine[0];
	if (accepted) {
		const plays = { ...state.plays, [accepted.game]: [waits.account] };
		return { ...state, waits: null, go: accepted.game, plays };
	}
	// It may not be listed yet, or be too old for the list.
	if (!waits.listed || isTooOld(waits, lists)) return state;
	const error = { text: texts.challengeDeclined, bin: null, soft: false };
	return { ...state, waits: null, error };
}

/**
 * Whether a game of two was started when there were so many.
 * @param {ListedGame} listed @param {Pick<Waiting, 'counts'>} before
 */
function isNewer({ game }, { counts }) {
	return !game.startsWith('v') && Number(game) >= counts.classic;
}
