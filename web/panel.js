// What stands around the board: the status, the players, what can be done, the moves, the replay bar.

import { byId, disc, el, setData, setIcon, setLabel, setText, show } from './dom.js';
import { actions } from './state/actions.js';
import { clockLeft, clockText } from './state/clock.js';
import { shownAt } from './state/position.js';
import { reviewSummary, reviewText } from './state/review.js';
import { accountOf, COLOURS, held, nameOf, seats, who } from './state/seats.js';
import { note, status } from './state/status.js';
import { amountText, capital, shapeText, short } from './state/text.js';

// Both players, and both seats, look alike.
for (const [kind, name] of [
  ['player', 'colour'],
  ['seat', 'seat'],
]) {
  const red = document.querySelector(`.${kind}`);
  const blue = red.cloneNode(true);
  blue.dataset[name] = 'blue';
  for (const part of blue.querySelectorAll('use, button, select')) {
    const [attribute, text] = [part.getAttribute('href'), part.getAttribute('aria-label')];
    if (attribute) part.setAttribute('href', attribute.replace('red', 'blue'));
    else if (text) part.setAttribute('aria-label', text.replace('red', 'blue'));
    else part.textContent = part.textContent.replace('red', 'blue');
  }
  red.after(blue);
}

/** @param {object} state @param {number} now */
export function renderPanel(state, now) {
  renderStatus(state);
  renderPlayers(state, now);
  renderActions(state, now);
  renderMoves(state);
  renderReplay(state);
  renderExtras(state);
}

function renderStatus(state) {
  const { view } = state;
  const { text, colour, busy } = status(state);
  const line = byId('status');
  if (line.dataset.text !== `${text}${colour}${busy}`) {
    line.dataset.text = `${text}${colour}${busy}`;
    const sign = busy ? el('i', { class: 'spin', 'aria-hidden': 'true' }) : colour && disc(colour);
    line.replaceChildren(...[sign, el('span', {}, text)].filter(Boolean));
  }
  setText(
    byId('which'),
    `${view.game === null ? 'Line' : `Game ${view.game}`} · ${shapeText(view.shape)}`,
  );
  setText(byId('note'), note(state));
  show(byId('note'), !state.error && note(state));
  show(byId('return'), state.at !== null && !view.over && view.game !== null && !state.error);
}

/** The clocks alone: they run between two messages. @param {object} state @param {number} now */
export function renderClocks(state, now) {
  for (const colour of COLOURS) {
    const clock = byId('players').querySelector(`[data-colour="${colour}"] .clock`);
    show(clock, state.view.clock);
    if (!state.view.clock) continue;
    const left = clockLeft(state, colour, now);
    setText(clock, clockText(left));
    clock.classList.toggle('low', left < 15);
  }
}

function renderPlayers(state, now) {
  const { view } = state;
  show(byId('players'), view.players);
  if (!view.players) return;
  const mine = seats(state);
  for (const colour of COLOURS) {
    const card = byId('players').querySelector(`[data-colour="${colour}"]`);
    const player = view.players[colour];
    const name = card.querySelector('.name');
    setText(name, nameOf(player));
    name.title = player.address;
    let kind = '';
    if (player.computer) kind = `computer (${player.computer})`;
    else if (mine.includes(colour)) kind = mine.length === 1 ? 'you' : 'here';
    setText(card.querySelector('.kind'), kind || colour);
    setText(card.querySelector('.score'), String(view.score[colour]));
    card.classList.toggle('turn', !view.over && view.to_move === colour);
  }
  const { draws } = view.score;
  show(byId('draws'), draws);
  setText(byId('draws'), `${draws} ${draws === 1 ? 'draw' : 'draws'}`);
  renderClocks(state, now);
}

