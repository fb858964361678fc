// A class of thirty that plays at once at one public host, behind one address: thirty pages in one browser, with clocks.
// `scripts/test-browser --class` runs it, alone on the machine: thirty pages keep two cores busy for minutes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { closeBrowser, says } from './harness.mjs';
import { guest, played, seated, world } from './hosted.mjs';

after(closeBrowser);

const PUPILS = 30;
/** How the proxy in front of the host names their school. */
const headers = { 'x-forwarded-for': '192.0.2.7' };
/** Bytes of memory that thirty players may take at the host. */
const MEMORY = 64 << 20;
/** Seconds: the clock of a game whose player asks for none. */
const [BANK, INCREMENT] = [180, 2];

/** Seconds that both players of a game have left, as a page shows them. */
const left = async (page) => {
  const shown = await page.$$eval('.player .clock', (all) => all.map((one) => one.textContent));
  assert.equal(shown.length, 2);
  return shown.reduce((sum, text) => {
    const [minutes, seconds] = text.split(':').map(Number);
    return sum + 60 * minutes + seconds;
  }, 0);
};

/** Bytes of memory that a process has taken. */
const memory = async (pid) => {
  const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'));
  return 1024 * kilobytes;
};

test('a class of thirty plays at once, and no clock takes what was not used', async (t) => {
  const at = await world(t, { options: ['--trust-proxy', '127.0.0.1'] });
  const before = await memory(at.pid);
  const games = [];
  while (games.length < PUPILS / 2) {
    const comes = () => guest(t, at.url, { extraHTTPHeaders: headers });
    const pair = [await comes(), await comes()];
    const began = Date.now();
    for (const page of pair) await page.click('#start');
    const [red, blue] = await seated(...pair);
    // Each first move has half a minute.
    await played(red, blue, [0, 1]);
    games.push({ red, blue, began });
  }
  const start = Date.now();
  const ends = games.map(async ({ red, blue, began }) => {
    await played(red, blue, [0, 1, 0, 1], 2);
    const now = await left(blue);
    const used = (Date.now() - began) / 1_000;
    // A second of each clock is not shown; a first move adds nothing.
    const both = 2 * (BANK - 1) + 4 * INCREMENT;
    assert.ok(now + used >= both, `${now} s are left of ${both} after ${used} s`);
    await played(red, blue, [0], 6);
    for (const page of [red, blue]) {
      await says(page, '#status', /Red wins!/);
      await says(page, '#terms-text', /The relay has signed this result/);
      assert.deepEqual(page.complaints, []);
    }
  });
  await Promise.all(ends);
  const moves = 5 * games.length;
  const more = (await memory(at.pid)) - before;
  t.diagnostic(`${moves} moves in ${Math.round((Date.now() - start) / 1_000)} s`);
  t.diagnostic(`${(more / (1 << 20)).toFixed(1)} MB more at the host`);
  assert.ok(more < MEMORY, `${more} bytes for thirty players`);
});
