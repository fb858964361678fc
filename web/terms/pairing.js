// How two players become a game: one offers it, the other takes the offer. Without a stake both sign the terms. With one
// the taker pays first, once the player who offers has accepted it, and that one once it has seen the payment.

import { ElsewhereError } from '../host/lock.js';
import { asked } from './offer.js';
import { begin, hasBegun, nonce, offered } from './tables.js';

/** @import { TakenOffer } from '../ask.d.ts' */
/** @import { Identity } from '../guest/account.js' */
/** @import { Standing } from '../player/game.js' */
/** @import { Lobby } from '../player/lobby.js' */
/** @import { At } from './kept.js' */
/** @import { Table } from './tables.js' */

/** An offer that is taken. @typedef {Awaited<ReturnType<typeof takeOffer>>} Taking */

/**
 * The game that this player has by taking an offer. One that was taken before for a stake, and not paid for, is gone on with.
 * @param {At} at `place` is that of the offer @param {Identity} by @param {TakenOffer} take @param {Table['series']} [series]
 */
export async function gameOf({ place, relay }, { key }, take, series) {
	const kept = place.stakes === null ? null : await offered(place, key, take.offer);
	return kept?.table ?? begin({ place, relay, by: key, game: { take } }, series);
}

/** How this player completes an offer, at this second of the relay's clock. @param {Identity} by @param {string} offer @param {number} time @returns {TakenOffer} */
export const completed = (by, offer, time) => ({
	...asked(by),
	offer,
	colour: null,
	time,
	nonce: nonce(),
});

/**
 * Tells the player who offers that its offer is taken.
 * @param {Lobby} lobby
 * @param {{ id: number, at: At, by: Identity, taken: TakenOffer, signed?: Table | null, series?: Table['series'] }} of
 * `signed` is the game that this player has signed for the same offer before
 */
export async function takeOffer(lobby, { id, at, by, taken, signed, series }) {
	const staked = at.place.stakes !== null;
	const begins = () => gameOf(at, by, taken, series);
	const table = staked ? null : (signed ?? (await begins()));
	const { secret } = by;
	const letter = table
		? (table.letters.at(-1) ?? '0x')
		: lobby.ask({ complete: { secret, taken } }).letter;
	lobby.say({ take: { offer: id, letter } });
	return {
		id,
		staked,
		/** With a stake there is none before the player who offers has accepted. */
		table,
		/** The game, if its player has signed that it accepts: nothing is paid on the relay's word alone. @param {string} said @returns {Promise<Table | null>} */
		async accepted(said) {
			if (!table) {
				if (!lobby.ask({ is_accepted: { secret, taken, letter: said } })) return null;
				// A key takes an offer once: one that was called off is over.
				return begins().catch((error) =>
					error instanceof ElsewhereError ? null : Promise.reject(error),
				);
			}
			await table.game.receive(said);
			return hasBegun(table.game.standing) ? table : null;
		},
	};
}

/**
 * What this player signs for somebody who takes its offer; null if that is junk, which changes nothing.
 * @param {Table} table @param {string} letter @param {boolean} isStaked
 */
export async function answerTo(table, letter, isStaked) {
	table.letters.length = 0;
	const isOne = await table.game.receive(letter);
	const signed = isOne ? table.letters.at(-1) : undefined;
	const { standing } = table.game;
	const isAgreed = isStaked ? standing.shown?.number : hasBegun(standing);
	return signed && isAgreed ? signed : null;
}

/** Calls a function once somebody has paid for the own offer. @param {Table} table @param {() => void} then */
export function whenPaid(table, then) {
	/** @param {Standing} standing */
	const look = ({ shown }) => {
		if (!shown || shown.stage === 'offered') return;
		table.told.delete(look);
		then();
	};
	table.told.add(look);
	look(table.game.standing);
}
