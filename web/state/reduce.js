// What the page knows, and how that changes. Pure, as all of this folder: no DOM, no requests, no timers, no clock.

import { news } from './announce.js';
import { away } from './connection.js';
import { capital } from './text.js';

export const initial = {
  route: { page: 'loading' },
  hello: null, // what the program said of itself, and the accounts that our keys open
  link: 'opening', // the socket to the program; then open or lost
  chain: null, // { up, block, why }
  games: null, // the lists of the lobby: games, and open challenges
  waits: null, // { challenge, account, count, listed }: our challenge, and how many games there were before it
  go: null, // the game to go to by itself
  view: null, // the game as last told,
  told: 0, // and when, in milliseconds of our own clock
  missing: null, // why there is nothing to show
  at: null, // the position shown, in moves; null: the newest
  film: false,
  pending: null, // { id, what, bin, turns }: a transaction under way
  error: null, // { text, bin, soft }; soft: the next move makes it untrue
  aim: null, // the bin under the mouse or the focus
  place: null, // the chain to which `plays` belongs
  plays: {}, // game -> addresses of the accounts that this browser plays there
  invite: null, // { game, key } of an invite link, not yet looked up
  review: null, // { moves: { turn: … }, running, error }
  asking: false, // whether to really resign
  says: { text: '' }, // the last sentence of the live region
};

/** @param {object} state @param {{type: string}} event @returns {object} the state after it */
export const reduce = (state, event) => EVENTS[event.type]?.(state, event) ?? state;

const fail = (state, { text, bin = null, soft = false }) => ({
  ...state,
  error: { text, bin, soft },
});

const say = (state, { text }) => ({ ...state, says: { text } });

const EVENTS = {
  route: (state, { route }) => ({
    ...state,
    route,
    view: route.page === 'game' && route.game === state.route.game ? state.view : null,
    missing: route.page === 'unknown' ? 'There is nothing at this address.' : null,
    go: null,
    at: route.move ?? null,
    film: false,
    pending: null,
    error: null,
    aim: null,
    review: null,
    asking: false,
  }),

  invite: (state, { game, key }) => ({ ...state, invite: { game, key } }),
  hello(state, { hello }) {
    // Another chain has other games under the same numbers.
    const plays = [null, hello.chain.place].includes(state.place) ? state.plays : {};
    const next = { ...state, hello, place: hello.chain.place, plays, invite: null };
    if (!state.invite) return next;
    const account = hello.accounts.find(({ key }) => key === state.invite.key);
    if (account) return { ...next, plays: { ...plays, [state.invite.game]: [account.address] } };
    return fail(next, {
      text: 'This invitation opens nothing (any more): ask for a new link. You can watch.',
    });
  },

  link: (state, { up }) => back(state, { ...state, link: up ? 'open' : 'lost' }),
  chain: (state, { up, block, why }) => back(state, { ...state, chain: { up, block, why } }),
  games(state, { count, games, challenges }) {
    const next = { ...state, games: { count, games, challenges } };
    const { waits } = state;
    if (!waits) return next;
    if (challenges.some(({ challenge }) => challenge === waits.challenge))
      return { ...next, waits: { ...waits, listed: true } };
    const ours = ({ address: found }) => found === waits.account;
    const accepted = games.find(
      ({ game, freed, over, red, blue }) =>
        game >= waits.count && !freed && !over && [red, blue].some(ours),
    );
    if (accepted)
      return {
        ...next,
        waits: null,
        go: accepted.game,
        plays: { ...state.plays, [accepted.game]: [waits.account] },
      };
    return waits.listed
      ? fail({ ...next, waits: null }, { text: 'Your challenge was declined.' })
      : next;
  },
  waits: (state, { challenge, account }) => ({
    ...state,
    waits: { challenge, account, count: state.games?.count ?? 0, listed: false },
  }),
  'waits no more': (state) => ({ ...state, waits: null }),
  missing: (state, { error }) => ({ ...state, missing: error, view: null }),

  view(state, { view, now }) {
    if (view.game !== (state.route.game ?? null)) return state; // of a page that was left
    const before = state.view;
    const next = {
      ...state,
      view,
      told: now,
      missing: null,
      plays: carried(state, view),
      asking: state.asking && !view.over,
    };
    if (next.at >= view.moves.length) Object.assign(next, { at: null, film: false });
    if (!before) return next;
    if (state.pending?.what === 'drop' && view.turns > state.pending.turns)
      Object.assign(next, { pending: null, error: null });
    else if (state.error?.soft && view.turns !== before.turns) next.error = null;
    const text = news(before, next);
    return text ? say(next, { text }) : next;
  },

  aim: (state, { bin }) => (state.aim === bin ? state : { ...state, aim: bin }),

  sending: (state, { id, what, bin = null }) => ({
    ...state,
    asking: false,
    error: null,
    pending: { id, what, bin, turns: state.view?.turns },
  }),
  // A drop is under way until the chain's board shows it.
  sent: (state, { id }) => ({
    ...state,
    error: null,
    pending: done(state, id) && state.pending.what !== 'drop' ? null : state.pending,
  }),
  settle: (state, { id }) => (done(state, id) ? { ...state, pending: null } : state),
  failed: (state, { id, text, bin }) =>
    fail(
      { ...state, pending: done(state, id) ? null : state.pending },
      { text: capital(text), bin },
    ),
  refuse: fail,
  dismiss: (state) => ({ ...state, error: null }),

  show(state, { at }) {
    if (!state.view) return state;
    return { ...state, film: false, at: at >= state.view.moves.length ? null : Math.max(0, at) };
  },
  film: (state, { on }) => ({ ...state, film: on, at: on ? (state.at ?? 0) : state.at }),
  frame(state) {
    const at = state.at + 1;
    return at < state.view.moves.length ? { ...state, at } : { ...state, at: null, film: false };
  },

  ask: (state, { on }) => ({ ...state, asking: on }),
  plays: (state, { game, accounts }) => ({ ...state, plays: { ...state.plays, [game]: accounts } }),
  say,

  reviewing: (state) => ({ ...state, review: { moves: {}, running: true, error: null } }),
  reviewed: (state, { move }) => ({
    ...state,
    review: { ...state.review, moves: { ...state.review.moves, [move.turn]: move } },
  }),
  'review over': (state, { error = null }) => ({
    ...state,
    review: { ...state.review, running: false, error },
  }),
};

// What could not be done because something was away can be done once it is back.
const back = (before, state) =>
  away(before) && !away(state) && state.error?.soft ? { ...state, error: null } : state;

const done = ({ pending }, id) => pending?.id === id;

// In the next game of a series the seats may swap, the accounts stay: so they are what is kept.
function carried({ plays }, { game, previous }) {
  return plays[game] || !plays[previous] ? plays : { ...plays, [game]: plays[previous] };
}
