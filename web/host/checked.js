// By what a board that a public host shows is checked, in words.

/** @import { GameId, ViewedGame } from '../state/types.d.ts' */
/** @import { Compared } from './compare.js' */
/** @import { NamedNode } from './node.js' */

/**
 * What a node had of a game, when the page looked last.
 * @typedef {{
 *   game: GameId, by: string, compared: Compared | null, turns: number, of: number, why: string,
 * }} Verdict
 *
 * `by` names the node within a sentence. `turns` are its moves, `of` those that the host shows.
 * `compared` is null if it did not tell the game; `why` says why.
 */

/**
 * What the page says about a board. `kind` is `checked`, `waiting` while it is being looked at, `not`, or
 * `wrong` if the node has another game. `change` is what leads to a node, if there is a choice.
 * @typedef {{ kind: 'checked' | 'waiting' | 'not' | 'wrong', text: string, change: string | null }} Checked
 */

const WORD = 'taken from this host’s word';
const NAME = 'Check it by a node';
const CHANGE = 'Change the node';

/** For a game of a variant, which nothing is compared with. */
export const UNCHECKED = not(`Not checked: ${WORD}.`, null);

/**
 * What is said about the board of a game.
 * @param {{
 *   view: ViewedGame, own: string | null, given?: string | null, named: NamedNode | null,
 *   mayName: boolean, verdict: Verdict | null,
 * }} known
 * `own` is the node that is asked, within a sentence; null if there is none. `given` is one that a host has
 * named to the wallet, and may be its own.
 * @returns {Checked}
 */
export function checkedBy({ view, own, given = null, named, mayName, verdict }) {
	if (view.freed) {
		return not(`Not checked: the chain has this game no more, so the board is ${WORD}.`, null);
	}
	const trouble = named && troubleOf(named);
	const change = mayName && (trouble || !own) ? (named ? CHANGE : NAME) : null;
	// This browser plays it, and takes no move without the opponent's signature.
	if (view.fast?.here.length && !view.fast.settled) {
		const chain = own ? `what the chain has, by ${own}` : `what the chain has is ${WORD}`;
		return {
			kind: 'checked',
			text: sentence(`Moves are checked by their signatures; ${chain}`, trouble),
			change,
		};
	}
	if (own) {
		const said = byNode(own, verdict && sinceThen(verdict, view), Boolean(view.fast));
		const isUntold = verdict?.compared === null && mayName && named !== null;
		return { ...said, text: sentence(said.text, trouble), change: isUntold ? CHANGE : change };
	}
	if (named?.state === 'asked') return waiting(`Asking the node ${named.name}…`);
	if (given) {
		const said = byNode(given, verdict && sinceThen(verdict, view), Boolean(view.fast));
		if (said.kind !== 'checked') return { ...said, text: sentence(said.text, trouble), change };
		return not(sentence(`Compared with no node but ${given}`, trouble), change);
	}
	if (!trouble) return not(`Not checked: ${WORD}.`, change);
	const meanwhile = named?.state === 'away' ? 'Until it does,' : 'So';
	return not(`Not checked: ${trouble}. ${meanwhile} the board is ${WORD}.`, change);
}

/**
 * A verdict, of which moves that came since the node was looked at are no part.
 * @param {Verdict} verdict @param {ViewedGame} view
 * @returns {Verdict}
 */
const sinceThen = (verdict, { turns: of }) =>
	verdict.compared === 'same' && verdict.of < of ? { ...verdict, compared: 'behind', of } : verdict;

/** What is wrong with a node that was named, within a sentence; null if nothing is. @param {NamedNode} node */
function troubleOf({ name, state, why }) {
	if (state === 'away') return `the node ${name} does not answer`;
	return state === 'unfit' ? why.replace(/^T/, 't').replace(/\.$/, '') : null;
}

/**
 * @param {string} own @param {Verdict | null} verdict @param {boolean} isFast
 * @returns {Checked}
 */
function byNode(own, verdict, isFast) {
	if (!verdict) return waiting(`Asking ${own}…`);
	const { by, compared, turns, of, why } = verdict;
	switch (compared) {
		case 'same':
			return checked(`Checked by ${by}`);
		case 'behind': {
			if (turns === of) return checked(`Moves checked by ${by}, which has no end of the game yet`);
			const rest = isFast ? ': later ones are not on the chain' : '';
			if (turns) return checked(`Checked by ${by} up to move ${turns} of ${of}${rest}`);
			return isFast
				? not(`Not checked: no move is on the chain yet, and the signed ones are ${WORD}`, null)
				: waiting(`Not checked yet: ${by} has none of these moves`);
		}
		case 'ahead':
			return {
				kind: 'wrong',
				text: `${begin(by)} has a later move than this host shows`,
				change: null,
			};
		case 'other':
			return { kind: 'wrong', text: `${begin(by)} has another board than this one`, change: null };
		case null:
			return not(`Not checked: ${own} does not tell this game (${why})`, null);
	}
}

/** @param {string} text @param {string | null} more */
const sentence = (text, more) => (more ? `${text}. ${begin(more)}.` : text);
/** @param {string} text */
const begin = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} text @returns {Checked} */
const checked = (text) => ({ kind: 'checked', text, change: null });
/** @param {string} text @returns {Checked} */
const waiting = (text) => ({ kind: 'waiting', text, change: null });
/** @param {string} text @param {string | null} change @returns {Checked} */
function not(text, change) {
	return { kind: 'not', text, change };
}
