// Compares what the host shows with what the moves lead to, and with what a node of the player's choice
// has.

import { isGame, isOwn, isVariant } from '../state/seats.js';
import { reason } from '../state/text.js';
import { current, dispatch } from '../store.js';
import { texts } from '../words/host.js';
import { codeOf, readOwn, readsByItself } from './chain.js';
import { isOurs, otherCode } from './code.js';
import { compare, factsOf } from './compare.js';
import { needContract } from './contracts.js';
import { WalletError } from './ethereum.js';
import { lookForNode, needFit, onNode } from './node.js';
import { onSession, useChain } from './session.js';

/** @import { ChainGame } from '../ask.d.ts' */
/** @import { View, ViewedGame } from '../state/types.d.ts'
 * @import { GameId } from '../wire.d.ts' */
/** @import { Verdict } from './checked.js' */

/** Milliseconds between two looks at the chain by a node of the player's choice. */
const LOOK = 5_000;
/** How often in a row a node may differ from the host before that is told: blocks take their time. */
const DIFFERS = 2;
/** The same for an end, or somebody who has come or left, that it lacks. */
const LACKS_END = 6;
/** Milliseconds between two looks at a node that is behind the host, before something is signed. */
const WAIT = 1_000;
/** How often a node that is behind is looked at before something is signed. */
const WAITS = 8;

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

/** Whether a game is one of the chain, which it can be compared with. @param {View | null} view @returns {view is ViewedGame} */
const isComparable = (view) => Boolean(view && isGame(view) && !isOwn(view.game));

/** Contracts that were found to be those of the game, each by a node. @type {Set<string>} */
const ours = new Set();
/** Looks once whether a contract that answers is one of the game. @param {string} kind */
async function needOurs(kind) {
	const address = needContract(kind);
	if (ours.has(address)) return;
	const code = await codeOf(address);
	if (!code || !(await isOurs(kind, code.answer))) {
		throw new Error(otherCode(address, code?.by ?? '', texts.dontUseHost));
	}
	ours.add(address);
}

/**
 * What a node of the player's choice has of a game that is shown; null if none answers.
 * @param {ViewedGame} asked @param {boolean} [isNewest] whether it is compared with what is shown once the node has answered
 */
async function lookAt(asked, isNewest = false) {
	const { game } = asked;
	// Of which kind a game is follows from its number: what a host says of it could be that of another kind.
	const answer = await readOwn(isVariant(asked) ? 'read_variant' : 'read_game', { game });
	if (!answer) return null;
	if (isVariant(asked)) await needOurs('variants');
	// The host may have shown a later move meanwhile, or the player may look at another game.
	const { view } = current();
	const shown = isNewest && isComparable(view) && view.game === game ? view : asked;
	/** @type {ChainGame} */
	const found = answer.found.game;
	const compared = shown.freed ? 'other' : await compare(shown, found);
	return {
		game,
		by: answer.by,
		compared,
		turns: found.turns,
		of: shown.turns,
		facts: factsOf(shown),
	};
}

/** Looks whether the chain has the board that is shown, before something is signed on it. @param {GameId} game */
export async function checkGame(game) {
	const { view } = current();
	if (!isComparable(view) || view.game !== game) return;
	await compareUntilSame(view);
	needUnchanged(view);
}

/** Looks whether what is shown is still what the player has chosen by. @param {ViewedGame} view @throws {WalletError} if it is not */
function needUnchanged(view) {
	const now = current().view;
	if (now && isGame(now) && now.game === view.game && factsOf(now) !== factsOf(view)) {
		throw new WalletError(texts.boardChanged, 'failed');
	}
}

/** @param {ViewedGame} view that is shown @throws {WalletError} if the chain has another one */
async function compareUntilSame(view) {
	await needFit();
	await useChain();
	for (let waits = 0; readsByItself(); waits += 1) {
		needUnchanged(view);
		const found = await lookAt(view).catch((error) => {
			const why = reason(error);
			throw new WalletError(texts.notCompared(why), 'failed');
		});
		// The page says that the node has gone away, and that the host's word has to do.
		if (!found) return;
		const { by, turns, of, compared } = found;
		judge({ ...found, why: '' });
		if (compared === 'same') return;
		// What the node has more, the host may be about to show.
		if ((compared === 'behind' || compared === 'ahead') && waits < WAITS) {
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
	if (!isComparable(view) || !readsByItself()) {
		differs = 0;
		if (verdict) judge(null);
		return;
	}
	try {
		const found = await lookAt(view, true);
		if (!found) return;
		const { by, compared } = found;
		judge({ ...found, why: '' });
		const { turns, of } = found;
		const lacksEnd = compared === 'behind' && turns === of;
		if (compared === 'same' || (compared === 'behind' && !lacksEnd)) differs = 0;
		else if (counts) differs += 1;
		if (!counts || differs !== (lacksEnd ? LACKS_END : DIFFERS)) return;
		warn(compared === 'ahead' ? texts.hasHidden(by) : texts.hasOtherBoard(by));
	} catch (error) {
		// Of a game that it has no more nothing else is to be had.
		if (view.freed) return judge(null);
		const why = reason(error);
		const none = { by: '', compared: null, turns: 0, of: view.turns, facts: factsOf(view), why };
		judge({ game: view.game, ...none });
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
