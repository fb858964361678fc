// A public host: players sign with wallets of their own, and nobody's key is on the server.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, drop, host, picture, says, turns } from './harness.mjs';
import { connect, error, ethereum, files, game, played, start, world } from './hosted.mjs';
import { offered, players } from './staked.mjs';

after(closeBrowser);

test('two wallets of two kinds play on the chain', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at);
  await played(red.page, blue.page, [0, 1, 0, 1, 0, 1, 0]);
  for (const { page } of [red, blue]) await says(page, '#status', /Red wins/);
  // Red has started the game, and paid its deposit.
  assert.ok(await blue.page.isHidden('#free'));
  await red.page.click('#free:enabled');
  for (const { page } of [red, blue]) {
    await says(page, '#note', /storage of this game was freed/);
    assert.deepEqual(page.complaints, []);
  }
});

test('a wallet that refuses, is locked, changes its account or its chain', async (t) => {
  const at = await world(t);
  const secrets = ['11', '33'].map((byte) => `0x${byte.repeat(32)}`);
  const { red, blue } = await game(t, at, { secrets });
  const { page, wallet } = red;

  wallet.refuses = true;
  await page.keyboard.press('Digit1');
  await error(page, /You refused in Test wallet: nothing was signed/);
  assert.equal(await page.locator('#board .disc').count(), 0);
  wallet.refuses = false;
  await drop(page, 0);
  await turns(blue.page, 1);
  await drop(blue.page, 1);
  await turns(page, 2);

  // Locked: it says so at once, signs nothing, and the game goes on once it is unlocked.
  await wallet.lock();
  await says(page, '#signing', /Test wallet is locked: unlock it/);
  const signed = wallet.signed.length;
  await page.keyboard.press('Digit1');
  await error(page, /unlock it/);
  assert.equal(wallet.signed.length, signed);
  await wallet.lock(false);
  await page.waitForSelector('#signing', { state: 'hidden' });

  // With another account the browser watches: nothing is signed by mistake.
  await wallet.use(1);
  await says(page, '#note', /You watch this game/);
  await wallet.use(0);
  await page.waitForFunction(() => !document.querySelector('#note').textContent.includes('watch'));

  // On another chain: it is asked to switch, then signs.
  await wallet.onChain(1);
  await says(page, '#signing', /another chain: it is asked to switch/);
  await drop(page, 0);
  await turns(blue.page, 3);
  assert.equal(wallet.chainId, 420420420);
});

test('a transaction that its owner replaces in the wallet does not happen', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at);
  red.wallet.replaces = true;
  await red.page.keyboard.press('Digit1');
  // Its number is a guess, as no node has told it: so it is not said that it will not happen.
  await says(red.page, '#signing', /another transaction of this account is in a block/);
  await red.page.click('#signing button');
  await error(red.page, /You stopped waiting/);
  red.wallet.replaces = false;
  await drop(red.page, 0);
  await turns(blue.page, 1);
});

test('a transaction that its owner speeds up or cancels, or whose wallet is moved to another chain meanwhile', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at);
  const { page, wallet } = red;
  /** Red drops a disc, and the transaction gets lost on its way. */
  const lost = async () => {
    const before = wallet.signed.length;
    wallet.loses = true;
    await page.keyboard.press('Digit1');
    await says(page, '#signing', /sent, waiting for its block/);
    wallet.loses = false;
    assert.equal(wallet.signed.length, before + 1);
  };
  const overtaken = async () => {
    await says(page, '#signing', /another transaction of this account is in a block/);
    await page.click('#signing button');
    await error(page, /You stopped waiting/);
    await page.click('#dismiss');
  };

  await lost();
  await wallet.speedsUp();
  await overtaken();
  // It has happened under another hash.
  await turns(page, 1);
  await turns(blue.page, 1);
  await drop(blue.page, 1);
  await turns(page, 2);

  await lost();
  await wallet.cancels();
  await overtaken();

  // On another chain the account has sent more: that says nothing of this one.
  await lost();
  await wallet.onChain(1);
  await wallet.arrives();
  await turns(blue.page, 3);
  await wallet.onChain(420420420);
  await turns(page, 3);
  await page.waitForSelector('#signing', { state: 'hidden' });
});

test('another page of the same account sends something before', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at);
  red.wallet.isShared = true;
  await drop(red.page, 0);
  await turns(blue.page, 1);
});

test('a transaction that was dropped is told, and is made again when it is given up', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at, {
    before: (page) =>
      page.addInitScript(() => {
        // The page waits so long between two looks at a transaction: here it does not wait.
        const LOOK = 700;
        const wait = window.setTimeout;
        window.setTimeout = (act, time) => wait(act, time === LOOK ? 0 : time);
      }),
  });
  const { page, wallet } = red;
  await page.setViewportSize({ width: 360, height: 740 });
  wallet.loses = true;
  await page.keyboard.press('Digit1');
  await says(page, '#signing', /no block has it, and the node of Test wallet does not know it/);
  await picture(page, 'host-dropped');
  await page.click('#signing button');
  await error(page, /You stopped waiting/);
  wallet.loses = false;
  await drop(page, 0);
  await turns(blue.page, 1);
  assert.equal(wallet.signed.length, 3);
});

test('a wallet that does not know the chain is offered to add it', async (t) => {
  const at = await world(t, { options: ['--wallet-rpc', 'https://rpc.example'] });
  const { page, wallet } = await ethereum(t, { ...at, forgets: true }, `0x${'11'.repeat(32)}`);
  wallet.chainId = 1;
  await connect(page, at.url);
  assert.equal(wallet.added.chainId, '0x190f1b44');
  assert.deepEqual(wallet.added.rpcUrls, ['https://rpc.example']);
  assert.equal(wallet.added.nativeCurrency.decimals, 18);
});

test('a call that the contract would refuse does not reach the wallet', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { red, blue } = both;
  await start(red.page, red.wallet.address);
  await error(red.page, /two different accounts/);
  // Nor does one that the account can't pay for.
  await blue.page.goto(await offered(both, '1000'));
  await blue.page.click('#invitation-play:visible');
  await blue.page.waitForURL('**/game/0x*');
  await says(blue.page, '#terms-note', /cannot pay/);
  for (const { wallet } of [red, blue]) assert.equal(wallet.signed.length, 0);
});

test('a host ends in mid-game, and another one takes over', async (t) => {
  const at = await world(t);
  const second = await host(t, '--url', at.chain.url);
  const url = await files(t, at.url, second.url);
  const { red, blue } = await game(t, at, { url });
  await drop(red.page, 0);
  await turns(blue.page, 1);
  const moved = [red, blue].map(({ page }) =>
    page.waitForEvent('websocket', (opened) => opened.url().includes(`:${second.port}/`)),
  );
  await at.stop('SIGKILL');
  await Promise.all(moved);
  for (const { page } of [red, blue]) await says(page, '#link', /block/);
  await drop(blue.page, 1);
  await turns(red.page, 2);
  await drop(red.page, 0);
  await turns(blue.page, 3);
});
