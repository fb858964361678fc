// The lobby: a new game, the games there are, moves as text.

import { byId, disc, el, setText, show } from './dom.js';
import { fillLevels } from './panel.js';
import { answers, termsText } from './state/challenges.js';
import { accountOf, COLOURS, nameOf, other } from './state/seats.js';
import { amountText, capital, short } from './state/text.js';

const form = byId('new-game');
const imported = byId('import');
const OWN = 'own';
const NUMBERS = ['bins', 'capacity', 'line'];

// Both forms ask for a board alike.
imported.board.append(...form.board.cloneNode(true).options);
imported.board.selectedIndex = 0;
imported.querySelector('.fields').after(form.querySelector('.own').cloneNode(true));

let shown = { hello: null, games: null };
let chosen = false; // whether the accounts were chosen by hand

/** @param {object} state */
export function renderLobby(state) {
  if (shown.hello !== state.hello) renderForm(state.hello);
  if (shown.games !== state.games) renderGames(state.games);
  renderChallenges(state);
  shown = { hello: state.hello, games: state.games };
  byId('start').disabled = Boolean(state.pending);
  nameStart();
}

function nameStart() {
  const words =
    form.way.value === 'challenge' ? ['Challenge', 'Challenging…'] : ['Start', 'Starting…'];
  setText(byId('start'), words[Number(byId('start').disabled)]);
}

// The seat that somebody with an account of their own is to play; null: nobody has.
const absent = () =>
  form.way.value === 'friend' && form.friend.value === 'account' ? other(form.seat.value) : null;

function renderForm(hello) {
  const { accounts } = hello;
  // With a single account one plays against somebody who has another.
  const alone = hello.host && accounts.length === 1;
  const enough = alone || accounts.length > 1;
  show(form, enough);
  show(byId('watcher'), !enough);
  setText(
    byId('watcher'),
    accounts.length
      ? `This browser plays for ${nameOf(accounts[0])}, in the games to which it was invited. To start games, open the link that the program printed in its terminal.`
      : 'This browser watches. To play, open the link that the program printed in its terminal, or one that you were given.',
  );
  for (const input of document.querySelectorAll('.own input')) {
    const { least, most, standard } = hello.shape;
    Object.assign(input, {
      min: least[input.name],
      max: most[input.name],
      value: input.value || standard[input.name],
    });
  }
  if (alone && !['friend', 'challenge'].includes(form.way.value)) form.way.value = 'friend';
  if (alone) form.friend.value = 'account';
  for (const choice of [
    ...form.querySelectorAll(':is([value="screen"], [value="computer"])[name="way"]'),
    form.friend.options[0],
  ])
    choice.disabled = alone;
  if (enough) fillAccounts(hello, accounts);
  arrange();
}

function fillAccounts(hello, accounts) {
  for (const seat of [form.red, form.blue, form.me]) {
    const before = seat.value;
    seat.replaceChildren(
      ...accounts.map((account) =>
        el('option', { value: account.address, title: account.address }, label(account)),
      ),
    );
    if (accounts.some(({ address }) => address === before)) seat.value = before;
  }
  if (!form.level.options.length) fillLevels(form.level, hello.levels);
}

const label = ({ name, address, balance }) =>
  [name, short(address), balance].filter(Boolean).join(' · ');

// Shows what belongs to the way that is chosen. The computer takes the second account.
function arrange() {
  for (const part of form.querySelectorAll('[data-way]'))
    show(part, part.dataset.way === form.way.value);
  for (const asks of [form, imported]) {
    const own = asks.board.value === OWN;
    show(asks.querySelector('.own'), own);
    for (const name of NUMBERS) asks[name].disabled = !own;
  }
  const theirs = absent();
  show(byId('friend-account'), theirs);
  form.account.disabled = !theirs;
  const challenges = form.way.value === 'challenge';
  show(form.me.closest('.field'), challenges);
  for (const colour of COLOURS)
    show(form[colour].closest('.field'), colour !== theirs && !challenges);
  nameStart();
  if (chosen || form.red.options.length < 2) return;
  const first = form.way.value === 'computer' && form.begins.value === 'computer' ? 1 : 0;
  form.red.selectedIndex = first;
  form.blue.selectedIndex = 1 - first;
}

const shapeOf = (asks) => {
  const numbers =
    asks.board.value === OWN
      ? NUMBERS.map((name) => asks[name].value)
      : asks.board.value.split('x');
  return Object.fromEntries(NUMBERS.map((name, index) => [name, Number(numbers[index])]));
};

/**
 * Watches the forms.
 * @param {{start: (wish: object) => void, line: (query: string) => Promise<void>}} on
 */
