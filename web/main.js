// Wires the page: what happens goes into the state, the state goes onto the screen.

import * as api from './api.js';
import { makeBoard } from './board.js';
import { byId, setData, setIcon, setLabel, setText, show } from './dom.js';
import { renderLobby, watchLobby } from './lobby.js';
import { renderClocks, renderPanel } from './panel.js';
import { play, soundOn, toggleSound } from './sound.js';
import { actions, follows } from './state/actions.js';
import { away } from './state/connection.js';
import { plan } from './state/drop.js';
import { entrance, keyMeans } from './state/keys.js';
import { board, shownAt } from './state/position.js';
import { initial, reduce } from './state/reduce.js';
import { address, routeOf, screen } from './state/route.js';
import { title } from './state/status.js';
import { capital } from './state/text.js';
import { keep, recall } from './store.js';

const FRAME = 700; // milliseconds between two moves of the film
const SETTLE = 15_000; // milliseconds after which a sent move that was not seen no longer blocks
const PAGES = ['loading', 'lobby', 'game', 'missing'];

let state = initial;
let stopSocket = () => {};
let stopReview = () => {};
let ids = 0;

// --- The state

function dispatch(event) {
  const before = state;
  state = reduce(state, event);
  if (state === before) return;
  if (state.plays !== before.plays || state.place !== before.place) {
    // Two tabs may play two seats of one game: the tab's own memory goes first.
    const kept = {
      place: state.place,
      plays: Object.fromEntries(Object.entries(state.plays).slice(-200)),
    };
    keep('plays', kept);
    keep('plays', kept, 'sessionStorage');
  }
  render(before);
}

function render(before) {
  const at = screen(state);
  const playing = at === 'game' || at === 'line';
  if (document.body.dataset.state !== at) {
    setData(document.body, 'state', at);
    for (const page of PAGES) show(byId(`page-${page}`), page === (playing ? 'game' : at));
    const slot = document.querySelector('main > :not([hidden]) [data-slot="error"]');
    (slot ?? document.querySelector('main')).append(byId('error'));
  }
  setData(document.body, 'pending', String(Boolean(state.pending)));
  const wrong = away(state);
  show(byId('chain'), wrong);
  setText(byId('chain'), wrong ?? '');
  const up = !wrong && state.chain;
  setData(byId('link'), 'up', String(Boolean(up)));
  const down = state.link === 'lost' ? 'program away' : 'chain away';
  setText(byId('link'), up ? `block ${state.chain.block}` : wrong ? down : 'connecting');
  // New text nodes even for the same text: it is to be read out again.
  if (state.says !== before.says) byId('live').replaceChildren(state.says.text);
  show(byId('error'), state.error);
  if (state.error && state.error !== before.error) {
    byId('error-text').replaceChildren(state.error.text);
    play('refuse');
    if (state.error.bin !== null) table.shake(state.error.bin);
  }

  if (at === 'missing') setText(byId('missing-text'), capital(state.missing));
  if (at === 'lobby') renderLobby(state);
  table.render(playing ? board(state) : null);
  if (playing) {
    renderPanel(state, Date.now());
    if (before.view?.game === state.view.game && state.view.winner && !before.view.winner)
      play('win');
  }
  document.title = title(state);
  if (playing && address(state) !== location.pathname + location.search)
    history.replaceState(null, '', address(state));
  runFilm();
}

let frames = 0;
function runFilm() {
  if (state.film === Boolean(frames)) return;
  clearInterval(frames);
  frames = state.film ? setInterval(() => dispatch({ type: 'frame' }), FRAME) : 0;
}

// --- Going places

function navigate(path) {
  history.pushState(null, '', path);
  arrive();
  scrollTo(0, 0);
}

function arrive() {
  takeSecret();
  const route = routeOf(location.pathname, location.search);
  stopReview();
  stopSocket();
  dispatch({ type: 'route', route });
  stopSocket = api.listen(route.page === 'game' ? `/api/live?game=${route.game}` : '/api/live', {
    message: take,
    up() {
      dispatch({ type: 'link', up: true });
      greet();
    },
    down: () => dispatch({ type: 'link', up: false }),
  });
  if (route.page === 'line') showLine(route.query);
}

// The secret of a link is kept, and leaves the address: addresses are copied and remembered.
function takeSecret() {
  const secret = new URLSearchParams(location.hash.slice(1));
  const [key, seat] = [secret.get('key'), secret.get('play')];
  if (!key && !seat) return;
  api.addKey(key ?? seat);
  history.replaceState(null, '', location.pathname + location.search);
  const { game } = routeOf(location.pathname);
  if (seat && game !== undefined) dispatch({ type: 'invite', game, key: seat });
}

