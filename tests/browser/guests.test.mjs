// Guests of public hosts: their account.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { faults } from './axe.mjs';
import { closeBrowser, says, visitor } from './harness.mjs';
import { world } from './hosted.mjs';

after(closeBrowser);

const WORDS = 'test test test test test test test test test test test junk';
const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** What the browser complains of, but for sockets that a page has left before they were open. */
const faulty = ({ complaints }) =>
  complaints.filter((one) => !/WebSocket is closed before the connection/.test(one));

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

for (const colorScheme of ['light', 'dark']) {
  test(`a guest is restored, shown and forgotten, in ${colorScheme}`, async (t) => {
    const at = await world(t);
    const page = await visitor(t, { colorScheme, bypassCSP: true });
    await page.goto(at.url);
    await page.waitForSelector('#start:visible');
    await accounts(page);
    assert.ok(await page.isHidden('#guest'));
    await restore(page, 'test test');
    await says(page, '#restore-wrong', /^A phrase has 12 words/);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'restore-words');
    assert.deepEqual(await faults(page), [], 'a phrase that is none');
    await page.fill('#restore-words', WORDS);
    await page.press('#restore button', 'Enter');
    await says(page, '#wallet-open', /^Guest · 0xf39f…2266$/);

    // By keyboard: to the phrase and back, then the question whether to forget it.
    await page.press('#phrase-open', 'Enter');
    const words = await page.locator('.words li').allTextContents();
    assert.equal(words.join(' '), WORDS);
    assert.deepEqual(await faults(page), [], 'the phrase');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'phrase-open');
    assert.equal(await page.locator('.words').count(), 0);
    await page.press('#forget-open', 'Enter');
    await says(page, '#guest [role=alert]', /nobody can play as this guest again/);
    assert.deepEqual(await faults(page), [], 'before it is forgotten');
    await page.keyboard.press('Enter');
    assert.ok(await page.isVisible('#forget-open'), 'it is kept by default');

    await page.click('#guest .profile');
    await page.waitForURL(`**/player/${ADDRESS}`);
    await page.reload();
    await says(page, '#wallet-open', /^Guest · 0xf39f…2266$/);
    await accounts(page);
    await page.click('#forget-open');
    await page.click('#guest .danger');
    await page.waitForSelector('#guest', { state: 'hidden' });
    await says(page, '#wallet-open', /^Connect/);
    assert.deepEqual(faulty(page), []);
  });
}
