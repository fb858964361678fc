// A stake that a wallet of Ethereum has signed, and that no block has: it is the only one until its fate is known.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, picture, says } from './harness.mjs';
import { connect, error, ethereum, world } from './hosted.mjs';

after(closeBrowser);

/** Challenges anyone for a stake. */
const challenge = async (page) => {
  await page.selectOption('#new-game select[name=pace]', '');
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
