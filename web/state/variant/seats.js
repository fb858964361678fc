// The players of a variant: who plays which colour, and which of them are played in this browser.

import { accountOf, nameOf } from '../seats.js';

/** @import { Address, Hello, State, VariantView } from '../types.d.ts' */
/** @import { PlayingVariant, ShownVariant, StoredVariant, TableActions, VariantColour, ViewedVariant } from './types.d.ts' */

/** Whether it is a game or a table, and no line. @param {VariantView} view @returns {view is ViewedVariant} */
export const isGame = (view) => view.game !== null;

/** The colours that play, in turn order. @param {VariantView} view */
export const colours = (view) => view.players.map(({ colour }) => colour);

/** The place in `seats` from which a colour is played. @param {ViewedVariant} view @param {VariantColour} colour */
export const seatOf = ({ seats }, colour) => seats.findIndex((seat) => seat.colour === colour);

/** The account of a colour; none if nobody has taken it. @param {VariantView} view @param {VariantColour} colour */
export const accountAt = (view, colour) =>
	isGame(view) ? (view.seats[seatOf(view, colour)]?.account ?? null) : null;

/** The computer that plays a colour, if one does. @param {VariantView} view @param {VariantColour} colour */
export const computerOf = (view, colour) =>
	isGame(view) ? (view.computers[seatOf(view, colour)] ?? null) : null;

/** Whether a player is out of the game. @param {VariantView} view @param {VariantColour} colour */
export const isOut = ({ players }, colour) =>
	players.some((player) => player.colour === colour && player.left);

/** The colours for whose accounts this browser has keys. @param {ShownVariant} state */
export const held = ({ hello, variant: view }) =>
	colours(view).filter((colour) => accountOf(hello, accountAt(view, colour)));

/**
 * The colours that are played in this browser: those it has keys for, without those of computers,
 * of players who are out, and of those that it leaves to somebody else.
 * @param {ShownVariant} state
 */
export function mine(state) {
	const { variant: view, plays } = state;
	if (!isGame(view)) return [];
	const chosen = plays[view.game];
	return held(state).filter((colour) => {
		const account = accountAt(view, colour) ?? '';
		return !computerOf(view, colour) && !isOut(view, colour) && (chosen?.includes(account) ?? true);
	});
}

/** Who plays a colour, as within a sentence. @param {State & { variant: VariantView }} state @param {VariantColour} colour */
export function who({ hello, variant: view }, colour) {
	const account = accountAt(view, colour);
	if (!account) return colour;
	return computerOf(view, colour) ? `the computer (${colour})` : nameOf(hello, account);
}

/**
 * The accounts of this browser that can join a table, and those that can leave it.
 * @param {Hello | null} hello
 * @param {Pick<StoredVariant, 'seats' | 'named' | 'started'>} table
 * @returns {TableActions}
 */
export function tableActions(hello, { seats, named, started }) {
	if (!hello || started) return { join: [], leave: [] };
	/** @param {Address} address */
	const seat = (address) => seats.find(({ account }) => account === address);
	const mine = hello.accounts.map(({ address }) => address);
	const isFree = seats.some(({ account }) => account === null);
	return {
		join: mine.filter((address) => {
			const kept = seat(address);
			return named ? kept && !kept.joined : isFree && !kept;
		}),
		leave: mine.filter((address) => seat(address)?.joined),
	};
}

/** Whether this browser can start a game between the same accounts. @param {PlayingVariant} state */
export const canPlayAgain = (state) =>
	state.variant.over &&
	Boolean(state.hello?.host) &&
	held(state).length === colours(state.variant).length;
