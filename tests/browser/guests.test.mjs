// Guests of public hosts: their account, links by which friends join, and accounts of wallets that play as they do.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { faults, faultsInBoth } from './axe.mjs';
import { closeBrowser, folder, host, picture, relay, says, visitor } from './harness.mjs';
import { connect, ethereum, substrate, world } from './hosted.mjs';
import { KEPT } from './version-0.2.mjs';

after(closeBrowser);

const WORDS = 'test test test test test test test test test test test junk';
const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** Opens the sheet of accounts. */
const accounts = async (page) => {
  await page.click('#wallet-open');
  await page.waitForSelector('#restore');
};

/** Restores a guest in the sheet of accounts. */
const restore = async (page, words) => {
  await page.click('#restore summary');
  await page.fill('#restore-words', words);
  await page.press('#restore button', 'Enter');
};

/** Opens the form for a friend. */
const friend = async (page, url) => {
  await page.goto(url);
  await page.waitForSelector('body[data-state=lobby] #start:visible');
  // By no place on the screen: lists above the form can grow meanwhile.
  await page.locator('#new-game [name=way][value=friend]').evaluate((way) => way.click());
};

/** Makes a link for a friend. */
const invite = async (page, url) => {
  await friend(page, url);
  await page.click('#start');
  await says(page, '#invitation-text', /Send the link/);
  return page.inputValue('#invitation-link');
};

/** Opens a friend's link, and agrees to the game. */
const join = async (page, link) => {
  await page.goto(link);
  await page.click('#invitation-play:visible');
};

test('a guest is restored, shown and forgotten', async (t) => {
  const at = await world(t);
  const page = await visitor(t, { bypassCSP: true });
  await page.goto(at.url);
  await page.waitForSelector('#start:visible');
  await accounts(page);
  assert.ok(await page.isHidden('#guest'));
  await restore(page, 'test test');
  await says(page, '#restore-wrong', /^A phrase has 12 words/);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'restore-words');
  assert.deepEqual(await faultsInBoth(page), [], 'a phrase that is none');
  await page.fill('#restore-words', WORDS);
  await page.press('#restore button', 'Enter');
  await says(page, '#wallet-open', /^Guest · Tonight Error$/);

  // By keyboard: to the phrase and back, then the question whether to forget it.
  await page.press('#phrase-open', 'Enter');
  const words = await page.locator('.words li').allTextContents();
  assert.equal(words.join(' '), WORDS);
  assert.deepEqual(await faultsInBoth(page), [], 'the phrase');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'phrase-open');
  assert.equal(await page.locator('.words').count(), 0);
  await page.press('#forget-open', 'Enter');
  await says(page, '#guest [role=alert]', /nobody can play as this guest again/);
  assert.deepEqual(await faultsInBoth(page), [], 'before it is forgotten');
  await page.keyboard.press('Enter');
  assert.ok(await page.isVisible('#forget-open'), 'it is kept by default');

  await page.click('#guest .profile');
  await page.waitForURL(`**/player/${ADDRESS}`);
  await page.reload();
  await says(page, '#wallet-open', /^Guest · Tonight Error$/);
  await accounts(page);
  await page.click('#forget-open');
  await page.click('#guest .danger');
  await page.waitForSelector('#guest', { state: 'hidden' });
  await says(page, '#wallet-open', /^Connect/);
  assert.deepEqual(page.complaints, []);
});