function renderActions(state, now) {
  const { view } = state;
  const can = actions(state, now);
  const act = (id, seat, text) => {
    const button = byId(id);
    show(button, seat);
    setData(button, 'seat', String(seat));
    if (text) setText(button, text);
    button.disabled = can.busy && id !== 'review';
  };
  const both = seats(state).length === 2;
  const side = (words, seat) => (both && seat ? `${words} for ${seat}` : words);
  act('next', can.next);
  act('decline-rematch', can.declineRematch);
  act('review', can.review);
  byId('review').disabled = Boolean(state.review?.running);
  act('accept-draw', can.accept, side('Accept draw', can.accept));
  act('decline-draw', can.accept, 'Decline draw');
  act('claim', can.claim);
  act('withdraw', can.withdraw, can.withdraw && `Withdraw ${amountText(view.owed[can.withdraw])}`);
  act('offer-draw', can.offer, 'Offer draw');
  act('resign', state.asking ? null : can.resign, side('Resign', can.resign));
  setText(
    byId('next').querySelector('small'),
    [view.winner && 'the loser begins', view.stake && `each pays ${amountText(view.stake)}`]
      .filter(Boolean)
      .join(', '),
  );

  const on = byId('next-game');
  show(on, view.next !== null && view.over);
  if (view.next !== null) on.href = `/game/${view.next}`;

  show(byId('confirm'), state.asking && can.resign);
  setText(byId('confirm-text'), `Give up the game${both ? ` for ${can.resign}` : ''}?`);
  byId('resign-yes').dataset.seat = can.resign ?? '';
  byId('resign-yes').disabled = can.busy;
  show(
    byId('main-actions'),
    [...byId('main-actions').children].some((button) => !button.hidden),
  );

  const summary = reviewSummary(state);
  const result = byId('review-result');
  show(result, summary);
  if (summary) {
    const progress = result.querySelector('.progress');
    show(progress, summary.progress);
    setText(progress, summary.progress && `Reviewing: ${summary.progress}`);
    result
      .querySelector('ul')
      .replaceChildren(
        ...summary.lines.map(({ colour, text }) => el('li', {}, disc(colour), text)),
      );
    setText(result.querySelector('.wrong'), capital(state.review.error ?? ''));
  }
  renderInvite(state);
}

// Where links lead to this machine alone.
const HERE_ALONE = /^(localhost|127\..*|\[::1\])$/;
const FOR_OTHERS =
  'It opens on this machine; for others, start the program with --addr 0.0.0.0 and open this page by the machine’s address.';

// A seat that our keys open, but which somebody else is to play, can be given away by a link.
function renderInvite(state) {
  const { view, hello } = state;
  const mine = seats(state);
  const free = held(state).find(
    (colour) => !mine.includes(colour) && !view.players[colour].computer,
  );
  show(byId('invite'), free && !view.over);
  if (!free) return;
  const { key } = accountOf(hello, view.players[free].address);
  const link = `${location.origin}/game/${view.game}#play=${key}`;
  byId('invite').classList.toggle('brief', view.turns > 1);
  const text = `Send this link to who plays ${free}. Who has it can play for ${who(state, free)}.`;
  setText(byId('invite-text'), HERE_ALONE.test(location.hostname) ? `${text} ${FOR_OTHERS}` : text);
  byId('invite-field').value = link;
  setData(byId('invite-link'), 'link', link);
  if (!byId('invite-link').dataset.done)
    setText(byId('invite-link'), `Copy invite link for ${free}`);
}

const listed = { view: null, review: null, told: [] };

function renderMoves(state) {
  const { view, review } = state;
  const list = byId('moves');
  if (listed.view !== view) {
    // Moves are only ever added, unless it is another game.
    const told = view.moves.map((move) => JSON.stringify(move));
    if (!listed.told.every((move, turn) => move === told[turn])) list.replaceChildren();
    for (let turn = list.children.length; turn < told.length; turn += 1)
      list.append(moveItem(view.moves[turn], turn));
    listed.told = told;
    const none = view.moves_missing ?? (view.moves.length ? '' : 'None yet.');
    show(byId('moves-none'), none);
    setText(byId('moves-none'), capital(none));
    show(list, view.moves.length);
    setText(byId('notation'), view.notation);
    show(byId('notation').parentElement, view.notation);
    setData(byId('copy-notation'), 'link', view.notation);
  }
  if (listed.review !== review || listed.view !== view) {
    for (const item of list.children) renderMark(item, review?.moves[item.dataset.turn]);
  }
  const current = shownAt(state) - 1;
  const before = list.querySelector('[aria-current]');
  const after = list.children[current];
  if (before !== after || listed.view !== view) {
    before?.removeAttribute('aria-current');
    after?.setAttribute('aria-current', 'true');
    // Within the list alone: `scrollIntoView` would move the page as well.
    if (after)
      list.scrollTop =
        after.offsetTop - list.offsetTop - (list.clientHeight - after.offsetHeight) / 2;
  }
  Object.assign(listed, { view, review });
}

