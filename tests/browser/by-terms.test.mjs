// Games by signed terms: visitors without a wallet find each other in the lobby of the host's relay, and play.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drop, says, visitor } from './harness.mjs';
import { world } from './hosted.mjs';

/** A visitor at the lobby of a host. */
const guest = async (t, url) => {
  const page = await visitor(t);
  await page.goto(url);
  await page.waitForSelector('#start:enabled:visible');
  return page;
};

/** Two visitors press Play, and are paired. Returns them in the order of their seats. */
const paired = async (t, url) => {
  const pages = [await guest(t, url), await guest(t, url)];
  for (const page of pages) await page.click('#start');
  for (const page of pages) {
    await page.waitForSelector('body[data-state=game] #board[data-turns="0"]');
    await says(page, '#note', /^(?!You watch)/);
  }
  const isRed = await pages[0].evaluate(() => document.title.includes('you'));
  return isRed ? pages : pages.reverse();
};

test('two visitors with nothing press Play, and play to the end', async (t) => {
  const { url } = await world(t);
  const [red, blue] = await paired(t, url);
  assert.equal(red.url(), blue.url());
  assert.match(red.url(), /\/game\/0x[0-9a-f]{64}$/);
  for (const [turn, bin] of [3, 0, 3, 0, 3, 0, 3].entries()) {
    await drop(turn % 2 ? blue : red, bin);
    for (const page of [red, blue]) await page.waitForSelector(`#board[data-turns="${turn + 1}"]`);
  }
  for (const page of [red, blue]) await says(page, '#status', /Red wins!/);
  await says(red, '#terms-text', /Both players have signed this result/);
});
