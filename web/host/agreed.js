// What a player agreed to when a session key was made for a fast game. It is kept with the key: a host that
// showed the game with shorter lines, for example, would have the page agree to a line that is none.

import { texts } from '../words/host.js';

/** @import { ChainFastGame, ChainMatch } from '../ask.d.ts' */
/** @import { Clock, Shape } from '../wire.d.ts' */

/**
 * The board, the clock, each player's stake in the unit that contracts see, and whether there is the pie rule, of
 * which keys of earlier pages say nothing.
 * @typedef {{ shape: Shape, clock: Clock | null, stake: string, pie_rule?: boolean }} Agreed
 */

/** @param {Shape} shape */
const board = ({ bins, capacity, line }) => texts.boardAndLine(bins, capacity, line);
/** @param {Clock | null} clock */
const time = (clock) => (clock ? texts.clockOf(clock.bank, clock.increment) : texts.none);

/** @param {boolean} [isHeld] */
const held = (isHeld) => (isHeld ? texts.partOfIt : texts.noPartOfIt);

/**
 * How a game differs from what was agreed on, in words; empty if it does not, or if that is not known.
 * @param {Agreed | null} agreed @param {ChainFastGame} fast @param {ChainMatch} [match]
 */
export function difference(agreed, { game, pie_rule }, match) {
	if (!agreed) return '';
	const facts = [
		[texts.theBoard, board(agreed.shape), board(game.terms.shape)],
		[texts.thePie, held(agreed.pie_rule), held(pie_rule)],
	];
	if (match) {
		facts.push([texts.theClock, time(agreed.clock), time(match.clock)]);
		facts.push([texts.theStake, agreed.stake, String(match.stake)]);
	}
	const found = facts.find(([, before, now]) => before !== now);
	if (!found) return '';
	const [fact, before, now] = found;
	return texts.otherAgreed(fact, now, before);
}
