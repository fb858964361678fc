// What is said of a game by signed terms on the chain, and what can be done there.

import { texts } from '../words/terms.js';
import { clockText } from './clock.js';
import { other } from './seats.js';
import { durationText } from './words.js';

/** @import { TermsState } from '../ask.d.ts' */
/** @import { ByTerms, ByTermsOnChain, TermsOnChain, ViewedGame } from './types.d.ts'
 * @import { Colour } from '../wire.d.ts' */

/** Seconds after its terms in which a game can be taken to the chain. */
const STARTS = 86_400;
/** Seconds after its terms in which a game can be recorded. */
const RECORDED = 30 * STARTS;

/** No chain has the game. @type {TermsOnChain} */
export const ON_NO_CHAIN = {
	dispute: null,
	recorded: null,
	block: 0,
	lost: null,
	due: false,
	trouble: '',
};

/** Whether a game can still be taken to the chain. @param {Pick<TermsState, 'time'>} state @param {number} now in milliseconds */
export const mayBeDisputed = ({ time }, now) => now / 1000 < time + STARTS;

/**
 * The game on the chain, for the page.
 * @param {TermsState} state @param {TermsOnChain} onChain @param {ByTerms['role']} role
 * @param {<Of extends Colour | null>(seat: Of) => Of} shownAs the colour of a seat
 * @returns {ByTermsOnChain}
 */
export function chainOf(state, onChain, role, shownAs) {
	const { dispute, record, clock, time, agreed, position, deadline, contest, settled } = state;
	const { winner = null, to_move: mover = null, runs = false, may_press: press } = dispute ?? {};
	const recorded = record !== null && record.file === onChain.recorded;
	return {
		...onChain,
		recorded,
		settled,
		winner: settled ? shownAs(winner) : null,
		runs: runs ? shownAs(mover) : null,
		until: contest ?? deadline,
		contested: contest !== null,
		clock,
		time,
		may: {
			dispute: role === 'player' && !onChain.dispute && !agreed && Boolean(position.over || clock),
			press: Boolean(press && clock),
			record: record !== null && !recorded,
		},
		file: record?.file ?? null,
	};
}

/**
 * What a player can do now.
 * @param {ByTermsOnChain} chain @param {number} now in milliseconds
 */
export function chainActions({ may, time }, now) {
	return {
		dispute: may.dispute && mayBeDisputed({ time }, now),
		press: may.press,
		record: may.record && now / 1000 < time + RECORDED,
	};
}

/**
 * What a player reads who cannot go on; empty if there is nothing to be done.
 * @param {ViewedGame} view @param {ByTerms} byTerms @param {number} now in milliseconds
 */
export function stuckText({ over, to_move: mover }, { chain, here, agreed }, now) {
	if (!here.length || chain.dispute || agreed) return '';
	// It is this player's turn.
	if (mover && here.includes(mover)) return '';
	if (!mayBeDisputed(chain, now)) {
		return texts.tooLate;
	}
	if (over) {
		return `${texts.resultStands} ${texts.walletPays}`;
	}
	if (!chain.clock) {
		return texts.noClock;
	}
	const { bank } = chain.clock;
	return `${texts.canPress(durationText(bank))} ${texts.walletPays}`;
}

/**
 * What has to be done on the chain in time, or the opponent has to do; empty if nothing.
 * @param {ByTerms} byTerms @param {number} now in milliseconds
 */
export function timeText({ chain, here }, now) {
	if (chain.settled || chain.until === null) return '';
	const left = chain.until - now / 1000;
	const time = left < 0 ? texts.timeOver : texts.timeLeft(clockText(left));
	if (chain.contested) return texts.contested(time);
	const { runs } = chain;
	if (!runs) return '';
	if (here.includes(runs)) return texts.yourClock(time);
	return texts.clockRuns(here.includes(other(runs)) ? texts.yourOpponent : runs, time);
}

const LOST = {
	replaced: texts.recordReplaced,
	other: texts.otherRecord,
};

/** Where a game is on the chain, in a sentence; empty if it is not there. @param {ByTermsOnChain} chain */
export function whereText({ dispute, recorded, lost, settled }) {
	if (dispute) {
		return settled ? texts.disputeEnded(dispute) : texts.disputed(dispute);
	}
	if (recorded) return texts.recorded;
	return lost ? LOST[lost] : '';
}

/** What the player should know of the chain; empty if nothing. @param {ByTermsOnChain} chain */
export const chainNote = ({ due, trouble, dispute, settled, may }) =>
	[due && texts.due, dispute && settled && may.record && texts.endedOtherwise, trouble]
		.filter(Boolean)
		.join(' ');
