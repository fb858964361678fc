// A board in another page: it shows the game, and has no right to the page around it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { afterwards, closeBrowser, picture, run, visitor } from './harness.mjs';
import { world } from './hosted.mjs';

after(closeBrowser);

/** A site of somebody else with this page. */
const site = async (t, body) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Theirs</title><h1>A club</h1>${body}`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => server.closeAllConnections() ?? server.close());
  // Another name than the hosts have, so that it is another site as well as another origin.
  return `http://localhost:${server.address().port}/`;
};

/** The host of a game, and a way to make its moves. */
const played = async (t) => {
  const at = await world(t);
  const { url } = at.chain;
  const move = async (account, bin) =>
    run('move', String(bin), '--game', '0', '--account', account, '--url', url);
  await run('start', '--url', url, '--account', 'alice', '--red', 'alice', '--blue', 'bob');
  return { ...at, move };
};

/** The line that the page of a game gives to embed it. */
const line = async (t, url) => {
  const page = await visitor(t);
  await page.goto(`${url}/game/0`);
  await page.click('#more summary');
  await page.waitForSelector('#share:not([hidden])');
  await picture(page, 'share');
  const text = await page.getAttribute('#share button', 'data-link');
  assert.deepEqual(page.complaints, []);
  return text;
};

/** The frame of a page, once it shows a board. */
const frameOf = async (page) => {
  await page.frameLocator('iframe').locator('svg').waitFor();
  return page.frames()[1];
};

test('a board in the page of another site follows the game, and leads to it in a new tab', async (t) => {
  const at = await played(t);
  const embedded = await line(t, at.url);
  assert.match(embedded, /^<iframe src="http:\/\/[\d.:]+\/embed\/game\/0" /);
  const theirs = await site(t, embedded);
  for (const colorScheme of ['light', 'dark']) {
    const page = await visitor(t, { colorScheme });
    await page.goto(theirs);
    await frameOf(page);
    await picture(page, `embed-${colorScheme}`);
    if (colorScheme === 'dark') continue;
    const board = page.frameLocator('iframe');
    await board.locator('text', { hasText: 'alice to move' }).waitFor();
    await at.move('alice', 4);
    await board.locator('text', { hasText: 'bob to move' }).waitFor();
    assert.equal(await board.locator('circle.a').count(), 2, 'a disc, and one beside the name');

    const opened = page.context().waitForEvent('page');
    await board.locator('a').click();
    const game = await opened;
    await game.waitForSelector('#board[data-turns="1"]');
    assert.equal(await game.evaluate(() => window.opener), null);
    assert.equal(page.url(), theirs, 'it stays where it was');
  }
});

test('neither of the two pages can read, lead or call the other', async (t) => {
  const at = await played(t);
  // Without what the line says of itself: the board's own policy holds.
  const theirs = await site(t, `<iframe src="${at.url}/embed/game/0"></iframe>`);
  const page = await visitor(t);
  const answers = [];
  page.on('response', (response) => answers.push(response));
  await page.goto(theirs);
  const frame = await frameOf(page);
  const tried = await page.evaluate(() => {
    const [{ contentDocument, contentWindow }] = document.querySelectorAll('iframe');
    const attempt = (read) => {
      try {
        return String(read());
      } catch ({ name }) {
        return name;
      }
    };
    return [
      String(contentDocument),
      attempt(() => contentWindow.document.title),
      attempt(() => contentWindow.location.href),
      attempt(() => contentWindow.localStorage),
    ];
  });
  assert.deepEqual(tried, ['null', 'SecurityError', 'SecurityError', 'SecurityError']);
  const board = answers.find((response) => response.url().endsWith('/embed/game/0'));
  const policy = (await board.allHeaders())['content-security-policy'];
  assert.match(policy, /sandbox allow-popups allow-popups-to-escape-sandbox$/);
  assert.equal((await board.allHeaders())['set-cookie'], undefined);
  assert.equal(await frame.locator('script, form, input, iframe').count(), 0);
  assert.deepEqual(await page.context().cookies(), []);
});

test('the line of a hostile host gives it no right to the page around it', async (t) => {
  const at = await played(t);
  const hostile = await site(
    t,
    `<script>
      try { parent.document.title = 'stolen'; } catch {}
      try { top.location = 'about:blank'; } catch {}
      localStorage.stolen = 1; document.cookie = 'stolen=1'; open('about:blank');
    </script>
    <a href="about:blank" target="_top">Lead away</a><p>loaded</p>`,
  );
  const embedded = await line(t, at.url);
  const theirs = await site(t, embedded.replace(/src="[^"]*"/, `src="${hostile}"`));
  const page = await visitor(t);
  await page.goto(theirs);
  const frame = page.frameLocator('iframe');
  await frame.getByText('loaded').waitFor();
  await frame.getByText('Lead away').click();
  assert.equal(await page.title(), 'Theirs');
  assert.equal(page.url(), theirs);
  assert.deepEqual(await page.context().cookies(), []);
  assert.equal(page.context().pages().length, 1);
});

test('nothing else of a host can be framed', async (t) => {
  const at = await played(t);
  const paths = ['/', '/game/0', '/game/0/picture.svg'];
  const frames = paths.map((path) => `<iframe src="${at.url}${path}"></iframe>`);
  const page = await visitor(t);
  await page.goto(await site(t, frames.join('')), { waitUntil: 'load' });
  const refused = page.complaints.filter((text) => /frame-ancestors/.test(text));
  assert.equal(refused.length, paths.length, page.complaints.join('\n'));
});
