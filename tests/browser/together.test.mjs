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
  folder,
  lobby,
  node,
  onChain,
  picture,
  run,
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

  // To the end, and on to the next game: both have to want it, and the loser begins.
  for (const bin of [4, 4, 5, 5, 6]) {
    const mover = (await shown(red)) % 2 === 0 ? red : blue;
    await drop(mover, bin);
    await Promise.all([red, blue, watcher].map(async (page) => turns(page, await shown(mover))));
  }
  await Promise.all(
    [red, blue, watcher].map((page) => says(page, '#status', /red w(ins|on)|you w(in|on)|lost/i)),
  );
  await red.keyboard.press('Enter');
  await says(blue, '#live', /alice wants another game/i);
  await blue.keyboard.press('Enter');
  await Promise.all(
    [red, blue, watcher].map((page) =>
      page.waitForSelector(`#board[data-game="${number + 1}"][data-turns="0"]`),
    ),
  );
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

test("who has a single account plays with somebody else's, or by a challenge", async (t) => {
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
    await Promise.all(
      ['screen', 'computer', 'friend', 'challenge'].map((value) => way(value).isEnabled()),
    ),
    [false, false, true, true],
  );
  await page.fill('#new-game input[name=account]', 'bob');
  await page.click('#start');
  await turns(page, 0);
  await drop(page, 3);
  await says(page, '#status', /waiting for bob/i);
});

test('strangers find each other by a challenge', async (t) => {
  const chain = await node(t, null);
  const [hers, his] = await Promise.all([
    serve(t, '--url', chain.url),
    serve(t, '--url', chain.url),
  ]);
  const [alice, bob] = [await visitor(t), await visitor(t)];
  await Promise.all([lobby(alice, hers), lobby(bob, his)]);
  const challenge = async (set) => {
    await alice.check('#new-game input[name=way][value=challenge]', { force: true });
    for (const [name, value] of Object.entries(set)) {
      const field = alice.locator(`#new-game [name=${name}]`);
      if (name === 'first' || name === 'clock') await field.selectOption(value);
      else await field.fill(value);
    }
    await alice.click('#start');
  };
  // A stake needs a clock, and to be an amount.
  await challenge({ stake: '1', clock: '' });
  await says(alice, '#error', /stake.*clock/i);
  await says(alice, '#no-clock', /only resigning ends the game/);
  await challenge({ stake: 'much', clock: '300,5' });
  await says(alice, '#error', /not an amount/i);
  // Who makes a challenge for a stake is warned as well.
  await alice.fill('#new-game [name=stake]', '0.5');
  await says(
    alice,
    '#warnings',
    /player who begins can force a win.*The opponent may be a program/s,
  );
  await picture(alice, 'challenge-form');
  await alice.fill('#new-game [name=stake]', '');
  await alice.waitForSelector('#warnings', { state: 'hidden' });
  assert.ok(await alice.locator('#no-clock').isHidden());

  // One is taken back, the next one stands until somebody accepts it.
  await challenge({ stake: '', first: 'them' });
  await says(bob, '#challenges', /alice.*challenges anyone.*7 × 6.*5:00/s);
  await alice.click('#challenges button[data-act=cancel]');
  await bob.waitForSelector('#challenges', { state: 'hidden' });
  await challenge({ stake: '0.5', first: 'me' });
  await says(bob, '#challenges', /0.5 DOT each.*alice begins/);
  await picture(bob, 'challenge');
  // A stake is not paid by one click: all terms are shown first, and what is known about them.
  await bob.click('#challenges button[data-act=consider]');
  await says(bob, '#challenges .terms', /Opponent\s*alice, 0x9621.*four in a row.*Begins\s*alice/s);
  await says(bob, '#challenges .terms', /0.5 DOT each, the winner gets 1 DOT/);
  await says(bob, '#challenges .warnings', /player who begins can force a win on this board/);
  await picture(bob, 'challenge-terms');
  await bob.click('#challenges button[data-act=leave]');
  await bob.waitForSelector('#challenges .terms', { state: 'detached' });
  await bob.click('#challenges button[data-act=consider]');
  await bob.click('#challenges button[data-act=accept]');
  await Promise.all([turns(bob, 0), turns(alice, 0)]);
  await says(alice, '#status', /red to move/i);
  await says(bob, '#status', /waiting for alice/i);
  for (const page of [alice, bob]) {
    await says(
      page,
      '#stake',
      /At stake: 0.5 DOT each, the winner gets 1 DOT · 5:00 \+ 5 s a move/,
    );
  }
  await picture(bob, 'stake');
  await drop(alice, 3);
  await turns(bob, 1);
  await drop(bob, 3);
  await turns(alice, 2);
  assert.match(await text(alice, '#players [data-colour=red] .clock'), /^\d:\d\d$/);
});

