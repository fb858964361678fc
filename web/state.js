// What the page knows, and what it shows of it. Pure: no DOM, no requests, no timers, no clock.
//
// `reduce` takes in what happened, the selectors below it say what is to be seen. Nothing here
// knows the rules of the game: whose turn it is, what is legal, where a disc lands and who has
// won is told by the program, from the chain.

export const COLOURS = ['red', 'blue'];

/** @param {string} colour @returns {string} the colour of the other player */
export const other = (colour) => (colour === 'red' ? 'blue' : 'red');

/** @param {string} text @returns {string} the text with a capital first letter */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} text @returns {string} an address or a hash, short enough to read */
export const short = (text) => (text.length > 13 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text);

const PROGRAM_AWAY = 'The program that serves this page does not answer. Trying again.';
const LINES = { 3: 'three', 4: 'four', 5: 'five', 6: 'six' };

// What need not be told of a line, which is on no chain.
const UNTOLD = { players: null, moves_missing: null, previous: null, next: null, rematch: null, draw_offer: null, clock: null };

/** What is known before anything is. */
export const initial = {
  route: { page: 'loading' },
  hello: null, // what the program said of itself, and the accounts our keys open
  link: 'opening', // the socket to the program: opening, open, lost
  chain: null, // { up, block, why }
  games: null, // the list of the lobby
  view: null, // the game as last told
  told: 0, // when it was told, in milliseconds of our own clock
  missing: null, // why there is nothing to show
  at: null, // the position shown, in moves; null: the newest
  film: false,
  pending: null, // { id, what, bin, turns }: a transaction under way
  error: null, // { text, bin, soft }: soft, if the next move makes it untrue
  aim: null, // the bin under the mouse or the focus
  place: null, // the chain to which `plays` belongs
  plays: {}, // game -> addresses of the accounts that this browser plays there
  invite: null, // { game, key }: came by an invite link, not yet looked up
  review: null, // { moves: { turn: … }, running, error }
  asking: false, // whether to really resign
  says: { text: '' }, // the last sentence of the live region
};

// ---------------------------------------------------------------- what happens

/**
 * The state after an event.
 * @param {object} state @param {{type: string}} event @returns {object}
 */
export function reduce(state, event) {
  const on = EVENTS[event.type];
  return on ? on(state, event) : state;
}

