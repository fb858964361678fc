// A host that lies to an honest page: what comes from it is changed on the way, and the page notices.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { cells, closeBrowser, drop, host, run, says, turns, visitor } from './harness.mjs';
import {
  connect,
  connected,
  error,
  ethereum,
  game,
  lie,
  start,
  substrate,
  world,
} from './hosted.mjs';

after(closeBrowser);

/** Has a page get another answer of the host than the true one. */
const answer = (page, path, change) =>
  page.route(path, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  });

test('a board that the moves do not lead to', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at);
  await drop(red.page, 3);
  await turns(blue.page, 1);
  const watcher = await visitor(t);
  await lie(watcher, (said) => {
    if (said.type !== 'game') return said;
    const board = said.board.map((bin, index) => (index === 2 ? ['red'] : index === 3 ? [] : bin));
    return { ...said, board };
  });
  await watcher.goto(`${at.url}/game/0`);
  await error(watcher, /another board than its moves lead to. Don’t trust this host/);
});

test('what is drawn are the moves, also before it is known that the server is a host', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at);
  await drop(red.page, 3);
  await turns(blue.page, 1);
  const watcher = await visitor(t);
  let greets;
  const greeted = new Promise((resolve) => {
    greets = resolve;
  });
  let hasLied;
  const lied = new Promise((resolve) => {
    hasLied = resolve;
  });
  await watcher.route('**/api/hello', async (route) => {
    await greeted;
    await route.continue();
  });
  // The board is true, and what the move is said to have done is not.
  await lie(watcher, (said) => {
    if (said.type !== 'game') return said;
    hasLied();
    return { ...said, moves: said.moves.map((move) => ({ ...move, row: 2, player: 'blue' })) };
  });
  await watcher.goto(`${at.url}/game/0`);
  await lied;
  assert.equal(await watcher.locator('#board [data-disc]:not([data-disc=""])').count(), 0);
  greets();
  await turns(watcher, 1);
  assert.deepEqual(await cells(watcher), ['', '', '', 'r', '', '', '']);
});

test('a host has no word in a signed game', async (t) => {
  const at = await world(t, {}, '--dev-rpc');
  const pages = [await visitor(t), await visitor(t)];
  let says = (said) => said;
  await lie(pages[0], (said) => says(said));
  for (const page of pages) await page.goto(at.url);
  for (const page of pages) await page.click('#start:enabled:visible');
  for (const page of pages) await page.waitForSelector('#board[data-turns="0"]');
  for (const page of pages)
    await page.waitForFunction(() => /you|Waiting for/.test(document.title));
  const number = new URL(pages[0].url()).pathname.split('/').at(-1);
  let made = 0;
  for (const evil of [
    { type: 'missing', error: 'there is no such game' },
    { type: 'game', game: number, turns: 9, board: [['red'], [], [], [], [], [], []], moves: [] },
  ]) {
    const told = new Promise((resolve) => {
      says = (said) => {
        if (said.type !== 'chain') return said;
        setImmediate(resolve);
        return evil;
      };
    });
    await at.later(1);
    await told;
    says = (said) => said;
    // What is said next is shown on the board as it was.
    const titles = await Promise.all(pages.map((page) => page.title()));
    await drop(pages[titles.findIndex((title) => title.includes('you'))], made);
    made += 1;
    await turns(pages[0], made);
    const bins = Array.from({ length: made }, (_, turn) => 'rb'[turn % 2]);
    assert.deepEqual(await cells(pages[0]), [...bins, ...Array(7 - made).fill('')], evil.type);
  }
});

test('a board that is consistent, and not the one on the chain', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at, {
    before: (page) =>
      lie(page, (said) => {
        if (said.type !== 'game' || said.turns !== 2) return said;
        // Blue's disc is shown in another bin, and so is its move.
        const moves = said.moves.map((move, turn) => (turn === 1 ? { ...move, bin: 5 } : move));
        const board = said.board.map((bin, index) =>
          index === 1 ? [] : index === 5 ? ['blue'] : bin,
        );
        return { ...said, board, moves };
      }),
  });
  await drop(red.page, 0);
  await turns(blue.page, 1);
  await drop(blue.page, 1);
  await turns(red.page, 2);
  const signed = red.wallet.signed.length;
  await red.page.keyboard.press('Digit1');
  await error(red.page, /by your wallet’s own node, is another one.*nothing was signed/);
  assert.equal(red.wallet.signed.length, signed);
});

test('a move that is held back', async (t) => {
  const at = await world(t);
  let silent = false;
  const { red, blue } = await game(t, at, {
    before: (page) => lie(page, (said) => (silent && said.type === 'game' ? null : said)),
  });
  await drop(red.page, 0);
  await turns(blue.page, 1);
  silent = true;
  await drop(blue.page, 1);
  await error(red.page, /own node has a move on the chain that this host does not show/);
});

