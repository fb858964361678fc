// Signed moves of a browser: on its disk before anything is sent, and signed in one tab. Other tests play with
// them; this one kills the browser.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { chromium } from 'playwright-core';

import { afterwards, closeBrowser, drop, folder, says, turns, visitor } from './harness.mjs';
import { world } from './hosted.mjs';

after(closeBrowser);

/** A browser with a folder of its own, which outlives it. */
const browser = async (t, data) => {
  const { CHROMIUM } = process.env;
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'];
  const context = await chromium.launchPersistentContext(data, { executablePath: CHROMIUM, args });
  afterwards(t, () => context.close().catch(() => {}));
  return context;
};

/** Kills the browser of this folder. */
const kill = async (data) => {
  for (const pid of (await readdir('/proc')).filter(Number)) {
    const started = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (started.includes(`--user-data-dir=${data}`)) process.kill(Number(pid), 'SIGKILL');
  }
};

/** Opens a game in another tab. */
const tab = async (context, game) => {
  const page = await context.newPage();
  await page.goto(game);
  return page;
};

test('what was signed is there after the browser was killed, and no second tab signs', async (t) => {
  const { url } = await world(t);
  const data = await folder(t);
  let context = await browser(t, data);
  const [red, blue] = [await context.newPage(), await visitor(t)];
  for (const [page, side] of [
    [red, 'first'],
    [blue, 'second'],
  ]) {
    await page.goto(url);
    await page.waitForSelector('#start:enabled:visible');
    await page.selectOption('#by-terms [name=side]', side);
    await page.click('#start');
  }
  for (const page of [red, blue]) await turns(page, 0);
  const game = red.url();
  const second = await tab(context, game);
  await says(second, '#terms-note', /played in another tab/);

  await drop(red, 3);
  await turns(blue, 1);
  // No chance to write anything more.
  const ended = new Promise((resolve) => context.once('close', resolve));
  await kill(data);
  await ended;
  await drop(blue, 4);

  context = await browser(t, data);
  const again = await tab(context, game);
  await turns(again, 2);
  await says(again, '#status', /you/i);
  // Another tab goes on once this one is closed.
  const other = await tab(context, game);
  await says(other, '#terms-note', /played in another tab/);
  await other.keyboard.press('Digit1');
  await drop(again, 3);
  await turns(blue, 3);
  await turns(other, 3);
  await again.close();
  await says(other, '#terms-note', /^$/);
  await drop(blue, 4);
  await turns(other, 4);
  await drop(other, 3);
  await turns(blue, 5);
  assert.deepEqual(blue.complaints, []);
});
