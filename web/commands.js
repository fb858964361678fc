// What a player can have done. Each command sends a request or changes what is shown.

import { late } from './late.js';
import { lineOf, navigate, openGame } from './navigation.js';
import { games, player, playerOf, termsGames } from './player.js';
import { confirms } from './settings.js';
import { actions } from './state/actions.js';
import { again } from './state/classic.js';
import { mayMove, plan } from './state/plan.js';
import { shownAt } from './state/position.js';
import { addressOf, isGame, isHere, isVariant } from './state/seats.js';
import { reason } from './state/text.js';
import { current, dispatch, dispatchSilently, tell } from './store.js';
import { Failure } from './transport.js';

/** @import { GameAct, Playing, Request, Shown, StartHere } from './state/types.d.ts'
 * @import { Address, Cell, Colour, GameId, Level, MoveAsked, StartGame } from './wire.d.ts' */

const QUICK = 100; // milliseconds for which a move is under way without a word
const SETTLE = 15_000; // milliseconds after which a move that the board never showed blocks no more

let requests = 0;

/** The state, if it shows a game or a line. @returns {Shown | null} */
export function shown() {
	const { view, ...state } = current();
	return view && { ...state, view };
}

/** The state, if it shows a game. @returns {Playing | null} */
export function playing() {
	const { view, ...state } = current();
	return view && isGame(view) ? { ...state, view } : null;
}

/**
 * Shows what becomes of a request, which was sent first: to show it takes time. Of a move nothing is shown unless it
 * takes long: a frame that says that it is being sent would make it wait. Gives the answer, or null if it failed.
 * @template Answer
 * @param {Request} what @param {Promise<Answer>} asked @param {MoveAsked} [move]
 * @returns {Promise<Answer | null>}
 */
export async function send(what, asked, move) {
	requests += 1;
	const id = requests;
	const { route } = current();
	// A message about a request would not be understood on another page.
	const isHere = () => current().route === route;
	dispatchSilently({ type: 'sending', id, what, move });
	if (what === 'move') setTimeout(tell, QUICK);
	else tell();
	try {
		const answer = await asked;
		if (isHere()) dispatch({ type: 'sent', id });
		setTimeout(() => dispatch({ type: 'settle', id }), SETTLE);
		return answer;
	} catch (failure) {
		const refused = failure instanceof Failure && failure.kind === 'refused';
		const bin = refused && move?.kind === 'drop' ? move.bin : null;
		if (isHere()) dispatch({ type: 'failed', id, text: reason(failure), bin });
		return null;
	}
}

/** @param {MoveAsked} asked */
export function makeMove(asked) {
	const state = shown();
	if (!state) return;
	const { view } = state;
	const { send: move, premove, error, bin, soft } = plan(state, asked);
	if (premove !== undefined) {
		dispatch({ type: 'premove', bin: state.premove === premove ? null : premove });
	} else if (error) dispatch({ type: 'refuse', text: error, bin, soft });
	else if (move && isGame(view)) {
		const { game, turns, board } = view;
		send('move', playerOf(game).move(game, { move, turns, board }), move);
	}
}

/** Makes the move that was waiting for the opponent's, once that is there. Who shows the state is told later. */
export function followPremove() {
	const state = shown();
	if (!state || state.premove === null || !mayMove(state)) return;
	dispatchSilently({ type: 'premove', bin: null });
	makeMove({ kind: 'drop', bin: state.premove });
}

/** A cell was clicked or tapped, or Enter was pressed there. @param {Cell} cell @param {boolean} byTouch */
export function choose(cell, byTouch = false) {
	const { picked } = current();
	const { bin } = cell;
	if (picked) late.variants?.choose(cell);
	else if (byTouch && confirms() && isUnconfirmed(bin)) dispatch({ type: 'tap', bin });
	else makeMove({ kind: 'drop', bin });
}

/** Whether a disc would be dropped into a bin that was not tapped before. @param {number} bin */
function isUnconfirmed(bin) {
	const state = shown();
	return state !== null && state.tapped !== bin && Boolean(plan(state, { kind: 'drop', bin }).send);
}