test('a page of version 0.2 is followed by this one: the guest stays, and an open game is saved as text', async (t) => {
  const at = await world(t);
  const page = await visitor(t, { bypassCSP: true });
  await page.goto(`${at.url}/sw.js`);
  await page.evaluate(async ({ localStorage: texts, sessions }) => {
    for (const [name, text] of Object.entries(texts)) localStorage.setItem(name, text);
    const opening = indexedDB.open('connect4-fast', 1);
    opening.onupgradeneeded = () => {
      const store = opening.result.createObjectStore('sessions', { keyPath: 'key' });
      for (const row of sessions) store.put(row);
    };
    await new Promise((resolve) => {
      opening.onsuccess = resolve;
    });
    opening.result.close();
  }, KEPT);
  await page.goto(at.url);
  const save = page.locator('#going-on button');
  await says(
    page,
    '#going-on button',
    /^Save the game of an earlier version against guest 0x\w+…\w+, 5 moves$/,
  );
  await page.locator('#going-on').scrollIntoViewIfNeeded();
  await picture(page, 'earlier-version');
  await accounts(page);
  await page.click('#phrase-open');
  const words = await page.locator('.words li').allTextContents();
  assert.equal(words.join(' '), KEPT.sessions[0].phrase);
  await page.keyboard.press('Escape');

  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const text = await readFile(await download.path(), 'utf8');
  assert.match(text, /^\[Connect4 "1"\]\n\[Game "0x1f78fea6.*\n\n4 1 4 1 5 \*\n$/s);
  await says(page, '#records li', /Not checked/);
  assert.deepEqual(await faultsInBoth(page), [], 'the game of an earlier version');
  await page.click('#records li button');
  await page.waitForSelector('#board[data-turns="5"]');
  await page.goto(at.url);
  await page.waitForSelector('#start:enabled:visible');
  assert.ok(await page.isHidden('#going-on'), 'it was saved');

  // What the chain's contract was stays known: the player has to say that this is another one.
  await page.getByRole('button', { name: 'Use it all the same' }).click();
  // The guest plays on with the same account.
  const other = await visitor(t, { bypassCSP: true });
  await other.goto(at.url);
  for (const guest of [page, other]) await guest.click('#start:enabled:visible');
  for (const guest of [page, other]) await guest.waitForURL('**/game/0x*');
  const { account } = KEPT.sessions[0];
  await other.waitForSelector(`[href="/player/${account}"]`);
  for (const guest of [page, other]) assert.deepEqual(guest.complaints, []);
});

test('a friend pastes the offer of a link as text', async (t) => {
  const at = await world(t);
  const [red, blue] = await Promise.all([1, 2].map(() => visitor(t, { bypassCSP: true })));
  const link = await invite(red, at.url);
  const line = `connect4-offer:${link.split('#offer=')[1]}`;
  await blue.goto(at.url);
  const field = blue.locator('#import [name=moves]');
  await field.fill(line.slice(0, -1));
  await field.press('Enter');
  await says(blue, '#import-error', /This is no whole offer/);
  await field.fill(line);
  await field.press('Enter');
  await blue.click('#invitation-play:visible');
  for (const page of [red, blue]) await page.waitForURL('**/game/0x*');
  for (const page of [red, blue]) assert.deepEqual(page.complaints, []);
});

test('a friend joins by a link, a third is told that it is taken', async (t) => {
  const at = await world(t);
  const options = { bypassCSP: true };
  const [red, blue, third] = await Promise.all([1, 2, 3].map(() => visitor(t, options)));
  const link = await invite(red, at.url);
  assert.match(link, /\/#offer=[0-9a-f]+$/);
  await red.waitForSelector('#invitation-code svg');
  assert.deepEqual(await faultsInBoth(red), [], 'the link');
  // The invitation stands over a reload.
  await red.reload();
  await says(red, '#invitation-text', /Send the link/);
  assert.equal(await red.inputValue('#invitation-link'), link);
  const tab = await red.context().newPage();
  await tab.goto(link);
  await says(tab, '#invitation-text', /This is your own link/);
  await tab.close();
  await join(blue, link);
  for (const page of [red, blue]) await page.waitForURL('**/game/0x*');
  assert.ok(!blue.url().includes('offer='));
  await join(third, link);
  await says(third, '#invitation-text', /was used already/);
  assert.deepEqual(await faultsInBoth(third), [], 'a link that was used');
  await third.click('#invitation-stop');
  await third.waitForSelector('#invitation', { state: 'detached' });
  assert.ok(!third.url().includes('offer='));
  for (const page of [red, blue, third]) assert.deepEqual(page.complaints, []);
});

/** A game of two guests, who have met by a link. */
const together = async (at, red, blue) => {
  await join(blue, await invite(red, at.url));
  for (const page of [red, blue]) {
    await page.waitForURL('**/game/0x*');
    await page.waitForSelector('#board[data-turns="0"]');
  }
};

/** Looks at what a page shows on a phone in light, and on a wide screen in dark. */
const looked = async (page, name, part = null) => {
  for (const [colorScheme, width] of [
    ['light', 360],
    ['dark', 1200],
  ]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    if (part) await page.locator(part).scrollIntoViewIfNeeded();
    assert.deepEqual(await faults(page), [], `${name}, in ${colorScheme}`);
    await picture(page, `${name}-${colorScheme}`);
  }
};

test('the phrase is offered once after a guest’s first game', async (t) => {
  const at = await world(t);
  const [red, blue] = [await visitor(t, { bypassCSP: true }), await visitor(t)];
  await together(at, red, blue);
  assert.equal(await red.locator('#offer').count(), 0);
  await red.click('#resign:visible');
  await red.click('#resign-yes');
  await says(red, '#offer', /this browser alone.*may delete the guest.*Write the phrase down/s);
  await looked(red, 'guest-offer', '#offer');
  await red.click('#offer button:has-text("Show the phrase")');
  assert.equal(await red.locator('#offer .words li').count(), 12);
  await looked(red, 'guest-offer-words', '#offer');
  await red.click('#offer button:has-text("Done")');
  assert.equal(await red.locator('#offer').count(), 0);
  // The other one has not answered, and is not asked again.
  await says(blue, '#offer', /12 words/);
  // Two who want a rematch at the same time play one.
  await Promise.all([red, blue].map((page) => page.click('#next:enabled')));
  for (const page of [red, blue]) await page.waitForSelector('#resign:visible');
  await blue.waitForSelector('#offer', { state: 'detached' });
  await red.click('#resign:visible');
  await red.click('#resign-yes');
  for (const page of [red, blue]) {
    await says(page, '#status', /Aborted: nobody won/);
    await says(page, '#terms', /The game ended before both had moved/);
    assert.equal(await page.locator('#offer').count(), 0);
  }
});

test('several guests of a browser are listed, switched between and forgotten', async (t) => {
  const at = await world(t);
  const page = await visitor(t, { bypassCSP: true });
  // A guest whom the page makes.
  await invite(page, at.url);
  await page.click('#invitation-stop');
  await accounts(page);
  const made = await page.getAttribute('#guest .profile', 'title');
  await says(page, '#guest', /may delete the guest/);
  await restore(page, WORDS);
  await says(page, '#restore-wrong', /was never shown/);
  await looked(page, 'guest-restore');
  await page.press('#restore button', 'Enter');
  await says(page, '#wallet-open', /^Guest · Tonight Error$/);
  assert.equal(await page.getAttribute('.guests .profile', 'title'), made);
  await looked(page, 'guests');
  // Its phrase is there, and it plays again.
  await page.click('.guests button:has-text("Show its phrase")');
  assert.equal(await page.locator('.guests .words li').count(), 12);
  await page.click('.guests button:has-text("Hide")');
  await page.click('.guests button:has-text("Play as it")');
  await page.waitForSelector(`#wallet-open[title="${made}"]`);
  assert.equal(await page.getAttribute('.guests .profile', 'title'), ADDRESS);
  await page.click('.guests button:has-text("Forget it …")');
  await page.click('.guests .danger');
  await page.waitForSelector('.guests', { state: 'detached' });
  assert.equal(await page.getAttribute('#guest .profile', 'title'), made);
  assert.deepEqual(page.complaints, []);
});

test('a link works at another host with the same relay, also before the friend is there', async (t) => {
  const at = await world(t);
  const log = ['--witness-log', path.join(await folder(t), 'witness')];
  const meets = await relay(t, '--url', at.chain.url, ...log);
  const [one, other] = await Promise.all(
    [1, 2].map(() => host(t, '--url', at.chain.url, '--relay', meets.url)),
  );
  const [red, blue] = await Promise.all([visitor(t), visitor(t)]);
  const link = await invite(red, one.url);
  await red.goto('about:blank');
  // A guest of another device, who plays by a key of this one.
  await blue.goto(other.url);
  await blue.waitForSelector('#start:visible');
  await accounts(blue);
  await restore(blue, WORDS);
  await says(blue, '#wallet-open', /^Guest · Tonight Error$/);
  await blue.keyboard.press('Escape');
  await join(blue, link.replace(one.url, other.url));
  await says(blue, '#invitation-text', /not open at the moment/);
  await red.goBack();
  for (const page of [red, blue]) {
    await page.waitForURL('**/game/0x*');
    await says(page, '#players', /Tonight Error/);
  }
  // Visitors of both hosts see the game, which is at neither of them.
  const pathname = new URL(red.url()).pathname;
  for (const { url } of [one, other]) {
    const third = await visitor(t);
    await third.goto(url + pathname);
    await says(third, '#note', /You watch this game/);
    await says(third, '#players', /Tonight Error/);
  }
});

test('wallets of both kinds name a key once, and play by the lobby as guests do', async (t) => {
  const at = await world(t);
  const red = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  const blue = await substrate(t, at, '//Blue//one');
  for (const { page } of [red, blue]) await connect(page, at.url);
  for (const round of [1, 2]) {
    const link = await invite(red.page, at.url);
    await join(blue.page, link);
    for (const { page } of [red, blue]) await page.waitForURL('**/game/0x*');
    for (const { wallet } of [red, blue]) assert.equal(wallet.named.length, 1, `game ${round}`);
  }
});
