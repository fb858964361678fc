// A program of another language, written by docs/programs.md alone: it plays `connect4 bot`, by the pie rule, at a relay
// that is a witness, and two of it play each other.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Wallet } from 'ethers';
import { choose, play } from './bot.mjs';
import { after, types } from './protocol.mjs';

const { PROGRAM, CHAIN_URL, ARTIFACTS } = process.env;
const run = promisify(execFile);
const page = readFileSync(join(ARTIFACTS, '..', 'docs', 'programs.md'), 'utf8');

test('the types are those of the page', () => {
  for (const [name, fields] of Object.entries(types))
    assert.ok(page.includes(`\n${name}(${fields})\n`), name);
});

test('lines are seen, also after a swap', () => {
  const board = { bins: 7, capacity: 6, line: 4, pieRule: true };
  assert.equal(after([3, 4, 3, 4, 3, 4, 3], board).won, true);
  assert.equal(after([3, 4, 3, 4, 3, 4], board).won, false);
  // The second player has the first disc.
  assert.equal(after([3, 255, 2, 3, 2, 3, 2, 3], board).won, true);
  assert.equal(after([3, 255, 3, 2, 3, 2, 3], board).won, false);
  assert.equal(choose([3, 4, 3, 4, 3, 4], board), 3);
  assert.equal(choose([3, 4, 3, 4, 3], board), 3);
  assert.equal(choose([3], board), 255);
});

const started = async (program, text) => {
  for await (const line of createInterface({ input: program.stdout })) {
    const found = line.match(text);
    if (found) return found;
  }
  throw new Error('it has ended');
};

// What the games of the pool of programs are played on, with the clock that a bot has unless it is told otherwise.
const board = { bins: 7, capacity: 6, line: 4, pieRule: true };
const sought = { ...board, pool: 4, bank: 180, increment: 2 };

const isOver = ({ terms, moves, end }) => {
  const { won, legal } = after(moves, terms);
  return end === 1 && (won || legal.length === 0);
};

test('it plays a bot and another one of it', { timeout: 300_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'connect4-bots-'));
  const programs = [];
  t.after(async () => {
    for (const program of programs) program.kill();
    await rm(folder, { recursive: true });
  });
  const env = { ...process.env, XDG_DATA_HOME: folder };
  const start = (...args) => {
    const program = spawn(PROGRAM, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    programs.push(program);
    return program;
  };
  const log = join(folder, 'witness');
  const relaying = ['relay', '--listen', '127.0.0.1:0', '--witness-log', log, '--url', CHAIN_URL];
  await run(PROGRAM, ['deploy', '--url', CHAIN_URL]);
  const [, url] = await started(start(...relaying), /^Relay at (ws:\S+)/);

  await t.test('a bot, whose offer it takes or who takes its own', async () => {
    for (const takes of [true, false]) {
      const bot = start('bot', '--relay', url, '--level', 'easy', '--count', '1', '--json');
      const ended = started(bot, /^\{.*"bot_ended".*$/);
      const game = await play(url, Wallet.createRandom(), sought, takes);
      const told = JSON.parse((await ended)[0]);
      assert.equal(told.game, game.game);
      assert.ok(isOver(game), `${game.moves}`);
      const { won } = after(game.moves, game.terms);
      // Who moved last has won.
      const isWon = won && game.moves.length % 2 !== game.seat;
      assert.equal(told.won, won ? !isWon : null);
    }
  });

  await t.test('another one of it, with both colours, and the games are recorded', async () => {
    const [one, two] = [Wallet.createRandom(), Wallet.createRandom()];
    // The player who offers has both seats, as the coin falls: a chance of 1 in 2^15 that it has not.
    const played = [];
    while (new Set(played.map(([{ seat }]) => seat)).size < 2 && played.length < 16)
      played.push(await Promise.all([play(url, one, sought), play(url, two, sought, true)]));
    for (const [offers, takes] of played) {
      const { terms, moves, seat } = offers;
      assert.deepEqual([terms.programOne, terms.programTwo], [true, true]);
      assert.deepEqual([takes.game, takes.moves], [offers.game, moves]);
      assert.equal(seat + takes.seat, 1);
      assert.ok(isOver(offers), `${moves}`);
    }
    const sponsor = [
      'record',
      '--follow',
      '--relay',
      url,
      '--url',
      CHAIN_URL,
      '--account',
      'alice',
    ];
    const more = ['--budget', '10/day', '--per-pair', '16', '--once', '--json'];
    const { stdout } = await run(PROGRAM, [...sponsor, ...more], { env });
    for (const [{ game }] of played) assert.ok(stdout.includes(game), stdout);
  });
});
