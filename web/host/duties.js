// What has to be done on the chain for a player: the wallet is asked for it, again after a pause until the chain has
// it or the player refuses.

import { reason } from '../state/text.js';
import { WalletError } from './ethereum.js';

/** @import { Called } from '../ask.d.ts' */

/** Milliseconds before the wallet is asked again to do what is due, twice as many each time. */
const AGAIN = 5_000;
const MOST_AGAIN = 60_000;

/**
 * @param {{
 *   transact: (call: Called, unanswered: (trouble: string) => void) => Promise<void>,
 *   due: (call: Called | null) => void,
 *   complain: (trouble: string) => void,
 * }} to `transact` has the wallet call a contract, and tells `unanswered` if it is waited for no more, though it may
 * answer later. `due` is told what is due now.
 */
export function openDuties({ transact, due, complain }) {
	/** When the wallet is asked again for what is due, by its input, and how long it was waited last, in milliseconds. @type {Map<string, { after: number, pause: number }>} */
	const asked = new Map();
	/** What the wallet is asked to do, until it has answered or is waited for no more. @type {{ input: string, done: Promise<void> } | null} */
	let telling = null;

	/**
	 * Has the wallet send a call to the chain.
	 * @param {Called} call
	 * @returns {Promise<void>} done once it is known what came of it, or the wallet is waited for no more
	 */
	function tell(call) {
		const { input } = call;
		const last = asked.get(input)?.pause;
		const pause = last ? Math.min(2 * last, MOST_AGAIN) : AGAIN;
		/** @param {string} trouble @param {boolean} [isAgain] whether the wallet is asked again by itself */
		const ends = (trouble, isAgain = true) => {
			asked.set(input, { pause, after: isAgain ? Date.now() + pause : Infinity });
			complain(trouble);
		};
		const answered = new Promise((resolve) => {
			const unanswered = (/** @type {string} */ why) => resolve(ends(why, false));
			transact(call, unanswered)
				.then(
					() => ends(''),
					// A player who has refused is not asked again by itself.
					(error) =>
						ends(reason(error), !(error instanceof WalletError && error.kind === 'refused')),
				)
				.then(resolve);
		});
		const done = answered.then(() => {
			telling = null;
		});
		telling = { input, done };
		return done;
	}

	/** Does what is due, also if the player has refused before, once the wallet has done what it is asked for by then. @param {Called} call @returns {Promise<void>} */
	function now(call) {
		if (!telling) return tell(call);
		return telling.input === call.input ? telling.done : telling.done.then(() => now(call));
	}

	return {
		/** Has the account do what has to be done on the chain, if anything. @param {Called | null} call */
		consider(call) {
			due(call);
			if (!call) return complain('');
			if (!telling && Date.now() >= (asked.get(call.input)?.after ?? 0)) tell(call);
		},
		now,
	};
}