const EVENTS = {
  route(state, { route }) {
    const same = route.page === 'game' && state.route.page === 'game' && route.game === state.route.game;
    return {
      ...state, route,
      view: same ? state.view : null,
      missing: route.page === 'unknown' ? 'There is nothing at this address.' : null,
      at: route.move ?? null, film: false, pending: null, error: null, aim: null, review: null, asking: false,
    };
  },

  invite: (state, { game, key }) => ({ ...state, invite: { game, key } }),

  hello(state, { hello }) {
    // Another chain has other games under the same numbers.
    const plays = state.place === null || state.place === hello.chain.place ? state.plays : {};
    const next = { ...state, hello, place: hello.chain.place, plays, invite: null };
    if (!state.invite) return next;
    const account = hello.accounts.find(({ key }) => key === state.invite.key);
    if (account) return { ...next, plays: { ...plays, [state.invite.game]: [account.address] } };
    return fail(next, { text: 'This invitation opens nothing (any more): ask for a new link. You can watch.' });
  },

  link: (state, { up }) => ({ ...state, link: up ? 'open' : 'lost' }),
  chain: (state, { up, block, why }) => ({ ...state, chain: { up, block, why } }),
  games: (state, { count, games }) => ({ ...state, games: { count, games } }),
  missing: (state, { error }) => ({ ...state, missing: error, view: null }),

  view(state, { view: said, now }) {
    const view = { ...UNTOLD, ...said };
    if (view.game !== (state.route.game ?? null)) return state; // of a page that was left
    const before = state.view;
    let next = { ...state, view, told: now ?? 0, missing: null, plays: carried(state, view) };
    if (next.at !== null && next.at >= view.moves.length) next = { ...next, at: null, film: false };
    if (before && view.turns !== before.turns) {
      if (state.pending?.what === 'drop' && view.turns > state.pending.turns) {
        next = { ...next, pending: null, error: null };
      } else if (state.error?.soft) {
        next.error = null;
      }
    }
    if (view.over) next.asking = false;
    const text = before ? told(before, next) : '';
    return text ? say(next, text) : next;
  },

  aim: (state, { bin }) => (state.aim === bin ? state : { ...state, aim: bin }),

  sending: (state, { id, what, bin = null }) => ({
    ...state, asking: false, pending: { id, what, bin, turns: state.view?.turns ?? 0 },
  }),
  sent(state, { id }) {
    if (state.pending?.id !== id) return { ...state, error: null };
    // The board shows a drop only when the chain has it: until it is told, it is under way.
    return state.pending.what === 'drop' ? { ...state, error: null } : { ...state, pending: null, error: null };
  },
  settle: (state, { id }) => (state.pending?.id === id ? { ...state, pending: null } : state),
  failed(state, { id, text, bin = null }) {
    const next = state.pending?.id === id ? { ...state, pending: null } : state;
    return fail(next, { text: capital(text), bin });
  },
  refuse: (state, { text, bin = null, soft = false }) => fail(state, { text, bin, soft }),
  dismiss: (state) => ({ ...state, error: null }),

  show(state, { at }) {
    if (!state.view) return state;
    const count = state.view.moves.length;
    return { ...state, film: false, at: at >= count ? null : Math.max(0, at) };
  },
  film(state, { on }) {
    if (!on || !state.view?.moves.length) return { ...state, film: false };
    return { ...state, film: true, at: state.at ?? 0 };
  },
  frame(state) {
    if (!state.film || state.at === null) return { ...state, film: false };
    const at = state.at + 1;
    return at >= state.view.moves.length ? { ...state, at: null, film: false } : { ...state, at };
  },

  ask: (state, { on }) => ({ ...state, asking: on }),
  plays: (state, { game, accounts }) => ({ ...state, plays: { ...state.plays, [game]: accounts } }),
  say: (state, { text }) => say(state, text),

  reviewing: (state) => ({ ...state, review: { moves: {}, running: true, error: null } }),
  reviewed(state, { move }) {
    if (!state.review) return state;
    return { ...state, review: { ...state.review, moves: { ...state.review.moves, [move.turn]: move } } };
  },
  'review over': (state, { error = null }) => (
    state.review ? { ...state, review: { ...state.review, running: false, error } } : state
  ),
};

const say = (state, text) => ({ ...state, says: { text } });

const fail = (state, { text, bin = null, soft = false }) => ({ ...state, error: { text, bin, soft } });

// In the next game of a series the seats may swap, the accounts stay: so they are what is kept.
function carried(state, view) {
  const { plays } = state;
  if (view.game === null || plays[view.game] || view.previous === null || !plays[view.previous]) return plays;
  return { ...plays, [view.game]: plays[view.previous] };
}

// What to tell somebody who does not see the board, of what is new.
function told(before, state) {
  const { view } = state;
  const parts = [];
  if (view.turns > before.turns) {
    for (const { player, bin, row } of view.moves.slice(before.turns)) {
      parts.push(`${capital(player)}: bin ${bin + 1}, row ${row + 1}.`);
    }
  }
  if (view.over && !before.over) parts.push(ending(view, true));
  else if (view.turns !== before.turns && view.to_move) {
    const mine = seats(state);
    const you = mine.length === 1 && mine[0] === view.to_move ? ', you' : '';
    parts.push(`${capital(view.to_move)} to move${you}.`);
  }
  for (const [offer, what] of [['draw_offer', 'offers a draw'], ['rematch', 'wants another game']]) {
    const by = view[offer];
    if (by && by !== before[offer] && !seats(state).includes(by)) parts.push(`${whoFirst(state, by)} ${what}.`);
  }
  return parts.join(' ');
}

