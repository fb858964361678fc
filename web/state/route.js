// The page's addresses: what each names, and which screen shows it.

/** @import { Route, State } from './types.d.ts' */

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
	const game = /^\/game\/(\d{1,10})\/?$/.exec(path);
	if (game) return { page: 'game', game: Number(game[1]), move };
	if (path !== '/line') return { page: 'unknown' };
	const line = ['bins', 'capacity', 'line', 'moves'].map((name) => [name, query.get(name) ?? '']);
	return { page: 'line', query: new URLSearchParams(line).toString(), move };
}

/** The address of the position shown, in a game or a line. @param {State} state */
export function address({ route, at }) {
	if (route.page === 'game') return `/game/${route.game}${at === null ? '' : `?move=${at}`}`;
	return `/line?${route.query}${at === null ? '' : `&move=${at}`}`;
}

/**
 * The screen to show.
 * @param {State} state
 * @returns {'loading' | 'lobby' | 'game' | 'line' | 'missing'}
 */
export function screen({ route, hello, view, missing }) {
	if (missing || route.page === 'unknown') return 'missing';
	return hello && (view || route.page === 'lobby') ? route.page : 'loading';
}
