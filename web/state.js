// What the page knows, and what it shows of it. Pure: no DOM, no requests, no timers, no clock.
//
// `reduce` takes in what happened, the functions below it say what is to be seen. Nothing here knows
// the rules of the game: whose turn it is, what is legal, where a disc lands and who has won is told
// by the program, from the chain.

export const COLOURS = ['red', 'blue'];
const LINES = { 3: 'three', 4: 'four', 5: 'five', 6: 'six' };

/** @param {string} colour @returns {string} */
export const other = (colour) => (colour === 'red' ? 'blue' : 'red');

/** @param {string} text @returns {string} */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} text an address or a hash @returns {string} */
export const short = (text) => (text.length > 13 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text);

/** @param {{name: string|null, address: string}} account @returns {string} what people call it */
export const nameOf = ({ name, address: account }) => name ?? short(account);

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

// What need not be told of a line, which is on no chain.
const UNTOLD = { players: null, moves_missing: null, previous: null, next: null, rematch: null, draw_offer: null, clock: null };

/** @param {object} state @param {{type: string}} event @returns {object} the state after it */
export const reduce = (state, event) => EVENTS[event.type]?.(state, event) ?? state;

const fail = (state, { text, bin = null, soft = false }) => ({ ...state, error: { text, bin, soft } });
const say = (state, { text }) => ({ ...state, says: { text } });

const EVENTS = {
  route: (state, { route }) => ({
    ...state, route,
    view: route.page === 'game' && route.game === state.route.game ? state.view : null,
    missing: route.page === 'unknown' ? 'There is nothing at this address.' : null,
    go: null, at: route.move ?? null, film: false, pending: null, error: null, aim: null, review: null, asking: false,
  }),

  invite: (state, { game, key }) => ({ ...state, invite: { game, key } }),
  hello(state, { hello }) {
    // Another chain has other games under the same numbers.
    const plays = [null, hello.chain.place].includes(state.place) ? state.plays : {};
    const next = { ...state, hello, place: hello.chain.place, plays, invite: null };
    if (!state.invite) return next;
    const account = hello.accounts.find(({ key }) => key === state.invite.key);
    if (account) return { ...next, plays: { ...plays, [state.invite.game]: [account.address] } };
    return fail(next, { text: 'This invitation opens nothing (any more): ask for a new link. You can watch.' });
  },

  link: (state, { up }) => back(state, { ...state, link: up ? 'open' : 'lost' }),
  chain: (state, { up, block, why }) => back(state, { ...state, chain: { up, block, why } }),
  games(state, { count, games, challenges }) {
    const next = { ...state, games: { count, games, challenges } };
    const { waits } = state;
    if (!waits) return next;
    if (challenges.some(({ challenge }) => challenge === waits.challenge)) return { ...next, waits: { ...waits, listed: true } };
    const ours = ({ address: found }) => found === waits.account;
    const accepted = games.find(({ game, freed, over, red, blue }) => game >= waits.count && !freed && !over && [red, blue].some(ours));
    if (accepted) return { ...next, waits: null, go: accepted.game, plays: { ...state.plays, [accepted.game]: [waits.account] } };
    return waits.listed ? fail({ ...next, waits: null }, { text: 'Your challenge was declined.' }) : next;
  },
  waits: (state, { challenge, account }) => ({ ...state, waits: { challenge, account, count: state.games?.count ?? 0, listed: false } }),
  'waits no more': (state) => ({ ...state, waits: null }),
  missing: (state, { error }) => ({ ...state, missing: error, view: null }),

  view(state, { view: said, now }) {
    const view = { ...UNTOLD, ...said };
    if (view.game !== (state.route.game ?? null)) return state; // of a page that was left
    const before = state.view;
    const next = { ...state, view, told: now, missing: null, plays: carried(state, view), asking: state.asking && !view.over };
    if (next.at >= view.moves.length) Object.assign(next, { at: null, film: false });
    if (!before) return next;
    if (state.pending?.what === 'drop' && view.turns > state.pending.turns) Object.assign(next, { pending: null, error: null });
    else if (state.error?.soft && view.turns !== before.turns) next.error = null;
    const text = news(before, next);
    return text ? say(next, { text }) : next;
  },

  aim: (state, { bin }) => (state.aim === bin ? state : { ...state, aim: bin }),

  sending: (state, { id, what, bin = null }) => ({ ...state, asking: false, error: null, pending: { id, what, bin, turns: state.view?.turns } }),
  // A drop is under way until the chain's board shows it.
  sent: (state, { id }) => ({ ...state, error: null, pending: done(state, id) && state.pending.what !== 'drop' ? null : state.pending }),
  settle: (state, { id }) => (done(state, id) ? { ...state, pending: null } : state),
  failed: (state, { id, text, bin }) => fail({ ...state, pending: done(state, id) ? null : state.pending }, { text: capital(text), bin }),
  refuse: fail,
  dismiss: (state) => ({ ...state, error: null }),

  show(state, { at }) {
    if (!state.view) return state;
    return { ...state, film: false, at: at >= state.view.moves.length ? null : Math.max(0, at) };
  },
  film: (state, { on }) => ({ ...state, film: on, at: on ? state.at ?? 0 : state.at }),
  frame(state) {
    const at = state.at + 1;
    return at < state.view.moves.length ? { ...state, at } : { ...state, at: null, film: false };
  },

  ask: (state, { on }) => ({ ...state, asking: on }),
  plays: (state, { game, accounts }) => ({ ...state, plays: { ...state.plays, [game]: accounts } }),
  say,

  reviewing: (state) => ({ ...state, review: { moves: {}, running: true, error: null } }),
  reviewed: (state, { move }) => ({ ...state, review: { ...state.review, moves: { ...state.review.moves, [move.turn]: move } } }),
  'review over': (state, { error = null }) => ({ ...state, review: { ...state.review, running: false, error } }),
};

