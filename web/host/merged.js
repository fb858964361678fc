// A fast game as it is shown to who plays it: what the host says, with what the seat knows. Deadlines are the
// seat's, as the host could hide them.

import { movesOf } from '../state/moves-of.js';
import { isSameMove } from '../state/position.js';
import { other } from '../state/seats.js';
import { texts } from '../words/host.js';
import { clockWarning } from './chain-time.js';

/** @import { ChainFastGame, SeatState, TableState } from '../ask.d.ts' */
/** @import { Due, FastHere, ViewedGame } from '../state/types.d.ts'
 * @import { Colour, Move } from '../wire.d.ts' */
/** @import { Shown } from './seat.js' */

/** @param {Shown['state']} state @returns {state is SeatState} */
export const isSeat = (state) => Boolean(state && 'player' in state);

/**
 * A view with what the seat knows.
 * @param {ViewedGame} view as the host has it
 * @param {{
 *   shown: Shown, mine: Colour | null, chain: ChainFastGame | null, now: number, machine: number,
 * }} seat `mine` is the colour of the player's seat, which after a swap is not that on the board; `now` is the time on the chain in seconds, and `machine` that of this machine in milliseconds
 * @returns {ViewedGame}
 */
export function merged(view, { shown, mine, chain, now, machine }) {
	const { state, role, relay, opponent } = shown;
	if (!state || !view.fast || view.fast.settled) return view;
	const { position } = state;
	const isPlayer = role === 'player' && isSeat(state);
	// The host may have heard of a later position than this tab, which watches then.
	const isBehind = position.turns < view.turns && !isPlayer;
	const { swapped } = isBehind ? view : position;
	/**
	 * The colour of a seat on the board that is shown.
	 * @template {Colour | null} Of
	 * @param {Of} colour @returns {Of}
	 */
	const shownAs = (colour) => /** @type {Of} */ (swapped && colour ? other(colour) : colour);
	const mover = chain?.game.to_move ?? null;
	const runs = mover && chain?.game.swapped !== swapped ? other(mover) : mover;
	const clock = chain?.game.over ? null : (chain?.game.clock ?? null);
	const due = mine && chain ? dueOf(state, mine, chain) : null;
	/** @type {FastHere} */
	const fast = {
		...view.fast,
		on_chain: state.on_chain,
		signed: state.signed,
		settled: state.settled,
		here: mine && role !== 'elsewhere' ? [shownAs(mine)] : [],
		press: isPlayer && state.may_press ? shownAs(state.player) : null,
		relay_missing: relay,
		opponent,
		note: noteOf(shown, due),
		runs: clock ? runs : null,
		due: due && { ...due, until: machine + (due.until - now) * 1000 },
	};
	const left = chain && leftOf(state, chain, now, runs);
	// After a swap player two is red.
	const players = view.swapped === swapped ? view.players : exchanged(view.players);
	const times = {
		clock,
		deadline: (clock && chain?.game.deadline) ?? null,
		players: players.map((player) => ({ ...player, left: left?.[player.colour] ?? null })),
	};
	if (isBehind) return { ...view, ...times, fast };
	const pieRule = chain?.pie_rule ?? view.terms.pie_rule;
	const end = position.over ? texts.gameEnded : texts.binFull;
	const drop = view.refusals.drop.map((_, bin) => (state.bins.includes(bin) ? null : end));
	return {
		...view,
		...position,
		...times,
		fast,
		targets: { ...view.targets, swap: pieRule && position.turns === 1 && !position.over },
		terms: { ...position.terms, pie_rule: pieRule },
		refusals: { ...view.refusals, drop },
		moves: movesIn(state, view),
		match:
			isPlayer && view.match
				? { ...view.match, draw_offer: shownAs(state.draw_offer) }
				: view.match,
	};
}

/** Players with their colours exchanged, in the order of play. @param {ViewedGame['players']} players */
const exchanged = ([one, two, ...rest]) =>
	one && two
		? [{ ...two, colour: one.colour }, { ...one, colour: two.colour }, ...rest]
		: [one, two, ...rest].filter((player) => player !== undefined);

/**
 * Seconds that each player has left while a clock runs, by the colours on the board.
 * @param {TableState} state @param {ChainFastGame} chain @param {number} now @param {Colour | null} mover
 */
function leftOf({ deadline }, { game: { clock, over } }, now, mover) {
	if (over || !clock || deadline === null || !mover) return null;
	/** @type {Partial<Record<Colour, number>>} */
	const left = { red: clock.waiting, blue: clock.waiting };
	left[mover] = deadline - now;
	return left;
}

/**
 * What has to be done in time, or the opponent can do; `until` is in seconds of the chain.
 * @param {TableState | SeatState} state @param {Colour} mine @param {ChainFastGame} chain
 * @returns {Due | null}
 */
function dueOf(state, mine, { game }) {
	const { contest, deadline, position, settled } = state;
	const onChain = game.swapped ? other(mine) : mine;
	const onBoard = position.swapped ? other(mine) : mine;
	const hasDuty = isSeat(state) && state.duty !== null;
	if (settled) return null;
	if (contest !== null) {
		const until = contest;
		if (game.winner === onChain) return { what: 'opponent contests', until };
		if (hasDuty) return { what: 'contest by wallet', until };
		const mayMove = !position.over && position.to_move === onBoard;
		return mayMove ? { what: 'contest by move', until } : null;
	}
	if (deadline === null || game.to_move !== onChain) return null;
	return { what: hasDuty ? 'answer by wallet' : 'answer by move', until: deadline };
}

/** The moves of a position: those on the chain with their transactions. @param {TableState | SeatState} state @param {ViewedGame} view @returns {Move[]} */
function movesIn({ moves }, view) {
	if (!moves) return view.moves;
	return movesOf(moves).map((made, turn) => {
		const known = view.moves[turn];
		return known && isSameMove(known, made) ? known : made;
	});
}

const DUE = texts.dueSigned;

/**
 * What the player should know, beyond what is said of any fast game.
 * @param {Shown} shown @param {Due | null} [due]
 */
export function noteOf({ role, trouble, duty, ahead }, due = null) {
	if (role === 'elsewhere') {
		return texts.otherTabFast;
	}
	if (trouble) return duty ? `${DUE} ${trouble}` : trouble;
	if (due?.what === 'contest by move') {
		return texts.contestNow;
	}
	if (duty) return DUE;
	return clockWarning(ahead);
}
