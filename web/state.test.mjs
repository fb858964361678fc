// What the page does with what it is told. Run by `node --test web/`.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import {
  actions, address, amountText, answers, away, board, clockLeft, clockText, ending, entrance, follows, held, initial,
  keyMeans, mayMove, note, plan, reduce, reviewSummary, reviewText, routeOf, screen, seats, short, shownAt, status,
  termsText, title, walk,
} from './state.js';

const ALICE = '0x9621dde636de098b43efb0fa9b61facfe328f99d';
const BOB = '0x41dccbd49b26c50d34355ed86ff0fa9e489d1e01';
const EVE = '0x5555cbd49b26c50d34355ed86ff0fa9e489d1e01';

const account = (address, name, key) => ({ address, name, account: '5G', balance: '1 DOT', key });
const alice = account(ALICE, 'alice', 'key-a');
const bob = account(BOB, 'bob', 'key-b');

const hello = (...accounts) => ({
  type: 'hello',
  hello: { token: 't', accounts, unknown_keys: [], chain: { name: 'local', place: 'here', contract: null }, levels: ['hard'] },
});

// Drops bins, counted from 1 as in a move string, onto an empty board: enough of a game to look at.
const game = (moves = '', more = {}) => {
  const columns = Array.from({ length: 7 }, () => []);
  const told = [...moves].map((character, index) => {
    const bin = Number(character) - 1;
    const player = index % 2 ? 'blue' : 'red';
    columns[bin].push(player);
    return { player, bin, row: columns[bin].length - 1, block: index, transaction: `0x${index}`, fee: '0.1 DOT' };
  });
  const mover = moves.length % 2 ? 'blue' : 'red';
  return {
    game: 5, shape: { bins: 7, capacity: 6, line: 4 },
    players: { red: { address: ALICE, name: 'alice', computer: null, error: null }, blue: { address: BOB, name: 'bob', computer: null, error: null } },
    board: columns, refusals: columns.map(() => null), to_move: mover, turns: moves.length, over: false,
    standing: `${mover} to move`, end: null, winner: null, winning: [], moves: told, moves_missing: null, notation: moves,
    score: { red: 0, blue: 0, draws: 0 }, previous: null, next: null, rematch: null, draw_offer: null, clock: null, stake: null, owed: { red: null, blue: null }, freed: false,
    ...more,
  };
};

const WON = { over: true, to_move: null, end: 'line', winner: 'red', standing: 'winner: red', winning: [0, 1, 2, 3].map((row) => ({ bin: 3, row })) };
const won = (more = {}) => game('4142434', { ...WON, ...more });

const after = (...events) => events.reduce(reduce, initial);
const at = (path, search) => ({ type: 'route', route: routeOf(path, search) });
const view = (told, now = 0) => ({ type: 'view', view: told, now });
const chain = (up, why = null) => ({ type: 'chain', up, block: 7, why });
const link = (up) => ({ type: 'link', up });
const sending = (bin) => ({ type: 'sending', id: 1, what: 'drop', bin });

/** Game 5 as a browser sees it that holds the keys of these accounts. */
const playing = (accounts, told = game(), ...events) => after(at('/game/5'), link(true), chain(true), hello(...accounts), view(told), ...events);

describe('addresses', () => {
  test('name the lobby, a game, a position of it, and a line', () => {
    assert.deepEqual(routeOf('/'), { page: 'lobby' });
    assert.deepEqual(routeOf('/game/5', '?move=12'), { page: 'game', game: 5, move: 12 });
    assert.deepEqual(routeOf('/line', '?bins=7&capacity=6&line=4&moves=44&move=1'), {
      page: 'line', query: 'bins=7&capacity=6&line=4&moves=44', move: 1,
    });
  });

  test('of nothing are unknown', () => {
    for (const path of ['/games', '/game/', '/game/x', '/game/-1', '/index.html']) assert.equal(routeOf(path).page, 'unknown');
    assert.equal(screen(after(at('/games'))), 'missing');
  });

  test('with a move that is no number show the newest position', () => {
    assert.equal(routeOf('/game/5', '?move=x').move, null);
  });

  test('name the position that is shown, and none for the newest', () => {
    const state = playing([alice], game('4433'));
    assert.equal(address(state), '/game/5');
    assert.equal(address(reduce(state, { type: 'show', at: 2 })), '/game/5?move=2');
  });
});

