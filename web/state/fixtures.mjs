// What the tests of this folder share: accounts, a game, and events that lead to a state.

import { initial, reduce } from './reduce.js';
import { routeOf } from './route.js';

export const ALICE = '0x9621dde636de098b43efb0fa9b61facfe328f99d';
export const BOB = '0x41dccbd49b26c50d34355ed86ff0fa9e489d1e01';
export const EVE = '0x5555cbd49b26c50d34355ed86ff0fa9e489d1e01';

export const account = (address, name, key) => ({
  address,
  name,
  account: '5G',
  balance: '1 DOT',
  key,
});
export const alice = account(ALICE, 'alice', 'key-a');
export const bob = account(BOB, 'bob', 'key-b');

export const hello = (...accounts) => ({
  type: 'hello',
  hello: {
    token: 't',
    accounts,
    unknown_keys: [],
    chain: { name: 'local', place: 'here', contract: null },
    levels: ['hard'],
  },
});

// Drops bins, counted from 1 as in a move string, onto an empty board: enough of a game to look at.
export const game = (moves = '', more = {}) => {
  const columns = Array.from({ length: 7 }, () => []);
  const told = [...moves].map((character, index) => {
    const bin = Number(character) - 1;
    const player = index % 2 ? 'blue' : 'red';
    columns[bin].push(player);
    return {
      player,
      bin,
      row: columns[bin].length - 1,
      block: index,
      transaction: `0x${index}`,
      fee: '0.1 DOT',
    };
  });
  const mover = moves.length % 2 ? 'blue' : 'red';
  return {
    game: 5,
    shape: { bins: 7, capacity: 6, line: 4 },
    players: {
      red: { address: ALICE, name: 'alice', computer: null, error: null },
      blue: { address: BOB, name: 'bob', computer: null, error: null },
    },
    board: columns,
    refusals: columns.map(() => null),
    to_move: mover,
    turns: moves.length,
    over: false,
    standing: `${mover} to move`,
    end: null,
    winner: null,
    winning: [],
    moves: told,
    moves_missing: null,
    notation: moves,
    score: { red: 0, blue: 0, draws: 0 },
    previous: null,
    next: null,
    rematch: null,
    draw_offer: null,
    clock: null,
    stake: null,
    owed: { red: null, blue: null },
    freed: false,
    ...more,
  };
};

export const WON = {
  over: true,
  to_move: null,
  end: 'line',
  winner: 'red',
  standing: 'winner: red',
  winning: [0, 1, 2, 3].map((row) => ({ bin: 3, row })),
};
export const won = (more = {}) => game('4142434', { ...WON, ...more });

export const after = (...events) => events.reduce(reduce, initial);
export const at = (path, search) => ({ type: 'route', route: routeOf(path, search) });
export const view = (told, now = 0) => ({ type: 'view', view: told, now });
export const chain = (up, why = null) => ({ type: 'chain', up, block: 7, why });
export const link = (up) => ({ type: 'link', up });
export const sending = (bin) => ({ type: 'sending', id: 1, what: 'drop', bin });

/** Game 5 as a browser sees it that holds the keys of these accounts. */
export const playing = (accounts, told = game(), ...events) =>
  after(at('/game/5'), link(true), chain(true), hello(...accounts), view(told), ...events);
