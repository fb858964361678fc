// Offers of signed games: what a player wishes, as the module takes it, and what an offer of others is for.

import { amount, inContracts } from '../host/amounts.js';
import { needStakes } from './kept.js';
import { nonce } from './tables.js';

/** @import { OfferedGame, OfferToMake } from '../ask.d.ts' */
/** @import { Identity } from '../guest/account.js' */
/** @import { Wish } from '../state/types.d.ts' */
/** @import { At } from './kept.js' */

/** Which player the one who offers is. @type {Record<Wish['side'], OfferedGame['colours']>} */
const COLOURS = { random: 'coin', first: 'red', second: 'blue' };
/** The same, of an offer. @type {Record<OfferedGame['colours'], Wish['side']>} */
const SIDES = { coin: 'random', taker: 'random', red: 'first', blue: 'second' };

/** What an offer is for. @param {OfferedGame} game @returns {Wish} */
export const wishOf = ({ shape, rules, colours }) => ({ shape, ...rules, side: SIDES[colours] });

/** Who plays, as the module takes it. @param {Identity} by */
export const asked = ({ account, key, session }) => ({
	account: account === key ? null : account,
	session,
	program: false,
});

/**
 * The game that a player wants to offer, until this second since 1970.
 * @param {Wish} wish @param {Identity} by @param {At} at @param {string | null} witness @param {number} until
 * @returns {OfferToMake}
 */
export function offerOf({ shape, side, stake, ...rules }, by, at, witness, until) {
	return {
		...asked(by),
		place: stake ? needStakes() : at.place,
		secret: by.secret,
		shape,
		rules,
		witness: stake ? null : witness,
		stake: stake ? inContracts(amount(stake)) : '0',
		event: null,
		// A coin of both needs two signatures, which a payment is not.
		colours: stake && side === 'random' ? (nonce() % 2 ? 'red' : 'blue') : COLOURS[side],
		taker: null,
		relay: at.relay,
		until,
		nonce: nonce(),
	};
}