let greeting = 0;
async function greet() {
  clearTimeout(greeting);
  try {
    dispatch({ type: 'hello', hello: await api.hello() });
  } catch {
    greeting = setTimeout(() => state.link === 'open' && greet(), 1000);
  }
}

function take(said) {
  if (said.type === 'game') {
    const { type, ...view } = said;
    const before = state.view;
    dispatch({ type: 'view', view, now: Date.now() });
    const next = follows(before, state);
    if (next !== null) navigate(`/game/${next}`);
  } else if (['chain', 'games', 'missing'].includes(said.type)) {
    dispatch(said);
    if (state.go !== null) navigate(`/game/${state.go}`);
  }
}

async function showLine(query) {
  try {
    const view = await api.get(`/api/line?${query}`);
    if (state.route.query === query) dispatch({ type: 'view', view, now: Date.now() });
  } catch (failure) {
    if (state.route.query === query) dispatch({ type: 'missing', error: failure.message });
  }
}

// --- Doing things

/** Sends something, and shows what became of it. Gives the answer, or null if it failed. */
async function send(what, path, body, bin = null) {
  ids += 1;
  const id = ids;
  const { route } = state;
  dispatch({ type: 'sending', id, what, bin });
  try {
    const answer = await api.post(path, body);
    if (state.route === route) dispatch({ type: 'sent', id });
    setTimeout(() => dispatch({ type: 'settle', id }), SETTLE);
    return answer;
  } catch (failure) {
    // On another page by now: nobody would know what the message is about.
    if (state.route === route)
      dispatch({
        type: 'failed',
        id,
        text: failure.message,
        bin: failure.kind === 'refused' ? bin : null,
      });
    return null;
  }
}

function drop(bin) {
  const { send: to, error, bin: at, soft } = plan(state, bin);
  if (error) dispatch({ type: 'refuse', text: error, bin: at, soft });
  else if (to !== undefined)
    send('drop', `/api/games/${state.view.game}/drop`, { bin: to, turns: state.view.turns }, to);
}

const computer = (seat, level) =>
  send('computer', `/api/games/${state.view.game}/computer`, { seat, level });
const act = (what, seat) => send('act', `/api/games/${state.view.game}/act`, { act: what, seat });

async function nextGame() {
  const mine = actions(state).next;
  if (!mine || state.pending) return;
  const from = state.view.game;
  const answer = await send('next', `/api/games/${from}/next`, {
    seats: mine,
    stake: state.view.stake,
  });
  // The program tells of the next game as well: whichever comes first.
  if (answer?.game !== undefined && state.route.game === from) navigate(`/game/${answer.game}`);
}

async function startGame({ body, plays }) {
  if (state.pending) return;
  const answer = await send('start', '/api/games', body);
  if (!answer) return;
  dispatch({ type: 'plays', game: answer.game, accounts: plays });
  navigate(`/game/${answer.game}`);
}

async function makeChallenge(body) {
  if (state.pending) return;
  const answer = await send('challenge', '/api/challenges', body);
  if (answer) dispatch({ type: 'waits', challenge: answer.challenge, account: body.account });
}

async function answerChallenge({ challenge, ...body }) {
  if (state.pending) return;
  if (body.act === 'cancel') dispatch({ type: 'waits no more' });
  const answer = await send('challenge', `/api/challenges/${challenge}`, body);
  if (typeof answer?.game !== 'number') return;
  dispatch({ type: 'plays', game: answer.game, accounts: [body.account] });
  navigate(`/game/${answer.game}`);
}

function startReview() {
  const { view } = state;
  stopReview();
  dispatch({ type: 'reviewing' });
  const query = new URLSearchParams({ ...view.shape, moves: view.notation });
  stopReview = api.review(query.toString(), (said) => {
    if (said.done || said.error) dispatch({ type: 'review over', error: said.error });
    else dispatch({ type: 'reviewed', move: said });
  });
}

async function copy(button) {
  const { link } = button.dataset;
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    if (!copyOldWay(link)) {
      dispatch({
        type: 'refuse',
        text: `The browser does not let the page copy. Copy it from here: ${link}`,
      });
      return;
    }
  }
  dispatch({ type: 'say', text: 'Copied.' });
  button.dataset.done = 'true';
  setTimeout(() => delete button.dataset.done, 1500);
}

// Browsers offer the clipboard to pages of this machine or with TLS; in a living room's network it is neither.
function copyOldWay(text) {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}

const step = (by) => dispatch({ type: 'show', at: shownAt(state) + by });