// What could not be done because something was away can be done once it is back.
const back = (before, state) => (away(before) && !away(state) && state.error?.soft ? { ...state, error: null } : state);

const done = ({ pending }, id) => pending?.id === id;

// In the next game of a series the seats may swap, the accounts stay: so they are what is kept.
function carried({ plays }, { game, previous }) {
  return plays[game] || !plays[previous] ? plays : { ...plays, [game]: plays[previous] };
}

// What is new, for somebody who does not see the board.
function news(before, state) {
  const { view } = state;
  const mine = seats(state);
  const parts = view.moves.slice(before.turns).map(({ player, bin, row }) => `${capital(player)}: bin ${bin + 1}, row ${row + 1}.`);
  if (view.over && !before.over) parts.push(ending(view, true));
  else if (view.turns !== before.turns && view.to_move) {
    parts.push(`${capital(view.to_move)} to move${mine.length === 1 && mine[0] === view.to_move ? ', you' : ''}.`);
  }
  for (const [offer, what] of [['draw_offer', 'offers a draw'], ['rematch', 'wants another game']]) {
    const by = view[offer];
    if (by && by !== before[offer] && !mine.includes(by)) parts.push(`${whoFirst(state, by)} ${what}.`);
  }
  return parts.join(' ');
}

// --- Where we are

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

/** @param {object} state @returns {string|null} what is wrong with the way to the chain */
export function away({ link, chain }) {
  if (link === 'lost') return 'The program that serves this page does not answer. Trying again.';
  if (!chain || chain.up) return null;
  return `The chain is away${chain.why ? `: ${chain.why.replace(/[.\s]+$/, '')}` : ''}. Trying again.`;
}

// --- Who plays

/** @param {object} hello @param {string} address @returns {object|undefined} that account, if our keys open it */
export const accountOf = (hello, address) => hello?.accounts.find((account) => account.address === address);

/** @param {object} state @returns {string[]} the seats whose accounts our keys open */
export const held = ({ hello, view }) => COLOURS.filter((colour) => accountOf(hello, view?.players?.[colour].address));

/** @param {object} state @returns {string[]} the seats that are played in this browser */
export const seats = (state) => held(state).filter((colour) => {
  const { address: account, computer } = state.view.players[colour];
  return !computer && (state.plays[state.view.game]?.includes(account) ?? true);
});

/** @param {object} state @param {string} colour @returns {string} who plays it, in words */
export function who({ view }, colour) {
  const player = view.players[colour];
  return player.computer ? 'the computer' : nameOf(player);
}

// At the beginning of a sentence. Names are left as they are.
const whoFirst = (state, colour) => who(state, colour).replace(/^the computer$/, 'The computer');

// --- The board

/** @param {object} state @returns {boolean} whether a disc may be dropped from here, now */
export const mayMove = (state) => Boolean(state.view && !state.view.over && state.at === null && !state.pending
  && !away(state) && seats(state).includes(state.view.to_move));

