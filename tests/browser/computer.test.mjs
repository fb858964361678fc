// Games of the page itself: against the computer and between two people at one screen, without a wallet.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { faultsInBoth } from './axe.mjs';
import { closeBrowser, FIREFOX, picture, pictureInBoth, says, visitor } from './harness.mjs';
import { files, world } from './hosted.mjs';

after(closeBrowser);

/** Opens the lobby of a public host. */
const open = async (page, { url }) => {
  await page.goto(url);
  await page.waitForSelector('body[data-state=lobby] #start:enabled:visible');
};

/** Starts a game of the page. */
const start = async (page, { way = 'computer', level, begins = 'me' } = {}) => {
  await page.check(`#new-game [name=way][value=${way}]`, { force: true });
  if (level) await page.selectOption('#new-game [name=level]', level);
  if (way === 'computer') {
    await page.check(`#new-game [name=begins][value=${begins}]`, { force: true });
  }
  await page.click('#start');
  await page.waitForSelector('body[data-state=game] #table svg');
};

/** What the page shows of a game: the moves as text. */
const notation = (page) => page.textContent('#notation');

/** Plays against the computer until the game is over: each time into the first bin that is not full. */
const playOn = async (page) => {
  for (;;) {
    await page.waitForFunction(() =>
      / — you$|wins|draw|Draw/.test(document.querySelector('#status').textContent),
    );
    const text = await page.textContent('#status');
    if (!text.endsWith('— you')) return text;
    const moves = await notation(page);
    const bin = [1, 2, 3, 4, 5, 6, 7].find((bin) => moves.split(String(bin)).length <= 6);
    await page.keyboard.press(`Digit${bin}`);
    await page.waitForFunction(
      (before) => document.querySelector('#notation').textContent !== before,
      moves,
    );
  }
};

test('a game in two tabs is the same in both', async (t) => {
  const served = await world(t);
  const page = await visitor(t);
  await open(page, served);
  await start(page, { way: 'screen' });
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.waitForSelector('#board[data-turns="0"]');
  await page.keyboard.press('Digit4');
  await other.waitForSelector('#board[data-turns="1"]');
  await other.keyboard.press('Digit1');
  await page.waitForSelector('#board[data-turns="2"]');
  assert.equal(await notation(page), '41');
});

test('a visitor plays the computer to the end, and the next game begins by the other', async (t) => {
  const served = await world(t);
  const page = await visitor(t);
  const asked = [];
  await open(page, served);
  await says(page, '#start', /^Play$/);
  page.on('request', (request) => {
    const { protocol, pathname } = new URL(request.url());
    // The source of a worker comes from the page itself.
    if (protocol !== 'blob:') asked.push(pathname);
  });
  await start(page, { level: 'hard' });
  const text = await playOn(page);
  assert.match(text, /wins!|draw/);
  assert.match(page.url(), /\/game\/h1$/);
  assert.deepEqual(
    asked.filter((path) => !path.startsWith('/page/')),
    [],
    'the host is asked for files alone',
  );
  await picture(page, 'computer-over');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/game\/h2$/);
  await page.waitForFunction(() => / — you$/.test(document.querySelector('#status').textContent));
  const score = await page.textContent('#players');
  assert.match(score, /1/);
  assert.deepEqual(page.complaints, []);
});

test('the computer begins, a reload keeps the game, and resigning ends it', async (t) => {
  const served = await world(t);
  const page = await visitor(t);
  await open(page, served);
  await start(page, { level: 'perfect', begins: 'computer' });
  await says(page, '#notation', /^4$/);
  await page.keyboard.press('Digit1');
  await says(page, '#notation', /^41\d$/);
  const before = await notation(page);
  await page.reload();
  await says(page, '#notation', new RegExp(`^${before}$`));
  // The lobby leads back to it.
  await page.click('.brand');
  await page.click('#going-on a');
  await says(page, '#notation', new RegExp(`^${before}$`));
  await page.click('#resign');
  await page.click('#resign-yes');
  await says(page, '#status', /Red won: blue resigned/);
  await page.click('.brand');
  await page.waitForSelector('body[data-state=lobby]');
  assert.equal(await page.isVisible('#going-on'), false);
  assert.deepEqual(page.complaints, []);
});

