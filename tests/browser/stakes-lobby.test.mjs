// Signed games for a stake between strangers: by the lobby of a relay and by a line of text, between pages and programs.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, PLAYS, says, seek, seeking, turns } from './harness.mjs';
import { guest, played, world } from './hosted.mjs';
import { asked, BEGUN, offered, paidOut, pays, pictures, players } from './staked.mjs';

after(closeBrowser);

/** The account of the terminal. */
const BOB = ['--account', 'bob'];

/** What a program at the terminal seeks as {@link seeks} does. */
const sought = (at, ...more) => [
  ...['--relay', at.url, '--url', at.chain.url, ...BOB, ...more],
  ...['--bins', '6', '--capacity', '4', '--line', '4', '--stake', '1', '--clock', '5+5'],
];

/** Seeks anybody in the lobby who plays for a stake. */
const seeks = async (page, side = 'random') => {
  await page.check('#new-game [name=way][value=anyone]', { force: true });
  await page.selectOption('#by-terms [name=pool]', '0');
  await page.selectOption('#by-terms [name=side]', side);
  await page.selectOption('#new-game [name=board]', '6x4x4');
  await page.fill('#bet input', '1');
  assert.equal(await page.inputValue('#by-terms [name=time]'), '300,5');
  await page.press('#start:enabled', 'Enter');
};

/** Both pay, whoever of them is asked first. */
const paidByBoth = async (...players) => {
  await Promise.all(players.map((player) => pays(player)));
  for (const { page } of players) await says(page, '#status', BEGUN);
};

/** Leads a page that shows something else to the game for whose offer somebody has paid, where the wallet is asked again. */
const led = async (player) => {
  const { page } = player;
  await asked(player);
  await page.keyboard.press('Escape');
  await says(page, '#seek-text', /Your opponent is here/);
  await page.click('#seek-open');
  await page.click('#stake-now:enabled');
};

test('two pages that seek the same stake in the lobby play each other, whichever colours they would take', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { red, blue } = both;
  for (const sides of [
    ['random', 'random'],
    ['first', 'second'],
    ['second', 'random'],
  ]) {
    await seeks(red.page, sides[0]);
    await seeks(blue.page, sides[1]);
    await paidByBoth(red, blue);
    assert.equal(red.page.url(), blue.page.url());
    await red.page.click('#resign');
    await red.page.click('#resign-yes');
    await says(blue.page, '#terms-note', /owes you/);
    await blue.page.click('#stake-withdraw:enabled');
    await blue.page.waitForSelector('#stake-withdraw', { state: 'hidden' });
    for (const { page } of [red, blue]) {
      assert.deepEqual(page.complaints, []);
      await page.goto(at.url);
      await page.waitForSelector('#start:enabled:visible');
    }
  }
});

test('an offer for a stake is listed with it, and shown whole before it is taken', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { red, blue } = both;
  const visitor = await guest(t, at.url);
  await seeks(red.page, 'first');
  for (const page of [visitor, blue.page]) {
    await says(page, '#seeks li', /6 × 4.*you move second · for 1 DOT each/);
  }
  await pictures(blue.page, 'listed');
  // Who has no wallet is told so.
  await visitor.click('#seeks button');
  await says(visitor, '#invitation-text', /wallet/);
  await blue.page.click('#seeks button');
  await says(blue.page, '#invitation-title', /A game for a stake/);
  await says(blue.page, '#invitation-text', /6 × 4.*you move second.*You pay first/);
  await says(blue.page, '#invitation-facts', /Stake1 DOT of each playerOpponent0x.*Contract0x/);
  await pictures(blue.page, 'chosen');
  assert.equal(blue.wallet.signed.length, 0);
  await blue.page.click('#invitation-play:visible');
  await asked(blue);
  await says(red.page, '#seek-text', /Your offer is taken.*pays first/);
  await pictures(red.page, 'taken');
  // Who is loaded again meanwhile sees the payment all the same.
  await red.page.reload();
  await red.page.waitForSelector('#start:enabled:visible');
  await pays(blue);
  await led(red);
  await pays(red);
  for (const { page } of [red, blue]) await says(page, '#status', BEGUN);
  await played(red.page, blue.page, [0, 1]);
  for (const { page } of [red, blue]) assert.deepEqual(page.complaints, []);
});

