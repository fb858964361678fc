// The page in a second browser engine: Firefox as Debian has it, driven by WebDriver BiDi.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import {
  closeBrowser,
  drop,
  FIREFOX,
  picture,
  play,
  says,
  serve,
  startGame,
  turns,
  visitor,
} from './harness.mjs';
import { fastGame, seated, world } from './hosted.mjs';

after(closeBrowser);

test('a game at one screen is played to its end, and reloaded in its middle', async (t) => {
  const server = await serve(t);
  const page = await visitor(t, FIREFOX);
  await startGame(page, server, { set: { board: '6x4x4' } });
  await play(page, [0, 1, 0]);
  await page.reload();
  await turns(page, 3);
  await play(page, [1, 0, 1, 0]);
  await says(page, '#status', /red wins/i);
  assert.deepEqual(page.complaints, []);
  await picture(page, 'firefox');
});

test('a fast game with a wallet is challenged, played, reloaded in its middle and won', async (t) => {
  const at = await world(t);
  const { red, blue } = await fastGame(t, at, { stake: '', red: FIREFOX });
  const pages = [red.page, blue.page];
  /** Drops discs in turn, from this ply on; each is seen by the other player. */
  const playOn = async (from, bins) => {
    for (const [index, bin] of bins.entries()) {
      const ply = from + index;
      await drop(pages[ply % 2], bin);
      await turns(pages[(ply + 1) % 2], ply + 1);
    }
  };
  await playOn(0, [0, 1, 0]);
  // What it has signed is on its disk.
  await red.page.reload();
  await turns(red.page, 3);
  await seated(red.page);
  await playOn(3, [1, 0, 1]);
  await red.page.keyboard.press('Digit1');
  for (const page of pages) await says(page, '#status', /red wins/i);
});