describe('what is shown', () => {
  test('is a sign of waiting, until the program has said who we are and what the game is', () => {
    assert.equal(screen(after(at('/game/5'))), 'loading');
    assert.equal(screen(after(at('/game/5'), view(game()))), 'loading');
    assert.equal(screen(playing([])), 'game');
    assert.equal(screen(after(at('/'), hello())), 'lobby');
  });

  test('is why there is no such game', () => {
    const state = playing([], game(), { type: 'missing', error: 'there is no game 5' });
    assert.equal(screen(state), 'missing');
    assert.equal(state.missing, 'there is no game 5');
  });

  test('is not the game of a page that was left', () => {
    const state = after(at('/game/6'), hello(), view(game('44')));
    assert.equal(state.view, null);
  });
});

describe('the board', () => {
  test('shows the discs as told, the last one marked', () => {
    const { discs, turns, at: where } = board(playing([], game('445')));
    assert.deepEqual(discs.map(({ bin, row, player, last }) => [bin, row, player, last]), [
      [3, 0, 'red', false], [3, 1, 'blue', false], [4, 0, 'red', true],
    ]);
    assert.equal(turns, 3);
    assert.equal(where, 'live');
  });

  test('is right even where the moves are not there', () => {
    const { discs, turns } = board(playing([], game('44', { moves: [], moves_missing: 'pruned' })));
    assert.equal(discs.length, 2);
    assert.equal(turns, 2);
  });

  test('shows an older position by its first moves', () => {
    const { discs, turns, at: where } = board(playing([], game('4455'), { type: 'show', at: 1 }));
    assert.deepEqual(discs.map(({ bin }) => bin), [3]);
    assert.equal(turns, 1);
    assert.equal(where, 1);
  });

  test('shows who has won at the end, and only there', () => {
    const state = playing([], won());
    assert.equal(board(state).discs.some(({ winning }) => winning), true);
    assert.equal(board(reduce(state, { type: 'show', at: 3 })).discs.some(({ winning }) => winning), false);
  });

  test('has a ghost above the aimed bin for who may move, and for nobody else', () => {
    const aim = { type: 'aim', bin: 2 };
    assert.deepEqual(board(playing([alice], game(), aim)).ghost, { bin: 2, player: 'red', pulsing: false, refused: false });
    assert.equal(board(playing([bob], game(), aim)).ghost, null);
    assert.equal(board(playing([], game(), aim)).ghost, null);
    assert.equal(board(playing([alice], game('44'), aim, { type: 'show', at: 1 })).ghost, null);
  });

  test('does not change while a move is under way: its ghost waits', () => {
    const state = playing([alice], game(), sending(3), { type: 'aim', bin: 0 });
    assert.deepEqual(board(state).discs, []);
    assert.deepEqual(board(state).ghost, { bin: 3, player: 'red', pulsing: true, refused: false });
  });
});