test('challenges that are too old for the lobby are shown on demand, and accepted', async (t) => {
  const chain = await node(t, null);
  await run('deploy', '--url', chain.url);
  for (let number = 0; number < 22; number += 1) {
    const stake = number === 0 ? ['--stake', '0.5', '--bank', '10m'] : [];
    await run('challenge', '--url', chain.url, '--first', 'me', ...stake);
  }
  const server = await serve(t, '--url', chain.url);
  const page = await visitor(t, { viewport: { width: 360, height: 740 } });
  await lobby(page, server);
  const listed = page.locator('#challenges li');
  const oldest = page.locator('#challenges [data-challenge="0"]');
  // Its text is in the page from the start, hidden until the list comes.
  await page.waitForSelector('#older-challenges');
  assert.equal(await listed.count(), 20);
  assert.equal(await oldest.count(), 0);
  await page.locator('#older-challenges').scrollIntoViewIfNeeded();
  await picture(page, 'challenges-older');
  await page.click('#older-challenges');
  await page.waitForSelector('#older-challenges', { state: 'hidden' });
  assert.equal(await listed.count(), 22);

  // A newer one pushes another one out of the list of the lobby; all stay.
  await run('challenge', '--url', chain.url, '--first', 'me');
  await page.waitForSelector('#challenges [data-challenge="22"]');
  assert.equal(await listed.count(), 23);
  await page.click('#challenges [data-challenge="1"][data-act=cancel]');
  await page.waitForSelector('#challenges [data-challenge="1"]', { state: 'detached' });
  await page.click('#challenges [data-challenge="0"][data-act=consider]');
  await page.click('#challenges [data-challenge="0"][data-act=accept]');
  await turns(page, 0);
  await says(page, '#stake', /0.5 DOT each/);
});

test('a match for a stake, with a clock, is played and paid out', async (t) => {
  const data = await folder(t);
  const server = await serve(t, '--data', data);
  await run('deploy', '--data', data);
  await run(
    'challenge',
    '--data',
    data,
    '--to',
    'bob',
    '--first',
    'me',
    '--stake',
    '1',
    '--bank',
    '10m',
  );
  await run('accept', '--data', data, '--challenge', '0', '--account', 'bob', '--yes');
  const page = await visitor(t);
  await lobby(page, server);
  await page.goto(`${server.url}/game/0`);
  await turns(page, 0);
  for (const colour of ['red', 'blue']) {
    assert.match(await text(page, `#players [data-colour=${colour}] .clock`), /^(10:00|9:5\d)$/);
  }
  for (const bin of [0, 1, 0, 1, 0, 1, 0]) await drop(page, bin);
  await says(page, '#withdraw', /2 DOT/);
  await page.click('#withdraw');
  await page.waitForSelector('#withdraw', { state: 'hidden' });
  // A stake is not paid by pressing Enter in passing.
  await says(page, '#next', /each pays 1 DOT/);
  await page.keyboard.press('Enter');
  await page.click('#next');
  await page.waitForSelector('#board[data-game="1"][data-turns="0"]');
  assert.equal(await text(page, '#players [data-colour=red] .name'), 'bob', 'the loser begins');
  assert.deepEqual(page.complaints, []);
});

test('who has won is paid, although the loser frees the game first', async (t) => {
  const data = await folder(t);
  const server = await serve(t, '--data', data);
  const commands = (...line) => run(...line, '--data', data);
  await commands('deploy');
  const page = await visitor(t);
  for (const number of [0, 1]) {
    const terms = ['--to', 'bob', '--first', 'me', '--stake', '1', '--bank', '10m'];
    await commands('challenge', ...terms);
    await commands('accept', '--challenge', String(number), '--account', 'bob', '--yes');
    await commands('resign', '--game', String(number), '--account', 'bob');
    await commands('free', '--game', String(number), '--account', 'bob');
    await lobby(page, server);
    await says(page, '#owed', /alice is owed 2 DOT/);
    if (number === 0) {
      await picture(page, 'owed');
      await page.click('#owed button');
      await page.waitForSelector('#owed', { state: 'hidden' });
      continue;
    }
    await page.goto(`${server.url}/game/${number}`);
    await says(page, '#note', /storage of this game was freed/);
    await says(page, '#withdraw', /Withdraw 2 DOT/);
    assert.equal(
      await page.isVisible('#next'),
      false,
      'nothing is left of which to make a rematch',
    );
    await picture(page, 'owed-freed');
    await page.click('#withdraw');
    await page.waitForSelector('#withdraw', { state: 'hidden' });
  }
  const listed = await commands('list', '--json');
  assert.doesNotMatch(listed, /owed/);
  assert.deepEqual(page.complaints, []);
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
    [`${game}/next`, { seats: ['red', 'blue'] }],
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
  const shape = { bins: 7, capacity: 6, line: 4 };
  for (const [path, body] of [
    [`${game}/move`, move(0)],
    [`${game}/act`, { act: 'resign', account: alice.address }],
    ['/api/games', { kind: 'classic', terms: plain(shape), seats }],
    [
      '/api/challenges',
      { account: bob.address, opponent: null, first: 'me', shape, clock: null, stake: null },
    ],
    ['/api/challenges/0', { act: 'accept', account: bob.address, stake: null }],
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
    await says(page, '#own-keys', /^Without them you only watch here/);
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