test('the computer plays in Firefox, too', async (t) => {
  const served = await world(t);
  const page = await visitor(t, FIREFOX);
  await open(page, served);
  await start(page, { level: 'perfect', begins: 'computer' });
  await says(page, '#notation', /^4$/);
  await page.keyboard.press('Digit4');
  await says(page, '#notation', /^44\d$/);
  assert.deepEqual(page.complaints, []);
});

test('two people play at one screen', async (t) => {
  const served = await world(t);
  const page = await visitor(t);
  await open(page, served);
  await start(page, { way: 'screen' });
  for (const [at, bin] of [1, 2, 1, 2, 1, 2, 1].entries()) {
    await says(page, '#status', at % 2 ? /Blue to move/ : /Red to move/);
    await page.keyboard.press(`Digit${bin}`);
  }
  await says(page, '#status', /Red wins!/);
  await page.click('#table svg');
  assert.equal(await notation(page), '1212121');
});

for (const width of [360, 1200]) {
  test(`what the page shows is accessible, at ${width} pixels, in light and in dark`, async (t) => {
    const served = await world(t);
    const viewport = { width, height: 800 };
    const page = await visitor(t, { viewport, bypassCSP: true });
    await open(page, served);
    assert.deepEqual(await faultsInBoth(page), [], 'lobby');
    await pictureInBoth(page, `computer-lobby-${width}`);
    for (const way of ['screen', 'friend', 'computer']) {
      await page.check(`#new-game [name=way][value=${way}]`, { force: true });
      assert.deepEqual(await faultsInBoth(page), [], way);
      if (way !== 'friend') continue;
      await page.selectOption('#new-game [name=friend]', 'account');
      assert.deepEqual(await faultsInBoth(page), [], 'a wallet is needed');
      await pictureInBoth(page, `computer-wallet-${width}`);
    }
    await start(page);
    for (const [at, bin] of [4, 3].entries()) {
      // The status may still be that before the last key.
      await page.waitForFunction(
        (made) =>
          document.querySelector('#notation').textContent.length === made &&
          / — you$/.test(document.querySelector('#status').textContent),
        2 * at,
      );
      await page.keyboard.press(`Digit${bin}`);
    }
    await page.waitForFunction(() => document.querySelector('#notation').textContent.length === 4);
    assert.deepEqual(await faultsInBoth(page), [], 'a game');
    await pictureInBoth(page, `computer-game-${width}`);
    await page.click('.brand');
    await says(page, '#going-on', /Continue against medium, 4 moves/);
    assert.deepEqual(await faultsInBoth(page), [], 'a game that goes on');
    await pictureInBoth(page, `computer-again-${width}`);
  });
}

test('the page is an app that plays without a network, and says so in the lobby', async (t) => {
  const served = await world(t);
  const page = await visitor(t);
  await open(page, served);
  await start(page, { level: 'easy' });
  await page.waitForFunction(() => / — you$/.test(document.querySelector('#status').textContent));
  await page.keyboard.press('Digit4');
  await says(page, '#notation', /^4\d$/);
  // All files are kept.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.context().setOffline(true);
  await page.reload();
  await says(page, '#notation', /^4\d$/);
  await page.keyboard.press('Digit5');
  await says(page, '#notation', /^4\d5\d$/);
  await page.goto(served.url);
  await page.waitForSelector('body[data-state=lobby] #start:enabled:visible');
  await says(page, '#chain', /does not answer/);
  await start(page, { level: 'perfect', begins: 'computer' });
  await says(page, '#notation', /^4$/);
  await page.evaluate(() => window.scrollTo(0, 0));
  await picture(page, 'computer-offline');
  // What the manifest names is there, as an app needs it.
  await page.context().setOffline(false);
  const manifest = await (await page.request.get(`${served.url}/page/app.webmanifest`)).json();
  for (const { src, type } of manifest.icons) {
    const icon = await page.request.get(new URL(src, served.url).href);
    assert.equal(icon.headers()['content-type'], type);
  }
  const session = await page.context().newCDPSession(page);
  const { errors } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  const private_ = ({ errorId }) => errorId === 'in-incognito';
  assert.deepEqual(
    installabilityErrors.filter((error) => !private_(error)),
    [],
  );
});