const DO = {
  first: () => dispatch({ type: 'show', at: 0 }),
  back: () => step(-1),
  forward: () => step(1),
  last: () => dispatch({ type: 'show', at: Infinity }),
  film: () => dispatch({ type: 'film', on: !state.film }),
  position: ({ dataset }) => dispatch({ type: 'show', at: Number(dataset.position) }),
  next: nextGame,
  review: startReview,
  copy,
  dismiss: () => dispatch({ type: 'dismiss' }),
  'ask-resign'() {
    dispatch({ type: 'ask', on: true });
    byId('resign-yes').focus();
  },
  'ask-not'() {
    dispatch({ type: 'ask', on: false });
    byId('resign').focus();
  },
  act: ({ id, dataset }) => act(id.replace('-', '_'), dataset.seat),
  resign: ({ dataset }) => act('resign', dataset.seat),
  sound() {
    toggleSound();
    showSound();
  },
  theme() {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    keep('theme', theme);
    showTheme();
  },
  give(button) {
    const box = button.closest('[data-seat]');
    computer(box.dataset.seat, box.querySelector('select').value);
  },
  take(button) {
    const { seat } = button.closest('[data-seat]').dataset;
    const { game, players } = state.view;
    const chosen = state.plays[game];
    if (chosen)
      dispatch({ type: 'plays', game, accounts: [...new Set([...chosen, players[seat].address])] });
    computer(seat, null);
  },
};

// --- Input

const table = makeBoard(byId('table'), {
  drop,
  aim: (bin) => dispatch({ type: 'aim', bin }),
  landed: () => play('land'),
});

document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button) {
    DO[button.dataset.do ?? button.id]?.(button);
    return;
  }
  const move = event.target.closest('#moves > li');
  if (move) {
    DO.position({ dataset: { position: Number(move.dataset.turn) + 1 } });
    return;
  }
  const link = event.target.closest('a[href^="/"]');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return;
  event.preventDefault();
  navigate(link.getAttribute('href'));
});

document.addEventListener('keydown', (event) => {
  if (byId('page-game').hidden) return;
  const means = keyMeans(state, event, whereIs(document.activeElement));
  if (!means) return;
  event.preventDefault();
  const here = table.focused();
  ({
    nothing() {},
    drop: () => drop(means.bin),
    'drop here': () => drop(here.bin),
    next: nextGame,
    step: () => step(means.by),
    walk: () => table.walk(means.key),
    enter: () => table.focusOn(entrance(state)),
    dismiss: DO.dismiss,
  })[means.do]();
});

function whereIs(element) {
  if (!element || element === document.body) return 'page';
  if (table.focused()) return 'grid';
  if (element.matches('input:is([type="range"], [type="radio"])')) return 'range'; // has arrows of its own, no digits
  if (element.matches('input, select, textarea')) return 'field';
  return element.matches('button, a, summary') ? 'control' : 'page';
}

byId('position').addEventListener('input', ({ target }) =>
  dispatch({ type: 'show', at: Number(target.value) }),
);

byId('seats-here').addEventListener('change', ({ target }) => {
  const { game, players } = state.view;
  const colours = target.value === 'both' ? ['red', 'blue'] : [target.value];
  dispatch({ type: 'plays', game, accounts: colours.map((colour) => players[colour].address) });
});

watchLobby({
  start: startGame,
  challenge: makeChallenge,
  answer: answerChallenge,
  async line(query) {
    await api.get(`/api/line?${query}`);
    navigate(`/line?${query}`);
  },
});

function showSound() {
  byId('sound').setAttribute('aria-pressed', String(soundOn()));
  setIcon(byId('sound'), soundOn() ? 'i-sound' : 'i-silent');
}

const THEMES = ['auto', 'light', 'dark'];
let theme = THEMES.includes(recall('theme')) ? recall('theme') : 'auto';
function showTheme() {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  setIcon(byId('theme'), `i-${theme}`);
  setLabel(byId('theme'), `Theme: ${theme}`);
}

setInterval(() => {
  if (document.body.dataset.state !== 'game' || !state.view?.clock || state.view.over) return;
  renderClocks(state, Date.now());
  // Once the time is over, it can be claimed.
  if (actions(state, Date.now()).claim && byId('claim').hidden) renderPanel(state, Date.now());
}, 250);

addEventListener('popstate', arrive);
addEventListener('hashchange', () => /^#(key|play)=/.test(location.hash) && arrive());

const kept = recall('plays', null, 'sessionStorage') ?? recall('plays', null);
if (kept?.plays) state = { ...state, place: kept.place ?? null, plays: kept.plays };
showSound();
showTheme();
arrive();
