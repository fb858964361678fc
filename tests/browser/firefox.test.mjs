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
import { world } from './hosted.mjs';

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

test('a signed game is played by a guest, reloaded in its middle and won', async (t) => {
  const { url } = await world(t);
  const pages = [await visitor(t, FIREFOX), await visitor(t)];
  for (const [index, page] of pages.entries()) {
    await page.goto(url);
    await page.waitForSelector('#start:enabled:visible');
    await page.selectOption('#by-terms [name=side]', index ? 'second' : 'first');
    await page.click('#start');
  }
  for (const page of pages) await page.waitForSelector('body[data-state=game] #board');
  /** Drops discs in turn, from this ply on; each is seen by the other player. */
  const playOn = async (from, bins) => {
    for (const [index, bin] of bins.entries()) {
      const ply = from + index;
      await says(pages[ply % 2], '#status', /you/i);
      await drop(pages[ply % 2], bin);
      await turns(pages[(ply + 1) % 2], ply + 1);
    }
  };
  await playOn(0, [0, 1, 0]);
  // What it has signed is on its disk.
  await pages[0].reload();
  await turns(pages[0], 3);
  await playOn(3, [1, 0, 1]);
  await says(pages[0], '#status', /you/i);
  await pages[0].keyboard.press('Digit1');
  for (const page of pages) await says(page, '#status', /red wins/i);
});
