// Games by signed terms: visitors without a wallet find each other in the lobby of the host's relay, and play.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, drop, says, visitor } from './harness.mjs';
import { world } from './hosted.mjs';

after(closeBrowser);

/** A visitor at the lobby of a host. */
const guest = async (t, url) => {
  const page = await visitor(t);
  await page.goto(url);
  await page.waitForSelector('#start:enabled:visible');
  return page;
};

/** Two players of a game that has just begun, in the order of their seats. */
const seated = async (...pages) => {
  for (const page of pages) {
    await page.waitForSelector('body[data-state=game] #board[data-turns="0"]');
    await page.waitForFunction(() => /you\)|Waiting for/.test(document.title));
  }
  return (await pages[0].title()).includes('you') ? pages : pages.reverse();
};

/** Drops discs in turn; each is seen by both. */
const played = async (red, blue, bins, from = 0) => {
  for (const [index, bin] of bins.entries()) {
    const turn = from + index;
    await drop(turn % 2 ? blue : red, bin);
    for (const page of [red, blue]) await page.waitForSelector(`#board[data-turns="${turn + 1}"]`);
  }
};

test('two visitors with nothing press Play, and play to the end', async (t) => {
  const { url } = await world(t);
  const pages = [await guest(t, url), await guest(t, url)];
  for (const page of pages) await page.click('#start');
  const [red, blue] = await seated(...pages);
  assert.equal(red.url(), blue.url());
  assert.match(red.url(), /\/game\/0x[0-9a-f]{64}$/);
  assert.ok(await red.isHidden('#checked'), 'no node can check it');
  await played(red, blue, [3, 0, 3]);
  // What was signed is in the browser.
  await blue.reload();
  await blue.waitForSelector('#board[data-turns="3"]');
  await says(blue, '#status', /you/);
  await played(red, blue, [0, 3, 0, 3], 3);
  for (const page of [red, blue]) {
    await says(page, '#status', /Red wins!/);
    await says(page, '#terms-text', /Both players have signed this result.*on no chain/);
  }
  const before = red.url();
  await red.keyboard.press('Enter');
  await says(blue, '#note', /wants another game/);
  await blue.keyboard.press('Enter');
  await blue.waitForURL((now) => now.href !== before);
  const [one] = await seated(red, blue);
  assert.equal(one, blue, 'the seats are exchanged');
  const watcher = await visitor(t);
  await watcher.goto(red.url());
  await says(watcher, '#note', /You watch this game/);
  await drop(blue, 2);
  await watcher.waitForSelector('#board[data-turns="1"]');
  for (const page of [red, blue, watcher]) assert.deepEqual(page.complaints, []);
});

test('a visitor plays the computer until somebody answers, and goes on where it wants', async (t) => {
  const { url } = await world(t);
  const [waits, answers] = [await guest(t, url), await guest(t, url)];
  await waits.click('#start');
  await waits.click('#seek-company');
  await waits.waitForURL(/\/game\/h1$/);
  await answers.click('#seeks li button');
  await waits.waitForSelector('#seek-open:visible');
  assert.match(waits.url(), /\/game\/h1$/);
  await waits.click('#seek-open');
  const [red, blue] = await seated(waits, answers);
  await played(red, blue, [3, 3]);
});
