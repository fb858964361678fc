// Games by signed terms: visitors without a wallet find each other in the lobby of the host's relay, and play.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { faults } from './axe.mjs';
import { closeBrowser, drop, INSECURE, picture, says, seek, visitor } from './harness.mjs';
import { guest, played, seated, world } from './hosted.mjs';

after(closeBrowser);

test('two visitors with nothing press Play, and play to the end', async (t) => {
  const { url } = await world(t);
  const pages = [await guest(t, url), await guest(t, url)];
  for (const page of pages) await page.click('#start');
  const [red, blue] = await seated(...pages);
  assert.equal(red.url(), blue.url());
  assert.match(red.url(), /\/game\/0x[0-9a-f]{64}$/);
  await says(
    red,
    '#terms-text',
    /^Clock 3 min \+ 2 s · pool standard\..*Each first move has 30 seconds/,
  );
  assert.ok(await red.isHidden('#checked'), 'no node can check it');
  // Blue says which disc follows the first one, after having taken another one back.
  await blue.keyboard.press('Digit7');
  await says(blue, '#note', /Bin 7 follows your opponent’s move/);
  await blue.keyboard.press('Escape');
  await says(blue, '#note', /^$/);
  await blue.keyboard.press('Digit1');
  await blue.waitForSelector('.ghost.waits');
  // A board with one disc may be shown for less than a frame.
  await red.keyboard.press('Digit4');
  for (const page of [red, blue]) await page.waitForSelector('#board[data-turns="2"]');
  assert.equal(await blue.textContent('#notation'), '41');
  await played(red, blue, [3], 2);
  // What was signed is in the browser.
  await blue.reload();
  await blue.waitForSelector('#board[data-turns="3"]');
  await says(blue, '#status', /you/);
  await played(red, blue, [0, 3, 0, 3], 3);
  for (const page of [red, blue]) {
    await says(page, '#status', /Red wins!/);
    await says(page, '#terms-text', /The relay has signed this result/);
  }
  // What each move took since the first two, which cost nothing of the clocks.
  await red.click('#review');
  await says(red, '#review-result', /red: .*blue: /);
  const took = await red.locator('#moves .said').allTextContents();
  const isTimed = took.map((text) => /; \d+(\.\d)? s spent here$/.test(text));
  assert.deepEqual(isTimed.slice(0, 6), [false, false, true, true, true, true], took.join('\n'));
  await picture(red, 'by-terms-review');
  const before = red.url();
  await red.keyboard.press('Enter');
  await says(blue, '#note', /wants another game/);
  await blue.keyboard.press('Enter');
  await blue.waitForURL((now) => now.href !== before);
  const [one] = await seated(red, blue);
  assert.equal(one, blue, 'the seats are exchanged');
  const watcher = await visitor(t, { bypassCSP: true });
  await watcher.goto(blue.url());
  await says(watcher, '#note', /You watch this game/);
  await watcher.waitForSelector('#board[data-turns="0"]');
  await drop(blue, 2);
  await watcher.waitForSelector('#board[data-turns="1"]');
  await says(blue, '#terms-text', /1 watches/);
  // Each first move has half a minute, in which a busy machine may open no page.
  await drop(red, 2);
  // Another tab of the player sees the game, and does not play it.
  const tab = await blue.context().newPage();
  await tab.goto(blue.url());
  await tab.waitForSelector('#board[data-turns="2"]');
  await says(tab, '#terms-note', /played in another tab/);
  await blue.close();
  await says(tab, '#terms-note', /^$/);
  await drop(tab, 2);
  await watcher.waitForSelector('#board[data-turns="3"]');
  for (const page of [red, watcher]) assert.deepEqual(page.complaints, []);
});

test('a visitor plays the computer until somebody answers, and goes on where it wants', async (t) => {
  const { url } = await world(t);
  const [waits, answers] = [await guest(t, url), await guest(t, url)];
  await waits.click('#start');
  await waits.click('#seek-company');
  await waits.waitForURL(/\/game\/h1$/);
  await answers.click('#seeks li button');
  await waits.waitForSelector('#seek-open:visible');
  assert.match(waits.url(), /\/game\/h1$/);
  await waits.click('#seek-open');
  const [red, blue] = await seated(waits, answers);
  await played(red, blue, [3, 3]);
});