export function watchLobby(on) {
  form.addEventListener('change', ({ target }) => {
    if (target.name === 'red' || target.name === 'blue') {
      const [mine, theirs] = target.name === 'red' ? [form.red, form.blue] : [form.blue, form.red];
      chosen = true;
      // Two different accounts play: who is taken from one seat leaves it to another.
      if (mine.value === theirs.value)
        theirs.selectedIndex = [...theirs.options].findIndex(({ value }) => value !== mine.value);
    }
    if (target.name === 'begins' && chosen)
      [form.red.value, form.blue.value] = [form.blue.value, form.red.value];
    arrange();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const way = form.way.value;
    if (way === 'challenge') {
      const [bank, increment = 0] = form.clock.value.split(',').map(Number);
      on.challenge({
        account: form.me.value,
        opponent: form.opponent.value.trim() || null,
        first: form.first.value,
        shape: shapeOf(form),
        clock: bank ? { bank, increment } : null,
        stake: form.stake.value.trim() || null,
      });
      return;
    }
    const [red, blue] = COLOURS.map((colour) =>
      colour === absent() ? form.account.value.trim() : form[colour].value,
    );
    const theirs = form.begins.value === 'computer' ? 'red' : 'blue';
    const address = { red, blue };
    const plays = {
      screen: [red, blue],
      computer: [address[other(theirs)]],
      friend: [address[form.seat.value]],
    }[way];
    on.start({
      plays,
      body: {
        shape: shapeOf(form),
        red,
        blue,
        computer: way === 'computer' ? { seat: theirs, level: form.level.value } : null,
      },
    });
  });

  byId('challenges').addEventListener('click', ({ target }) => {
    const { act, challenge, account, stake } = target.closest('button')?.dataset ?? {};
    if (act) on.answer({ challenge: Number(challenge), act, account, stake: stake || null });
  });

  const wrong = byId('import-error');
  const input = imported.moves;
  const say = (text) => {
    setText(wrong, text);
    input.setAttribute('aria-invalid', String(Boolean(text)));
  };
  imported.addEventListener('change', arrange);
  imported.addEventListener('input', () => say(''));
  imported.addEventListener('submit', async (event) => {
    event.preventDefault();
    const moves = input.value.replace(/[\s,]+/g, '');
    if (!moves) {
      say('No moves: type the number of each bin, as in 4453.');
      input.focus();
      return;
    }
    try {
      await on.line(new URLSearchParams({ ...shapeOf(imported), moves }).toString());
      say('');
    } catch (failure) {
      say(capital(failure.message));
      input.focus();
    }
  });
}

let listed = {};

function renderChallenges({ hello, games, pending, waits }) {
  const open = games?.challenges ?? [];
  show(byId('challenges'), open.length);
  const known = { hello, open: games?.challenges, pending: Boolean(pending), waits };
  if (Object.entries(known).every(([name, value]) => listed[name] === value)) return;
  listed = known;
  byId('challenges')
    .querySelector('ul')
    .replaceChildren(...open.map((one) => challengeItem(one, hello, pending, waits)));
}

function challengeItem(challenge, hello, pending, waits) {
  const { challenger, opponent, challenge: number, stake } = challenge;
  const can = answers(hello, challenge);
  const button = (act, words, kind = '') =>
    can[act] &&
    el(
      'button',
      {
        class: `button small ${kind}`,
        'data-act': act,
        'data-challenge': number,
        'data-account': can[act],
        'data-stake': act === 'accept' ? stake : null,
        disabled: pending ? '' : null,
      },
      words,
    );
  const waiting = waits?.challenge === number;
  const accepts = accountOf(hello, can.accept);
  return el(
    'li',
    {},
    el(
      'span',
      {},
      el('b', {}, nameOf(challenger)),
      opponent ? ` challenges ${nameOf(opponent)}` : ' challenges anyone',
      waiting ? ', and waits' : '',
    ),
    el('span', { class: 'quiet' }, termsText(challenge)),
    el(
      'span',
      { class: 'row' },
      ...[
        !waiting &&
          accepts &&
          button(
            'accept',
            `Accept as ${nameOf(accepts)}${stake ? `, pay ${amountText(stake)}` : ''}`,
            'primary',
          ),
        !waiting && button('decline', 'Decline'),
        button('cancel', 'Cancel'),
      ].filter(Boolean),
    ),
  );
}

function renderGames(games) {
  show(byId('no-games'), games && !games.count);
  setText(
    byId('games-count'),
    games?.count > games?.games.length ? `the newest ${games.games.length} of ${games.count}` : '',
  );
  byId('games').replaceChildren(...(games?.games ?? []).map(gameItem));
}

function gameItem({ game, freed, shape, red, blue, turns, over, standing, to_move: toMove }) {
  const link = el(
    'a',
    { href: `/game/${game}`, class: over || freed ? 'over' : null },
    el('span', { class: 'id' }, `#${game}`),
  );
  if (!freed) {
    const player = (colour, account) =>
      el(
        'span',
        { class: `who${toMove === colour ? ' turn' : ''}`, title: account.address },
        disc(colour),
        el('span', {}, nameOf(account)),
      );
    link.append(el('span', { class: 'pair' }, player('red', red), player('blue', blue)));
  } else {
    link.append(el('span', { class: 'pair quiet' }, 'freed'));
  }
  link.append(
    el('span', { class: 'standing' }, standing),
    el(
      'span',
      { class: 'shape' },
      freed ? '' : `${shape.bins}×${shape.capacity} · ${turns} ${turns === 1 ? 'move' : 'moves'}`,
    ),
  );
  return el('li', {}, link);
}