describe('the seats of this browser', () => {
  test('are those whose accounts its keys open', () => {
    assert.deepEqual(seats(playing([])), []);
    assert.deepEqual(seats(playing([bob])), ['blue']);
    assert.deepEqual(seats(playing([alice, bob])), ['red', 'blue']);
  });

  test('are not those of the computer', () => {
    const told = game();
    told.players.blue.computer = 'hard';
    const state = playing([alice, bob], told);
    assert.deepEqual(seats(state), ['red']);
    assert.deepEqual(held(state), ['red', 'blue']);
  });

  test('can be chosen', () => {
    const state = playing([alice, bob], game(), { type: 'plays', game: 5, accounts: [BOB] });
    assert.deepEqual(seats(state), ['blue']);
    assert.deepEqual(held(state), ['red', 'blue']);
  });

  test('come by an invite link', () => {
    const state = after(at('/game/5'), { type: 'invite', game: 5, key: 'key-b' }, hello(alice, bob), view(game()));
    assert.deepEqual(seats(state), ['blue']);
  });

  test('do not come by an invite link that opens nothing', () => {
    const state = after(at('/game/5'), { type: 'invite', game: 5, key: 'old' }, hello(), view(game()));
    assert.deepEqual(seats(state), []);
    assert.match(state.error.text, /opens nothing.*ask for a new link/);
  });

  test('swap with the account in the next game of the series', () => {
    const state = playing([alice, bob], won(), { type: 'plays', game: 5, accounts: [ALICE] }, at('/game/6'));
    const { red, blue } = game().players;
    const next = reduce(state, view(game('', { game: 6, previous: 5, players: { red: blue, blue: red } })));
    assert.deepEqual(seats(next), ['blue']);
  });

  test('are forgotten when the games are those of another chain', () => {
    const state = playing([alice, bob], game(), { type: 'plays', game: 5, accounts: [ALICE] });
    const elsewhere = hello(alice, bob);
    elsewhere.hello.chain.place = 'there';
    assert.deepEqual(reduce(state, elsewhere).plays, {});
    assert.deepEqual(reduce(state, hello(alice, bob)).plays, { 5: [ALICE] });
  });
});

describe('a drop', () => {
  test('is sent when it is our turn', () => {
    assert.deepEqual(plan(playing([alice]), 3), { send: 3 });
    assert.equal(mayMove(playing([alice])), true);
  });

  test('into a bin that is not there is not sent', () => {
    assert.equal(plan(playing([alice]), 8).error, 'There is no bin 9: this board has 7.');
  });

  test('into a bin of which the program says that it is full is not sent, and says why', () => {
    const told = game('444444');
    told.refusals[3] = 'the bin is full';
    assert.deepEqual(plan(playing([alice], told), 3), { error: 'Bin 4: the bin is full. Choose another.', bin: 3 });
  });

  test('is not ours to make when it is the turn of another', () => {
    assert.equal(plan(playing([alice], game('4')), 3).error, 'It is blue’s turn: wait for bob.');
    assert.match(plan(playing([]), 3).error, /watches/);
  });

  test('waits for the computer', () => {
    const told = game('4');
    told.players.blue.computer = 'hard';
    assert.equal(plan(playing([alice, bob], told), 3).error, 'It is blue’s turn: wait for the computer.');
  });

  test('is refused at an older position, after the end, and in a line', () => {
    assert.match(plan(playing([alice], game('44'), { type: 'show', at: 1 }), 3).error, /position after move 1: go back/);
    assert.equal(plan(playing([alice], won()), 3).error, 'The game is over. Press Enter for the next game.');
    assert.equal(plan(playing([], won()), 3).error, 'The game is over.');
    const line = after(at('/line', '?moves=4'), hello(alice), view(game('4', { game: null, players: null })));
    assert.match(plan(line, 3).error, /not a game/);
  });

  test('is refused while the chain or the program is away', () => {
    assert.match(plan(playing([alice], game(), chain(false, 'the node does not answer')), 3).error, /No move can be made until the chain is back/);
    assert.match(plan(playing([alice], game(), link(false)), 3).error, /No move can be made until the program is back/);
    assert.equal(mayMove(playing([alice], game(), chain(false))), false);
  });

  test('is ignored while another is under way', () => {
    assert.deepEqual(plan(playing([alice, bob], game(), sending(3)), 4), {});
  });

  test('is under way until the chain has it, even when its answer comes first', () => {
    const sent = playing([alice, bob], game(), sending(3), { type: 'sent', id: 1 });
    assert.equal(sent.pending.bin, 3);
    assert.equal(reduce(sent, view(game('4'))).pending, null);
  });

  test('is over once the chain has it, even when its answer comes later than the next drop', () => {
    const state = playing([alice, bob], game(), sending(3), view(game('4')), { type: 'sending', id: 2, what: 'drop', bin: 1 });
    assert.equal(reduce(state, { type: 'sent', id: 1 }).pending.id, 2);
  });

  test('of which nothing is seen for long no longer blocks', () => {
    const state = playing([alice], game(), sending(3), { type: 'sent', id: 1 }, { type: 'settle', id: 1 });
    assert.equal(state.pending, null);
  });

  test('that failed says why and leaves the turn', () => {
    const state = playing([alice], game(), sending(3), { type: 'failed', id: 1, text: 'the contract refused: …', bin: 3 });
    assert.equal(state.pending, null);
    assert.deepEqual(state.error, { text: 'The contract refused: …', bin: 3, soft: false });
    assert.equal(mayMove(state), true);
  });
});