test('Play and a terminal that seeks play each other, whichever comes first', async (t) => {
  const { url } = await world(t);
  const relay = ['--relay', url, '--pool', 'standard'];
  for (const isFirst of [true, false]) {
    // The terminal wants to begin in one of the two, for which the coin of the page’s own offer is no promise.
    const turn = isFirst ? ['--turn', 'first'] : [];
    const page = await guest(t, url);
    if (isFirst) {
      await page.click('#start');
      await says(page, '#seek-text', /Waiting for an opponent/);
    }
    const plays = seek(t, ...relay, ...turn);
    if (!isFirst) {
      await page.waitForSelector('#seeks li');
      await page.click('#start');
    }
    await page.waitForURL(/\/game\/0x[0-9a-f]{64}$/);
    const colour = await plays;
    if (isFirst) assert.equal(colour, 'red');
    const own = await page.locator('#board[data-turns="0"]').count();
    assert.equal(own, 1);
    assert.deepEqual(page.complaints, []);
  }
});

/** Fills the form by which somebody is played. */
const wishes = async (page, { time = '180,2', pool = '1', side = 'random' }) => {
  await page.selectOption('#by-terms [name=pool]', pool);
  await page.selectOption('#by-terms [name=time]', time);
  await page.selectOption('#by-terms [name=side]', side);
};

for (const colorScheme of ['light', 'dark']) {
  test(`visitors agree on pie rule, clock and pool, and one swaps, in ${colorScheme}`, async (t) => {
    const { url } = await world(t);
    const options = { colorScheme, bypassCSP: true };
    const [one, two] = [await guest(t, url, options), await guest(t, url, options)];
    await wishes(one, { time: '300,5', pool: '2', side: 'first' });
    await says(one, '#time-note', /The relay keeps the clock/);
    assert.deepEqual(await faults(one), [], 'the form');
    for (const width of [360, 1200]) {
      await one.setViewportSize({ width, height: 900 });
      await picture(one, `wish-${colorScheme}-${width}`);
    }
    await one.click('#start');
    await says(
      two,
      '#seeks li',
      /7 × 6 · pie rule · clock 5 min \+ 5 s · pool pie · you move second/,
    );
    // Who wants another game is not paired with this one.
    await two.click('#start');
    await says(two, '#seek-text', /Waiting for an opponent/);
    await two.click('#seek-stop');
    await two.setViewportSize({ width: 360, height: 800 });
    await picture(two, `seeks-${colorScheme}`);
    await two.setViewportSize({ width: 1280, height: 720 });
    await two.click('#seeks li button:enabled');
    const [red, blue] = await seated(one, two);
    assert.equal(red, one, 'the first one wanted to begin');
    await says(red, '#terms-text', /^Pie rule · clock 5 min \+ 5 s · pool pie\./);
    assert.ok(await red.isHidden('#hand'));
    await played(red, blue, [3]);
    await says(blue, '#note', /press S to swap/);
    await blue.waitForSelector('#hand [data-kind=swap]:enabled');
    for (const width of [360, 1200]) {
      await blue.setViewportSize({ width, height: 900 });
      await picture(blue, `swap-${colorScheme}-${width}`);
      const cut = await blue.$$eval('.player .name', (names) =>
        names.flatMap((name) => (name.scrollWidth > name.clientWidth ? name.textContent : [])),
      );
      assert.deepEqual(cut, [], 'names are whole');
    }
    assert.deepEqual(await faults(blue), [], 'before the swap');
    if (colorScheme === 'light') await blue.keyboard.press('s');
    else await blue.click('#hand [data-kind=swap]');
    // Who had blue has the red disc, and the other one moves with blue.
    for (const page of [red, blue]) await page.waitForSelector('#board[data-turns="2"]');
    await says(red, '#status', /Blue to move — .*you/);
    assert.ok(await blue.isHidden('#hand'));
    await blue.reload();
    await says(blue, '#status', /Waiting for/);
    await played(red, blue, [0, 3, 0, 3, 0, 3], 2);
    await says(blue, '#status', /Red wins!/);
    await says(blue, '#note', /You won/);
    await says(red, '#note', /You lost/);
    assert.equal(await blue.textContent('#notation'), '4s141414');
    await blue.click('#review');
    await says(blue, '#review-result li', /red: /);
    await red.keyboard.press('Enter');
    await says(blue, '#note', /wants another game/);
    await blue.keyboard.press('Enter');
    const [first] = await seated(red, blue);
    assert.equal(first, blue, 'the seats are exchanged');
    await says(blue, '#players [data-colour=red] .score', /^1$/);
    for (const page of [red, blue]) assert.deepEqual(page.complaints, []);
  });
}

