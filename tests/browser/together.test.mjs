// Several browsers: two players, watchers, and visitors who must not be able to play.
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { after, test } from 'node:test';
import { faults } from './axe.mjs';
import { move, plain } from './games.mjs';
import {
  afterwards,
  board,
  closeBrowser,
  drop,
  lobby,
  node,
  onChain,
  picture,
  says,
  serve,
  shown,
  startGame,
  text,
  turns,
  visitor,
} from './harness.mjs';

after(closeBrowser);

test('two browsers play, each its seat, and anybody with the link watches', async (t) => {
  const server = await serve(t);
  const red = await visitor(t);
  const number = await startGame(red, server, { way: 'friend', pick: { seat: 'red' } });
  const invitation = await red.getAttribute('#invite [data-link]', 'data-link');
  const watching = await red.getAttribute('#watch-link', 'data-link');
  assert.equal(watching, `${server.url}/game/${number}`, 'the link to watch holds no secret');
  assert.notEqual(invitation, watching);

  const blue = await visitor(t);
  await blue.goto(invitation);
  await turns(blue, 0);
  assert.equal(blue.url(), watching, 'what is in the address line may be shown to anybody');
  const watcher = await visitor(t);
  await watcher.goto(watching);
  await turns(watcher, 0);

  // Red moves; all see it; only blue may answer.
  await says(blue, '#status', /wait|alice|red/i);
  await drop(red, 3);
  await Promise.all([blue, watcher].map((page) => turns(page, 1)));
  for (const page of [red, watcher]) {
    await page.keyboard.press('Digit4');
    await says(page, '#error', /bob|blue|watch/i);
  }
  await drop(blue, 3);
  await Promise.all([red, watcher].map((page) => turns(page, 2)));
  const expected = [[], [], [], ['red', 'blue'], [], [], []];
  for (const page of [red, blue, watcher]) assert.deepEqual(await board(page), expected);

  // To the end, and on to the next game, which the loser begins: who has the keys of both seats starts it.
  for (const bin of [4, 4, 5, 5, 6]) {
    const mover = (await shown(red)) % 2 === 0 ? red : blue;
    await drop(mover, bin);
    await Promise.all([red, blue, watcher].map(async (page) => turns(page, await shown(mover))));
  }
  await Promise.all(
    [red, blue, watcher].map((page) => says(page, '#status', /red w(ins|on)|you w(in|on)|lost/i)),
  );
  for (const page of [blue, watcher]) assert.equal(await page.isVisible('#next'), false);
  await red.keyboard.press('Enter');
  const next = `#board[data-game="${number + 1}"][data-turns="0"]`;
  await red.waitForSelector(next);
  for (const page of [blue, watcher]) {
    await page.goto(red.url());
    await page.waitForSelector(next);
  }
  assert.equal(await text(blue, '#players [data-colour=red] .name'), 'bob');
  await drop(blue, 0);
  await turns(red, 1);
  await drop(red, 0);
  await turns(blue, 2);
  for (const page of [red, blue, watcher]) assert.deepEqual(page.complaints, []);
});

test('two people who run a program each play on the same chain', async (t) => {
  const chain = await node(t, null);
  const [hers, his] = await Promise.all([
    serve(t, '--url', chain.url),
    serve(t, '--url', chain.url),
  ]);
  const alice = await visitor(t);
  await lobby(alice, hers);
  await alice.check('#new-game input[name=way][value=friend]', { force: true });
  await alice.selectOption('#new-game select[name=friend]', 'account');
  await alice.fill('#new-game input[name=account]', 'mallory');
  await alice.click('#start');
  await says(alice, '#error', /mallory.*is not an account/i);
  await alice.fill(
    '#new-game input[name=account]',
    '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty',
  );
  await alice.click('#start');
  await turns(alice, 0);

  const bob = await visitor(t);
  await lobby(bob, his);
  await bob.click('#games a[href="/game/0"]');
  await turns(bob, 0);
  // On a development chain everybody has every account: he says which seat is his.
  await bob.click('#more summary');
  await bob.uncheck('#seats-here input[value=red]');
  await says(bob, '#status', /waiting for alice/i);
  await drop(alice, 3);
  await turns(bob, 1);
  await drop(bob, 2);
  await turns(alice, 2);
  assert.deepEqual(await board(alice), [[], [], ['blue'], ['red'], [], [], []]);
});

