// The relay beside Colyseus: rooms of two players at the same time, in some of which they play. Ours is measured by
// `cargo bench --package connect4-relay`, whose players find each other in the lobby and sign each move, and whose relay
// checks that and keeps a log; Colyseus by this program at the same pace, passing numbers on.
import { Client } from '@colyseus/sdk';
import {
  at,
  built,
  Comparison,
  inTurn,
  median,
  packages,
  Running,
  report,
  say,
} from './report.mjs';

const { ROOMS_BENCH, ROOMS = '3000', PLAYING = '500' } = process.env;
const RUNS = 3;
const MOVES = 20;
/** Milliseconds for which a player thinks, from none to twice as long. */
const PACE = 1000;
/** Rooms that are opened at the same time. */
const OPENING = 32;

/** The figures of one run of ours, from what the benchmark prints. */
const ours = async () => {
  const idle = Number(ROOMS) - Number(PLAYING);
  const options = { guests: PLAYING, idle, moves: MOVES, pace: PACE, strangers: 0 };
  const bench = new Running(
    ROOMS_BENCH,
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]),
  );
  const read = async (pattern) => {
    for (;;) {
      const found = pattern.exec(await bench.line());
      if (found) return found.slice(1).map(Number);
    }
  };
  const [opened] = await read(/opened a room: .*in ([\d.]+) s/);
  const [middle, slow] = await read(
    /a move between guests: .* median ([\d.]+) ms, 99th \S+ ([\d.]+) ms/,
  );
  const [busy, memory] = await read(/ (\d+) % of a core, (\d+) MB/);
  // It ends the relay at its own end.
  await bench.ended;
  return { opened, middle, slow, busy, memory };
};

/** Does this for each number below `count`, so many at the same time. */
const eachOf = async (count, wide, act) => {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      await act(number);
    }
  };
  await Promise.all(Array.from({ length: wide }, worker));
};

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The same figures of Colyseus. */
const theirs = async () => {
  const server = new Running(process.execPath, [`${import.meta.dirname}/colyseus.mjs`]);
  const client = new Client(`ws://127.0.0.1:${await server.line()}`);
  let begun = performance.now();
  const rooms = [];
  await eachOf(Number(ROOMS), OPENING, async (number) => {
    const one = await client.create('game');
    const company = [one, await client.joinById(one.roomId)];
    for (const seat of company) seat.onMessage('move', (bin) => seat.heard?.(bin));
    rooms[number] = company;
  });
  const opened = (performance.now() - begun) / 1000;
  begun = performance.now();
  const [before, times] = [await server.busy(), []];
  const played = rooms.slice(0, Number(PLAYING)).map(async ([one, two]) => {
    for (let turn = 0; turn < MOVES; turn += 1) {
      const [from, to] = turn % 2 ? [two, one] : [one, two];
      await pause(2 * PACE * Math.random());
      const heard = new Promise((resolve) => {
        to.heard = resolve;
      });
      const sent = performance.now();
      from.send('move', turn % 7);
      await heard;
      times.push(performance.now() - sent);
    }
  });
  await Promise.all(played);
  const took = performance.now() - begun;
  const busy = (100 * ((await server.busy()) - before)) / took;
  const memory = await server.memory();
  await server.stop();
  return { opened, middle: median(times), slow: at(times, 0.99), busy, memory };
};

const contenders = [
  { name: 'connect4', run: ours },
  { name: 'colyseus', run: theirs },
].filter(({ name }) => ROOMS_BENCH || name !== 'connect4');
const runs = Object.fromEntries(contenders.map(({ name }) => [name, []]));
for (let turn = 0; turn < RUNS; turn += 1) {
  for (const { name, run } of inTurn(contenders, turn)) {
    runs[name].push(await run());
    say(`${name}, run ${turn + 1} of ${RUNS}`);
  }
}
const comparison = new Comparison(...contenders.map(({ name }) => name));
for (const [what, unit, key] of [
  ['a move to the opponent, median', 'ms', 'middle'],
  ['a move to the opponent, 99 %', 'ms', 'slow'],
  [`until ${ROOMS} rooms have two players`, 's', 'opened'],
  ['memory after the games', 'MB', 'memory'],
  ['processor while games are played', '% of a core', 'busy'],
]) {
  const figures = contenders.map(({ name }) => [name, median(runs[name].map((run) => run[key]))]);
  comparison.figure(what, unit, Object.fromEntries(figures));
}
report(
  'relay',
  `${packages('@colyseus/core', '@colyseus/ws-transport', '@colyseus/sdk')}, ${built(ROOMS_BENCH)}, Node.js ${process.versions.node}; ${ROOMS} rooms, ${PLAYING} games of ${MOVES} moves at the same time in them, the median of ${RUNS} runs`,
  String(comparison),
);
process.exit();