/**
 * @param {object} state
 * @returns {{discs: object[], turns: number, at: 'live'|number, ghost: object|null}} the board as it is to be drawn
 */
export function board(state) {
  const { view, at, pending, aim } = state;
  const { game, shape } = view;
  const is = (a) => (b) => a.bin === b.bin && a.row === b.row;
  const turns = at ?? view.turns;
  const winning = at === null ? view.winning : [];
  const last = !winning.length && view.moves[turns - 1];
  const cells = at === null
    ? view.board.flatMap((column, bin) => column.map((player, row) => ({ bin, row, player })))
    : view.moves.slice(0, at);
  const discs = cells.map(({ bin, row, player }) => {
    const cell = { bin, row, player };
    return { ...cell, winning: winning.some(is(cell)), last: Boolean(last) && is(cell)(last), turn: view.moves.findIndex(is(cell)) };
  });
  // Several that are new at once fall one after the other.
  discs.sort((a, b) => a.turn - b.turn);

  const may = mayMove(state);
  const [pulsing, player] = [pending?.what === 'drop' && at === null, view.to_move];
  let ghost = null;
  if (pulsing) ghost = { bin: pending.bin, player, pulsing, refused: false };
  else if (may && aim !== null) ghost = { bin: aim, player, pulsing, refused: Boolean(view.refusals[aim]) };
  return { game, shape, discs, turns, at: at ?? 'live', ghost, may };
}

/**
 * What becomes of a drop into a bin: it is sent, or there is an error to show, or it is ignored.
 * @param {object} state @param {number} bin @returns {{send?: number, error?: string, bin?: number, soft?: boolean}}
 */
export function plan(state, bin) {
  const { view, at } = state;
  if (state.pending) return {};
  const soft = (error) => ({ error, soft: true });
  const { bins } = view.shape;
  if (bin >= bins) return soft(`There is no bin ${bin + 1}: this board has ${bins}.`);
  if (view.game === null) return soft('This is a line of moves, not a game: start a game to play.');
  if (at !== null) return soft(`This is the position after move ${at}: go back to the game to play.`);
  if (view.over) return soft(`The game is over.${actions(state).next ? ' Press Enter for the next game.' : ''}`);
  if (away(state)) return soft(`No move can be made until the ${state.link === 'lost' ? 'program' : 'chain'} is back.`);
  const mine = seats(state);
  if (!mine.length) return soft('This browser watches: to play, open the link of a seat.');
  if (!mine.includes(view.to_move)) return soft(`It is ${view.to_move}’s turn: wait for ${who(state, view.to_move)}.`);
  const reason = view.refusals[bin];
  return reason ? { error: `Bin ${bin + 1}: ${reason.replace(/\.$/, '')}. Choose another.`, bin } : { send: bin };
}

// --- Words

/** @param {object} view @param {boolean} full as for who does not see the board @returns {string} how a game ended */
export function ending({ end, winner, shape, standing }, full = false) {
  const won = capital(winner ?? '');
  return {
    line: full ? `${won} wins with ${LINES[shape.line]} in a row.` : `${won} wins!`,
    'full board': 'A draw.',
    agreement: 'A draw by agreement.',
    resignation: `${won} won: ${other(winner)} resigned.`,
    timeout: `${won} won: ${other(winner)} ran out of time.`,
    abort: 'Aborted: nobody won.',
  }[end] ?? `${capital(standing)}.`;
}

/** @param {object} state @returns {{text: string, colour: string|null, busy: boolean}} the sentence above the board */
export function status(state) {
  const { view, at, pending } = state;
  const colour = view.to_move ?? view.winner;
  const is = (text, busy = false) => ({ text, colour, busy });
  if (at !== null) return { ...is(at ? `Position after move ${at}` : 'Before the first move'), colour: null };
  if (pending) return is(pending.what === 'drop' ? 'Sending your move…' : 'Sending…', true);
  if (view.over) return is(ending(view));
  const mine = seats(state);
  const toMove = `${capital(colour)} to move`;
  if (!view.players) return is(toMove);
  if (mine.includes(colour)) return is(`${toMove} — ${who(state, colour)}${mine.length === 1 ? ' (you)' : ''}`);
  const { computer, error } = view.players[colour];
  if (computer) return error ? is('The computer does not move') : is('The computer thinks…', true);
  return is(mine.length ? `Waiting for ${who(state, colour)}…` : `${toMove} — ${who(state, colour)}`);
}