test('hints, evaluation and review of a game come from the page', async (t) => {
  const served = await world(t);
  const page = await visitor(t);
  await open(page, served);
  await start(page, { way: 'screen' });
  await page.click('#more summary');
  await page.click('#help [data-switch=hints]');
  await page.waitForFunction(() => document.querySelectorAll('.hints li').length === 7);
  const best = await page.$$eval('.hints li[data-best=true]', (all) =>
    all.map(({ title }) => title),
  );
  assert.deepEqual(best, ['bin 4: wins in 21, best']);
  await page.keyboard.press('KeyE');
  await says(page, '#evaluation', /red wins in 21/);
  await page.keyboard.press('KeyH');
  for (const bin of [1, 2, 1, 2, 1, 2, 1]) {
    const before = await notation(page);
    await page.keyboard.press(`Digit${bin}`);
    await says(page, '#notation', new RegExp(`^${before}${bin}$`));
  }
  await says(page, '#evaluation', /red has won/);
  await page.click('#review');
  await says(page, '#review-result', /red:.*blue:/s);
  assert.match(await page.textContent('#moves li:nth-child(1)'), /\?\?/);
  await picture(page, 'computer-review');
  assert.deepEqual(page.complaints, []);
});

test('a variant for four is played against three computers', async (t) => {
  const served = await world(t);
  const page = await visitor(t, { viewport: { width: 1200, height: 800 } });
  // The same moves of the computers each time: by others the board may be empty when red has the next turn.
  await page.addInitScript(() => {
    crypto.getRandomValues = (numbers) => numbers.fill(1);
  });
  await open(page, served);
  await page.check('#which-game input[value=variant]', { force: true });
  await page.waitForSelector('#start-variant:visible');
  const form = (selector) => `#new-variant ${selector}`;
  for (const colour of ['blue', 'green', 'yellow']) {
    await page.selectOption(form(`select[name=by-${colour}]`), 'easy');
  }
  await page.check(form('input[name=pop_out]'));
  await picture(page, 'computer-variant-form');
  await page.click('#start-variant');
  await page.waitForSelector('body[data-state=game] #board[data-game=h1]');
  await page.keyboard.press('Digit5');
  const mine = () =>
    page.waitForFunction(() => / — you$/.test(document.querySelector('#status').textContent));
  await page.waitForFunction(() => document.querySelectorAll('#moves li').length >= 4);
  await mine();
  await page.keyboard.press('t');
  await page.waitForSelector('#hand [data-kind=take][aria-pressed=true]');
  await picture(page, 'computer-variant');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Digit6');
  await page.waitForFunction(() => document.querySelectorAll('#moves li').length >= 8);
  await mine();
  assert.equal(await page.isVisible('#resign'), false);
  assert.deepEqual(page.complaints, []);
});

test('a page that was taken from elsewhere plays the computer, too, also when its host is away', async (t) => {
  const served = await world(t);
  const url = await files(t, served.url);
  const page = await visitor(t);
  await open(page, { url });
  await start(page, { level: 'perfect', begins: 'computer' });
  await says(page, '#notation', /^4$/);
  await page.keyboard.press('Digit4');
  await says(page, '#notation', /^44\d$/);
  assert.deepEqual(page.complaints, []);
  await served.stop();
  await page.reload();
  await says(page, '#notation', /^44\d$/);
  await page.keyboard.press('Digit1');
  await says(page, '#notation', /^44\d1\d$/);
});
