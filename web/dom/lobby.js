// The lists of the lobby: games, and those of this browser that go on.

import { once } from '../late.js';
import { EARLIER, GAMES, goingOn, openByTerms, openEarlier, SIGNED } from '../state/here.js';
import { termsText } from '../state/words.js';
import { recall } from '../storage.js';
import { texts } from '../words/page.js';
import { byId, disc, el, refill, setText, show } from './elements.js';
import { personName } from './players.js';

/**
 * @import { Lists, State } from '../state/types.d.ts'
 * @import { Hello, ListedGame } from '../wire.d.ts'
 */

const loadBoards = once(() => import('./small-board.js'), 'style/small-board.css');
/** What draws small boards, once a game of the list has one. @type {typeof import('./small-board.js') | null} */
let boards = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

/** @type {{ hello: Hello, games: Lists | null } | null} */
let shown = null;

/** @param {State} state */
export function renderLobby({ hello, games, pending }) {
	if (!hello) return;
	if (shown?.hello !== hello || shown.games !== games) renderGames(hello, games);
	clearTimeout(soon);
	// A game that this player starts leads away at once, and does not wait for what the lobby alone shows.
	const isNeeded = !boards && !pending && games?.games.some(({ position }) => position);
	if (isNeeded) soon = setTimeout(showBoards);
	show(byId('insecure'), !globalThis.isSecureContext);
	renderGoingOn(hello);
	shown = { hello, games };
}

/** The games of this browser that go on, of the page and by signed terms: they are in this browser, whatever the host. @param {Hello} hello */
function renderGoingOn({ public: isPublic }) {
	const games = isPublic
		? [...openByTerms(recall(SIGNED, {})), ...goingOn(recall(GAMES, { count: 0, games: {} }))]
		: [];
	const earlier = isPublic ? openEarlier(recall(EARLIER, {})) : [];
	show(byId('going-on'), games.length + earlier.length);
	refill(byId('going-on'), [
		...games.map(({ game, text }) => el('a', { href: `/game/${game}` }, text)),
		...earlier.map(({ game, text }) =>
			el('button', { type: 'button', 'data-earlier': game }, text),
		),
	]);
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
