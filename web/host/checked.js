// By what a board that a public host shows is checked, in words.

import { texts } from '../words/host.js';
import { factsOf } from './compare.js';

/** @import { ViewedGame } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */
/** @import { Compared } from './compare.js' */
/** @import { NamedNode } from './node.js' */

/**
 * What a node had of a game, when the page looked last.
 * @typedef {{
 *   game: GameId, by: string, compared: Compared | null, turns: number, of: number, facts: string, why: string,
 * }} Verdict
 *
 * `facts` is how the game stood that was compared.
 * `by` names the node within a sentence. `turns` are its moves, `of` those that the host shows.
 * `compared` is null if it did not tell the game; `why` says why.
 */

/**
 * What the page says about a board. `kind` is `checked`, `waiting` while it is being looked at, `not`, or
 * `wrong` if the node has another game. `change` is what leads to a node, if there is a choice.
 * @typedef {{ kind: 'checked' | 'waiting' | 'not' | 'wrong', text: string, change: string | null }} Checked
 */

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
	if (view.freed && verdict?.compared !== 'other') return not(texts.uncheckedGone, null);
	const trouble = named && troubleOf(named);
	const change =
		mayName && (trouble || !own) ? (named ? texts.changeNode : texts.checkByNode) : null;
	if (own) {
		const said = byNode(own, verdict && sinceThen(verdict, view));
		const isUntold = verdict?.compared === null && mayName && named !== null;
		return {
			...said,
			text: sentence(said.text, trouble),
			change: isUntold ? texts.changeNode : change,
		};
	}
	if (named?.state === 'asked') return waiting(texts.asking(texts.named(named.name)));
	if (given) {
		const said = byNode(given, verdict && sinceThen(verdict, view));
		if (said.kind !== 'checked') return { ...said, text: sentence(said.text, trouble), change };
		return not(sentence(texts.comparedByGiven(given), trouble), change);
	}
	if (!trouble) return not(texts.unchecked, change);
	const text = named?.state === 'away' ? texts.uncheckedUntil : texts.uncheckedAs;
	return not(text(trouble), change);
}

/**
 * A verdict, of which moves that came since the node was looked at are no part; null if something else is shown since.
 * @param {Verdict} verdict @param {ViewedGame} view
 * @returns {Verdict | null}
 */
function sinceThen(verdict, view) {
	const { turns: of } = view;
	if (verdict.compared !== 'same' || verdict.facts === factsOf(view)) return verdict;
	return verdict.of < of ? { ...verdict, compared: 'behind', of } : null;
}

/** What is wrong with a node that was named, within a sentence; null if nothing is. @param {NamedNode} node */
function troubleOf({ name, state, why }) {
	if (state === 'away') return texts.namedAway(name);
	return state === 'unfit' ? why.replace(/^T/, 't').replace(/\.$/, '') : null;
}

/**
 * @param {string} own @param {Verdict | null} verdict
 * @returns {Checked}
 */
function byNode(own, verdict) {
	if (!verdict) return waiting(texts.asking(own));
	const { by, compared, turns, of, why } = verdict;
	switch (compared) {
		case 'same':
			return checked(texts.checkedBy(by));
		case 'behind':
			if (turns === of) return waiting(texts.movesCheckedBy(by));
			return turns ? checked(texts.checkedUpTo(by, turns, of)) : waiting(texts.hasNone(by));
		case 'ahead':
			return { kind: 'wrong', text: texts.hasLater(by), change: null };
		case 'other':
			return { kind: 'wrong', text: texts.hasOther(by), change: null };
		case null:
			return not(texts.untoldBy(own, why), null);
	}
}

/** @param {string} text @param {string | null} more */
const sentence = (text, more) => (more ? texts.withTrouble(text, more) : text);

/** @param {string} text @returns {Checked} */
const checked = (text) => ({ kind: 'checked', text, change: null });
/** @param {string} text @returns {Checked} */
const waiting = (text) => ({ kind: 'waiting', text, change: null });
/** @param {string} text @param {string | null} change @returns {Checked} */
function not(text, change) {
	return { kind: 'not', text, change };
}
