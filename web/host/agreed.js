// What a player agreed to when a session key was made for a fast game. It is kept with the key: a host that
// showed the game with shorter lines, for example, would have the page agree to a line that is none.

/** @import { ChainFastGame, ChainMatch } from '../ask.d.ts' */
/** @import { Clock, Shape } from '../wire.d.ts' */

/**
 * The board, the clock, each player's stake in the unit that contracts see, and whether there is the pie rule, of
 * which keys of earlier pages say nothing.
 * @typedef {{ shape: Shape, clock: Clock | null, stake: string, pie_rule?: boolean }} Agreed
 */

/** @param {Shape} shape */
const board = ({ bins, capacity, line }) => `${bins}x${capacity}, line ${line}`;
/** @param {Clock | null} clock */
const time = (clock) => (clock ? `${clock.bank} s and ${clock.increment} s for each move` : 'none');

/** @param {boolean} [isHeld] */
const held = (isHeld) => (isHeld ? 'part of it' : 'no part of it');

/**
 * How a game differs from what was agreed on, in words; empty if it does not, or if that is not known.
 * @param {Agreed | null} agreed @param {ChainFastGame} fast @param {ChainMatch} [match]
 */
export function difference(agreed, { game, pie_rule }, match) {
	if (!agreed) return '';
	const facts = [
		['the board', board(agreed.shape), board(game.terms.shape)],
		['the pie rule', held(agreed.pie_rule), held(pie_rule)],
	];
	if (match) {
		facts.push(['the clock', time(agreed.clock), time(match.clock)]);
		facts.push(['the stake', agreed.stake, String(match.stake)]);
	}
	const found = facts.find(([, before, now]) => before !== now);
	if (!found) return '';
	const [fact, before, now] = found;
	return `This host does not show the game as you agreed to it: ${fact} is ${now}, where ${before} was agreed. Nothing is signed: use another host, or name a node.`;
}
