// A bot of another language plays a game by signed terms against the program, at its relay.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Wallet } from 'ethers';
import { play } from './bot.mjs';

const { PROGRAM, CHAIN_URL } = process.env;

// The bot fills a bin, the guest completes a line in the bottom row.
const GAME = [5, 0, 4, 0, 3, 0, 2];

test('a bot in another language plays against a guest', async () => {
  await promisify(execFile)(PROGRAM, ['deploy', '--url', CHAIN_URL]);
  const folder = await mkdtemp(join(tmpdir(), 'connect4-guest-'));
  const env = { ...process.env, XDG_DATA_HOME: folder };
  const relay = spawn(PROGRAM, ['relay', '--listen', '127.0.0.1:0', '--url', CHAIN_URL], { env });
  try {
    let url;
    for await (const text of createInterface({ input: relay.stdout })) {
      url = text.match(/^Relay at (ws:\S+)/)?.[1];
      if (url) break;
    }
    let guest;
    const listed = () => {
      const named = ['--relay', url, '--data', folder, '--bins', '6', '--capacity', '4'];
      guest ??= promisify(execFile)(PROGRAM, ['play', '--guest', ...named]);
      guest.child.stdin.end(GAME.filter((_, turn) => turn % 2 === 0).join('\n'));
    };
    const choose = (moves) => (moves.length < GAME.length ? 0 : undefined);
    const moves = await play(url, Wallet.createRandom(), [6, 4, 4], choose, listed);
    assert.deepEqual(moves, GAME);
    const { stdout } = await guest;
    assert.match(stdout, /winner: red/);
    assert.equal((await readdir(join(folder, 'guest', 'played'))).length, 1);
  } finally {
    relay.kill();
    await rm(folder, { recursive: true });
  }
});