describe('an error', () => {
  const refused = { type: 'refuse', text: 'Bin 4: the bin is full. Choose another.', bin: 3 };

  test('stays until something else is tried', () => {
    const state = playing([alice, bob], game(), refused);
    assert.ok(reduce(state, chain(true)).error);
    assert.equal(reduce(state, sending(2)).error, null);
  });

  test('can be dismissed', () => {
    assert.equal(playing([alice], game(), refused, { type: 'dismiss' }).error, null);
  });

  test('about whose turn it is goes with the turn', () => {
    const state = playing([bob], game(), { type: 'refuse', text: 'It is red’s turn: wait for alice.', soft: true });
    assert.equal(reduce(state, view(game('4'))).error, null);
  });

  test('about what is away goes once it is back', () => {
    const state = playing([alice], game(), chain(false), { type: 'refuse', text: 'No move can be made until the chain is back.', soft: true });
    assert.ok(reduce(state, chain(false)).error);
    assert.equal(reduce(state, chain(true)).error, null);
    assert.ok([chain(false), chain(true)].reduce(reduce, playing([alice], game(), refused)).error, 'others stay');
  });

  test('does not follow onto another page', () => {
    assert.equal(playing([alice], game(), refused, at('/')).error, null);
  });
});

describe('the status', () => {
  const says = (...args) => status(playing(...args)).text;

  test('says whose move it is, and whether it is ours', () => {
    assert.equal(says([alice]), 'Red to move — alice (you)');
    assert.equal(says([alice, bob]), 'Red to move — alice');
    assert.equal(says([bob]), 'Waiting for alice…');
    assert.equal(says([]), 'Red to move — alice');
  });

  test('says that the computer thinks, or why it does not', () => {
    const told = game();
    told.players.red.computer = 'hard';
    assert.equal(says([bob], told), 'The computer thinks…');
    told.players.red.error = 'it has no funds';
    assert.equal(says([bob], told), 'The computer does not move');
    assert.equal(note(playing([bob], told)), 'It has no funds');
  });

  test('says that a move is under way', () => {
    assert.deepEqual(status(playing([alice], game(), sending(3))), { text: 'Sending your move…', colour: 'red', busy: true });
  });

  test('says at which older position we are', () => {
    const state = playing([alice], game('44'));
    assert.equal(status(reduce(state, { type: 'show', at: 1 })).text, 'Position after move 1');
    assert.equal(status(reduce(state, { type: 'show', at: 0 })).text, 'Before the first move');
  });

  test('says how the game ended', () => {
    const end = (kind, winner = null) => ending({ end: kind, winner, shape: { line: 4 }, standing: '' });
    assert.equal(end('line', 'red'), 'Red wins!');
    assert.equal(end('full board'), 'A draw.');
    assert.equal(end('agreement'), 'A draw by agreement.');
    assert.equal(end('resignation', 'blue'), 'Blue won: red resigned.');
    assert.equal(end('timeout', 'blue'), 'Blue won: red ran out of time.');
    assert.equal(end('abort'), 'Aborted: nobody won.');
  });

  test('has the offers of the other under it', () => {
    assert.equal(note(playing([alice], game('44', { draw_offer: 'blue' }))), 'bob offers a draw.');
    assert.match(note(playing([bob], game('44', { draw_offer: 'blue' }))), /^You offer a draw: it stands until alice moves/);
    assert.equal(note(playing([alice], won({ rematch: 'blue' }))), 'bob wants another game: Enter to play, or decline.');
    assert.match(note(playing([bob], won({ rematch: 'blue' }))), /waiting for alice/);
  });

  test('stands in the title, so that it is seen from another tab', () => {
    assert.equal(title(playing([alice])), 'Red to move — alice (you) – Connect Four');
    assert.equal(title(playing([bob], won())), 'Red wins! – Connect Four');
    assert.equal(title(after(at('/'))), 'Connect Four');
  });
});