// ---------------------------------------------------------------- where we are

/**
 * What an address of the page names.
 * @param {string} path @param {string} search @returns {{page: string}}
 */
export function routeOf(path, search = '') {
  const query = new URLSearchParams(search);
  const move = /^\d{1,4}$/.test(query.get('move') ?? '') ? Number(query.get('move')) : null;
  if (path === '/') return { page: 'lobby' };
  const game = /^\/game\/(\d{1,10})\/?$/.exec(path);
  if (game) return { page: 'game', game: Number(game[1]), move };
  if (path === '/line') {
    const line = new URLSearchParams();
    for (const name of ['bins', 'capacity', 'line', 'moves']) line.set(name, query.get(name) ?? '');
    return { page: 'line', query: line.toString(), move };
  }
  return { page: 'unknown' };
}

/** @param {object} state @returns {string|null} the address of what is shown, if it names a position */
export function address({ route, view, at }) {
  if (route.page === 'game') return `/game/${route.game}${at === null ? '' : `?move=${at}`}`;
  if (route.page === 'line' && view) return `/line?${route.query}${at === null ? '' : `&move=${at}`}`;
  return null;
}

/** @param {object} state @returns {string} loading, lobby, game, line or missing */
export function screen({ route, hello, view, missing, games }) {
  if (missing) return 'missing';
  if (!hello) return 'loading';
  if (route.page === 'lobby') return 'lobby';
  return view ? route.page : 'loading';
}

/** @param {object} state @returns {string|null} what is wrong with the way to the chain */
export function away({ link, chain }) {
  if (link === 'lost') return PROGRAM_AWAY;
  if (chain && !chain.up) {
    const why = chain.why ? `: ${chain.why.replace(/[.\s]+$/, '')}` : '';
    return `The chain is away${why}. Trying again.`;
  }
  return null;
}

// ---------------------------------------------------------------- who plays

/** @param {object} state @returns {string[]} the seats whose accounts our keys open */
export function held({ hello, view }) {
  if (!hello || !view?.players) return [];
  return COLOURS.filter((colour) => accountOf(hello, view.players[colour].address));
}

/** @param {object} state @returns {string[]} the seats that are played in this browser */
export function seats(state) {
  const chosen = state.plays[state.view?.game];
  return held(state).filter((colour) => {
    const player = state.view.players[colour];
    return !player.computer && (!chosen || chosen.includes(player.address));
  });
}

/** @param {object} hello @param {string} address @returns {object|undefined} that account, if we hold it */
export const accountOf = (hello, address) => hello?.accounts.find((account) => account.address === address);

/** @param {object} state @param {string} colour @returns {string} who plays it, in words */
export function who({ view }, colour) {
  const player = view?.players?.[colour];
  if (!player) return colour;
  return player.computer ? 'the computer' : (player.name ?? short(player.address));
}

// At the beginning of a sentence. Names are left as they are.
const whoFirst = (state, colour) => who(state, colour).replace(/^the computer$/, 'The computer');

// ---------------------------------------------------------------- the board

/** @param {object} state @returns {boolean} whether a disc may be dropped from here, now */
export function mayMove(state) {
  const { view } = state;
  return Boolean(view && !view.over && state.at === null && !state.pending && !away(state)
    && seats(state).includes(view.to_move));
}

/**
 * The board as it is to be drawn.
 * @param {object} state @returns {{discs: object[], turns: number, at: 'live'|number, ghost: object|null}}
 */