/** @param {object} state @returns {string} the small line under the status */
export function note(state) {
  const { view, at } = state;
  if (at !== null || !view.players) return '';
  const mine = seats(state);
  const [mover, offer] = [view.to_move, view.over ? view.rematch : view.draw_offer];
  const ours = mine.length === 1 && mine[0] === offer;
  if (view.over) {
    if (offer && view.next === null && mine.length) {
      return ours
        ? `You want another game: waiting for ${who(state, other(offer))}.`
        : `${whoFirst(state, offer)} wants another game: Enter to play, or decline.`;
    }
    if (view.freed) return 'The storage of this game was freed; its moves stay on the chain.';
    if (mine.length !== 1 || !view.winner) return '';
    return mine[0] === view.winner ? 'You won.' : 'You lost.';
  }
  if (view.players[mover].error) return capital(view.players[mover].error);
  if (offer) {
    return ours ? `You offer a draw: it stands until ${who(state, other(offer))} moves or declines.` : `${whoFirst(state, offer)} offers a draw.`;
  }
  if (!mine.length) return 'You watch this game.';
  return view.turns < 2 && mine.includes(mover) ? `Press 1–${Math.min(9, view.shape.bins)}, click or tap a bin.` : '';
}

/** @param {object} state @returns {string} the title of the document */
export const title = (state) => `${state.view ? `${status(state).text.replace(/\.$/, '')} – ` : ''}Connect Four`;

/** @param {object} shape @returns {string} */
export const shapeText = ({ bins, capacity, line }) => `${bins} × ${capacity}${line === 4 ? '' : `, line ${line}`}`;

/** @param {string} amount such as 0.006236331 DOT @returns {string} the same, as exactly as people ask: 0.0062 DOT */
export function amountText(amount) {
  const [number, ...symbol] = amount.split(' ');
  const digits = Number(number) < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
  return [Number(number).toLocaleString('en', { useGrouping: false, ...digits }), ...symbol].join(' ');
}

/** @param {object} challenge @returns {string} what it is played on and for */
export function termsText({ shape, clock, stake, challenger_first: first, challenger }) {
  const time = clock ? `${clockText(clock.bank)}${clock.increment ? ` + ${clock.increment} s` : ''}` : 'no clock';
  const begins = `${nameOf(challenger)} ${first ? 'begins' : 'moves second'}`;
  return [shapeText(shape), time, stake && `${amountText(stake)} each`, begins].filter(Boolean).join(' · ');
}

/** @param {object} hello @param {object} challenge @returns {{accept, decline, cancel}} the account with which each can be done, or null */
export function answers(hello, { challenger, opponent }) {
  const has = (address) => Boolean(accountOf(hello, address));
  const another = hello.accounts.find(({ address }) => address !== challenger.address)?.address ?? null;
  const asked = opponent && has(opponent.address) ? opponent.address : null;
  return { accept: opponent ? asked : another, decline: asked, cancel: has(challenger.address) ? challenger.address : null };
}

// --- What can be done

/**
 * What can be done beside a move: for which seat each, or null.
 * @param {object} state @param {number} now milliseconds of our own clock @returns {object}
 */
export function actions(state, now = state.told) {
  const { view } = state;
  const can = {
    resign: null, offer: null, accept: null, claim: null, next: null, declineRematch: null, withdraw: null,
    review: view.moves.length > 0 && (view.over || view.game === null),
    busy: Boolean(state.pending || away(state)),
  };
  const mine = seats(state);
  const notOf = (colour) => (colour && mine.find((seat) => seat !== colour)) ?? null;
  const mover = view.to_move;
  if (!mine.length) return can;
  if (!view.over) {
    can.resign = mine.includes(mover) ? mover : mine[0];
    can.offer = view.draw_offer ? null : can.resign;
    can.accept = notOf(view.draw_offer);
    if (view.clock && clockLeft(state, mover, now) < 0) can.claim = notOf(mover);
  } else {
    can.withdraw = mine.find((colour) => view.owed[colour]) ?? null;
  }
  if (view.over && view.next === null) {
    can.declineRematch = notOf(view.rematch);
    can.next = view.rematch && !can.declineRematch ? null : mine;
  }
  return can;
}