function moveItem({ player, bin, row, block, transaction, fee }, turn) {
  const item = el('li', { 'data-turn': turn, 'data-transaction': transaction ?? '' });
  const where = el(
    'button',
    {
      class: 'move',
      'data-do': 'position',
      'data-position': turn + 1,
      title: `Row ${row + 1}. Show this position`,
    },
    el('span', { class: 'number' }, String(turn + 1)),
    disc(player),
    el('span', { class: 'unseen' }, player),
    el('span', {}, `bin ${bin + 1}`),
    el('b', { class: 'mark' }),
  );
  item.append(where, el('span', { class: 'said' }));
  if (typeof block === 'number') {
    const told = el(
      'span',
      { class: 'told' },
      el(
        'span',
        { title: fee && `fee ${fee}` },
        [`block ${block}`, fee && amountText(fee)].filter(Boolean).join(' · '),
      ),
    );
    if (transaction) {
      told.append(
        el(
          'button',
          {
            class: 'hash',
            'data-do': 'copy',
            'data-link': transaction,
            title: transaction,
            'aria-label': `Copy transaction ${short(transaction)}`,
          },
          `${transaction.slice(0, 6)}…`,
        ),
      );
    }
    item.append(told);
  }
  return item;
}

function renderMark(item, reviewed) {
  if (reviewed) setData(item, 'mark', reviewed.mark);
  else delete item.dataset.mark;
  setText(item.querySelector('.mark'), reviewed?.mark ?? '');
  setText(item.querySelector('.said'), reviewed ? reviewText(reviewed) : '');
}

function renderReplay(state) {
  const { view, at, film } = state;
  const count = view.moves.length;
  show(byId('replay'), count);
  const slider = byId('position');
  slider.max = String(count);
  slider.value = String(shownAt(state));
  const text = at === 0 ? `Start of ${count} moves` : `Move ${shownAt(state)} of ${count}`;
  slider.setAttribute('aria-valuetext', text);
  slider.style.setProperty('--done', `${(100 * shownAt(state)) / count}%`);
  setText(byId('position-text'), text);
  for (const id of ['first', 'back']) byId(id).disabled = shownAt(state) === 0;
  for (const id of ['forward', 'last']) byId(id).disabled = at === null;
  setIcon(byId('film'), film ? 'i-pause' : 'i-play');
  setLabel(byId('film'), film ? 'Pause' : 'Play the moves');
}

function renderExtras(state) {
  const { view, hello } = state;
  const game = view.game !== null;
  show(byId('watch-link'), game);
  show(byId('more'), game);
  if (!game) return;
  setData(byId('watch-link'), 'link', `${location.origin}/game/${view.game}`);
  const open = held(state);
  const mine = seats(state);
  const computers = COLOURS.filter((colour) => view.players[colour].computer);
  show(byId('seats-here'), open.length === 2 && !computers.length && !view.over);
  for (const radio of byId('seats-here').querySelectorAll('input')) {
    radio.checked = radio.value === (mine.length === 2 ? 'both' : mine[0]);
  }
  for (const colour of COLOURS) {
    const seat = byId('more').querySelector(`[data-seat="${colour}"]`);
    const taken = Boolean(view.players[colour].computer);
    show(seat, open.includes(colour) && !view.over);
    show(seat.querySelector('.give'), !taken);
    show(seat.querySelector('.take'), taken);
    const select = seat.querySelector('select');
    if (!select.options.length) fillLevels(select, hello.levels);
  }
  const previous = byId('previous-game');
  show(previous, view.previous !== null);
  if (view.previous !== null) previous.href = `/game/${view.previous}`;
  show(byId('series'), view.previous !== null);
  const { chain } = hello;
  setText(
    byId('place'),
    [chain.name, chain.place, chain.contract && `contract ${short(chain.contract)}`]
      .filter(Boolean)
      .join(' · '),
  );
  byId('place').title = chain.contract ?? '';
}

/** @param {HTMLSelectElement} select @param {string[]} levels */
export function fillLevels(select, levels) {
  select.replaceChildren(...levels.map((level) => el('option', { value: level }, level)));
  if (levels.includes('medium')) select.value = 'medium';
}
