// The seats of a game: who plays them, and which of them are played in this browser.

import { short } from './text.js';

export const COLOURS = ['red', 'blue'];

/** @param {string} colour @returns {string} */
export const other = (colour) => (colour === 'red' ? 'blue' : 'red');

/** @param {{name: string|null, address: string}} account @returns {string} what people call it */
export const nameOf = ({ name, address: account }) => name ?? short(account);

/** @param {object} hello @param {string} address @returns {object|undefined} that account, if our keys open it */
export const accountOf = (hello, address) =>
  hello?.accounts.find((account) => account.address === address);

/** @param {object} state @returns {string[]} the seats whose accounts our keys open */
export const held = ({ hello, view }) =>
  COLOURS.filter((colour) => accountOf(hello, view?.players?.[colour].address));

/** @param {object} state @returns {string[]} the seats that are played in this browser */
export const seats = (state) =>
  held(state).filter((colour) => {
    const { address: account, computer } = state.view.players[colour];
    return !computer && (state.plays[state.view.game]?.includes(account) ?? true);
  });

/** @param {object} state @param {string} colour @returns {string} who plays it, in words */
export function who({ view }, colour) {
  const player = view.players[colour];
  return player.computer ? 'the computer' : nameOf(player);
}

// At the beginning of a sentence. Names are left as they are.
export const whoFirst = (state, colour) =>
  who(state, colour).replace(/^the computer$/, 'The computer');