for (const first of ['page', 'program']) {
  test(`a page and a program that seek the same stake play each other, where the ${first} comes first`, async (t) => {
    const at = await world(t);
    const { red } = await players(t, at);
    if (first === 'page') {
      await seeks(red.page);
      await says(red.page, '#seek-text', /Waiting for an opponent/);
    }
    const terminal = seek(t, ...sought(at));
    if (first === 'program') {
      await says(red.page, '#seeks li', /for 1 DOT each/);
      await seeks(red.page);
    }
    await paidByBoth(red);
    await terminal;
  });
}

test('an opponent who moves by transactions is answered by transactions, each agreed to and signed by the wallet', async (t) => {
  const at = await world(t);
  const { red: blue } = await players(t, at);
  const { page } = blue;
  const terminal = await seeking(t, /^0 wait and 0 play here/, sought(at, '--turn', 'first'));
  const begun = terminal.says(/^add shape: 1, player: red$/);
  await seeks(page, 'second');
  await paidByBoth(blue);
  await begun;
  for (const turn of [0, 2]) {
    const answered = terminal.says(new RegExp(`^add shape: ${turn + 3}, player: red$`));
    terminal.types('chain 1');
    await turns(page, turn + 1);
    await says(page, '#terms-note', /Moves are made on the chain by now: your wallet signs each/);
    await page.keyboard.press('Digit2');
    await says(page, '#agreement', /Make a move on the chain.*Movebin 2 from the left/);
    if (turn === 0) {
      await pictures(page, 'on-chain');
      // Who declines has moved nothing, and is asked again.
      await page.keyboard.press('Escape');
      await turns(page, turn + 1);
      await page.click('#stake-now:enabled');
      await says(page, '#agreement', /Movebin 2 from the left/);
    }
    await page.click('#agreement button[value=yes]');
    await turns(page, turn + 2);
    await answered;
  }
  terminal.types('resign');
  await says(page, '#status', /Blue won: red resigned/);
  await paidOut(page);
  // Both bring the resignation, and who is later is told that the game is over.
  const other = page.complaints.filter((complaint) => !/409 \(Conflict\)/.test(complaint));
  assert.deepEqual(other, []);
});

test('a line of seek --offer is answered by a page that pays', async (t) => {
  const at = await world(t);
  const { red } = await players(t, at);
  const terminal = await seeking(t, /^connect4-offer:\w+$/, sought(at, '--offer'));
  await red.page.fill('#import [name=moves]', terminal.match[0]);
  await red.page.press('#import [name=moves]', 'Enter');
  await says(red.page, '#invitation-facts', /Stake1 DOT of each player/);
  await red.page.click('#invitation-play:visible');
  await says(red.page, '#invitation-text', /not in the lobby.*pay without waiting/);
  await pictures(red.page, 'unasked');
  await red.page.click('#invitation-pay:visible');
  const begun = terminal.says(PLAYS);
  await paidByBoth(red);
  await begun;
});

for (const isClosed of [false, true]) {
  const when = isClosed ? 'while the page is closed' : 'while the page is open';
  test(`a link of a page is taken by a payment alone, ${when}`, async (t) => {
    const at = await world(t);
    const both = await players(t, at);
    const { red } = both;
    const link = await offered(both);
    if (isClosed) {
      // As in a new tab, which knows nothing of what this one has offered.
      await red.page.evaluate(() => sessionStorage.clear());
      await red.page.goto('about:blank');
    }
    const terms = ['--url', at.chain.url, ...BOB, '--take', link, '--stake', '1'];
    const terminal = await seeking(t, /paid the stake of 1 DOT/, terms);
    if (isClosed) {
      await red.page.goto(at.url);
      await led(red);
    }
    const begun = terminal.says(PLAYS);
    await paidByBoth(red);
    await begun;
  });
}
