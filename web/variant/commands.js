// What a player can have done in a variant. Each command sends a request or changes what is shown.

import { send } from '../commands.js';
import { navigate, openGame } from '../navigation.js';
import { player } from '../player.js';
import { KINDS, moveAt, numbered, plan } from '../state/variant/choice.js';
import { again, lineQuery, requests } from '../state/variant/form.js';
import { accountAt, canPlayAgain, isGame } from '../state/variant/seats.js';
import { current, dispatch } from '../store.js';
import { get } from '../transport.js';

/** @import { Address, Cell } from '../state/types.d.ts' */
/** @import { Level } from '../wire.d.ts' */
/** @import { Choice, NewVariant, ShownVariant, VariantColour, VariantMove, VariantTerms } from '../state/variant/types.d.ts' */

/** The state, if it shows a variant. @returns {ShownVariant | null} */
export function shown() {
	const { variant, ...state } = current();
	return variant && { ...state, variant };
}

/** @param {VariantMove} move */
export function makeMove(move) {
	const state = shown();
	if (!state) return;
	const { send: legal, error, bin, soft } = plan(state, move);
	if (error) dispatch({ type: 'refuse', text: error, bin, soft });
	else if (legal && isGame(state.variant)) {
		const { game, turns, board } = state.variant;
		send('move', player().moveVariant(game, { move: legal, turns, board }), { move: legal });
	}
}

/** A cell was clicked, or Enter was pressed there. @param {Cell} cell */
export const choose = (cell) => makeMove(moveAt(current().picked, cell));

/** @param {number} number from 1 */
export function typeNumber(number) {
	const { picked, pending } = current();
	if (pending) return;
	const meant = numbered(picked, number);
	if ('move' in meant) {
		// The next number begins anew.
		if (picked?.bin != null) dispatch({ type: 'pick', picked: { ...picked, bin: null } });
		makeMove(meant.move);
	} else dispatch({ type: 'pick', picked: meant.picked });
}

/**
 * Picks a kind of move, or puts it back.
 * @param {Choice['kind']} kind
 * @returns {boolean} whether a target is to be chosen now
 */
export function pick(kind) {
	const state = shown();
	if (!state) return false;
	if (kind === 'swap') {
		makeMove({ kind });
		return false;
	}
	const { obstacles } = state.variant;
	const { error, soft } = plan(state, { kind: 'drop', bin: free(state) });
	const why = obstacles[kind];
	if (error || why) {
		const label = KINDS.find((known) => known.kind === kind)?.label;
		dispatch({ type: 'refuse', text: error ?? `${label}: ${why}.`, soft: soft ?? true });
		return false;
	}
	const picked = state.picked?.kind === kind ? null : { kind, bin: null };
	dispatch({ type: 'pick', picked });
	return picked !== null;
}

/** A bin that takes a disc, to ask by it whether anything can be done now. @param {ShownVariant} state */
const free = ({ variant }) =>
	Math.max(
		0,
		variant.targets.drop.findIndex((row) => row !== null),
	);

export const cancel = () => dispatch({ type: 'pick', picked: null });

/**
 * @param {'join' | 'leave' | 'remove_late'} act @param {Address} account
 * @param {string} [game] the one that is shown, unless it is named
 * @param {Level} [level] of the computer that joins
 */
export async function perform(act, account, game, level) {
	const state = current();
	const number = game ?? state.variant?.game;
	if (!number || state.pending) return;
	const answer = await send('act', player().actVariant(number, { act, account, level }));
	if (!answer || act === 'remove_late' || level) return;
	const { plays } = current();
	const others = (plays[number] ?? []).filter((address) => address !== account);
	const accounts = act === 'join' ? [...others, account] : others;
	if (act === 'join' || plays[number]) dispatch({ type: 'plays', game: number, accounts });
	if (act === 'join' && state.variant?.game !== number) openGame(number);
}

/** Starts a game or opens a table. @param {NewVariant} form */
export async function startVariant(form) {
	if (current().pending) return;
	const { start, table, plays } = requests(form);
	const answer = start
		? await send('start', player().startVariant(start))
		: table && (await send('start', player().openTable(table)));
	if (!answer) return;
	dispatch({ type: 'plays', game: answer.game, accounts: plays });
	openGame(answer.game);
}

export function playAgain() {
	const state = shown();
	if (!state || !isGame(state.variant)) return;
	const { variant } = state;
	if (canPlayAgain({ ...state, variant })) startVariant(again(variant, state.plays[variant.game]));
}

/** @param {VariantColour} seat @param {Level | null} level null for a person */
export function setComputer(seat, level) {
	const state = shown();
	if (!state || !isGame(state.variant)) return;
	const { game } = state.variant;
	const chosen = state.plays[game];
	const account = accountAt(state.variant, seat);
	if (!level && chosen && account) {
		dispatch({ type: 'plays', game, accounts: [...new Set([...chosen, account])] });
	}
	send('computer', player().setVariantComputer(game, { seat, level }));
}

/** Chooses which seats this browser plays. @param {VariantColour[]} seats */
export function playSeats(seats) {
	const state = shown();
	if (!state || !isGame(state.variant)) return;
	const { variant } = state;
	const accounts = seats.map((colour) => accountAt(variant, colour) ?? '');
	dispatch({ type: 'plays', game: variant.game, accounts });
}

/** Opens a line; fails if its moves are not legal. @param {VariantTerms} terms @param {string} moves */
export async function openLine(terms, moves) {
	const query = lineQuery(terms, moves);
	await get(`/api/variants/line?${query}`);
	navigate(`/line?${query}`);
}