/** @param {number} number from 1 */
export function typeNumber(number) {
	const { picked } = current();
	if (picked) late.variants?.typeNumber(number);
	else makeMove({ kind: 'drop', bin: number - 1 });
}

/** @param {GameAct} what @param {Colour} seat */
export function act(what, seat) {
	const view = playing()?.view;
	if (!view) return;
	// A seat of this page has no account.
	const account = isHere(view.game) ? seat : addressOf(view, seat);
	if (account) send('act', playerOf(view.game).act(view.game, { act: what, account }));
}

/** Has the account that has paid for the game's storage free it. */
export function free() {
	const state = playing();
	const account = state && actions(state).free;
	if (!state || !account) return;
	const { game } = state.view;
	send('act', playerOf(game).act(game, { act: 'free', account }));
}

/** Gives up the game. @param {Colour} seat */
export function resign(seat) {
	const view = playing()?.view;
	if (!view || !isVariant(view) || isHere(view.game)) return act('resign', seat);
	late.variants?.actAs('leave', addressOf(view, seat) ?? '');
}

/**
 * Lets a computer play a seat, or takes the seat back from it.
 * @param {Colour} seat @param {Level | null} level null for a person
 */
export function setComputer(seat, level) {
	const state = playing();
	if (!state) return;
	const { game } = state.view;
	const chosen = state.plays[game];
	const account = addressOf(state.view, seat);
	if (!level && chosen && account) {
		dispatch({ type: 'plays', game, accounts: [...new Set([...chosen, account])] });
	}
	send('computer', playerOf(game).setComputer(game, { seat, level }));
}

/** Chooses which seats this browser plays. @param {Colour[]} colours */
export function playSeats(colours) {
	const view = playing()?.view;
	if (!view) return;
	const accounts = colours.map((colour) => addressOf(view, colour) ?? '');
	dispatch({ type: 'plays', game: view.game, accounts });
}

export async function nextGame() {
	const state = playing();
	if (!state || state.pending) return;
	const { view, plays } = state;
	if (!actions(state).next) return;
	const { next } = playerOf(view.game);
	if (!next) {
		if (isVariant(view)) late.variants?.playAgain();
		else startGame(...again(view, plays[view.game]));
		return;
	}
	const answer = await send('next', next(view.game));
	// It is told besides: whichever comes first opens it.
	if (answer && answer.game !== null && current().route.game === view.game) openGame(answer.game);
}

/** @param {StartGame} body @param {Address[]} accounts the ones that this browser plays */
export async function startGame(body, accounts) {
	if (current().pending) return;
	const answer = await send('start', player().startGame(body));
	if (answer) playGame(answer.game, accounts);
}

/** Starts a game of this page. @param {StartHere} asked */
export async function startHere(asked) {
	if (current().pending) return;
	const answer = await send(
		'start',
		games().then((here) => here.start(asked)),
	);
	if (answer) openGame(answer);
}

/** Seeks an opponent in the lobby of a relay. @param {import('./state/types.d.ts').Wish} wish */
export async function playByTerms(wish) {
	const seek = { invite: null, note: '', game: null, since: null, staked: false };
	dispatch({ type: 'seek', seek: { ...seek, phase: 'connecting' } });
	try {
		await (await termsGames()).seek({ wish });
	} catch (failure) {
		dispatch({ type: 'seek', seek: { ...seek, phase: 'failed', note: reason(failure) } });
	}
}

/** Opens a game that is played here. @param {GameId} game @param {Address[]} accounts */
export function playGame(game, accounts) {
	dispatch({ type: 'plays', game, accounts });
	openGame(game);
}

/** Opens a line of moves; fails if it is none. @param {string} query */
export async function openLine(query) {
	await lineOf(query);
	navigate(`/line?${query}`);
}

/** @param {number} at in moves from the start */
export const showPosition = (at) => dispatch({ type: 'show', at });

/** @param {number} by in moves */
export function step(by) {
	const state = shown();
	if (state) showPosition(shownAt(state) + by);
}
