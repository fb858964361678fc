// A stake that a wallet of Ethereum has signed, and that no block has: it is the only one until its fate is known.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, picture, says } from './harness.mjs';
import { connect, error, ethereum, world } from './hosted.mjs';

after(closeBrowser);

/** Challenges anyone for a stake. */
const challenge = async (page) => {
  await page.fill('#new-game input[name=stake]', '1');
  await page.press('#start:enabled', 'Enter');
};

test('no second stake is signed while the first may still be paid, over a reload too', async (t) => {
  const at = await world(t);
  const { page, wallet } = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  await connect(page, at.url);
  wallet.loses = true;
  await challenge(page);
  await page.click('#agreement button[value=yes]');
  await says(page, '#signing', /waiting for its block/);
  assert.equal(await page.isVisible('#open-stakes'), false, 'what is under way is shown as that');

  wallet.loses = false;
  await page.reload();
  await says(page, '#open-stakes', /“Challenge anyone” \(1 DOT\).*may still be paid/);
  await picture(page, 'open-stakes');
  await challenge(page);
  await error(page, /“Challenge anyone” \(1 DOT\) may still be paid.*Nothing more was signed/);
  assert.equal(wallet.signed.length, 1);

  // It arrives after all, and is shown no more.
  await wallet.arrives();
  await says(page, '#challenges', /waiting|anyone/);
  await page.waitForSelector('#open-stakes', { state: 'hidden' });
  await challenge(page);
  await error(page, /is in a block after all/);
  await challenge(page);
  await page.click('#agreement button[value=yes]');
  await page.waitForFunction(() => document.querySelectorAll('#challenges li').length === 2);
  assert.equal(wallet.signed.length, 2);
});

test('a stake is cancelled by its number, or forgotten by who knows that it is gone', async (t) => {
  const at = await world(t);
  const { page, wallet } = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  await connect(page, at.url);
  wallet.loses = true;
  await challenge(page);
  await page.click('#agreement button[value=yes]');
  await says(page, '#signing', /waiting for its block/);
  wallet.loses = false;
  await page.reload();
  const cancelled = wallet.asked('eth_sendTransaction');
  await page.click('#open-stakes button:has-text("Cancel it")');
  await cancelled;
  const { nonce, value } = wallet.signed[1];
  assert.deepEqual([Number(nonce), Number(value)], [wallet.lost.made.nonce, 0]);
  await assert.rejects(wallet.arrives());
  await page.click('#open-stakes button:has-text("forget it")');
  await page.waitForSelector('#open-stakes', { state: 'hidden' });
  await challenge(page);
  await page.click('#agreement button[value=yes]');
  await says(page, '#challenges', /waiting/);
});

test('no second stake is signed where a host pads what it says of itself, and the storage is full', async (t) => {
  const at = await world(t);
  const { page, wallet } = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  await page.route('**/api/hello', async (route) => {
    const answer = await route.fetch();
    const told = { ...(await answer.json()), padding: 'x'.repeat(1_000_000) };
    await route.fulfill({ response: answer, json: told });
  });
  await connect(page, at.url);
  const kept = await page.evaluate(() => localStorage.getItem('connect4-hello').length);
  assert.ok(kept < 10_000, `${kept} characters of a hello are kept`);
  // As it is full without a host as well.
  await page.evaluate(() => {
    for (let size = 2 ** 22, at = 0; size; at += 1) {
      try {
        localStorage.setItem(`full-${at}`, 'x'.repeat(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  });
  wallet.loses = true;
  await challenge(page);
  await page.click('#agreement button[value=yes]');
  await says(page, '#signing', /waiting for its block/);
  wallet.loses = false;
  await page.reload();
  await says(page, '#open-stakes', /“Challenge anyone” \(1 DOT\).*may still be paid/);
  await challenge(page);
  await error(page, /“Challenge anyone” \(1 DOT\) may still be paid.*Nothing more was signed/);
  assert.equal(wallet.signed.length, 1);
});

test('of two tabs with the question for a stake one signs', async (t) => {
  const at = await world(t);
  const { page, wallet } = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  await connect(page, at.url);
  const other = await page.context().newPage();
  await wallet.into(other);
  await other.goto(at.url);
  await other.waitForSelector('#new-game [name=me] option', { state: 'attached' });
  await other.waitForSelector('#start:enabled:visible');
  await challenge(page);
  await page.waitForSelector('#agreement[open]');
  await challenge(other);
  await error(
    other,
    /Another tab of this browser is about to pay a stake.*Nothing was signed here/,
  );
  wallet.loses = true;
  await page.click('#agreement button[value=yes]');
  await says(page, '#signing', /waiting for its block/);
  // What the first tab has signed is looked for by the second one.
  await challenge(other);
  await error(other, /may still be paid/);
  assert.equal(wallet.signed.length, 1);
});

test('a wallet to which a host gives its node has it from there, also if the page is loaded again meanwhile', async (t) => {
  const at = await world(t, { options: ['--wallet-rpc', 'https://rpc.example'] });
  const { page, wallet } = await ethereum(t, { ...at, forgets: true }, `0x${'11'.repeat(32)}`);
  wallet.chainId = 1;
  let agree = () => {};
  const asked = new Promise((resolve) => {
    wallet.beforeAdd = () => {
      resolve();
      return new Promise((agreed) => {
        agree = agreed;
      });
    };
  });
  await page.goto(at.url);
  await page.click('#wallet-open');
  await page.click('#wallets [data-wallet]');
  await asked;
  await page.reload();
  const added = wallet.asked('wallet_addEthereumChain');
  agree();
  await added.catch(() => {});
  await page.waitForSelector('#start:visible');
  await page.click('#wallet-open');
  await page.click('#wallets [data-wallet]');
  await page.waitForSelector('#new-game [name=me] option', { state: 'attached' });
  // It is not the wallet's own.
  await says(page, '#own-node summary', /^This host is checked by no node$/);
  assert.equal(wallet.added.rpcUrls[0], 'https://rpc.example');
});

test('parts of the page that can’t be loaded are told, and no second stake is signed without them', async (t) => {
  const at = await world(t);
  // What it keeps can always be loaded.
  const options = { serviceWorkers: 'block' };
  const { page, wallet } = await ethereum(t, { ...at, options }, `0x${'11'.repeat(32)}`);
  const gone = /^A part of this page could not be loaded\./;
  await page.route('**/host/sheet.js', (route) => route.abort());
  await page.goto(at.url);
  await page.click('#wallet-open');
  await error(page, gone);
  assert.equal(await page.locator('#wallets').count(), 0);
  await page.unroute('**/host/sheet.js');
  await connect(page, at.url);

  wallet.loses = true;
  await challenge(page);
  await page.click('#agreement button[value=yes]');
  await says(page, '#signing', /waiting for its block/);
  await page.route('**/host/open-stakes.js', (route) => route.abort());
  await page.reload();
  await error(page, gone);
  await challenge(page);
  await error(page, /“Challenge anyone” \(1 DOT\) may still be paid.*Nothing more was signed/);
  assert.equal(wallet.signed.length, 1);
});
