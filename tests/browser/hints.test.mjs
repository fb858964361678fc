// Hints and the evaluation: in games against the computer and of lines, not while two people play.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { faults } from './axe.mjs';
import {
  CLASSROOM,
  closeBrowser,
  picture,
  play,
  says,
  serve,
  startGame,
  still,
  text,
  turns,
  visitor,
} from './harness.mjs';

after(closeBrowser);

/** The marks above the bins, as they are read out. */
const marks = (page) =>
  page.$$eval('.hints li .unseen', (all) => all.map(({ textContent }) => textContent));

/** Waits for marks above the bins. */
const marked = async (page, bins) => {
  await page.waitForFunction(
    (bins) => document.querySelectorAll('.hints li').length === bins,
    bins,
  );
  return marks(page);
};

/** Where the board and what is below it are. */
const places = (page) =>
  page.$$eval('#board, #replay, #status', (all) =>
    all.map((part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      return [x, y, width, height];
    }),
  );

const START = [
  'bin 1: loses in 20',
  'bin 2: loses in 21',
  'bin 3: a draw',
  'bin 4: wins in 21, best',
  'bin 5: a draw',
  'bin 6: loses in 21',
  'bin 7: loses in 20',
];

test('a game against the computer has hints and an evaluation, once they are switched on', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  await startGame(page, server, { way: 'computer', set: { level: 'random' } });
  await page.waitForSelector('#help', { state: 'attached' });
  assert.deepEqual(await marks(page), []);
  assert.equal(await page.isVisible('#evaluation'), false);

  // Nothing gives way to them.
  await still(page);
  const before = await places(page);
  await page.click('#more summary');
  await page.click('#help [data-switch=hints]');
  assert.deepEqual(await marked(page, 7), START);
  assert.equal(await page.getAttribute('#help [data-switch=hints]', 'aria-checked'), 'true');
  await says(page, '#live', /^Best: bin 4, wins in 21\.$/);
  await page.click('#help [data-switch=evaluation]');
  await says(page, '#evaluation .words', /^red wins in 21$/);
  await says(page, '#live', /^Red wins in 21\.$/);
  await page.click('#more summary');
  assert.deepEqual(await places(page), before);
  await picture(page, 'hints');

  // Keys drop discs as before, and the computer's turn has no hints.
  await page.keyboard.press('Digit4');
  await turns(page, 2);
  const now = await marked(page, 7);
  assert.ok(
    now.some((mark) => /^bin \d: wins in \d+, best$/.test(mark)),
    now.join(),
  );
  // An earlier position has its own.
  await page.click('#first');
  await page.waitForFunction(
    (first) => document.querySelector('.hints li .unseen')?.textContent === first,
    START[0],
  );
  assert.deepEqual(await marks(page), START);
  await says(page, '#evaluation .words', /^red wins in 21$/);
  await page.click('#last');

  // Both stay on in this browser, and their keys switch them off.
  await page.reload();
  await marked(page, 7);
  await says(page, '#evaluation .words', /^red wins/);
  await page.keyboard.press('h');
  await page.waitForSelector('.hints', { state: 'detached' });
  await says(page, '#live', /^Hints off\.$/);
  await page.keyboard.press('e');
  await page.waitForSelector('#evaluation', { state: 'hidden' });
  await page.keyboard.press('h');
  await marked(page, 7);
  assert.deepEqual(page.complaints, []);
});

test('two people who play have no hints until the game is over', async (t) => {
  const page = await visitor(t);
  const asked = [];
  page.on('request', (request) => {
    if (/hint/.test(request.url())) asked.push(request.url());
  });
  await startGame(page, await serve(t), { board: CLASSROOM });
  await page.click('#more summary');
  await page.keyboard.press('h');
  await page.keyboard.press('e');
  await play(page, [5, 0, 4, 0, 3, 0]);
  assert.equal(await page.$('#help'), null);
  assert.deepEqual(asked, [], 'not even the code is loaded');

  await play(page, [2]);
  await says(page, '#status', /red wins/i);
  await page.waitForSelector('#help:visible');
  await page.keyboard.press('e');
  await says(page, '#evaluation .words', /^red has won$/);
  await page.keyboard.press('h');
  await page.click('#back');
  // Red completes its line at either end of it, or at the only one.
  const [best] = (await marked(page, 6)).filter((mark) => mark.endsWith('best'));
  assert.equal(best, 'bin 3: wins, best');
  await says(page, '#evaluation .words', /^red wins$/);
  const complaints = page.complaints.filter((text) => !text.includes('409'));
  assert.deepEqual(complaints, []);
});

for (const colorScheme of ['light', 'dark']) {
  test(`a line has them on a narrow screen too, and by keyboard, in ${colorScheme}`, async (t) => {
    const server = await serve(t);
    const phone = await visitor(t, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      colorScheme,
      bypassCSP: true,
    });
    await phone.goto(`${server.url}/line?bins=7&capacity=6&line=4&moves=44444`);
    await turns(phone, 5);
    await phone.waitForSelector('#more:visible');
    assert.equal(await phone.isVisible('#place'), false);
    await still(phone);
    const before = await places(phone);
    await phone.keyboard.press('h');
    await phone.keyboard.press('e');
    await marked(phone, 7);
    await says(phone, '#evaluation .words', /^(red|blue) wins in \d+$|^a draw$/);
    assert.deepEqual(await places(phone), before);
    const overflow = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels wider than a narrow screen`);
    const wide = await phone.$$eval('.pill', (all) =>
      all
        .filter((pill) => pill.offsetWidth > pill.parentElement.offsetWidth)
        .map((pill) => pill.textContent),
    );
    assert.deepEqual(wide, [], 'no mark is wider than its bin');
    await picture(phone, `hints-narrow-${colorScheme}`);
    // The switches are buttons, which leave the digits to the board.
    await phone.focus('#more summary');
    await phone.keyboard.press('Enter');
    await phone.keyboard.press('Tab');
    const focused = () => phone.evaluate(() => document.activeElement?.dataset.switch);
    assert.equal(await focused(), 'hints');
    await phone.keyboard.press('Space');
    await phone.waitForSelector('.hints', { state: 'detached' });
    await phone.keyboard.press('Enter');
    await marked(phone, 7);
    await phone.click('#keys summary');
    assert.match(await text(phone, '#keys'), /H\s*hints on and off\s*E\s*evaluation on and off/);
    assert.deepEqual(await faults(phone), []);
    assert.deepEqual(phone.complaints, []);
  });
}