test('another contract, payment or call in what a wallet is to sign', async (t) => {
  const at = await world(t);
  const { page, wallet } = await substrate(t, at, '//Blue//one');
  await connect(page, at.url);
  const lies = [
    [/another contract/, (told) => ({ ...told, to: `0x${'66'.repeat(20)}` })],
    [/another payment/, (told) => ({ ...told, payment: '10000000000' })],
    // The bytes themselves, which is what the wallet would sign: a stake of which the page was not told.
    [
      /another (payment|call)/,
      ({ unsigned, ...told }) => {
        const { payload, ...rest } = unsigned;
        const paid = payload.method.replace(/^(0x.{44})00/, '$10700e40b5402');
        const tail = rest.tail.replace(payload.method.slice(2), paid.slice(2));
        assert.notEqual(paid, payload.method);
        return { ...told, unsigned: { ...rest, tail, payload: { ...payload, method: paid } } };
      },
    ],
    [
      /other bytes/,
      ({ unsigned, ...told }) => ({
        ...told,
        unsigned: { ...unsigned, tail: `${unsigned.tail}00` },
      }),
    ],
    [
      /another chain/,
      ({ unsigned, ...told }) => ({
        ...told,
        unsigned: {
          ...unsigned,
          payload: { ...unsigned.payload, genesisHash: `0x${'91'.repeat(32)}` },
        },
      }),
    ],
    [
      /valid for ever/,
      ({ unsigned, ...told }) => ({
        ...told,
        unsigned: { ...unsigned, payload: { ...unsigned.payload, era: '0x00' } },
      }),
    ],
    [
      /a tip/,
      ({ unsigned, ...told }) => ({
        ...told,
        unsigned: { ...unsigned, payload: { ...unsigned.payload, tip: '0x01' } },
      }),
    ],
  ];
  // An account is made known to contracts first.
  await start(page, 'alice');
  await turns(page, 0);
  await page.goto(at.url);
  await connected(page);
  const signed = wallet.signed.length;
  for (const [pattern, change] of lies) {
    await answer(page, '**/api/prepare', change);
    await start(page, 'alice');
    await page.waitForSelector('#error', { state: 'visible' });
    await error(page, pattern);
    await error(page, /nothing was signed. Don't use it any more/);
    // The next lie may be told in the same words.
    await page.click('#dismiss');
    await page.waitForSelector('#error', { state: 'hidden' });
    await page.unroute('**/api/prepare');
  }
  assert.equal(wallet.signed.length, signed);
});

test('a contract of its own, at the first visit', async (t) => {
  const at = await world(t);
  const red = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  // A contract that is there, and is another one. Who has deployed it is left out, as that would show it.
  let deployer = null;
  await answer(red.page, '**/api/hello', ({ signing, ...hello }) => ({
    ...hello,
    signing: { ...signing, games: hello.chain.variants, deployer: deployer && signing.deployer },
  }));
  await connect(red.page, at.url);
  await start(red.page, 'alice');
  await error(red.page, /has other code than this page was made for.*nothing was signed/);
  assert.equal(red.wallet.signed.length, 0);
  deployer = true;
  await red.page.reload();
  await says(red.page, '#wallet-open', /DOT/);
  await start(red.page, 'alice');
  await error(red.page, /not where it says that they were deployed. Nothing is signed/);
  assert.equal(red.wallet.signed.length, 0);
});

test('it says that it is a program of the player’s own', async (t) => {
  const at = await world(t);
  const { page, wallet } = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  await connect(page, at.url);
  // Its token has other units now, and nothing of it would be compared with what was used before.
  await answer(page, '**/api/hello', (told) => ({
    ...told,
    public: false,
    host: true,
    chain: { ...told.chain, decimals: 12 },
  }));
  await page.reload();
  await page.click('#wallet-open');
  const offered = page.locator('#wallets [data-wallet]');
  await offered.first().waitFor();
  assert.deepEqual(await offered.allTextContents(), ['This programits accounts']);
  assert.equal(wallet.signed.length, 0);
});

test('other contracts than before on the same chain', async (t) => {
  const at = await world(t);
  const { page, wallet } = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  await connect(page, at.url);
  await answer(page, '**/api/hello', (told) => ({
    ...told,
    signing: { ...told.signing, games: `0x${'66'.repeat(20)}`, deployer: null },
  }));
  await page.reload();
  await says(page, '#trust', /another contract \(0x6666…6666\) than this browser has used/);
  await connected(page);
  await start(page, 'alice');
  await error(page, /another contract/);
  assert.equal(wallet.signed.length, 0);
});

test('guests sign for other contracts of a host once they say that they know why, and not before', async (t) => {
  const at = await world(t);
  const pages = await Promise.all([visitor(t), visitor(t)]);
  /** Kinds of messages to the lobby by which a game is offered, taken or agreed to. */
  const SIGNED = [0, 3, 4];
  const signed = pages.map((page) => {
    const frames = [];
    page.on('websocket', (socket) => {
      if (!socket.url().endsWith('/signed/lobby')) return;
      socket.on('framesent', ({ payload }) => SIGNED.includes(payload[0]) && frames.push(payload));
    });
    return frames;
  });
  for (const page of pages) {
    await page.goto(at.url);
    await page.waitForSelector('#seeks:visible');
  }
  // The next host at this address has contracts of somebody else, and so has its relay.
  await run('deploy', '--url', at.chain.url, '--account', 'bob');
  await at.stop();
  const there = ['--listen', `127.0.0.1:${at.port}`, '--deployer', 'bob'];
  await host(t, '--url', at.chain.url, ...there);
  for (const page of pages) {
    await page.reload();
    await says(page, '#trust', /names another contract .* Nothing is signed until you say/);
    await page.click('#start:enabled:visible');
    await says(page, '#seek-text', /names another contract .* Nothing is signed until you say/);
  }
  assert.deepEqual(signed, [[], []]);
  for (const page of pages) await page.click('#trust button');
  for (const page of pages) {
    await says(page, '#trust', /^$/);
    await page.click('#start:enabled:visible');
  }
  for (const page of pages) await page.waitForSelector('body[data-state=game] #board');
  assert.equal(pages[0].url(), pages[1].url());
  for (const frames of signed) assert.notDeepEqual(frames, []);
});
