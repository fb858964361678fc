// Addresses of the page: what they name, and which screen that is.

/** @param {string} path @param {string} search @returns {{page: string}} what an address of the page names */
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

/** @param {object} state @returns {string} the address of the position shown */
export function address({ route, at }) {
  if (route.page === 'game') return `/game/${route.game}${at === null ? '' : `?move=${at}`}`;
  return `/line?${route.query}${at === null ? '' : `&move=${at}`}`;
}

/** @param {object} state @returns {string} loading, lobby, game, line or missing */
export function screen({ route, hello, view, missing }) {
  if (missing) return 'missing';
  return hello && (view || route.page === 'lobby') ? route.page : 'loading';
}
