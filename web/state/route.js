// The page's addresses: what each names, and which screen shows it.

import { isOwn } from './seats.js';

/** @import { PeopleRoute, Route, State } from './types.d.ts' */

const BOARD = ['bins', 'capacity', 'line'];
/** Terms of a line of a variant. */
const TERMS = ['players', 'pop_out', 'pie_rule', 'take', 'clear', 'float'];

/**
 * What an address of the page names.
 * @param {string} path @param {string} search
 * @returns {Route}
 */
export function routeOf(path, search = '') {
	const query = new URLSearchParams(search);
	const number = query.get('move') ?? '';
	const move = /^\d{1,4}$/.test(number) ? Number(number) : null;
	if (path === '/') return { page: 'lobby' };
	const number256 = /^\/game\/(0x[\da-f]{64})\/?$/.exec(path)?.[1];
	if (number256) return { page: 'game', game: number256, move };
	const [, kind = '', game] = /^\/game\/([hv]?)(\d{1,10})\/?$/.exec(path) ?? [];
	if (game) return { page: 'game', game: kind + Number(game), move };
	const people = peopleOf(path, search);
	if (people) return people;
	if (path === '/puzzles') return { page: 'puzzles', of: search };
	if (path !== '/line') return { page: 'unknown' };
	const terms = TERMS.filter((name) => query.has(name));
	const line = [...BOARD, ...terms, 'moves'].map((name) => [name, query.get(name) ?? '']);
	return { page: 'line', query: new URLSearchParams(line).toString(), move };
}

/**
 * The path of an address if the page has a view for it, else that of the lobby: no other text that comes from an
 * address is one to go to, as `//games.example` is another site.
 * @param {string} path @param {string} [search]
 */
export const ownPath = (path, search = '') =>
	routeOf(path, search).page === 'unknown' ? '/' : path + search;

/**
 * The view of players or games that an address names.
 * @param {string} path @param {string} search
 * @returns {PeopleRoute | null}
 */
function peopleOf(path, search) {
	if (path === '/live') return { page: 'people', view: 'live', of: '' };
	if (path === '/players') return { page: 'people', view: 'players', of: search };
	const account = /^\/player\/([^/]{1,66})\/?$/.exec(path)?.[1];
	if (account) return { page: 'people', view: 'player', of: account + search };
	const games = /^\/player\/([^/]{1,66})\/games\/?$/.exec(path)?.[1];
	return games ? { page: 'people', view: 'games', of: games + search } : null;
}

/** The address of the position shown, in a game or a line. @param {State} state */
export function address({ route, at }) {
	if (route.page === 'game') return `/game/${route.game}${at === null ? '' : `?move=${at}`}`;
	return `/line?${route.query}${at === null ? '' : `&move=${at}`}`;
}

/**
 * The screen to show.
 * @param {State} state
 * @returns {'loading' | 'lobby' | 'game' | 'line' | 'people' | 'puzzles' | 'missing'}
 */
export function screen({ route, hello, view, missing }) {
	if (missing || route.page === 'unknown') return 'missing';
	// The page itself has all of it.
	if (route.page === 'puzzles') return 'puzzles';
	const isThere = view || route.page === 'lobby' || route.page === 'people';
	return (hello || isOwn(route.game)) && isThere ? route.page : 'loading';
}