describe('the live region', () => {
  const hears = (accounts, before, told) => playing(accounts, before, view(told)).says.text;

  test('tells each move and whose turn it is', () => {
    assert.equal(hears([bob], game(), game('4')), 'Red: bin 4, row 1. Blue to move, you.');
    assert.equal(hears([alice, bob], game(), game('4')), 'Red: bin 4, row 1. Blue to move.');
  });

  test('tells all moves that came while it was away', () => {
    assert.equal(hears([alice], game('4'), game('445')), 'Blue: bin 4, row 2. Red: bin 5, row 1. Blue to move.');
  });

  test('tells the end', () => {
    const before = game('415263');
    assert.match(hears([], before, won()), /Red wins with four in a row\.$/);
    assert.equal(hears([], before, game('415263', { over: true, to_move: null, end: 'full board' })), 'A draw.');
  });

  test('tells what the other offers, and not what we offer', () => {
    assert.equal(hears([alice], game('44'), game('44', { draw_offer: 'blue' })), 'bob offers a draw.');
    assert.equal(hears([bob], game('44'), game('44', { draw_offer: 'blue' })), '');
    assert.equal(hears([alice], won(), won({ rematch: 'blue' })), 'bob wants another game.');
  });

  test('is silent on arrival, and when nothing is new', () => {
    assert.equal(playing([alice], game('44')).says.text, '');
    assert.equal(hears([alice], game('44'), game('44')), '');
  });
});

describe('watching again', () => {
  const state = playing([alice], game('4455'));
  const show = (to, from = state) => reduce(from, { type: 'show', at: to });

  test('goes to any position, within the game', () => {
    assert.equal(shownAt(state), 4);
    assert.equal(shownAt(show(2)), 2);
    assert.equal(shownAt(show(-3)), 0);
  });

  test('is back in the game at the newest position', () => {
    assert.equal(show(4, show(1)).at, null);
    assert.equal(show(Infinity, show(1)).at, null);
  });

  test('stays where it is when a move comes', () => {
    assert.equal(reduce(show(2), view(game('44556'))).at, 2);
  });

  test('follows the game when it is at the newest', () => {
    assert.equal(shownAt(reduce(state, view(game('44556')))), 5);
  });

  test('begins where the address says', () => {
    const opened = after(at('/game/5', '?move=2'), hello(), view(game('4455')));
    assert.equal(opened.at, 2);
    const beyond = after(at('/game/5', '?move=9'), hello(), view(game('4455')));
    assert.equal(beyond.at, null);
  });

  test('as a film begins at the start, or where we are, and ends at the last move', () => {
    let film = reduce(state, { type: 'film', on: true });
    assert.equal(film.at, 0);
    assert.equal(reduce(show(3), { type: 'film', on: true }).at, 3);
    const seen = [];
    while (film.film) {
      film = reduce(film, { type: 'frame' });
      seen.push(shownAt(film));
    }
    assert.deepEqual(seen, [1, 2, 3, 4]);
    assert.equal(film.at, null);
  });

  test('as a film stops when we go elsewhere', () => {
    assert.equal(show(1, reduce(state, { type: 'film', on: true })).film, false);
  });
});

