// Accessibility of every screen, in light and dark, by axe's rules for WCAG 2.1 A and AA.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { faultsInBoth } from './axe.mjs';
import {
  closeBrowser,
  lobby,
  make,
  play,
  says,
  serve,
  startGame,
  startVariant,
  visitor,
} from './harness.mjs';

after(closeBrowser);

test('every screen is accessible, in light and in dark', async (t) => {
  const server = await serve(t);
  // The page itself lets no other script in.
  const page = await visitor(t, { bypassCSP: true });
  await lobby(page, server);
  for (const way of ['screen', 'computer', 'friend']) {
    await page.check(`#new-game input[name=way][value=${way}]`, { force: true });
    assert.deepEqual(await faultsInBoth(page), [], way);
  }
  await page.selectOption('#new-game [name=friend]', 'account');
  assert.deepEqual(await faultsInBoth(page), [], 'a friend with an account');
  await startGame(page, server);
  await page.click('#more summary');
  await page.click('#keys summary');
  await play(page, [1, 2, 2, 3, 4, 3, 3, 4, 4, 5]);
  await page.keyboard.press('Digit9');
  await page.waitForSelector('#error:visible');
  assert.deepEqual(await faultsInBoth(page), [], 'a game');
  await play(page, [4]);
  await page.click('#review');
  await says(page, '#review-result', /red/);
  assert.deepEqual(await faultsInBoth(page), [], 'after the end');
  await page.goto(`${server.url}/game/99`);
  await page.waitForSelector('body[data-state=missing]');
  assert.deepEqual(await faultsInBoth(page), [], 'nothing here');
});

test('every screen of variants is accessible, in light and in dark', async (t) => {
  const server = await serve(t);
  const page = await visitor(t, { bypassCSP: true });
  await startVariant(page, server, { seats: ['', '', ''], table: true });
  assert.deepEqual(await faultsInBoth(page), [], 'a table');
  await lobby(page, server);
  await page.waitForSelector('#tables:visible');
  await page.check('#which-game input[value=variant]', { force: true });
  for (const way of ['now', 'table']) {
    await page.check(`#new-variant input[name=way][value=${way}]`, { force: true });
    assert.deepEqual(await faultsInBoth(page), [], way);
  }
  await startVariant(page, server, {
    seats: ['here', 'link', 'here', 'here'],
    powers: { take: 1, clear: 1, float: 1 },
    rules: ['pop_out'],
  });
  await page.click('#more summary');
  await page.check('#more input[value=blue]');
  await page.click('#keys summary');
  for (const move of ['1', '1', '2', '2']) await make(page, move);
  for (const kind of ['take', 'clear', 'float', 'pop']) {
    await page.click(`#hand [data-kind=${kind}]`);
    assert.deepEqual(await faultsInBoth(page), [], kind);
  }
  await page.click('#resign');
  assert.deepEqual(await faultsInBoth(page), [], 'leaving');
  await page.keyboard.press('Escape');
  await page.click('#resign-yes');
  await page.waitForSelector('#players .out');
  assert.deepEqual(await faultsInBoth(page), [], 'somebody has left');
  for (const out of [2, 3]) {
    await page.click('#resign');
    await page.click('#resign-yes');
    await page.waitForSelector(`#players:has(.out:nth-child(${out}))`);
  }
  await says(page, '#status', /wins/);
  assert.deepEqual(await faultsInBoth(page), [], 'after the end');
});
