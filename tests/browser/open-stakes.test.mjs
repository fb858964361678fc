// The payment of a stake that a wallet of Ethereum has signed, and that no block has: it is the only one until its fate is
// known.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, picture, says } from './harness.mjs';
import { connect, connected, error, ethereum, world } from './hosted.mjs';
import { agreed, askAgain, asked, follows, offered, pays, players, SECRETS } from './staked.mjs';

after(closeBrowser);

/** What is said of the payment in every view of its account. */
const OPEN = /“Pay the stake of 1 DOT for game 0x[^”]*” \(1 DOT\).*may still be paid/;
/** What is said where another one is asked for. */
const REFUSED = /may still be paid.*Nothing more was signed/;

/** Has the wallet sign the payment that it is asked for, which gets lost on its way. */
const loses = async (player) => {
  player.wallet.loses = true;
  await pays(player);
  await says(player.page, '#signing', /waiting for its block/);
  player.wallet.loses = false;
};

test('no second stake is signed while the first may still be paid, over a reload too', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { blue } = both;
  await agreed(both);
  await loses(blue);
  assert.equal(
    await blue.page.isVisible('#open-stakes'),
    false,
    'what is under way is shown as that',
  );

  await blue.page.reload();
  await says(blue.page, '#open-stakes', OPEN);
  await picture(blue.page, 'open-stakes');
  await says(blue.page, '#terms-note', REFUSED);
  await askAgain(blue);
  await says(blue.page, '#terms-note', REFUSED);
  assert.equal(blue.wallet.signed.length, 1);

  // It arrives after all, and is shown no more.
  await blue.wallet.arrives();
  await says(blue.page, '#terms-note', /You have paid 1 DOT/);
  await blue.page.waitForSelector('#open-stakes', { state: 'hidden' });
  await follows(both);
  assert.equal(blue.wallet.signed.length, 1);
});

test('a stake is cancelled by its number, or forgotten by who knows that it is gone', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { blue } = both;
  const { page, wallet } = blue;
  await agreed(both);
  await loses(blue);
  await page.reload();
  await says(page, '#open-stakes', OPEN);
  const cancelled = wallet.asked('eth_sendTransaction');
  await page.click('#open-stakes button:has-text("Cancel it")');
  await cancelled;
  const { nonce, value } = wallet.signed[1];
  assert.deepEqual([Number(nonce), Number(value)], [wallet.lost.made.nonce, 0]);
  await assert.rejects(wallet.arrives());
  await page.click('#open-stakes button:has-text("forget it")');
  await page.waitForSelector('#open-stakes', { state: 'hidden' });
  await askAgain(blue);
  await pays(blue);
  await says(page, '#terms-note', /You have paid 1 DOT/);
});

test('no second stake is signed where a host pads what it says of itself, and the storage is full', async (t) => {
  const at = await world(t);
  const both = { red: await ethereum(t, at, SECRETS[0]), blue: await ethereum(t, at, SECRETS[1]) };
  const { red, blue } = both;
  const { page } = blue;
  await page.route('**/api/hello', async (route) => {
    const answer = await route.fetch();
    const told = { ...(await answer.json()), padding: 'x'.repeat(1_000_000) };
    await route.fulfill({ response: answer, json: told });
  });
  for (const each of [red, blue]) await connect(each.page, at.url);
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
  await agreed(both);
  await loses(blue);
  await page.reload();
  await says(page, '#open-stakes', OPEN);
  await says(page, '#terms-note', REFUSED);
  assert.equal(blue.wallet.signed.length, 1);
});

test('of two tabs with the question for a stake one signs', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { blue } = both;
  await agreed(both);
  await asked(blue);
  // Another game, in another tab of the same browser.
  const third = await ethereum(t, at, `0x${'33'.repeat(32)}`);
  await connect(third.page, at.url);
  const link = await offered({ red: third });
  const other = await blue.page.context().newPage();
  await blue.wallet.into(other);
  await other.goto(link);
  await other.click('#invitation-play:visible');
  await other.waitForURL('**/game/0x*');
  await says(
    other,
    '#terms-note',
    /Another tab of this browser is about to pay a stake.*Nothing was signed here/,
  );
  await loses(blue);
  // What the first tab has signed is looked for by the second one.
  await askAgain({ page: other });
  await says(other, '#terms-note', REFUSED);
  assert.equal(blue.wallet.signed.length, 1);
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
  await connected(page);
  // It is not the wallet's own.
  await says(page, '#own-node summary', /^This host is checked by no node$/);
  assert.equal(wallet.added.rpcUrls[0], 'https://rpc.example');
});

test('parts of the page that can’t be loaded are told, and no second stake is signed without them', async (t) => {
  const at = await world(t);
  // What it keeps can always be loaded.
  const options = { serviceWorkers: 'block' };
  const blue = await ethereum(t, { ...at, options }, SECRETS[1]);
  const { page, wallet } = blue;
  const gone = /^A part of this page could not be loaded\./;
  await page.route('**/host/sheet.js', (route) => route.abort());
  await page.goto(at.url);
  await page.click('#wallet-open');
  await error(page, gone);
  assert.equal(await page.locator('#wallets').count(), 0);
  await page.unroute('**/host/sheet.js');
  await connect(page, at.url);
  const red = await ethereum(t, at, SECRETS[0]);
  await connect(red.page, at.url);

  await agreed({ red, blue });
  await loses(blue);
  await page.route('**/host/open-stakes.js', (route) => route.abort());
  await page.reload();
  await error(page, gone);
  await says(page, '#terms-note', REFUSED);
  assert.equal(wallet.signed.length, 1);
});
