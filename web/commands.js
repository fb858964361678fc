// What a player can have done. Each command sends a request or changes what is shown.

import { navigate, openGame } from './navigation.js';
import { player } from './player.js';
import { actions } from './state/actions.js';
import { plan } from './state/drop.js';
import { shownAt } from './state/position.js';
import { current, dispatch } from './store.js';
import { Failure, get, reason } from './transport.js';

/** @import { Action, Address, AnswerChallenge, ClassicId, Colour, MakeChallenge, Request, StartGame, VariantMove } from './state/types.d.ts' */
/** @import { Level } from './wire.d.ts' */

const SETTLE = 15_000; // milliseconds after which a drop that the board never showed blocks no more

let requests = 0;

/**
 * Shows what becomes of a request, which was sent first: to show it takes time. Gives the answer, or null if it
 * failed.
 * @template Answer
 * @param {Request} what @param {Promise<Answer>} asked
 * @param {{ bin?: number, move?: VariantMove }} about the bin of a drop, the move of a variant
 * @returns {Promise<Answer | null>}
 */
export async function send(what, asked, about = {}) {
	requests += 1;
	const id = requests;
	const { route } = current();
	// A message about a request would not be understood on another page.
	const isHere = () => current().route === route;
	dispatch({ type: 'sending', id, what, ...about });
	try {
		const answer = await asked;
		if (isHere()) dispatch({ type: 'sent', id });
		setTimeout(() => dispatch({ type: 'settle', id }), SETTLE);
		return answer;
	} catch (failure) {
		const refused = failure instanceof Failure && failure.kind === 'refused';
		const text = reason(failure);
		if (isHere()) dispatch({ type: 'failed', id, text, bin: refused ? about.bin : null });
		return null;
	}
}

/** @param {number} bin from 0 */
export function drop(bin) {
	const state = current();
	const { view } = state;
	if (!view) return;
	const { send: to, error, bin: at, soft } = plan({ ...state, view }, bin);
	if (error) dispatch({ type: 'refuse', text: error, bin: at, soft });
	else if (to !== undefined && view.game !== null) {
		send('drop', player().drop(view.game, { bin: to, board: view.board }), { bin: to });
	}
}

/** @param {Action} action @param {Colour} seat */
export function act(action, seat) {
	const { view } = current();
	if (view && view.game !== null) send('act', player().act(view.game, { act: action, seat }));
}

/** Brings what is signed of a fast game to the chain. @param {Colour} seat */
export function settle(seat) {
	const { view } = current();
	if (view && view.game !== null) send('act', player().settle(view.game, { seat }));
}

/**
 * Pays an account all that it is owed.
 * @param {Address} account @param {number[]} games to settle before
 */
export const withdraw = (account, games) => send('act', player().withdraw({ account, games }));

/** Pays a seat's account what it is owed. @param {Colour} seat */
export function withdrawFor(seat) {
	const { view } = current();
	if (!view || view.game === null) return;
	withdraw(view[seat], view.freed || typeof view.game === 'string' ? [] : [view.game]);
}

/**
 * Lets the computer play a seat.
 * @param {Colour} seat @param {Level | null} level null to stop it
 */
export function setComputer(seat, level) {
	const { view } = current();
	if (view && view.game !== null)
		send('computer', player().setComputer(view.game, { seat, level }));
}

/** Takes a seat back from the computer. @param {Colour} seat */
export function takeBack(seat) {
	const { view, plays } = current();
	if (!view || view.game === null) return;
	const chosen = plays[view.game];
	if (chosen) {
		const accounts = [...new Set([...chosen, view[seat]])];
		dispatch({ type: 'plays', game: view.game, accounts });
	}
	setComputer(seat, null);
}

/** Chooses which seats this browser plays. @param {Colour[]} colours */
export function playSeats(colours) {
	const { view } = current();
	if (!view || view.game === null) return;
	const accounts = colours.map((colour) => view[colour]);
	dispatch({ type: 'plays', game: view.game, accounts });
}

export async function nextGame() {
	const state = current();
	const { view } = state;
	if (!view || view.game === null || state.pending) return;
	const seats = actions({ ...state, view }).next;
	if (!seats) return;
	const { stake } = view.match;
	const answer = await send('next', player().next(view.game, { seats, stake }));
	// The program tells of the next game on the socket as well: whichever comes first opens it.
	if (answer && answer.game !== null && current().route.game === view.game) openGame(answer.game);
}

/** @param {StartGame} body @param {Address[]} accounts the ones that this browser plays */
export async function startGame(body, accounts) {
	if (current().pending) return;
	const answer = await send('start', player().startGame(body));
	if (answer) playGame(answer.game, accounts);
}

/** @param {MakeChallenge} body */
export async function makeChallenge(body) {
	const { pending, games } = current();
	if (pending) return;
	const answer = await send('challenge', player().challenge(body));
	const before = games ?? current().games;
	const { account } = body;
	if (answer && before) dispatch({ type: 'waits', challenge: answer.challenge, account, before });
}

/** @param {number} challenge @param {AnswerChallenge} body */
export async function answerChallenge(challenge, body) {
	const { pending, waits } = current();
	if (pending) return;
	const cancelled = body.act === 'cancel' && waits?.challenge === challenge && waits;
	if (cancelled) dispatch({ type: 'waits no more' });
	const answer = await send('challenge', player().answer(challenge, body));
	// It still stands, or was accepted meanwhile.
	if (!answer && cancelled) dispatch({ ...cancelled, type: 'waits', before: cancelled });
	if (answer && answer.game !== null) playGame(answer.game, [body.account]);
	else if (answer) dispatch({ type: 'closed', challenge });
}

/** Asks about all terms of a challenge, or no more. @param {number | null} challenge */
export const consider = (challenge) => dispatch({ type: 'consider', challenge });

/** Shows more of the open challenges, which are older. */
export async function showOlder() {
	const { games, older } = current();
	const from = (older ?? games)?.older_challenges;
	try {
		const next = await get(`/api/challenges?from=${from}`);
		// It may have been asked for twice.
		if (current().older === older) dispatch({ ...next, type: 'older' });
	} catch (failure) {
		dispatch({ type: 'refuse', text: reason(failure) });
	}
}

/** @param {ClassicId} game @param {Address[]} accounts */
function playGame(game, accounts) {
	dispatch({ type: 'plays', game, accounts });
	openGame(game);
}

/** Opens a line of moves; fails if it is none. @param {string} query */
export async function openLine(query) {
	await get(`/api/line?${query}`);
	navigate(`/line?${query}`);
}

/** @param {number} at in moves from the start */
export const showPosition = (at) => dispatch({ type: 'show', at });

/** @param {number} by in moves */
export function step(by) {
	const { at, ...state } = current();
	const view = state.view ?? state.variant;
	if (view) showPosition(shownAt({ view, at }) + by);
}
