// The seats of a game: who plays them, and which of them this browser plays.

import { isSome, short } from './text.js';

/** @import { Address, Colour, Hello, State, View } from './types.d.ts' */

/** @type {Colour[]} */
export const COLOURS = ['red', 'blue'];

/** @param {Colour} colour @returns {Colour} */
export const other = (colour) => (colour === 'red' ? 'blue' : 'red');

/** The name of an account, or its shortened address. @param {Hello | null} hello @param {Address} address */
export const nameOf = (hello, address) => hello?.names[address] ?? short(address);

/**
 * The account at an address, if this browser has a key for it.
 * @param {Hello | null} hello @param {Address | null | undefined} address
 */
export const accountOf = (hello, address) =>
	hello?.accounts.find((account) => account.address === address);

/** The account of a seat; none in a line. @param {View} view @param {Colour} colour */
export const addressOf = (view, colour) => (view.game === null ? null : view[colour]);

/** The computer at a seat, if one plays. @param {View} view @param {Colour} colour */
export const computerOf = (view, colour) =>
	view.game === null ? null : view.seats[colour].computer;

/** Whether hints spoil nothing: no two people play against each other. @param {View} view */
export const mayHint = (view) =>
	view.game === null ||
	view.over ||
	(!view.fast && !isSome(view.match.stake) && COLOURS.some((colour) => computerOf(view, colour)));

/** The seats for whose accounts this browser has keys. @param {State} state */
export const held = ({ hello, view }) =>
	COLOURS.filter((colour) => view && accountOf(hello, addressOf(view, colour)));

/**
 * The seats that are played in this browser: those it has keys for, without those of computers and
 * those that it leaves to somebody else.
 * @param {State} state
 */
export function seats(state) {
	const { view } = state;
	if (!view || view.game === null) return [];
	const chosen = state.plays[view.game];
	return held(state).filter(
		(colour) =>
			!computerOf(view, colour) &&
			(view.fast?.here.includes(colour) ?? true) &&
			(chosen?.includes(view[colour]) ?? true),
	);
}

/** Who plays a seat, as within a sentence. @param {State} state @param {Colour} colour */
export function who({ hello, view }, colour) {
	if (!view || view.game === null) return colour;
	return computerOf(view, colour) ? 'the computer' : nameOf(hello, view[colour]);
}

/** Who plays a seat, as at the start of a sentence. @param {State} state @param {Colour} colour */
export const whoFirst = (state, colour) =>
	// Names are left as they are.
	who(state, colour).replace(/^the computer$/, 'The computer');
