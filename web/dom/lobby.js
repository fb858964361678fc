// The lists of the lobby: games, open challenges, what accounts are owed.

import { once } from '../late.js';
import { answers, challengesShown, challengeText, owedHere } from '../state/challenges.js';
import { GAMES, goingOn, openByTerms, SIGNED } from '../state/here.js';
import { accountOf, nameOf } from '../state/seats.js';
import { amountText, isSome, short } from '../state/text.js';
import { termsText } from '../state/words.js';
import { recall } from '../storage.js';
import { texts } from '../words/page.js';
import { byId, disc, el, find, refill, setText, show } from './elements.js';
import { personName } from './players.js';

/**
 * @import { Lists, Pending, State } from '../state/types.d.ts'
 * @import { Address, AnswerChallenge, GameId, Hello, ListedGame, OpenChallenge, Owed } from '../wire.d.ts'
 */

/** What shows all terms of a challenge, once it was wanted. @type {typeof import('./terms.js') | null} */
let terms = null;

const loadBoards = once(() => import('./small-board.js'), 'style/small-board.css');
/** What draws small boards, once a game of the list has one. @type {typeof import('./small-board.js') | null} */
let boards = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

/** @typedef {Pick<State, 'hello' | 'games' | 'older' | 'pending' | 'waits' | 'considers'>} Listed */

/** @type {Listed & { hello: Hello } | null} */
let shown = null;

/** @param {State} state */
export function renderLobby({ hello, games, older, pending, waits, considers }) {
	if (!hello) return;
	const listed = { hello, games, older, pending, waits, considers };
	const isSame = shown?.hello === hello && shown.games === games;
	if (!isSame) renderGames(hello, games);
	clearTimeout(soon);
	// A game that this player starts leads away at once, and does not wait for what the lobby alone shows.
	const isNeeded = !boards && !pending && games?.games.some(({ position }) => position);
	if (isNeeded) soon = setTimeout(showBoards);
	show(byId('insecure'), !globalThis.isSecureContext);
	renderGoingOn(hello);
	const isAsked = shown?.considers === considers;
	if (
		!isSame ||
		!isAsked ||
		Boolean(shown?.pending) !== Boolean(pending) ||
		shown?.waits !== waits ||
		shown?.older !== older
	) {
		renderChallenges(hello, listed);
		renderOwed(hello, owedHere(hello, games?.owed ?? []), pending);
	}
	// A player who has asked for the terms reads them from there on.
	const leave = byId('challenges').querySelector('button[data-act="leave"]');
	if (!isAsked && leave instanceof HTMLElement) leave.focus();
	shown = listed;
}

/**
 * Watches the buttons of challenges, and of what accounts are owed.
 * @param {(challenge: number, body: AnswerChallenge) => void} answer
 * @param {(challenge: number | null) => void} consider
 * @param {() => void} older
 * @param {(account: Address, games: GameId[]) => void} withdraw
 */
export function watchLobby(answer, consider, older, withdraw) {
	byId('owed').addEventListener('click', ({ target }) => {
		const button = /** @type {Element} */ (target).closest('button');
		const { account, games } = button?.dataset ?? {};
		if (account && games) withdraw(account, JSON.parse(games));
	});
	byId('challenges').addEventListener('click', async ({ target }) => {
		const button = /** @type {Element} */ (target).closest('button');
		if (!button) return;
		const { act, challenge, account = '', stake = null } = button.dataset;
		if (act === 'consider') {
			terms ??= await import('./terms.js').catch(() => null);
			return consider(Number(challenge));
		}
		if (act === 'leave') return consider(null);
		if (act === 'older') return older();
		answer(Number(challenge), {
			act: /** @type {AnswerChallenge['act']} */ (act),
			account,
			stake,
		});
	});
}

/** The games of this browser that go on, of the page and by signed terms: they are in this browser, whatever the host. @param {Hello} hello */
function renderGoingOn({ public: isPublic }) {
	const games = isPublic
		? [...openByTerms(recall(SIGNED, {})), ...goingOn(recall(GAMES, { count: 0, games: {} }))]
		: [];
	show(byId('going-on'), games.length);
	refill(
		byId('going-on'),
		games.map(({ game, text }) => el('a', { href: `/game/${game}` }, text)),
	);
}

/** @param {Hello} hello @param {Owed[]} owed @param {Pending | null} pending */
function renderOwed(hello, owed, pending) {
	show(byId('owed'), owed.length);
	const items = owed.map(({ account, amount, games }) => {
		const name = nameOf(hello, account);
		const attributes = {
			class: 'button small primary',
			'data-account': account,
			'data-games': JSON.stringify(games),
			'aria-label': texts.withdrawOf(name),
			disabled: pending ? '' : null,
		};
		return el(
			'li',
			{},
			el(
				'span',
				{ title: account },
				...texts.isOwed(el('b', {}, personName(hello, account)), amountText(amount, hello.chain)),
			),
			el('button', attributes, texts.withdraw),
		);
	});
	refill(find(byId('owed'), 'ul'), items);
}