export function board(state) {
  const { view, at, pending, aim } = state;
  const cell = ({ bin, row }) => `${bin} ${row}`;
  const newest = at === null;
  const winning = new Set(newest ? view.winning.map(cell) : []);
  const discs = newest
    ? view.board.flatMap((column, bin) => column.map((player, row) => ({ bin, row, player })))
    : view.moves.slice(0, at).map(({ bin, row, player }) => ({ bin, row, player }));
  const shown = newest ? view.turns : at;
  const last = view.moves[shown - 1];
  for (const disc of discs) {
    disc.winning = winning.has(cell(disc));
    disc.last = Boolean(last && !winning.size && last.bin === disc.bin && last.row === disc.row);
  }
  // Several discs that are new at once fall one after the other, in the order of their moves.
  const turn = new Map(view.moves.map((move, index) => [cell(move), index]));
  discs.sort((a, b) => (turn.get(cell(a)) ?? 0) - (turn.get(cell(b)) ?? 0));

  let ghost = null;
  if (pending?.what === 'drop' && newest) ghost = { bin: pending.bin, player: view.to_move, pulsing: true, refused: false };
  else if (aim !== null && mayMove(state)) {
    ghost = { bin: aim, player: view.to_move, pulsing: false, refused: Boolean(view.refusals[aim]) };
  }
  return { game: view.game, shape: view.shape, discs, turns: shown, at: newest ? 'live' : at, ghost, may: mayMove(state) };
}

/**
 * What becomes of a drop into a bin: it is sent, it is ignored, or there is an error to show.
 * @param {object} state @param {number} bin @returns {{send?: number, error?: string, bin?: number, soft?: boolean}}
 */
export function plan(state, bin) {
  const { view, at } = state;
  if (!view || state.pending) return {};
  const { bins } = view.shape;
  const soft = (error) => ({ error, soft: true });
  if (bin >= bins) return soft(`There is no bin ${bin + 1}: this board has ${bins}.`);
  if (view.game === null) return soft('This is a line of moves, not a game: start a game to play.');
  if (at !== null) return soft(`This is the position after move ${at}: go back to the game to play.`);
  if (view.over) return soft(`The game is over.${actions(state).next ? ' Press Enter for the next game.' : ''}`);
  const wrong = away(state);
  if (wrong) return soft(wrong);
  const mine = seats(state);
  if (!mine.length) return soft('This browser watches: to play, open the link of a seat.');
  if (!mine.includes(view.to_move)) return soft(`It is ${view.to_move}’s turn: wait for ${who(state, view.to_move)}.`);
  const reason = view.refusals[bin];
  if (reason) return { error: `Bin ${bin + 1}: ${reason.replace(/\.$/, '')}. Choose another.`, bin };
  return { send: bin };
}

// ---------------------------------------------------------------- words

/** @param {object} view @param {boolean} full whether for the live region @returns {string} how a game ended */
export function ending(view, full = false) {
  const { winner, end, shape } = view;
  const won = winner && capital(winner);
  const loser = winner && other(winner);
  switch (end) {
    case 'line': return full ? `${won} wins with ${LINES[shape.line] ?? shape.line} in a row.` : `${won} wins!`;
    case 'full board': return 'A draw.';
    case 'agreement': return 'A draw by agreement.';
    case 'resignation': return `${won} won: ${loser} resigned.`;
    case 'timeout': return `${won} won: ${loser} ran out of time.`;
    case 'abort': return 'Aborted: nobody won.';
    default: return `${capital(view.standing)}.`;
  }
}

/**
 * The sentence above the board.
 * @param {object} state @returns {{text: string, colour: string|null, busy: boolean}}
 */
export function status(state) {
  const { view, at, pending } = state;
  if (!view) return { text: 'Loading…', colour: null, busy: true };
  if (at !== null) {
    return { text: at ? `Position after move ${at}` : 'Before the first move', colour: null, busy: false };
  }
  if (pending) {
    const text = pending.what === 'drop' ? 'Sending your move…' : 'Sending…';
    return { text, colour: view.to_move, busy: true };
  }
  if (view.over) return { text: ending(view), colour: view.winner, busy: false };
  const colour = view.to_move;
  const quiet = (text) => ({ text, colour, busy: false });
  if (!view.players) return quiet(`${capital(colour)} to move`);
  const mine = seats(state);
  const player = view.players[colour];
  if (mine.includes(colour)) {
    return quiet(`${capital(colour)} to move — ${who(state, colour)}${mine.length === 1 ? ' (you)' : ''}`);
  }
  if (player.computer) {
    if (player.error) return quiet('The computer does not move');
    return { text: 'The computer thinks…', colour, busy: true };
  }
  if (mine.length) return quiet(`Waiting for ${who(state, colour)}…`);
  return quiet(`${capital(colour)} to move — ${who(state, colour)}`);
}

