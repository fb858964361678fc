// Who does what players want: the program that serves the page, by its own accounts; or on a public host the page
// itself, where the player's wallet signs.

import { nextHost, host as usedHost } from './hosts.js';
import { once } from './late.js';
import { isByTerms, isHere } from './state/seats.js';
import { reason } from './state/text.js';
import { dispatch } from './store.js';
import { Failure } from './transport.js';
import { texts } from './words/page.js';

/** @import { StakeAct } from './state/staked.js' */
/** @import { GameAct, StartHere, ViewedGame, Wish } from './state/types.d.ts'
 * @import { Hello, Live } from './wire.d.ts' */
/** @import { GameId, GameNumber, MakeMove, OpenTable, Perform, SeatComputer, StartGame } from './wire.d.ts' */

/**
 * What is asked for, and the game to which it leads.
 * @typedef {{
 *   startGame: (asked: StartGame) => Promise<GameNumber>,
 *   openTable: (asked: OpenTable) => Promise<GameNumber>,
 *   move: (game: GameId, asked: MakeMove) => Promise<unknown>,
 *   act: (game: GameId, asked: Omit<Perform, 'act'> & { act: GameAct }) => Promise<unknown>,
 *   setComputer: (game: GameId, asked: SeatComputer) => Promise<unknown>,
 * }} Acts
 *
 * `join` takes what the program or host says of itself, and answers it with the accounts that play here. `check` compares
 * a game that is shown with what this browser can find out by itself.
 * @typedef {Acts & {
 *   join: (said: Hello) => Promise<Hello>,
 *   check: (view: ViewedGame) => void,
 * }} Player
 *
 * `sit` has wallets and signed games beside the games of a program.
 * @typedef {Player & { sit: (said: Hello) => Promise<void> }} Host
 *
 * `greet` asks a server what it is. `addKey` keeps a secret that opens one account of a program, or all.
 * @typedef {Player & { greet: () => Promise<Hello>, addKey: (key: string) => void }} Program
 */

/**
 * The games of this page: `start` begins one, `next` the next one of a series, which is null if it waits for the
 * opponent, and `watch` tells of one until it is stopped.
 * @typedef {Pick<Acts, 'move' | 'act' | 'setComputer'> & {
 *   start: (asked: StartHere) => GameId,
 *   next: (game: GameId) => Promise<{ game: GameId | null }>,
 *   watch: (game: GameId, take: (said: Live) => void) => () => void,
 * }} Here
 */

/**
 * Games by signed terms: as the games of this page, without computers; how an opponent is found; and what is done on the chain.
 * @typedef {Pick<Here, 'move' | 'act' | 'next' | 'watch'> & {
 *   seek: (asked: { wish?: Partial<Wish> | null }) => Promise<unknown>,
 *   actOnChain: (game: GameId, what: StakeAct) => Promise<null>,
 * }} Terms
 */

/** Loads the games of this page. @type {() => Promise<Here>} */
let loadHere = async () => {
	throw new Error(texts.noPlayerChosen);
};
/** Those games, once one was wanted. @type {Here | null} */
let here = null;
/** Loads the games by signed terms. @type {() => Promise<Terms>} */
let loadTerms = async () => {
	throw new Error(texts.noPlayerChosen);
};
/** Those games, once one was wanted. @type {Terms | null} */
let terms = null;
/** @type {Program | null} */
let program = null;
/** Loads the player of public hosts. @type {() => Promise<Host>} */
let load = async () => {
	throw new Error(texts.noPlayerChosen);
};
/** Whether the server is a public host; null until it has said it. @type {boolean | null} */
let isPublic = null;
/** Tells it to who waits for that. @type {(is: boolean) => void} */
let know = () => {};
/** That player, once a host has said that it is one. @type {Host | null} */
let host = null;

/** @param {{ program: Program, host: () => Promise<Host>, here: () => Promise<Here>, terms: () => Promise<Terms> }} of who there is to choose from */
export function choosePlayer(of) {
	({ program, host: load, here: loadHere, terms: loadTerms } = of);
}

/** The games of this page. */
export async function games() {
	here ??= await loadHere();
	return here;
}

/** The games by signed terms. */
export async function termsGames() {
	wantSigned();
	terms ??= await loadTerms();
	return terms;
}

/** @returns {Program} */
function needed() {
	if (program) return program;
	throw new Error(texts.noPlayerChosen);
}

/**
 * What the program or host says of itself, with the accounts that play here.
 * @returns {Promise<Hello>}
 */
export async function hello() {
	const said = await needed().greet();
	// What a program says is compared with nothing: it serves its own page, and nothing else becomes one.
	const isProgramElsewhere = !said.public && usedHost() !== '';
	if (!isProgramElsewhere) {
		isPublic ??= said.public;
		know(isPublic);
	}
	if (isProgramElsewhere || isPublic !== said.public) {
		nextHost(usedHost());
		throw new Failure(texts.notProgram, 'away');
	}
	if (isPublic && said.signing) host ??= await load();
	// Else amounts would be shown by what it says of its token, and be paid by what it has said before.
	else if (host) throw new Failure(texts.noChainSaid, 'away');
	else if (!isPublic && said.signing) sitOnce(said);
	return player().join(said);
}

/** Milliseconds after which signed games are loaded at a program that nobody wanted before. */
const CALM = 10_000;
/** Whether signed games and wallets are loaded, or about to be, at a program. */
let isSigning = false;
/** What the program has said last, while nobody wants them. @type {Hello | null} */
let later = null;

/** Whether signed games are shown: at a program once somebody wants them, as its own games are light without. */
export const showsSigned = () => isPublic || isSigning;

/** Has signed games and wallets loaded, also where they are not at once. */
export function wantSigned() {
	isSigning = true;
	const said = later;
	later = null;
	if (said) sit(said);
}

/** Sits at a program as soon as that is wanted. A guest has nothing else there. @param {Hello} said */
function sitOnce(said) {
	const isFirst = !later && !isSigning;
	later = said;
	if (isSigning || !said.host || !said.accounts.length) wantSigned();
	else if (isFirst) setTimeout(wantSigned, CALM);
}

/** Has the player of signed games sit beside a program's own ones, which do not wait for it. @param {Hello} said */
async function sit(said) {
	try {
		await (await load()).sit(said);
	} catch (failure) {
		dispatch({ type: 'refuse', text: reason(failure) });
		// Who waits for it is told.
		dispatch({ type: 'hello', hello: { ...said, signing: null } });
	}
}

/** Who does what players want now. @returns {Player} */
export const player = () => host ?? needed();

/**
 * Who does what players want in a game; `next` is there for those that have a series.
 * @param {GameId} game @returns {Pick<Acts, 'move' | 'act' | 'setComputer'> & Partial<Pick<Here, 'next'>>}
 */
export function playerOf(game) {
	if (terms && isByTerms(game)) return { ...player(), ...terms };
	return here && isHere(game) ? here : player();
}

const loadReader = once(() => import('./host/read.js'));

/** Whether the server is a public host, once it has said it. @type {Promise<boolean>} */
const isHost = new Promise((resolve) => {
	know = resolve;
});

/**
 * A game as it is shown, of what the server tells: a program is the player's own, and of a public host its word is not
 * taken, not before it is known which of them it is either.
 * @param {ViewedGame} told
 * @returns {Promise<ViewedGame>}
 */
export const read = async (told) => ((await isHost) ? (await loadReader()).readGame(told) : told);

/** @type {Player['check']} */
export const check = (view) => player().check(view);

/** @type {Program['addKey']} */
export const addKey = (key) => needed().addKey(key);