/** @param {Hello} hello @param {Listed} listed */
function renderChallenges(hello, { games, older, pending, waits, considers }) {
	const open = challengesShown({ games, older, waits });
	show(byId('challenges'), open.length);
	show(byId('older-challenges'), typeof (older ?? games)?.older_challenges === 'number');
	const items = open.map((challenge) => {
		const is = (/** @type {number | null | undefined} */ number) => number === challenge.challenge;
		return challengeItem(challenge, hello, pending, is(waits?.challenge), is(considers));
	});
	refill(find(byId('challenges'), 'ul'), items);
}

/**
 * @param {OpenChallenge} challenge @param {Hello} hello
 * @param {Pending | null} pending
 * @param {boolean} waiting whether this browser waits for somebody to accept it
 * @param {boolean} considered whether the page asks about its terms
 */
function challengeItem(challenge, hello, pending, waiting, considered) {
	const { challenger, opponent, challenge: number, stake } = challenge;
	const can = answers(hello, challenge);
	/** @param {AnswerChallenge['act']} act @param {string} words @param {string} kind */
	const button = (act, words, kind = '', asks = false) => {
		const attributes = {
			class: `button small ${kind}`,
			'data-act': asks ? 'consider' : act,
			'data-challenge': number,
			'data-account': can[act],
			'data-stake': act === 'accept' ? stake : null,
			disabled: pending ? '' : null,
		};
		return can[act] ? [el('button', attributes, words)] : [];
	};
	const accepts = accountOf(hello, can.accept);
	const name = accepts ? nameOf(hello, accepts.address) : '';
	const pays = isSome(stake) ? amountText(stake, hello.chain) : '';
	const acceptAs = pays ? texts.acceptAsPay(name, pays) : texts.acceptAs(name);
	// Where money is at stake the address is what tells accounts apart.
	/** @param {Address} address */
	const person = (address) => [
		personName(hello, address),
		...(isSome(stake) ? [` (${short(address)})`] : []),
	];
	const whom = opponent ? el('span', {}, ...person(opponent)) : texts.anyone;
	const buttons = [
		...(waiting ? [] : button('accept', acceptAs, 'primary', isSome(stake))),
		...(waiting ? [] : button('decline', texts.decline)),
		...button('cancel', texts.cancel),
	];
	return el(
		'li',
		{},
		el(
			'span',
			{},
			...(waiting ? texts.challengesWaiting : texts.challenges)(
				el('b', {}, ...person(challenger)),
				whom,
			),
		),
		...(considered && accepts && terms
			? [
					terms.termsTable(challenge, hello, accepts.address),
					el(
						'span',
						{ class: 'row' },
						...button('accept', pays ? texts.acceptPay(pays) : texts.accept, 'primary'),
						el('button', { class: 'button small', 'data-act': 'leave' }, texts.notNow),
					),
				]
			: [
					el('span', { class: 'quiet' }, challengeText(challenge, hello)),
					el('span', { class: 'row' }, ...buttons),
				]),
	);
}

/** @param {Hello} hello @param {Lists | null} lists */
function renderGames(hello, lists) {
	const { games, tables } = lists ?? { games: [], tables: [] };
	const count = Object.values(lists?.counts ?? {}).reduce((sum, of) => sum + of, 0);
	show(byId('no-games'), lists && !games.length);
	const isPart = count > games.length + tables.length;
	setText(byId('games-count'), isPart ? texts.newestOf(games.length, count) : '');
	refill(
		byId('games'),
		games.map((game) => gameItem(hello, game)),
	);
}

/** Loads what draws the boards. Until then there is room for them. */
async function showBoards() {
	if (byId('page-lobby').hidden) return;
	boards = await loadBoards().catch(() => null);
	if (boards && shown) renderGames(shown.hello, shown.games);
}

/** @param {Hello} hello @param {ListedGame} listed */
function gameItem(hello, listed) {
	const { game, freed, over, standing, position, terms, turns } = listed;
	const size = terms ? `${termsText(terms)} · ${texts.moves(turns)}` : '';
	return el(
		'li',
		{},
		el(
			'div',
			{ class: `listed ${freed || over ? 'over' : ''}` },
			// All of the row opens the game, but for the names.
			el(
				'a',
				{ href: `/game/${game}`, class: 'id', 'aria-label': texts.gameNumber(game) },
				`#${game}`,
			),
			...(position
				? [el('span', { class: 'thumb' }, ...(boards ? [boards.smallBoard(position)] : []))]
				: []),
			freed ? el('span', { class: 'pair quiet' }, texts.freedGame) : listedPlayers(hello, listed),
			el('span', { class: 'standing' }, standing),
			el('span', { class: 'shape' }, size),
		),
	);
}

/** The players of a game, or the seats of a table. @param {Hello} hello @param {ListedGame} listed */
export const listedPlayers = (hello, { players, to_move: mover }) =>
	el(
		'span',
		{ class: 'pair' },
		...players.map(({ colour, account, joined }) =>
			el(
				'span',
				{
					class: `who${colour === mover ? ' turn' : ''}${joined ? '' : ' waiting'}`,
					title: account,
				},
				disc(colour),
				account ? personName(hello, account, !joined) : el('span', {}, texts.free),
			),
		),
	);