/** @param {object} state @returns {string} the small line under the status */
export function note(state) {
  const { view, at } = state;
  if (!view || at !== null) return '';
  const mine = seats(state);
  const stuck = !view.over && view.players?.[view.to_move]?.error;
  if (stuck) return capital(stuck);
  if (view.over) {
    if (view.rematch && !view.next && mine.length) {
      const from = mine.find((colour) => colour !== view.rematch);
      return from
        ? `${whoFirst(state, view.rematch)} wants another game: Enter to play, or decline.`
        : `You want another game: waiting for ${who(state, other(view.rematch))}.`;
    }
    if (view.freed) return 'The storage of this game was freed; its moves stay on the chain.';
    if (mine.length === 1 && view.winner) return mine[0] === view.winner ? 'You won.' : 'You lost.';
    return '';
  }
  if (view.draw_offer) {
    const by = view.draw_offer;
    if (mine.length === 1 && mine[0] === by) return `You offer a draw: it stands until ${who(state, other(by))} moves or declines.`;
    return `${whoFirst(state, by)} offers a draw.`;
  }
  if (view.game === null) return '';
  if (!mine.length) return 'You watch this game.';
  if (view.turns < 2 && mine.includes(view.to_move)) {
    return `Press 1–${Math.min(9, view.shape.bins)}, click or tap a bin.`;
  }
  return '';
}

/** @param {object} state @returns {string} the title of the document */
export function title(state) {
  const name = 'Connect Four';
  if (!state.view) return name;
  const { view } = state;
  const where = view.game === null ? 'Line' : `Game ${view.game}`;
  const mine = seats(state);
  if (view.over) return `${ending(view)} ${where} – ${name}`;
  if (mine.length === 1 && mine[0] === view.to_move) return `Your turn! ${where} – ${name}`;
  return `${capital(view.standing)} · ${where} – ${name}`;
}

/** @param {object} shape @returns {string} a board in words */
export const shapeText = ({ bins, capacity, line }) => `${bins} × ${capacity}${line === 4 ? '' : `, line ${line}`}`;

// ---------------------------------------------------------------- what can be done

/**
 * What can be done beside a move: each the seat for which, or null.
 * @param {object} state @param {number} now milliseconds of our own clock @returns {object}
 */
export function actions(state, now = state.told) {
  const { view, pending } = state;
  const none = {
    resign: null, offer: null, accept: null, claim: null, next: null, declineRematch: null, review: false,
    busy: Boolean(pending || away(state)),
  };
  if (!view) return none;
  const mine = seats(state);
  const one = (colour) => (mine.includes(colour) ? colour : (mine[0] ?? null));
  if (view.game === null) return { ...none, review: view.moves.length > 0 };
  if (!view.over) {
    const asked = view.draw_offer && mine.find((colour) => colour !== view.draw_offer);
    const slow = view.clock && view.to_move && clockLeft(state, view.to_move, now) < 0;
    return {
      ...none,
      resign: one(view.to_move),
      offer: view.draw_offer ? null : one(view.to_move),
      accept: asked || null,
      claim: slow ? (mine.find((colour) => colour !== view.to_move) ?? null) : null,
    };
  }
  const waits = view.rematch && !mine.some((colour) => colour !== view.rematch);
  return {
    ...none,
    next: mine.length && view.next === null && !waits ? mine : null,
    declineRematch: view.rematch && view.next === null
      ? (mine.find((colour) => colour !== view.rematch) ?? null) : null,
    review: view.moves.length > 0,
  };
}

/**
 * The game to which the page goes on by itself: the next one, when it appears.
 * @param {object|null} before the view before @param {object} state @returns {number|null}
 */
