// A program of another language, written by docs/programs.md alone: it makes the numbers of that page, and two of it play
// each other by the pie rule, at a relay, until the games are recorded.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { getBytes, hexlify, keccak256, TypedDataEncoder, Wallet } from 'ethers';
import { choose, play } from './bot.mjs';
import {
  after,
  digest,
  evidenceFrame,
  pack,
  seekerIsFirst,
  seekFrame,
  swapped,
  types,
  unpack,
} from './protocol.mjs';

const { PROGRAM, CHAIN_URL, ARTIFACTS } = process.env;
const run = promisify(execFile);
const page = readFileSync(join(ARTIFACTS, '..', 'docs', 'programs.md'), 'utf8');

test('the types are those of the page', () => {
  for (const [name, fields] of Object.entries(types))
    assert.ok(page.includes(`\n${name}(${fields})\n`), name);
});

test('the numbers of the page come out', () => {
  const numbers = JSON.parse(page.match(/```json\n(.*?)```/s)[1]);
  const { domain, secret, seek, terms, game, moves } = numbers;
  const [one, two] = numbers.secrets.map((key) => new Wallet(key));
  const sign = (wallet, type, message) =>
    wallet.signingKey.sign(digest(domain, type, message)).serialized;
  assert.equal(TypedDataEncoder.hashDomain(domain), numbers.separator);
  assert.equal(keccak256(secret), seek.commitment);
  assert.equal(digest(domain, 'Seek', seek), numbers.seekDigest);
  assert.equal(seekFrame(seek, sign(one, 'Seek', seek)), numbers.seekFrame);
  assert.equal(seekerIsFirst(secret, terms.nonce), false);
  assert.equal(terms.keyTwo, seek.key);
  assert.equal(pack(terms), numbers.packed);
  assert.deepEqual(swapped(swapped(terms)), terms);
  assert.equal(pack(unpack(getBytes(numbers.packed))), numbers.packed);
  assert.equal(digest(domain, 'Terms', terms), game);
  assert.equal(digest(domain, 'Presence', { game, nonce: seek.nonce }), numbers.presence);
  assert.equal(digest(domain, 'Position', { game, moves }), numbers.position);
  assert.equal(digest(domain, 'Resignation', { game, moves }), numbers.resignation);
  const list = [3, 255, 3];
  assert.equal(hexlify(Uint8Array.from(list)), moves);
  const signed = (wallet, count) =>
    sign(wallet, 'Position', { game, moves: Uint8Array.from(list.slice(0, count)) });
  assert.equal(evidenceFrame([signed(two, 3), signed(one, 2)], list), numbers.positionFrame);
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

const started = async (relay, text) => {
  for await (const line of createInterface({ input: relay.stdout })) {
    const found = line.match(text);
    if (found) return found;
  }
  throw new Error('it has ended');
};

test('two of it play each other, and the games are recorded', { timeout: 300_000 }, async () => {
  await run(PROGRAM, ['deploy', '--url', CHAIN_URL]);
  const folder = await mkdtemp(join(tmpdir(), 'connect4-bots-'));
  const env = { ...process.env, XDG_DATA_HOME: folder };
  const relay = spawn(PROGRAM, ['relay', '--listen', '127.0.0.1:0', '--url', CHAIN_URL], { env });
  try {
    const [, url] = await started(relay, /^Relay at (ws:\S+)/);
    const sought = { bins: 7, capacity: 6, line: 4, pieRule: true, pool: 4 };
    const [one, two] = [Wallet.createRandom(), Wallet.createRandom()];
    // The seeker has both seats, as the coin falls: a chance of 1 in 2^15 that it has not.
    const played = [];
    while (new Set(played.map(([{ seat }]) => seat)).size < 2 && played.length < 16)
      played.push(await Promise.all([play(url, one, sought), play(url, two, sought, true)]));
    for (const [seeker, answerer] of played) {
      const { terms, moves, seat, ending } = seeker;
      assert.deepEqual([terms.programOne, terms.programTwo], [true, true]);
      assert.deepEqual([answerer.game, answerer.moves], [seeker.game, moves]);
      assert.equal(seat + answerer.seat, 1);
      const { won, legal } = after(moves, terms);
      assert.ok(won ? ending.by === moves.length % 2 : legal.length === 0, `${moves}`);
    }
    const sponsor = ['sponsor', '--relay', url, '--url', CHAIN_URL, '--account', 'alice'];
    const more = ['--budget', '10/day', '--per-pair', '16', '--once', '--json'];
    const { stdout } = await run(PROGRAM, [...sponsor, ...more], { env });
    for (const [{ game }] of played) assert.ok(stdout.includes(game), stdout);
  } finally {
    relay.kill();
    await rm(folder, { recursive: true });
  }
});