test('a pool has boards and a pie rule of its own, and its name is shown', async (t) => {
  const { url } = await world(t);
  const [one, two] = [await guest(t, url), await guest(t, url)];
  const boards = () =>
    one.$$eval('#new-game [name=board] option:enabled', (all) => all.map(({ value }) => value));
  assert.deepEqual(await boards(), ['7x6x4'], 'the standard pool is the first one');
  assert.ok(await one.isHidden('#by-terms [name=pie]'));
  await wishes(one, { pool: '0' });
  assert.ok(await one.isVisible('#by-terms [name=pie]'));
  await one.selectOption('#new-game [name=board]', '6x4x4');
  await wishes(one, { pool: '3', side: 'first' });
  assert.deepEqual(await boards(), ['9x7x4', '8x9x4', '9x9x4']);
  assert.equal(await one.inputValue('#new-game [name=board]'), '9x7x4');
  assert.ok(await one.isHidden('#by-terms [name=pie]'));
  await one.selectOption('#new-game [name=board]', '8x9x4');
  await one.click('#start');
  await says(
    two,
    '#seeks li',
    /8 × 9 · pie rule · clock 3 min \+ 2 s · pool large · you move second/,
  );
  await two.click('#seeks li button:enabled');
  const [red, blue] = await seated(one, two);
  assert.equal(red, one);
  await says(blue, '#terms-text', /^Pie rule · clock 3 min \+ 2 s · pool large\./);
  await played(red, blue, [7]);
  await blue.waitForSelector('#hand [data-kind=swap]:enabled');
  // In the computer's games all boards are there again.
  const other = await guest(t, url);
  await other.check('#new-game [name=way][value=computer]', { force: true });
  assert.ok(await other.isEnabled('#new-game [name=board] option[value="6x4x4"]'));
});

test('a friend is invited to a game without a clock, in which chance says who begins', async (t) => {
  const { url } = await world(t);
  const [one, two] = [await guest(t, url), await visitor(t)];
  await one.check('#new-game [name=way][value=friend]', { force: true });
  assert.ok(await one.isHidden('#friend-seat'));
  await wishes(one, { pool: '2', time: '' });
  await says(one, '#time-note', /Nothing makes your opponent move.*unrated/);
  await one.click('#start');
  await says(one, '#invitation-text', /Send the link/);
  await two.goto(await one.inputValue('#invitation-link'));
  const [red, blue] = await seated(one, two);
  await says(red, '#terms-text', /^Pie rule · no clock, unrated\./);
  await played(red, blue, [3]);
  await blue.click('#hand [data-kind=swap]');
  await says(red, '#status', /Blue to move — .*you/);
});

test('a friend agrees to a clock before the game begins', async (t) => {
  const { url } = await world(t);
  const [one, two] = [await guest(t, url), await visitor(t, { bypassCSP: true })];
  await one.check('#new-game [name=way][value=friend]', { force: true });
  await wishes(one, { time: '300,5', side: 'second' });
  await one.click('#start');
  await says(one, '#invitation-text', /Send the link/);
  await two.goto(await one.inputValue('#invitation-link'));
  await says(
    two,
    '#invitation-text',
    /wants to play 7 × 6 · clock 5 min \+ 5 s · pool standard, you begin/,
  );
  assert.deepEqual(await faults(two), [], 'before it is agreed to');
  await two.setViewportSize({ width: 360, height: 800 });
  await picture(two, 'invited-360');
  // The friend's page is loaded again: the same question about the new seek.
  await one.reload();
  await says(one, '#invitation-text', /Send the link/);
  await two.click('#invitation-play:visible');
  const [red] = await seated(one, two);
  assert.equal(red, two);
  await says(two, '#terms-text', /^Clock 5 min \+ 5 s · pool standard\./);
});

test('a class plays where the page does not come by https', async (t) => {
  const { port } = await world(t);
  const insecure = `http://${INSECURE}:${port}`;
  const pages = [await guest(t, insecure), await guest(t, insecure)];
  await says(pages[0], '#insecure', /did not come by https/);
  for (const page of pages) await page.click('#start');
  const [red, blue] = await seated(...pages);
  await played(red, blue, [3, 0, 3]);
  // The seat is kept in the browser, and held by the tab that moves.
  await blue.reload();
  await blue.waitForSelector('#board[data-turns="3"]');
  const other = await blue.context().newPage();
  await other.goto(blue.url());
  await other.waitForSelector('#board[data-turns="3"]');
  await played(red, blue, [0, 3, 0, 3], 3);
  for (const page of [red, blue, other]) await says(page, '#status', /Red wins!/);
  await says(other, '#terms-note', /^$/);
});
