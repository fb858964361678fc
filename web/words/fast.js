// Texts of fast games.

import { counted } from './forms.js';

/** How many moves are where. @param {number} chain @param {number} all @param {number} signed */
const where = (chain, all, signed) =>
	`${counted(chain, 'move')} of ${all} on the chain, ${signed} signed by both`;

export const texts = {
	signedByBoth: 'signed by both',
	signedBy: (/** @type {string} */ player) => `signed by ${player}`,
	allOnChain: 'A fast game: all of it is on the chain.',
	fastGame: (
		/** @type {number} */ chain,
		/** @type {number} */ all,
		/** @type {number} */ signed,
	) => `A fast game: ${where(chain, all, signed)}.`,
	unsettled: (
		/** @type {number} */ chain,
		/** @type {number} */ all,
		/** @type {number} */ signed,
	) => `Not settled yet: ${where(chain, all, signed)}.`,
	relayAway: (/** @type {string} */ why) =>
		`The relay is not there: ${why}. Moves that are signed go out once it is.`,
	notConnected: (/** @type {string} */ player) => `${player} is not connected.`,
	timeOver: 'the time is over',
	timeLeft: (/** @type {string} */ time) => `${time} left`,
	timeToAnswer: (/** @type {string} */ time) => `${time} left to answer`,
	contested: (/** @type {string} */ time) =>
		`A line on the chain can still be contested, by another move (${time}).`,
	clockRuns: (/** @type {string} */ time) =>
		`The clock of the player to move runs on the chain (${time}).`,
	contestByMove: (/** @type {string} */ time) => `Contest the line by your move (${time}).`,
	contestByWallet: (/** @type {string} */ time) =>
		`Contest the line: sign in your wallet (${time}).`,
	opponentContests: (/** @type {string} */ time) => `The opponent can contest your line (${time}).`,
	answerByMove: (/** @type {string} */ time) =>
		`Your clock runs on the chain: make your move (${time}).`,
	answerByWallet: (/** @type {string} */ time) =>
		`Your clock runs on the chain: sign in your wallet (${time}).`,
	press: 'Start the opponent’s clock',
	settle: 'Settle on the chain',
};
