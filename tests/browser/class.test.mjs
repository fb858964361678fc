// A class of thirty that opens the page of a public host at once, behind one address.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, visitor } from './harness.mjs';
import { world } from './hosted.mjs';

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
