// A page of several versions: a host is renewed while tabs are open and files are kept.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { afterwards, closeBrowser, says, visitor } from './harness.mjs';
import { mirror, world } from './hosted.mjs';

after(closeBrowser);

/** The page as the host has it, with its version. */
const sources = async ({ url }) => {
  const index = await (await fetch(url)).text();
  const version = /\/page\/([\da-f]{16})\/main\.js/.exec(index)?.[1];
  assert.ok(version, 'what the page runs has a version in its address');
  return { index, version };
};

const NEXT = 'feedfacefeedface';
const hashOf = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/**
 * A proxy before a host. `renew()` has it serve the next version, which differs by its number alone. `change` makes of
 * a file what it answers in its place; null is silence.
 */
const before = async (t, served) => {
  const { index, version } = await sources(served);
  const at = new URL(served.url);
  const of = { version, change: (_, body) => body };
  let isRenewed = false;
  const next = (text) =>
    text.replaceAll(version, NEXT).replace(hashOf(index), hashOf(index.replaceAll(version, NEXT)));
  const server = createServer((asked, answer) => {
    const path = isRenewed ? asked.url.replace(NEXT, version) : asked.url;
    const isGone = isRenewed && asked.url.includes(version);
    const headers = { ...asked.headers, 'accept-encoding': 'identity', 'if-none-match': '' };
    const onwards = request({ host: at.hostname, port: at.port, path, headers }, (found) => {
      const parts = [];
      found.on('data', (part) => parts.push(part));
      found.on('end', () => {
        const whole = Buffer.concat(parts);
        const isText = /^(\/|\/sw\.js|\/puzzles.*)$/.test(path) && isRenewed;
        const body = of.change(path, isText ? next(String(whole)) : whole);
        if (body === null) return;
        const { 'content-length': _, ...said } = found.headers;
        answer.writeHead(isGone ? 404 : found.statusCode, said).end(isGone ? '' : body);
      });
    });
    onwards.on('error', () => answer.destroy());
    onwards.end();
  });
  server.on('upgrade', ({ url, rawHeaders }, socket) => {
    const lines = [`GET ${url} HTTP/1.1`];
    for (let index = 0; index < rawHeaders.length; index += 2)
      lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
    const onwards = connect(at.port, at.hostname, () =>
      onwards.write(`${lines.join('\r\n')}\r\n\r\n`),
    );
    for (const [one, other] of [
      [socket, onwards],
      [onwards, socket],
    ]) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(of, {
    url: `http://127.0.0.1:${server.address().port}`,
    renew: () => {
      isRenewed = true;
    },
  });
};

/** Opens the lobby. */
const lobby = async (page, { url }) => {
  await page.goto(url);
  await page.waitForSelector('body[data-state=lobby] #start:enabled:visible');
};

/** Has a browser keep the page, and says whether it did. */
const keeps = (page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register('/sw.js');
    if (registration.active) await registration.update();
    const { installing, waiting, active } = registration;
    const worker = installing ?? waiting ?? active;
    return new Promise((resolve) => {
      const look = () => ['activated', 'redundant'].includes(worker.state) && resolve(worker.state);
      worker.addEventListener('statechange', look);
      look();
    });
  });

/** What the browser keeps of this origin. */
const caches = (page) => page.evaluate(() => caches.keys());

/** The version of the page that is shown. */
const shown = (page) =>
  page.evaluate(() => document.querySelector('script[src$="/main.js"]').src.split('/').at(-2));

describe('a host that is renewed', () => {
  test('has a browser keep all files of one version, or none', async (t) => {
    const at = await before(t, await world(t));
    const page = await visitor(t);
    await lobby(page, at);
    await page.evaluate(() => caches.open('another-app'));
    // One host of two is not renewed yet: a file, and then the page, are of the other version.
    for (const other of [`/page/${at.version}/navigation.js`, '/']) {
      at.change = (path, body) => (path === other ? `${body} ` : body);
      assert.equal(await keeps(page), 'redundant', other);
      assert.deepEqual(await caches(page), ['another-app']);
    }
    at.change = (_, body) => body;
    assert.equal(await keeps(page), 'activated');
    // What is not of this page stays.
    assert.deepEqual(await caches(page), ['another-app', `connect4-${at.version}`]);
  });

  test('leaves a tab of the version before what it needs', async (t) => {
    const at = await before(t, await world(t));
    const page = await visitor(t);
    await lobby(page, at);
    assert.equal(await keeps(page), 'activated');
    at.renew();
    const other = await page.context().newPage();
    await lobby(other, at);
    assert.equal(await shown(other), NEXT);
    assert.equal(await keeps(other), 'activated');
    assert.deepEqual(await caches(page), [`connect4-${at.version}`, `connect4-${NEXT}`]);
    // A part that this tab has not loaded before.
    await page.click('#puzzle-link a');
    await page.waitForSelector('#page-puzzles[data-phase=play]');
    assert.equal(await shown(page), at.version);
    await page.reload();
    assert.equal(await shown(page), NEXT);
  });

  test('has a tab say so whose parts are gone', async (t) => {
    const at = await before(t, await world(t));
    const page = await visitor(t, { serviceWorkers: 'block' });
    await lobby(page, at);
    at.renew();
    await page.click('#puzzle-link a');
    await says(
      page,
      '#missing-text',
      /^A part of this page could not be loaded\..*load it again\.$/,
    );
    await page.reload();
    await page.waitForSelector('#page-puzzles[data-phase=play]');
    assert.equal(await shown(page), NEXT);
  });
});

test('a network that takes requests and answers none shows what is kept', async (t) => {
  const at = await before(t, await world(t));
  const page = await visitor(t);
  await lobby(page, at);
  assert.equal(await keeps(page), 'activated');
  at.change = () => null;
  await page.goto(`${at.url}/puzzles?grade=1`);
  await page.waitForSelector('#page-puzzles[data-phase=play]');
});

/** A service worker that answers for the page by another one. */
const EVIL = `
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (event.request.mode !== 'navigate') return;
    const headers = { 'content-type': 'text/html' };
    event.respondWith(new Response('<h1>Another page</h1>', { headers }));
  });
`;

test('a page that names the hashes of its files has no service worker, and ends one that is there', async (t) => {
  const { url } = await world(t);
  const more = { '/sw.js': EVIL };
  const { origin, requests } = await mirror(t, [url], more);
  const page = await visitor(t);
  const play = async () => {
    await page.goto(origin);
    await page.waitForSelector('body[data-state=lobby] #start:enabled:visible');
    await page.check('#new-game [name=way][value=screen]', { force: true });
    await page.click('#start');
    await page.waitForSelector('body[data-state=game] #table svg');
    // From now on a page is kept that can be.
    await page.keyboard.press('Digit4');
    await says(page, '#notation', /^4$/);
  };
  const workers = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await play();
  assert.equal(await workers(), 0);
  assert.ok(!requests.includes('/sw.js'));
  // A page before this one had one, which passes on what it is asked.
  more['/sw.js'] = 'addEventListener("fetch", () => {});';
  assert.equal(await keeps(page), 'activated');
  await play();
  await page.waitForFunction(
    async () => (await navigator.serviceWorker.getRegistrations()).length === 0,
  );
});
