// The seats of a game: who plays them, and which of them this browser plays.

import { short } from './text.js';

/** @import { Account, Colour, Hello, State, View } from './types.d.ts' */

/** @type {Colour[]} */
export const COLOURS = ['red', 'blue'];

/** @param {Colour} colour @returns {Colour} */
export const other = (colour) => (colour === 'red' ? 'blue' : 'red');

/**
 * The name of an account, or its shortened address.
 * @param {{ name: string | null, address: string }} account
 */
export const nameOf = ({ name, address }) => name ?? short(address);

/**
 * The account at an address, if this browser has a key for it.
 * @param {Hello | null} hello @param {string | null | undefined} address
 * @returns {Account | undefined}
 */
export const accountOf = (hello, address) =>
	hello?.accounts.find((account) => account.address === address);

/** The seats for whose accounts this browser has keys. @param {State} state */
export const held = ({ hello, view }) =>
	COLOURS.filter((colour) => accountOf(hello, view?.players?.[colour].address));

/**
 * The seats that are played in this browser: those it has keys for, without those of computers and
 * those that it leaves to somebody else.
 * @param {State} state
 */
export function seats(state) {
	const { view } = state;
	if (!view?.players || view.game === null) return [];
	const { players } = view;
	const chosen = state.plays[view.game];
	return held(state).filter((colour) => {
		const { address, computer } = players[colour];
		return !computer && (chosen?.includes(address) ?? true);
	});
}

/** Who plays a seat, as within a sentence. @param {View} view @param {Colour} colour */
export function who({ players }, colour) {
	if (!players) return colour;
	const player = players[colour];
	return player.computer ? 'the computer' : nameOf(player);
}

/**
 * Who plays a seat, as at the start of a sentence. Names are left as they are.
 * @param {View} view @param {Colour} colour
 */
export const whoFirst = (view, colour) =>
	who(view, colour).replace(/^the computer$/, 'The computer');
