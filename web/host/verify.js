// Compares what the host shows with what the moves lead to, and with what a node of the player's choice
// has.

import { classic } from '../state/classic.js';
import { isGame, isOwn, isVariant } from '../state/seats.js';
import { current, dispatch } from '../store.js';
import { texts } from '../words/host.js';
import { readOwn, readsByItself } from './chain.js';
import { compare } from './compare.js';
import { WalletError } from './ethereum.js';
import { lookForNode, needFit, onNode } from './node.js';
import { onSession, useChain } from './session.js';
import { ask } from './wasm.js';

/** @import { ChainGame } from '../ask.d.ts' */
/** @import { View, ViewedGame } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */
/** @import { Verdict } from './checked.js' */

/** Milliseconds between two looks at the chain by a node of the player's choice. */
const LOOK = 5_000;
/** How often in a row a node may differ from the host before that is told: blocks take their time. */
const DIFFERS = 2;
/** Milliseconds between two looks at a node that is behind the host, before something is signed. */
const WAIT = 1_000;
/** How often a node that is behind is looked at before something is signed. */
const WAITS = 8;

/** @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What the node had of the game that was looked at last. @type {Verdict | null} */
let verdict = null;
/** @type {(() => void)[]} */
const told = [];

/** Calls a function after each look. @param {() => void} looked */
export const onVerdict = (looked) => told.push(looked);

/** What the node had of a game; null if it was not looked at. @param {GameId} game */
export const verdictOn = (game) => (verdict?.game === game ? verdict : null);

/** @param {Verdict | null} now */
function judge(now) {
	verdict = now;
	for (const looked of told) looked();
}

/** Tells the player that the host is not to be trusted. @param {string} what */
function warn(what) {
	dispatch({ type: 'refuse', text: texts.distrust(what) });
}

/**
 * Looks whether the board of a view is that of its moves, by the rules.
 * @param {ViewedGame} view
 */
export async function checkView(view) {
	if (view.moves_missing) return;
	const { moves, departures } = view;
	const terms = isVariant(view) ? view.terms : classic(view.terms.shape);
	const position = await ask({ position: { terms, moves, departures } }).catch(() => null);
	if (current().view?.game !== view.game) return;
	if (!position || view.swapped !== position.swapped) {
		warn(texts.movesAgainstRules);
	} else if (!same(position.board, view.board)) {
		warn(texts.boardOfOthers);
	} else if (position.over && (!view.over || position.winner !== view.winner)) {
		warn(texts.resultOfOthers);
	}
}

/** Whether a game is one of the chain, which it can be compared with. @param {View | null} view @returns {view is ViewedGame} */
const isComparable = (view) => Boolean(view && isGame(view) && !isOwn(view.game));

/** Whether it is compared all the time: not if the chain has it no more. @param {View | null} view @returns {view is ViewedGame} */
const isCompared = (view) => isComparable(view) && !view.freed;

/**
 * What a node of the player's choice has of a game that is shown; null if none answers.
 * @param {ViewedGame} asked
 */
async function lookAt(asked) {
	const { game } = asked;
	// Of which kind a game is follows from its number: what a host says of it could be that of another kind.
	const answer = await readOwn(isVariant(asked) ? 'read_variant' : 'read_game', { game });
	if (!answer) return null;
	// The host may have shown a later move meanwhile, or the player may look at another game.
	const { view } = current();
	const shown = isComparable(view) && view.game === game ? view : asked;
	/** @type {ChainGame} */
	const found = answer.found.game;
	const compared = await compare(shown, found);
	return { game, by: answer.by, compared, turns: found.turns, of: shown.turns };
}

/** Looks whether the chain has the board that is shown, before something is signed on it. @param {GameId} game */
export async function checkGame(game) {
	const { view } = current();
	if (!isComparable(view) || view.game !== game) return;
	await needFit();
	await useChain();
	for (let waits = 0; readsByItself(); waits += 1) {
		const found = await lookAt(view).catch((error) => {
			const why = error instanceof Error ? error.message : String(error);
			throw new WalletError(texts.notCompared(why), 'failed');
		});
		// The page says that the node has gone away, and that the host's word has to do.
		if (!found) return;
		const { by, turns, of, compared } = found;
		judge({ game, by, turns, of, compared, why: '' });
		if (compared === 'same') return;
		if (compared === 'behind' && waits < WAITS) {
			await new Promise((resolve) => setTimeout(resolve, WAIT));
			continue;
		}
		throw new WalletError(
			compared === 'behind' ? texts.hasFewer(by, turns, of) : texts.otherBoardSigned(by),
			'failed',
		);
	}
}

/** How often in a row the node had something else than the host. */
let differs = 0;

/** Looks whether the host shows what is on the chain. @param {boolean} counts whether time has passed */
async function look(counts) {
	const { view } = current();
	if (!isCompared(view) || !readsByItself()) {
		differs = 0;
		if (verdict) judge(null);
		return;
	}
	try {
		const found = await lookAt(view);
		if (!found) return;
		const { game, by, turns, of, compared } = found;
		judge({ game, by, turns, of, compared, why: '' });
		if (compared === 'same' || compared === 'behind') differs = 0;
		else if (counts) differs += 1;
		if (!counts || differs !== DIFFERS) return;
		warn(compared === 'ahead' ? texts.hasHidden(by) : texts.hasOtherBoard(by));
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		judge({ game: view.game, by: '', compared: null, turns: 0, of: view.turns, why });
	}
}

/** Looks at what is shown now. */
export const lookNow = () => look(false).catch(() => {});

onNode(lookNow);
onSession(lookNow);
setInterval(async () => {
	await lookForNode().catch(() => {});
	await look(true).catch(() => {});
}, LOOK);
