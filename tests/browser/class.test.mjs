// A class of thirty that opens the page of a public host at once, behind one address.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { closeBrowser, says, visitor } from './harness.mjs';
import { guest, played, seated, world } from './hosted.mjs';

after(closeBrowser);

const PUPILS = 30;
/** Connections of a browser to a host. */
const AT_ONCE = 6;
/** How the proxy in front of the host names their school. */
const headers = { 'x-forwarded-for': '192.0.2.7' };

/** Opens the page in a browser; returns what it asked for. */
const opens = async (t, { url }) => {
  const page = await visitor(t, { extraHTTPHeaders: headers });
  const asked = [];
  const refused = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  page.on('response', (answer) => answer.status() >= 400 && refused.push(answer.url()));
  await page.goto(url);
  await page.waitForSelector('body[data-state=lobby] #wallet-open');
  await page.waitForLoadState('networkidle');
  assert.deepEqual([refused, page.complaints], [[], []]);
  return asked;
};

/** Asks for all of that, as a browser does; returns how often each answer came. */
const loads = async ({ url }, paths) => {
  const left = [...paths];
  const statuses = {};
  const ask = async () => {
    for (let path = left.shift(); path; path = left.shift()) {
      const answer = await fetch(url + path, { headers });
      await answer.arrayBuffer();
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return statuses;
};

test('thirty visitors with one address open the page at once, and others after them', async (t) => {
  const at = await world(t, { options: ['--trust-proxy', '127.0.0.1'] });
  const asked = await opens(t, at);
  const paths = asked.filter((path) => path === '/' || path.startsWith('/page/'));
  assert.ok(paths.length > 70, `${paths.length} files`);
  const pupils = Array.from({ length: PUPILS }, () => loads(at, paths));
  for (const statuses of await Promise.all(pupils)) {
    assert.deepEqual(statuses, { 200: paths.length });
  }
  // Of what asks the chain a page says that it waits, and asks again.
  await opens(t, at);
});

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
  const ends = games.map(async ({ red, blue, began }) => {
    await played(red, blue, [0, 1, 0, 1], 2);
    const now = await left(blue);
    const used = (Date.now() - began) / 1_000;
    // Three minutes for each, two seconds for each of the six moves, and one that is not shown of each clock.
    const both = 2 * (180 - 1) + 6 * 2;
    assert.ok(now + used >= both, `${now} s are left of ${both} after ${used} s`);
    await played(red, blue, [0], 6);
    for (const page of [red, blue]) {
      await says(page, '#status', /Red wins!/);
      await says(page, '#terms-text', /The relay has signed this result/);
      assert.deepEqual(page.complaints, []);
    }
  });
  await Promise.all(ends);
  const more = (await memory(at.pid)) - before;
  assert.ok(more < 64 << 20, `${more} bytes for thirty players`);
});

test('nothing at the top of the page touches or leaves it on the narrowest screens', async (t) => {
  const { url } = await world(t);
  const page = await visitor(t);
  await page.goto(url);
  await page.waitForSelector('#link[data-up=true]');
  await page.waitForSelector('#wallet-open:visible');
  for (const width of [320, 360, 412, 560, 720]) {
    await page.setViewportSize({ width, height: 700 });
    const boxes = await page.$$eval('.top :is(a, button, #link)', (all) =>
      all.filter((one) => one.offsetParent).map((one) => one.getBoundingClientRect().toJSON()),
    );
    for (const [at, one] of boxes.entries()) {
      assert.ok(one.left >= 0 && one.right <= width, `${at} at ${width}`);
      for (const other of boxes.slice(at + 1)) {
        const apart = Math.max(
          one.left - other.right,
          other.left - one.right,
          one.top - other.bottom,
          other.top - one.bottom,
        );
        // Links of one list have a padding of their own.
        assert.ok(apart >= 0, `${at} at ${width}: ${apart}`);
      }
    }
  }
});