describe('actions', () => {
  const can = (...args) => actions(playing(...args));

  test('are none for who watches', () => {
    const { busy, ...all } = can([]);
    assert.equal(busy, false);
    assert.equal(Object.values(all).some(Boolean), false);
  });

  test('are to resign and to offer a draw, for our seat or for who is to move', () => {
    assert.equal(can([bob]).resign, 'blue');
    assert.equal(can([bob]).offer, 'blue');
    assert.equal(can([alice, bob], game('4')).resign, 'blue');
  });

  test('are to accept or decline what the other offers', () => {
    const offered = game('44', { draw_offer: 'blue' });
    assert.equal(can([alice], offered).accept, 'red');
    assert.equal(can([bob], offered).accept, null);
    assert.equal(can([alice], offered).offer, null);
  });

  test('are to claim once the time of the other is over', () => {
    const state = playing([bob], game('', { clock: { deadline: 0, left: { red: 10, blue: 60 }, now: 0 } }));
    assert.equal(actions(state, 9_000).claim, null);
    assert.equal(actions(state, 11_000).claim, 'blue');
    assert.equal(actions(playing([alice], state.view), 11_000).claim, null);
  });

  test('after the end are the next game and the review', () => {
    assert.deepEqual(can([alice], won()).next, ['red']);
    assert.deepEqual(can([alice, bob], won()).next, ['red', 'blue']);
    assert.equal(can([alice], won()).resign, null);
    assert.equal(can([], won()).review, true);
  });

  test('do not offer a next game that we have offered, nor one that there is', () => {
    assert.equal(can([alice], won({ rematch: 'red' })).next, null);
    assert.deepEqual(can([alice], won({ rematch: 'blue' })).next, ['red']);
    assert.equal(can([alice], won({ rematch: 'blue' })).declineRematch, 'red');
    assert.equal(can([alice], won({ next: 6 })).next, null);
  });

  test('wait while something is under way or away', () => {
    assert.equal(can([alice], game(), sending(1)).busy, true);
    assert.equal(can([alice], game(), chain(false)).busy, true);
  });
});

describe('challenges', () => {
  const one = (more = {}) => ({
    challenge: 3, challenger: { address: ALICE, name: 'alice' }, opponent: null, challenger_first: true,
    shape: { bins: 7, capacity: 6, line: 4 }, clock: { bank: 300, increment: 5 }, stake: '1 DOT', ...more,
  });
  const lists = (challenges, games = []) => ({ type: 'games', count: 5 + games.length, challenges, games });
  const started = { game: 5, over: false, red: { address: BOB }, blue: { address: ALICE } };
  const waiting = (...events) => after(
    at('/'), hello(alice), lists([]), { type: 'waits', challenge: 3, account: ALICE }, ...events);

  test('say what they are played on and for', () => {
    assert.equal(termsText(one()), '7 × 6 · 5:00 + 5 s · 1 DOT each · alice begins');
    const friendly = one({ clock: null, stake: null, challenger_first: false, shape: { bins: 9, capacity: 7, line: 5 } });
    assert.equal(termsText(friendly), '9 × 7, line 5 · no clock · alice moves second');
  });

  test('are accepted by anyone else, or by who is challenged, and cancelled by who made them', () => {
    const by = (accounts, challenge) => answers(hello(...accounts).hello, challenge);
    assert.deepEqual(by([alice], one()), { accept: null, decline: null, cancel: ALICE });
    assert.deepEqual(by([bob], one()), { accept: BOB, decline: null, cancel: null });
    assert.deepEqual(by([alice, bob], one()), { accept: BOB, decline: null, cancel: ALICE });
    const toBob = one({ opponent: { address: BOB, name: 'bob' } });
    assert.deepEqual(by([bob], toBob), { accept: BOB, decline: BOB, cancel: null });
    assert.deepEqual(by([account(EVE, 'eve', 'key-e')], toBob), { accept: null, decline: null, cancel: null });
  });

  test('lead into their game once they are accepted', () => {
    assert.equal(waiting().go, null);
    const state = waiting(lists([one()]), lists([], [started]));
    assert.equal(state.go, 5);
    assert.deepEqual(state.plays[5], [ALICE]);
    // It may be accepted before it was ever listed; and older games are none of it.
    assert.equal(waiting(lists([], [started])).go, 5);
    assert.equal(waiting(lists([one()]), lists([one()], [started])).go, null);
    assert.equal(waiting(lists([], [{ ...started, game: 4 }])).go, null);
  });

  test('say so when they are declined, and not when they were cancelled', () => {
    assert.match(waiting(lists([one()]), lists([])).error.text, /declined/);
    assert.equal(waiting(lists([one()]), { type: 'waits no more' }, lists([])).error, null);
    assert.equal(waiting(lists([])).error, null, 'it may not be listed yet');
  });
});

