// Many games for the index to show: between the development accounts, by the page's own requests, and signed ones, by the
// program at two terminals.

import { folder, plays, run } from './harness.mjs';

const STANDARD = { bins: 7, capacity: 6, line: 4 };

/** Requests of a page with the host's key. */
export const requests = async ({ url, key }) => {
  const headers = { 'x-connect4-keys': key };
  const { token } = await (await fetch(`${url}/api/hello`, { headers })).json();
  return async (path, body) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'x-connect4-token': token },
      body: JSON.stringify(body),
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${said.error}`);
    return said;
  };
};

/** Terms of a game without rules of its own. */
export const plain = (shape) => ({
  shape,
  players: 2,
  pop_out: false,
  pie_rule: false,
  powers: { take: 0, clear: 0, float: 0 },
  limit: null,
});

/** What is asked for to drop a disc into a bin, from 0. */
export const move = (bin, seen = {}) => ({ move: { kind: 'drop', bin }, ...seen });

/** Makes the moves of a game (bins from 1), and has somebody resign. */
const playOn = async (post, game, { moves, resigns, ...accounts }) => {
  for (const bin of moves) await post(`/api/games/${game}/move`, move(Number(bin) - 1));
  if (resigns) await post(`/api/games/${game}/act`, { act: 'resign', account: accounts[resigns] });
};

/** Starts a game, and plays it. @returns its number */
export const playOne = async (post, { shape = STANDARD, ...played }) => {
  const seats = [played.red, played.blue].map((account) => ({ account, level: null }));
  const { game } = await post('/api/games', { kind: 'classic', terms: plain(shape), seats });
  await playOn(post, game, played);
  return game;
};

/**
 * Plays a signed game in the pool of the standard board, to its end, in a room of a relay.
 * @param moves bins from 1
 * @param red the account that begins; a guest if it is left out, as for `blue`
 */
export const playSigned = async (t, relay, { red, blue, moves }) => {
  const sits = (colour, turn, account) => {
    const lines = [...moves].filter((_, at) => at % 2 === (colour === 'red' ? 0 : 1));
    const as = account ? ['--account', account] : [];
    const terms = ['--pool', 'standard', '--turn', turn];
    return plays(t, colour, lines, 'seek', '--relay', relay, ...terms, ...as);
  };
  await Promise.all([sits('red', 'first', red), sits('blue', 'second', blue)]);
};

/** Has all signed games that a relay keeps recorded on its chain. */
export const recorded = async (t, { url: chain }, { url: relay }) => {
  const limits = ['pair', 'account', 'address'].flatMap((of) => [`--per-${of}`, '1000']);
  const pays = ['--account', 'ferdie', '--budget', '1/day', ...limits];
  const state = ['--state', await folder(t)];
  await run('record', '--follow', '--once', '--url', chain, '--relay', relay, ...pays, ...state);
};

/** What a server answers about the pool of the standard board, once so many accounts are rated there. */
export const rated = async ({ url }, accounts) => {
  for (;;) {
    const answer = await fetch(`${url}/api/standings?league=witnessed-standard`);
    const { index, ...said } = await answer.json();
    if (index?.trouble) throw new Error(index.trouble);
    if (said.accounts === accounts) return said;
  }
};