/** @param {object|null} before the last view @param {object} state @returns {number|null} the game to go on to by itself */
export function follows(before, state) {
  const { view, at } = state;
  if (before?.next !== null || before.game !== view?.game) return null;
  return seats(state).length || at === null ? view.next : null;
}

/** @param {object} state @param {string} colour @param {number} now @returns {number} seconds left, below 0 when over */
export const clockLeft = ({ view, told }, colour, now) => (
  view.clock.left[colour] - (view.to_move === colour && !view.over ? Math.max(0, now - told) / 1000 : 0));

/** @param {number} seconds @returns {string} such as 4:05 or 1:02:03 */
export function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part, index) => (index ? String(part).padStart(2, '0') : part)).join(':');
}

// --- Keys

/**
 * @param {object} state @param {KeyboardEvent} event @param {'page'|'grid'|'control'|'range'|'field'} where the focus is
 * @returns {{do: string}|null} what a key press means; null: nothing to us
 */
export function keyMeans(state, event, where) {
  const { code, key, repeat } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || where === 'field' || !state.view) return null;
  const once = (means) => (repeat ? { do: 'nothing' } : means);
  // By place, not by letter: the digits of a French or a Czech keyboard need Shift.
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code);
  if (digit) return once({ do: 'drop', bin: Number(digit[1]) - 1 });
  if (key === 'Escape') return state.error && { do: 'dismiss' };
  if (key === 'Enter' && (where === 'page' || where === 'grid') && actions(state).next && !state.view.stake) return once({ do: 'next' });
  if (where === 'grid') {
    if (/^(Arrow|Home$|End$|Page)/.test(key)) return { do: 'walk', key };
    return key === 'Enter' || key === ' ' ? once({ do: 'drop here' }) : null;
  }
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (where === 'range') return null;
  if (by && (state.view.over || state.at !== null || state.view.game === null)) return { do: 'step', by };
  return where === 'page' && key.startsWith('Arrow') ? { do: 'enter' } : null;
}

/** @param {object} state @returns {number} the position shown, in moves */
export const shownAt = ({ view, at }) => at ?? view.moves.length;

/**
 * @param {{bins: number, capacity: number}} shape @param {{bin: number, row: number}} from
 * @param {string} key @returns {{bin: number, row: number}} the cell to which it leads
 */
export function walk({ bins, capacity }, { bin, row }, key) {
  const to = {
    ArrowLeft: [bin - 1, row], ArrowRight: [bin + 1, row], ArrowUp: [bin, row + 1], ArrowDown: [bin, row - 1],
    Home: [0, row], End: [bins - 1, row], PageUp: [bin, capacity - 1], PageDown: [bin, 0],
  }[key] ?? [bin, row];
  const within = (number, count) => Math.min(count - 1, Math.max(0, number));
  return { bin: within(to[0], bins), row: within(to[1], capacity) };
}

/** @param {object} state @returns {{bin: number, row: number}} where walking begins: the middle, on top of its discs */
export function entrance(state) {
  const { bins, capacity } = state.view.shape;
  const bin = Math.floor(bins / 2);
  return { bin, row: Math.min(board(state).discs.filter((disc) => disc.bin === bin).length, capacity - 1) };
}

// --- The review

/** @param {object} move what the review said of it @returns {string} */
export function reviewText({ made, mark, best, best_bins: bins }) {
  if (!mark || !bins.length) return made;
  return `${made}; best: bin${bins.length > 1 ? 's' : ''} ${bins.map((bin) => bin + 1).join(', ')} (${best})`;
}

/** @param {object} state @returns {{progress: string, lines: {colour: string, text: string}[]}|null} */
export function reviewSummary({ review, view }) {
  if (!review) return null;
  const moves = Object.values(review.moves);
  if (review.running) return { progress: `${moves.length} of ${view.moves.length}`, lines: [] };
  const lines = review.error ? [] : COLOURS.map((colour) => {
    const parts = [['??', 'blunder', 'blunders'], ['?', 'inaccuracy', 'inaccuracies']].map(([sign, one, many]) => {
      const count = moves.filter(({ player, mark }) => player === colour && mark === sign).length;
      return count && `${count} ${count === 1 ? one : many}`;
    });
    return { colour, text: `${colour}: ${parts.filter(Boolean).join(', ') || 'no mistakes'}` };
  });
  return { progress: '', lines };
}