describe('amounts', () => {
  test('are as exact as people ask', () => {
    for (const [exact, shown] of [
      ['0.006236331 DOT', '0.0062 DOT'], ['0.0000000001 DOT', '0.0000000001 DOT'], ['0 DOT', '0 DOT'], ['1 DOT', '1 DOT'],
      ['12.345678 DOT', '12.35 DOT'], ['1000000 DOT', '1000000 DOT'],
    ]) assert.equal(amountText(exact), shown);
  });

  test('that a player is owed can be withdrawn, and a stake is never paid by a key alone', () => {
    const told = won({ stake: '1 DOT', owed: { red: '2 DOT', blue: null } });
    const state = playing([alice], told);
    assert.equal(actions(state).withdraw, 'red');
    assert.equal(actions(playing([bob], told)).withdraw, null);
    const enter = { code: 'Enter', key: 'Enter' };
    assert.deepEqual(keyMeans(playing([alice], won()), enter, 'page'), { do: 'next' });
    assert.equal(keyMeans(state, enter, 'page')?.do === 'next', false);
    assert.ok(actions(state).next, 'the button does');
  });
});

describe('the next game', () => {
  const old = won();
  const told = won({ next: 6 });

  test('is gone to when it appears', () => {
    assert.equal(follows(old, playing([alice], told)), 6);
    assert.equal(follows(old, playing([], told)), 6);
  });

  test('is not gone to when an old game is opened', () => {
    assert.equal(follows(null, playing([alice], told)), null);
    assert.equal(follows(told, playing([alice], told)), null);
  });

  test('does not disturb who watches the game again', () => {
    assert.equal(follows(old, playing([], told, { type: 'show', at: 2 })), null);
    assert.equal(follows(old, playing([alice], told, { type: 'show', at: 2 })), 6);
  });
});

describe('the clock', () => {
  const clock = { deadline: 0, left: { red: 300, blue: 280 }, now: 0 };

  test('runs for who is to move only, from when it was told', () => {
    const state = playing([], game('', { clock }));
    assert.equal(clockLeft(state, 'red', 10_000), 290);
    assert.equal(clockLeft(state, 'blue', 10_000), 280);
  });

  test('stands still after the end', () => {
    assert.equal(clockLeft(playing([], won({ clock })), 'red', 10_000), 300);
  });

  test('reads as minutes and seconds, and never below nothing', () => {
    assert.deepEqual([0, -5, 9.2, 65, 3723].map(clockText), ['0:00', '0:00', '0:10', '1:05', '1:02:03']);
  });
});

describe('keys', () => {
  const press = (code, more = {}, where = 'page', state = playing([alice, bob], game('44'))) => (
    keyMeans(state, { code, key: code, ...more }, where)
  );

  test('1 to 9 drop, by their place and not by their letter', () => {
    assert.deepEqual(press('Digit1', { key: '&' }), { do: 'drop', bin: 0 });
    assert.deepEqual(press('Numpad9', { key: 'PageUp' }), { do: 'drop', bin: 8 });
    assert.equal(press('Digit0'), null);
  });

  test('mean nothing in a field, or with a modifier', () => {
    assert.equal(press('Digit4', {}, 'field'), null);
    for (const held of ['ctrlKey', 'altKey', 'metaKey']) assert.equal(press('Digit4', { [held]: true }), null);
  });

  test('that are held down do not drop again', () => {
    assert.deepEqual(press('Digit4', { repeat: true }), { do: 'nothing' });
  });

  test('walk the board, and drop where we are', () => {
    assert.deepEqual(press('ArrowLeft', {}, 'grid'), { do: 'walk', key: 'ArrowLeft' });
    assert.deepEqual(press('Home', {}, 'grid'), { do: 'walk', key: 'Home' });
    assert.deepEqual(press('Enter', {}, 'grid'), { do: 'drop here' });
    assert.deepEqual(press('Space', { key: ' ' }, 'grid'), { do: 'drop here' });
  });

  test('enter the board from nowhere', () => {
    assert.deepEqual(press('ArrowUp'), { do: 'enter' });
    assert.equal(press('ArrowUp', {}, 'control'), null);
  });

  test('step through the moves of a game that is over, or from an older position', () => {
    const over = playing([alice], won());
    const older = playing([alice], game('44'), { type: 'show', at: 1 });
    assert.deepEqual(press('ArrowLeft', {}, 'page', over), { do: 'step', by: -1 });
    assert.deepEqual(press('ArrowRight', {}, 'control', older), { do: 'step', by: 1 });
    assert.equal(press('ArrowLeft', {}, 'range', over), null);
  });

  test('Enter after the end plays the next game, unless a control wants it', () => {
    const over = playing([alice], won());
    assert.deepEqual(press('Enter', {}, 'page', over), { do: 'next' });
    assert.deepEqual(press('Enter', {}, 'grid', over), { do: 'next' });
    assert.equal(press('Enter', {}, 'control', over), null);
    assert.equal(press('Enter', {}, 'page', playing([], won())), null);
    assert.equal(press('Enter'), null);
  });
});