test("who has a single account plays with somebody else's", async (t) => {
  const page = await visitor(t);
  // As on a public chain, where the development accounts have nothing.
  await page.route('**/api/hello', async (route) => {
    const answer = await route.fetch();
    const said = await answer.json();
    await route.fulfill({
      response: answer,
      json: { ...said, accounts: said.accounts.slice(0, 1) },
    });
  });
  await lobby(page, await serve(t));
  const way = (value) => page.locator(`#new-game input[name=way][value=${value}]`);
  assert.deepEqual(
    await Promise.all(['screen', 'computer', 'friend'].map((value) => way(value).isEnabled())),
    [false, false, true],
  );
  await page.selectOption('#new-game [name=friend]', 'account');
  await page.fill('#new-game input[name=account]', 'bob');
  await page.click('#start');
  await turns(page, 0);
  await drop(page, 3);
  await says(page, '#status', /waiting for bob/i);
});

test('a link to watch opens no seat, whatever is asked', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  const number = await startGame(page, server);
  const { token } = await (await fetch(`${server.url}/api/hello`)).json();
  const ask = async (path, body, headers = {}) => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-connect4-token': token, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, ...(await response.json()) };
  };
  const game = `/api/games/${number}`;
  for (const [path, body] of [
    [`${game}/move`, move(0)],
    [`${game}/act`, { act: 'resign', account: 'alice' }],
    [`${game}/computer`, { seat: 'red', level: 'random' }],
  ]) {
    const answer = await ask(path, body);
    assert.deepEqual([path, answer.status, answer.kind], [path, 403, 'key']);
    const guessed = await ask(path, body, { 'x-connect4-keys': '0'.repeat(32) });
    assert.equal(guessed.kind, 'key');
  }
  // Who is invited to a seat has that seat, and makes nobody pay for anything else.
  const { accounts } = await (
    await fetch(`${server.url}/api/hello`, { headers: { 'x-connect4-keys': server.key } })
  ).json();
  const [alice, bob] = accounts;
  const seats = [bob, alice].map(({ address }) => ({ account: address, level: null }));
  const invited = { 'x-connect4-keys': bob.key };
  const terms = plain({ bins: 7, capacity: 6, line: 4 });
  for (const [path, body] of [
    [`${game}/move`, move(0)],
    [`${game}/act`, { act: 'resign', account: alice.address }],
    ['/api/games', { kind: 'classic', terms, seats }],
  ]) {
    const answer = await ask(path, body, invited);
    assert.deepEqual([path, answer.status, answer.kind], [path, 403, 'key']);
  }
  // Nor does what makes no sense do anything.
  const keys = { 'x-connect4-keys': server.key };
  for (const body of [
    '',
    '{',
    '[]',
    ...[-1, 256, '0'].map((bin) => JSON.stringify(move(bin))),
    JSON.stringify(move(0, { x: 'x'.repeat(5000) })),
  ]) {
    const answer = await ask(`${game}/move`, body, keys);
    assert.deepEqual(
      [body.slice(0, 9), answer.status, answer.kind],
      [body.slice(0, 9), 400, 'input'],
    );
    assert.ok(answer.error.length > 10, answer.error);
  }
  // A move is for the board that was seen.
  const other = [['red'], [], [], [], [], [], []];
  const late = await ask(`${game}/move`, move(0, { board: other }), keys);
  assert.deepEqual([late.status, late.kind], [409, 'refused']);
  assert.match(late.error, /not the one you saw/);
  const bounds = await fetch(`${server.url}/api/line?bins=255&capacity=255&line=4&moves=1`);
  assert.equal(bounds.status, 400);
  const long = await fetch(
    `${server.url}/api/line?bins=7&capacity=6&line=4&moves=${'1'.repeat(60)}`,
  );
  assert.equal(long.status, 400);
  assert.equal((await onChain(page, number)).turns, 0);
});