export function follows(before, state) {
  const { view } = state;
  if (!view || !before || before.game !== view.game || before.next !== null || view.next === null) return null;
  return seats(state).length || state.at === null ? view.next : null;
}

/** @param {object} state @param {string} colour @param {number} now @returns {number} seconds left, below 0 when over */
export function clockLeft({ view, told: since }, colour, now) {
  const running = !view.over && view.to_move === colour;
  return view.clock.left[colour] - (running ? Math.max(0, now - since) / 1000 : 0);
}

/** @param {number} seconds @returns {string} such as 4:05 or 1:02:03 */
export function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

// ---------------------------------------------------------------- keys

/**
 * What a key press means.
 * @param {object} state
 * @param {{code: string, key: string, repeat?: boolean}} event
 * @param {'page'|'grid'|'control'|'range'|'field'} where the focus is
 * @returns {{do: string}|null} null: nothing to us
 */
export function keyMeans(state, event, where) {
  const { code, key, repeat } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || where === 'field' || !state.view) return null;
  // By place, not by letter: the digits of a French or a Czech keyboard need Shift.
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code);
  if (digit) return repeat ? { do: 'nothing' } : { do: 'drop', bin: Number(digit[1]) - 1 };
  if (key === 'Escape') return state.error ? { do: 'dismiss' } : null;
  if (key === 'Enter' && (where === 'page' || where === 'grid') && actions(state).next) {
    return repeat ? { do: 'nothing' } : { do: 'next' };
  }
  if (where === 'grid') {
    if (/^(Arrow|Home$|End$|Page)/.test(key)) return { do: 'walk', key };
    if (key === 'Enter' || key === ' ') return repeat ? { do: 'nothing' } : { do: 'drop here' };
    return null;
  }
  if (where === 'range') return null;
  if ((key === 'ArrowLeft' || key === 'ArrowRight') && (state.view.over || state.at !== null || state.view.game === null)) {
    return { do: 'step', by: key === 'ArrowLeft' ? -1 : 1 };
  }
  return where === 'page' && key.startsWith('Arrow') ? { do: 'enter' } : null;
}

/** @param {object} state @returns {number} the position shown, as a number of moves */
export const shownAt = ({ view, at }) => at ?? view?.moves.length ?? 0;

/**
 * The cell to which a key leads from another.
 * @param {{bins: number, capacity: number}} shape @param {{bin: number, row: number}} from
 * @param {string} key @returns {{bin: number, row: number}}
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
  const height = board(state).discs.filter((disc) => disc.bin === bin).length;
  return { bin, row: Math.min(height, capacity - 1) };
}

// ---------------------------------------------------------------- the review

/** @param {object} move what the review said of a move @returns {string} */
export function reviewText({ made, mark, best, best_bins: bins }) {
  if (!mark || !bins.length) return made;
  const which = bins.map((bin) => bin + 1).join(', ');
  return `${made}; best: bin${bins.length > 1 ? 's' : ''} ${which} (${best})`;
}

/** @param {object} state @returns {{progress: string, lines: {colour: string, text: string}[]}|null} */
export function reviewSummary({ review, view }) {
  if (!review || !view) return null;
  const moves = Object.values(review.moves);
  const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
  const lines = COLOURS.map((colour) => {
    const marks = moves.filter(({ player }) => player === colour).map(({ mark }) => mark);
    const blunders = marks.filter((mark) => mark === '??').length;
    const slips = marks.filter((mark) => mark === '?').length;
    const parts = [];
    if (blunders) parts.push(count(blunders, 'blunder', 'blunders'));
    if (slips) parts.push(count(slips, 'inaccuracy', 'inaccuracies'));
    return { colour, text: `${colour}: ${parts.join(', ') || 'no mistakes'}` };
  });
  return {
    progress: review.running ? `${moves.length} of ${view.moves.length}` : '',
    lines: review.running || review.error ? [] : lines,
  };
}