describe('walking the board', () => {
  const shape = { bins: 7, capacity: 6 };
  const to = (key, from = { bin: 3, row: 2 }) => Object.values(walk(shape, from, key));

  test('goes a cell at a time, up being up', () => {
    assert.deepEqual(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => to(key)), [[2, 2], [4, 2], [3, 3], [3, 1]]);
  });

  test('goes to the ends', () => {
    assert.deepEqual(['Home', 'End', 'PageUp', 'PageDown'].map((key) => to(key)), [[0, 2], [6, 2], [3, 5], [3, 0]]);
  });

  test('stays within', () => {
    assert.deepEqual(to('ArrowLeft', { bin: 0, row: 0 }), [0, 0]);
    assert.deepEqual(to('ArrowUp', { bin: 6, row: 5 }), [6, 5]);
  });

  test('begins in the middle, on top of its discs', () => {
    assert.deepEqual(entrance(playing([], game('44'))), { bin: 3, row: 2 });
    assert.deepEqual(entrance(playing([], game('444444'))), { bin: 3, row: 5 });
  });
});

describe('the review', () => {
  const move = (turn, mark) => ({ turn, player: turn % 2 ? 'blue' : 'red', bin: 0, made: 'loses in 20', mark, best: 'wins in 21', best_bins: [3] });
  const state = playing([], game('4455'), { type: 'reviewing' });

  test('says what was better where it was', () => {
    assert.equal(reviewText(move(0, '')), 'loses in 20');
    assert.equal(reviewText(move(0, '??')), 'loses in 20; best: bin 4 (wins in 21)');
    assert.equal(reviewText({ ...move(0, '?'), best_bins: [3, 4] }), 'loses in 20; best: bins 4, 5 (wins in 21)');
  });

  test('tells how far it is, then sums up', () => {
    const half = ['??', '', '??'].reduce((so, mark, turn) => reduce(so, { type: 'reviewed', move: move(turn, mark) }), state);
    assert.deepEqual(reviewSummary(half), { progress: '3 of 4', lines: [] });
    const whole = [{ type: 'reviewed', move: move(3, '?') }, { type: 'review over' }].reduce(reduce, half);
    assert.deepEqual(reviewSummary(whole).lines.map(({ text }) => text), ['red: 2 blunders', 'blue: 1 inaccuracy']);
  });

  test('that broke off sums up nothing', () => {
    const broken = reduce(state, { type: 'review over', error: 'the board is too big' });
    assert.deepEqual(reviewSummary(broken).lines, []);
    assert.equal(broken.review.error, 'the board is too big');
  });
});

test('what is wrong with the chain is said once, as a sentence', () => {
  assert.equal(away(after(chain(true), link(true))), null);
  assert.equal(away(after(chain(false, 'the node does not answer.'))), 'The chain is away: the node does not answer. Trying again.');
  assert.equal(away(after(chain(false), link(false))), 'The program that serves this page does not answer. Trying again.');
});

test('addresses and hashes are shortened, names are not', () => {
  assert.equal(short(EVE), '0x5555…1e01');
  assert.equal(short('alice'), 'alice');
});