test("a page of another site moves nobody's discs", async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  const number = await startGame(page, server);
  const body = JSON.stringify(move(0));

  // A site of somebody else's, open in the same browser as the game.
  const evil = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Free discs</h1>'),
  );
  await new Promise((resolve) => evil.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => evil.close());
  const other = await page.context().newPage();
  await other.goto(`http://127.0.0.1:${evil.address().port}/`);
  const tried = await other.evaluate(
    async ([url, number, key, body]) => {
      const outcome = (promise) =>
        promise.then(
          (answer) => `answered ${answer.type} ${answer.status}`,
          () => 'refused',
        );
      const socket = (address) =>
        new Promise((resolve) => {
          const opened = new WebSocket(address);
          opened.onopen = () => resolve('opened');
          opened.onerror = () => resolve('refused');
        });
      const drop = `${url}/api/games/${number}/move`;
      return {
        // Even if it had come by the keys: it can't read the token, and the browser says where it is from.
        read: await outcome(fetch(`${url}/api/hello`)),
        ask: await outcome(
          fetch(drop, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-connect4-keys': key },
            body,
          }),
        ),
        simple: await outcome(fetch(drop, { method: 'POST', mode: 'no-cors', body })),
        socket: await socket(`${url.replace('http', 'ws')}/api/live?game=${number}`),
      };
    },
    [server.url, number, server.key, body],
  );
  assert.deepEqual(tried, {
    read: 'refused',
    ask: 'refused',
    simple: 'refused',
    socket: 'refused',
  });

  // Nor one whose name leads to this machine. fetch would not send these.
  const status = (headers, method = 'GET') =>
    new Promise((resolve, reject) => {
      const options = {
        port: server.port,
        method,
        path: method === 'GET' ? '/' : `/api/games/${number}/move`,
        headers,
      };
      request({ host: '127.0.0.1', ...options }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end(method === 'POST' ? body : undefined);
    });
  const { token } = await (await fetch(`${server.url}/api/hello`)).json();
  const json = {
    'content-type': 'application/json',
    'x-connect4-token': token,
    'x-connect4-keys': server.key,
  };
  assert.equal(await status({ host: `evil.example:${server.port}` }), 403);
  assert.equal(await status({ ...json, origin: 'http://evil.example' }, 'POST'), 403);
  assert.equal(await status({ ...json, 'x-connect4-token': 'old' }, 'POST'), 403);
  assert.equal((await onChain(page, number)).turns, 0, 'no disc was moved');
  assert.equal(await status(json, 'POST'), 200, 'who has key and token may');
  await turns(page, 1);

  // Nobody can show the page within another one.
  const { headers } = await fetch(server.url);
  assert.match(headers.get('content-security-policy'), /frame-ancestors 'none'/);
});

for (const colorScheme of ['light', 'dark']) {
  test(`the keys of a browser can be forgotten, and it watches then, in ${colorScheme}`, async (t) => {
    const server = await serve(t);
    const viewport = { width: colorScheme === 'light' ? 360 : 1200, height: 800 };
    const page = await visitor(t, { viewport, colorScheme, bypassCSP: true });
    await lobby(page, server);
    await page.click('#own-keys button');
    await says(page, '#own-keys', /^Without them you watch its games here/);
    await page.locator('#own-keys').scrollIntoViewIfNeeded();
    await picture(page, `own-keys-${colorScheme}`);
    assert.deepEqual(await faults(page), []);
    // The focus is on what keeps them.
    await page.keyboard.press('Enter');
    await says(page, '#own-keys', /^This browser has keys/);
    await page.click('#own-keys button');
    await page.click('#own-keys .danger');
    await page.waitForSelector('#watcher:visible');
    assert.equal(await page.isVisible('#own-keys'), false);
    assert.equal(await page.evaluate(() => localStorage.getItem('connect4-keys')), '[]');
  });
}
