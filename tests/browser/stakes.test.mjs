// Signed games for a stake between two wallets at a public host: by a link, with moves in the room of a relay, and the stake
// held by a contract.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, drop, picture, says, text, turns } from './harness.mjs';
import { connect, ethereum, substrate, world } from './hosted.mjs';

after(closeBrowser);

/** Two wallets at the lobby of a host: red is of Ethereum. */
const players = async (t, at) => {
  const red = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  const blue = await substrate(t, at, '//Blue//one');
  for (const { page } of [red, blue]) await connect(page, at.url);
  return { red, blue };
};

/** Has the wallet of a page pay what it is asked for, once that is shown. */
const pays = async (page, stake) => {
  await says(page, '#agreement', new RegExp(`Stake${stake}.*Opponent0x.*The opponent’s key0x`));
  await page.click('#agreement button[value=yes]');
};

/** Red offers a game by a link, and blue agrees to it. */
const agreed = async ({ red, blue }, stake = '1') => {
  await red.page.check('#new-game [name=way][value=friend]', { force: true });
  await red.page.selectOption('#by-terms [name=pool]', '0');
  await red.page.selectOption('#by-terms [name=time]', '300,5');
  await red.page.selectOption('#by-terms [name=side]', 'first');
  await red.page.selectOption('#new-game [name=board]', '6x4x4');
  await red.page.fill('#bet input', stake);
  await red.page.press('#start:enabled', 'Enter');
  await says(red.page, '#invitation-text', /Send the link/);
  await blue.page.goto(await red.page.inputValue('#invitation-link'));
  await says(
    blue.page,
    '#invitation-text',
    new RegExp(
      `stake of ${stake} DOT of each, held by the contract 0x.*Your opponent is 0x.*key 0x`,
    ),
  );
  await picture(blue.page, 'stakes-invited');
  await blue.page.click('#invitation-play:visible');
  for (const { page } of [red, blue]) await page.waitForURL('**/game/0x*');
};

/** Both have paid, and the game has begun. */
const begun = async (t, at) => {
  const both = await players(t, at);
  await agreed(both);
  await pays(both.blue.page, '1 DOT');
  await says(both.red.page, '#terms-note', /opponent, who pays first|asked to pay/);
  await pays(both.red.page, '1 DOT');
  for (const { page } of [both.red, both.blue]) {
    await says(page, '#terms-note', /^$|stays silent/);
    await says(page, '#terms-text', /For a stake of 1 DOT of each/);
  }
  return both;
};

/** Drops discs in turn; each is seen by both. */
const played = async ({ red, blue }, bins, from = 0) => {
  for (const [index, bin] of bins.entries()) {
    const turn = from + index;
    await drop(turn % 2 ? blue.page : red.page, bin);
    for (const { page } of [red, blue]) await turns(page, turn + 1);
  }
};

test('two wallets agree by a link, pay, play to the end, and the winner is paid', async (t) => {
  const at = await world(t);
  const both = await begun(t, at);
  const { red, blue } = both;
  const signed = () => red.wallet.signed.length + blue.wallet.signed.length;
  const before = signed();
  await played(both, [0, 1, 0]);
  // What the opponent has said while a page is loaded is seen by it.
  await blue.page.reload();
  await turns(blue.page, 3);
  await played(both, [1, 0, 1], 3);
  assert.equal(signed(), before, 'moves are signed by keys of the browsers');
  await drop(red.page, 0);
  for (const { page } of [red, blue]) await says(page, '#status', /Red wins/);
  await says(red.page, '#terms-note', /owes you 2 DOT/);
  await red.page.click('#stake-withdraw:enabled');
  await red.page.waitForSelector('#stake-withdraw', { state: 'hidden' });
  await picture(red.page, 'stakes-paid');
  assert.ok((await text(red.page, '#wallet-open')).includes('DOT'));
  for (const { page } of [red, blue]) assert.deepEqual(page.complaints, []);
});
