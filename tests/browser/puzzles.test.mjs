// Puzzles, one's own mistakes and openings: the page itself judges and replies.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { faultsInBoth } from './axe.mjs';
import { closeBrowser, picture, pictureInBoth, says, serve, text, visitor } from './harness.mjs';

after(closeBrowser);

/** Opens an address of the puzzles, until a position is there to play. */
const open = async (page, { url }, query = '') => {
  await page.goto(`${url}/puzzles${query}`);
  await page.waitForSelector('#page-puzzles[data-phase=play], #page-puzzles[data-phase=walk]');
};

/** The right bin, from 1, by two hints. */
const hinted = async (page) => {
  await page.keyboard.press('h');
  await says(page, '.puzzle-note', /It is bin \d( or \d)?\./);
  await page.keyboard.press('h');
  await says(page, '.puzzle-note', /It is bin \d\.$/);
  return Number(/bin (\d)/.exec(await text(page, '.puzzle-note'))[1]);
};

/** Plays by hints until it is solved. */
const solve = async (page) => {
  for (;;) {
    await page.keyboard.press(`Digit${await hinted(page)}`);
    await page.waitForSelector('#page-puzzles:is([data-phase=solved], [data-phase=play])');
    await page.waitForFunction(() => {
      const note = document.querySelector('.puzzle-note')?.textContent ?? '';
      const { phase } = document.querySelector('#page-puzzles')?.dataset ?? {};
      return phase === 'solved' || (phase === 'play' && note.startsWith('Right'));
    });
    if (await page.isVisible('#page-puzzles[data-phase=solved]')) return;
  }
};

test('a puzzle is solved with the keyboard, a wrong bin is refuted, and the streak is kept', async (t) => {
  const server = await serve(t);
  const page = await visitor(t, { viewport: { width: 1200, height: 800 } });
  // The puzzle of another day may have a full bin 4.
  await page.clock.setFixedTime('2026-11-26T12:00:00Z');
  await open(page, server);
  assert.match(await text(page, '.puzzle-status'), /moves and/);
  assert.equal(await hinted(page), 2);
  await picture(page, 'puzzle-1200');
  await page.keyboard.press('Digit4');
  await page.waitForSelector('#page-puzzles[data-phase=wrong]');
  await says(page, '.puzzle-note', /^Bin \d (loses|is only a draw)/);
  await picture(page, 'puzzle-wrong-1200');
  // The button has the focus.
  await page.keyboard.press('Enter');
  await page.waitForSelector('#page-puzzles[data-phase=play]');
  await solve(page);
  assert.equal(await text(page, '.puzzle-status'), 'Solved');
  assert.equal(await text(page, '.streak'), 'Streak: 1 day. Longest: 1 day.');
  await picture(page, 'puzzle-solved-1200');
  await page.keyboard.press('Enter');
  await says(page, '.puzzle-note', /grade \d/);
  await page.waitForSelector('#page-puzzles[data-phase=play]');
  assert.match(page.url(), /\?grade=\d$/);
  await page.click('.puzzle-links a[href="/puzzles"]');
  await says(page, '.puzzle-links a[aria-current]', /Puzzle of the day/);
  await page.reload();
  await page.waitForSelector('#page-puzzles[data-phase=play]');
  assert.match(await text(page, '.puzzle-links a[aria-current]'), /solved$/);
  await page.click('.puzzle-links a[href="/puzzles?grade=1"]');
  await says(page, '.puzzle-note', /grade 1/);
});

test('mistakes of a game are played again until found', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  // Blue lets red have four in the lowest row.
  await open(page, server, '?game=4455662');
  assert.match(await text(page, '.puzzle-note'), /^Move \d of this game/);
  await page.keyboard.press(`Digit${await hinted(page)}`);
  await says(page, '.puzzle-note', /^Right; the reply is bin \d/);
  await open(page, server, '?openings=');
  await page.waitForSelector('.answer');
  assert.match(await text(page, '.answer[data-best=true]'), /Bin 4/);
  await page.click('.answer[data-best=true]');
  await says(page, '.puzzle-status', /Moves 4/);
  await page.keyboard.press('Backspace');
  await says(page, '.puzzle-status', /Openings/);
  await page.click('.answer');
  await says(page, '.puzzle-status', /Moves 1/);
  await page.click('.puzzle-links a[href="/puzzles?openings="]');
  await says(page, '.puzzle-status', /Openings/);
  await page.goto(`${server.url}/puzzles?mistakes`);
  await says(page, '.puzzle-status', /No mistakes found/);
});

test('puzzles are accessible and fit a phone, in light and in dark', async (t) => {
  const server = await serve(t);
  const viewport = { width: 360, height: 740 };
  const page = await visitor(t, { bypassCSP: true, viewport });
  await open(page, server, '?grade=2');
  assert.deepEqual(await faultsInBoth(page), []);
  await pictureInBoth(page, 'puzzle-360');
  await open(page, server, '?openings=44');
  await page.waitForSelector('.answer');
  assert.deepEqual(await faultsInBoth(page), [], 'openings');
  await pictureInBoth(page, 'openings-360');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= viewport.width, `${wide} pixels`);
  await page.setViewportSize({ width: 1200, height: 800 });
  await pictureInBoth(page, 'openings-1200');
});
