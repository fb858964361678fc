// Session keys and signed moves of a browser: on its disk before anything is sent, and signed in one tab.
// Other tests play with them; these kill the browser.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

import { afterwards, folder } from './harness.mjs';

/** The sources of the page; scripts/test-browser runs in the folder above. */
const WEB = path.resolve('web');
const { CHAIN_ID, CONTRACT, GAME, KEYS, started } = await import(
  pathToFileURL(path.join(WEB, 'host/fakes.mjs')).href
);

/** Serves the modules as a host does, with its policy, and an empty page. */
const modules = async (t) => {
  const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const server = createServer(async ({ url }, response) => {
    const file =
      url === '/page/host/page.wasm'
        ? path.resolve('artifacts/page.wasm')
        : path.join(WEB, path.normalize(url.replace(/^\/page\//, '')));
    const type = types[path.extname(file)];
    response.setHeader(
      'content-security-policy',
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
    );
    response.setHeader('content-type', type ?? 'text/html');
    response.end(type ? await readFile(file) : '<!doctype html><title>session</title>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => server.close());
  return `http://127.0.0.1:${server.address().port}/`;
};

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

/** Opens a tab with a seat in it. */
const tab = async (context, url, key) => {
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate(
    async ([place, key, output]) => {
      const { openJournal } = await import('/page/host/journal.js');
      const { openSeat } = await import('/page/host/seat.js');
      const journal = await openJournal();
      window.calls = [];
      window.seat = openSeat({
        ...place,
        key,
        journal,
        relay: null,
        changed: () => {},
        transact: async (call) => window.calls.push(call.message),
      });
      await window.seat.see(output, 1_800_000_000);
    },
    [{ game: GAME, chainId: CHAIN_ID, contract: CONTRACT }, key, started([key, KEYS[1]])],
  );
  return page;
};

const role = (page, role) => page.waitForFunction((role) => window.seat.shown.role === role, role);
const moves = async (page) => (await page.evaluate(() => window.seat.shown.state))?.moves;
const drop = (page, bin) => page.evaluate((bin) => window.seat.drop(bin), bin);

test('what was signed is there after the browser was killed, and no second tab signs', async (t) => {
  const [url, data] = [await modules(t), await folder(t)];
  let context = await browser(t, data);
  const page = await context.newPage();
  await page.goto(url);
  const key = await page.evaluate(async () => {
    const { openJournal } = await import('/page/host/journal.js');
    return (await openJournal()).create();
  });
  const first = await tab(context, url, key);
  await role(first, 'player');
  const second = await tab(context, url, key);
  await role(second, 'elsewhere');
  await assert.rejects(drop(second, 4), /another tab/);

  await drop(first, 3);
  assert.deepEqual(await moves(first), [3]);
  // No chance to write anything more.
  const ended = new Promise((resolve) => context.once('close', resolve));
  await kill(data);
  await ended;

  context = await browser(t, data);
  const again = await tab(context, url, key);
  await role(again, 'player');
  assert.deepEqual(await moves(again), [3]);
  await assert.rejects(drop(again, 4), /turn/);
  // Another tab goes on once this one is closed.
  const other = await tab(context, url, key);
  await role(other, 'elsewhere');
  await again.close();
  await role(other, 'player');
  await other.waitForFunction(() => window.seat.shown.state?.moves?.length === 1);
});

test('a browser whose data was deleted says what can still be done', async (t) => {
  const context = await browser(t, await folder(t));
  const page = await tab(context, await modules(t), KEYS[0]);
  await role(page, 'watcher');
  const { trouble } = await page.evaluate(() => window.seat.shown);
  assert.match(trouble, /does not have the key/);
  assert.match(trouble, /by moves on the chain, which your wallet signs/);
  await assert.rejects(drop(page, 3), /does not have the key/);
});
