// What is said of a game by signed terms on the chain, and what can be done there.

import { clockText } from './clock.js';
import { other } from './seats.js';
import { durationText } from './words.js';

/** @import { TermsState } from '../ask.d.ts' */
/** @import { ByTerms, ByTermsOnChain, Colour, TermsOnChain, ViewedGame } from './types.d.ts' */

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
		return 'A game can be taken to the chain within a day after it began, which is over.';
	}
	const pays =
		'A wallet pays the fees, yours or anybody’s: connect it here. It works within a day after the game began.';
	if (over) {
		return `Your opponent has not agreed to the result yet. On the chain it stands, unless your opponent shows there that the game went on. ${pays}`;
	}
	if (!chain.clock) {
		return 'This game has no clock: nothing makes your opponent move, on the chain neither. You can close the page and go on here once your opponent is back.';
	}
	const { bank } = chain.clock;
	return `On the chain you can start your opponent’s clock: a player who does not move there within ${durationText(bank)} loses. ${pays}`;
}

/**
 * What has to be done on the chain in time, or the opponent has to do; empty if nothing.
 * @param {ByTerms} byTerms @param {number} now in milliseconds
 */
export function timeText({ chain, here }, now) {
	if (chain.settled || chain.until === null) return '';
	const left = chain.until - now / 1000;
	const time = left < 0 ? 'the time is over' : `${clockText(left)} left`;
	if (chain.contested)
		return `The end on the chain can still be contested by later moves (${time}).`;
	const { runs } = chain;
	if (!runs) return '';
	return here.includes(runs)
		? `Your clock runs on the chain: make your move (${time}).`
		: `The clock of ${here.includes(other(runs)) ? 'your opponent' : runs} runs on the chain (${time}).`;
}

const LOST = {
	replaced: 'The block with its record was replaced: the chain does not have this end now.',
	other:
		'The chain has another record of this game now, which counts if both have signed more moves there than here. If they have not, record this end again.',
};

/** Where a game is on the chain, in a sentence; empty if it is not there. @param {ByTermsOnChain} chain */
export function whereText({ dispute, recorded, lost, settled }) {
	if (dispute) {
		return settled
			? `The dispute has ended on the chain, as game ${dispute}.`
			: `The game is on the chain for a dispute, as game ${dispute}: signed moves go on here, and count there.`;
	}
	if (recorded) return 'It is recorded on the chain.';
	return lost ? LOST[lost] : '';
}

const DUE =
	'The chain has to be told of what was signed: sign it in a wallet, yours or anybody’s that is connected here.';

const OTHERWISE =
	'The dispute has ended otherwise than by what both of you have signed: record the game, and that counts.';

/** What the player should know of the chain; empty if nothing. @param {ByTermsOnChain} chain */
export const chainNote = ({ due, trouble, dispute, settled, may }) =>
	[due && DUE, dispute && settled && may.record && OTHERWISE, trouble].filter(Boolean).join(' ');
