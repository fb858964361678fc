// A game of two people at one screen.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  board,
  CLASSROOM,
  closeBrowser,
  DRAWN,
  drop,
  lobby,
  onChain,
  picture,
  play,
  says,
  serve,
  shown,
  startGame,
  still,
  text,
  turns,
  visitor,
  weigh,
  winning,
} from './harness.mjs';

after(closeBrowser);

/** What the keys of the top row send on an AZERTY keyboard: the place is the same, the sign is not. */
const AZERTY = ['&', 'é', '"', "'", '(', '-', 'è', '_', 'ç'];

/** Presses a key of the top row of an AZERTY keyboard, as the operating system reports it. */
const pressAzerty = async (session, place) => {
  const key = { key: AZERTY[place], code: `Digit${place + 1}`, windowsVirtualKeyCode: 49 + place };
  await session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: AZERTY[place], ...key });
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
};

test('a game is won by keys, on an AZERTY keyboard', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  const number = await startGame(page, server, { board: CLASSROOM });
  assert.deepEqual(await board(page), [[], [], [], [], [], []]);
  await says(page, '#status', /red to move/i);

  const session = await page.context().newCDPSession(page);
  const bins = [5, 0, 4, 0, 3, 0];
  for (const [turn, bin] of bins.entries()) {
    await pressAzerty(session, bin);
    await turns(page, turn + 1);
  }
  assert.deepEqual(await board(page), [
    ['blue', 'blue', 'blue'],
    [],
    [],
    ['red'],
    ['red'],
    ['red'],
  ]);
  assert.deepEqual(await winning(page), []);
  await picture(page, 'under-way-small');

  await pressAzerty(session, 2);
  await says(page, '#status', /red wins/i);
  assert.deepEqual(await winning(page), ['2,0', '3,0', '4,0', '5,0']);
  assert.equal(await text(page, '#notation'), '6151413');

  // Every move says in which transaction it was made, in which block, and what it cost.
  const moves = await page.$$eval('#moves > li', (rows) =>
    rows.map((row) => ({
      turn: row.dataset.turn,
      transaction: row.dataset.transaction,
      says: row.textContent,
    })),
  );
  const told = await onChain(page, number);
  assert.equal(moves.length, 7);
  for (const [turn, move] of moves.entries()) {
    assert.equal(move.turn, String(turn));
    assert.equal(move.transaction, told.moves[turn].transaction.hash);
    assert.match(move.says, new RegExp(`block ${told.moves[turn].transaction.block}`));
    assert.match(move.says, /\d DOT/);
  }
  assert.deepEqual(page.complaints, []);
});

test('a full bin says so, and the turn stays', async (t) => {
  const page = await visitor(t);
  await startGame(page, await serve(t), { board: CLASSROOM });
  await play(page, [0, 0, 0, 0]);
  await page.keyboard.press('Digit1');
  await says(page, '#error', /bin 1.*full/i);
  assert.equal(await shown(page), 4);
  await says(page, '#status', /red to move/i);
  // A key beyond the board is told, too.
  await page.keyboard.press('Digit9');
  await says(page, '#error', /no bin 9/i);
  // The next move clears the message.
  await drop(page, 1);
  assert.equal(await page.isVisible('#error'), false);
  assert.deepEqual((await board(page))[1], ['red']);
  assert.deepEqual(page.complaints, []);
});

test('an error in the lobby goes when it is dismissed, and nothing is started', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  await lobby(page, server);
  await page.check('#new-game input[name=way][value=friend]', { force: true });
  await page.selectOption('#new-game select[name=friend]', 'account');
  await page.fill('#new-game input[name=account]', 'mallory');
  await page.click('#start');
  await says(page, '#error-text', /mallory.*is not an account/i);
  await page.click('#dismiss');
  await page.waitForSelector('#error', { state: 'hidden' });
  assert.equal(await page.getAttribute('body', 'data-state'), 'lobby');
});

test('the fields of the form for a new game are as far apart at all widths', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  await lobby(page, server);
  await page.selectOption('#new-game select[name=board]', 'own');
  await page.click('#new-game > details > summary');
  for (const width of [320, 480, 640, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const way of ['screen', 'computer', 'friend']) {
      await page.check(`#new-game input[name=way][value=${way}]`, { force: true });
      const distances = await page.$$eval(
        '#new-game :is(.field, summary, #no-clock, #start)',
        (all) => {
          const boxes = all
            .filter((one) => one.offsetParent)
            .map((one) => one.getBoundingClientRect());
          const next = (from, to) => Math.round(to.top - from.bottom);
          const beside = (from, to) => Math.round(to.left - from.right);
          return boxes.slice(1).map((box, at) => {
            const before = boxes[at];
            if (Math.abs(box.top - before.top) < 1) return beside(before, box);
            const row = boxes.slice(0, at + 1).filter(({ top }) => Math.abs(top - before.top) < 1);
            return Math.min(...row.map((one) => next(one, box)));
          });
        },
      );
      assert.deepEqual([...new Set(distances)], [16], `${way} at ${width}: ${distances}`);
    }
  }
  // Also below the choice of the game, before the styles of variants are there.
  await page.waitForSelector('#which-game:visible');
  const [above, below] = await page.$$eval('#which-game, #new-game', (both) =>
    both.map((one) => one.getBoundingClientRect()),
  );
  assert.equal(Math.round(below.top - above.bottom), 16);
});

test('a full board without a line is a draw', async (t) => {
  const page = await visitor(t);
  await startGame(page, await serve(t), { board: CLASSROOM });
  await play(page, DRAWN);
  await says(page, '#status', /draw/i);
  await says(page, '#live', /draw/i);
  assert.deepEqual(await winning(page), []);
});

test('after the end Enter starts the next game, and the loser begins', async (t) => {
  const page = await visitor(t);
  const first = await startGame(page, await serve(t), { board: CLASSROOM });
  const name = (colour) => text(page, `#players [data-colour=${colour}] .name`);
  assert.deepEqual([await name('red'), await name('blue')], ['alice', 'bob']);
  await play(page, [0, 1, 0, 1, 0, 1, 0]);
  await says(page, '#status', /red wins/i);

  await page.keyboard.press('Enter');
  await page.waitForSelector(`#board[data-game="${first + 1}"][data-turns="0"]`);
  assert.match(page.url(), new RegExp(`/game/${first + 1}$`));
  // Bob has lost, so he is red now, who begins.
  assert.deepEqual([await name('red'), await name('blue')], ['bob', 'alice']);
  await play(page, [0, 1, 0, 1, 0, 1, 0]);
  await says(page, '#status', /red wins/i);
  assert.deepEqual(page.complaints, []);
});

test('reloading in the middle of a game loses nothing', async (t) => {
  const page = await visitor(t);
  await startGame(page, await serve(t));
  await play(page, [3, 3, 4]);
  const before = await board(page);
  await page.reload();
  await turns(page, 3);
  assert.deepEqual(await board(page), before);
  assert.equal(await page.$$eval('#moves > li', (rows) => rows.length), 3);
  // The same seats go on.
  await drop(page, 2);
  assert.deepEqual((await board(page))[2], ['blue']);
  assert.deepEqual(page.complaints, []);
});

test('the mouse drops where it clicks, a finger where it taps', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  await startGame(page, server);
  await page.click('#board [data-bin="3"][data-row="5"]');
  await turns(page, 1);
  assert.deepEqual((await board(page))[3], ['red']);

  const phone = await visitor(t, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await startGame(phone, server);
  await phone.tap('#board [data-bin="6"][data-row="0"]');
  await turns(phone, 1);
  assert.deepEqual((await board(phone))[6], ['red']);
  const overflow = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `the page is ${overflow} pixels wider than a narrow screen`);
  for (const bin of [3, 3, 2, 4, 4, 2, 2]) {
    const before = await shown(phone);
    await phone.tap(`#board [data-bin="${bin}"][data-row="0"]`);
    await turns(phone, before + 1);
  }
  await picture(phone, 'narrow');
  assert.deepEqual([...page.complaints, ...phone.complaints], []);
});

test('who wants to confirms each disc that a finger drops, also after a reload', async (t) => {
  const server = await serve(t);
  const viewport = { width: 360, height: 740 };
  const phone = await visitor(t, { viewport, hasTouch: true, isMobile: true });
  await startGame(phone, server);
  const tap = (bin) => phone.tap(`#board [data-bin="${bin}"][data-row="0"]`);
  await tap(3);
  await turns(phone, 1);
  await phone.tap('#more summary');
  await phone.tap('label:has(#confirm-moves)');
  await tap(2);
  await says(phone, '#note', /^Tap bin 3 again to drop/);
  await phone.waitForSelector('.ghost.waits');
  // Another bin takes its place.
  await tap(4);
  await says(phone, '#note', /^Tap bin 5 again to drop/);
  await tap(4);
  await turns(phone, 2);
  assert.deepEqual([(await board(phone))[2], (await board(phone))[4]], [[], ['blue']]);
  await phone.reload();
  await turns(phone, 2);
  await tap(1);
  await says(phone, '#note', /^Tap bin 2 again to drop/);
  // Keys and the mouse drop at once.
  await phone.keyboard.press('Digit7');
  await turns(phone, 3);
  await phone.tap('#more summary');
  await phone.tap('label:has(#confirm-moves)');
  await tap(1);
  await turns(phone, 4);
  assert.deepEqual(phone.complaints, []);
});

test('the board is a grid that the keyboard walks, and a screen reader is told each move', async (t) => {
  const page = await visitor(t);
  await startGame(page, await serve(t), { board: CLASSROOM });
  assert.equal(
    await page.$$eval('#board[role=grid] [role=row] [role=gridcell]', (cells) => cells.length),
    24,
  );
  const focused = () => page.evaluate(() => ({ ...document.activeElement.dataset }));
  await page.focus('#board [tabindex="0"]');
  const from = await focused();
  await page.keyboard.press('ArrowRight');
  const right = await focused();
  assert.equal(Number(right.bin), Number(from.bin) + 1);
  await page.keyboard.press('Home');
  assert.equal((await focused()).bin, '0');
  await page.keyboard.press('PageUp');
  assert.equal((await focused()).row, '3');
  await page.keyboard.press('Enter');
  await turns(page, 1);
  await says(page, '#live', /red.*bin 1, row 1.*blue/i);
  const label = (bin, row) =>
    page.getAttribute(`#board [data-bin="${bin}"][data-row="${row}"]`, 'aria-label');
  assert.match(await label(0, 0), /bin 1, row 1.*red/i);
  assert.match(await label(0, 1), /bin 1, row 2.*(empty|free)/i);
  await page.keyboard.press('Space');
  await turns(page, 2);
  assert.match(await label(0, 1), /bin 1, row 2.*blue/i);
  // Only one cell is a stop for the tabulator.
  assert.equal(await page.$$eval('#board [tabindex="0"]', (cells) => cells.length), 1);
  assert.deepEqual(page.complaints, []);
});

test('boards of any allowed shape and line', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  for (const shape of [
    { bins: 25, capacity: 4, line: 6 },
    { bins: 5, capacity: 24, line: 3 },
    { bins: 9, capacity: 7, line: 5 },
  ]) {
    await startGame(page, server, { board: shape });
    assert.equal(
      await page.$$eval('#board [data-bin]', (cells) => cells.length),
      shape.bins * shape.capacity,
    );
    const last = shape.bins - 1;
    await page.click(`#board [data-bin="${last}"][data-row="0"]`);
    await turns(page, 1);
    assert.deepEqual((await board(page))[last], ['red']);
    await picture(page, `board-${shape.bins}x${shape.capacity}`);
  }
  // What no board can be is refused before anything is sent.
  await lobby(page, server);
  await page.selectOption('#new-game select[name=board]', 'own');
  await page.fill('#new-game input[name=bins]', '25');
  await page.fill('#new-game input[name=capacity]', '24');
  await page.fill('#new-game input[name=line]', '4');
  await page.click('#start');
  await says(page, '#error', /board|large|cells|bins/i);
  assert.equal(new URL(page.url()).pathname, '/');
});

test('discs fall, unless the system asks for less motion', async (t) => {
  const server = await serve(t);
  for (const [reducedMotion, falls] of [
    ['no-preference', true],
    ['reduce', false],
  ]) {
    const page = await visitor(t, { reducedMotion });
    await page.addInitScript(() => {
      globalThis.moved = false;
      const { animate } = Element.prototype;
      Element.prototype.animate = function watched(frames, timing) {
        globalThis.moved ||= frames.some(({ transform }) => /translate/.test(transform));
        return animate.call(this, frames, timing);
      };
    });
    await startGame(page, server);
    await drop(page, 3);
    await still(page);
    assert.equal(await page.evaluate(() => globalThis.moved), falls, reducedMotion);
  }
});

test('colours follow the system, or the switch; sound can be switched off', async (t) => {
  const server = await serve(t);
  const dark = await visitor(t, { colorScheme: 'dark' });
  await startGame(dark, server);
  const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const darkPaper = await paper(dark);
  const light = await visitor(t, { colorScheme: 'light' });
  await lobby(light, server);
  const lightPaper = await paper(light);
  assert.notEqual(darkPaper, lightPaper);
  // The switch goes over what the system says, and is remembered.
  for (let step = 0; step < 3 && (await paper(light)) !== darkPaper; step += 1)
    await light.click('#theme');
  assert.equal(await paper(light), darkPaper);
  await light.reload();
  assert.equal(await paper(light), darkPaper);

  assert.equal(await light.getAttribute('#sound', 'aria-pressed'), 'true');
  await light.click('#sound');
  assert.equal(await light.getAttribute('#sound', 'aria-pressed'), 'false');
  await light.reload();
  assert.equal(await light.getAttribute('#sound', 'aria-pressed'), 'false');

  await play(dark, [1, 2, 2, 3, 4, 3, 3, 4, 4, 5, 4]);
  await says(dark, '#status', /red wins/i);
  await picture(dark, 'won-dark');
});

test('shapes as well as colours tell the discs, and the winning ones', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  await startGame(page, server);
  await play(page, [1, 2, 2, 3, 4, 3, 3, 4, 4, 5]);
  await picture(page, 'under-way');
  /** The shapes of the discs on the board; the newest one has a dot in it, besides. */
  const shapes = () =>
    page.$$eval('#table .disc use', (all) => {
      const names = all.map((use) => use.getAttribute('href').replace('#last-', '#disc-'));
      return [...new Set(names)].sort();
    });
  assert.deepEqual(await shapes(), ['#disc-blue', '#disc-red']);
  await play(page, [4]);
  await says(page, '#status', /red wins/i);
  assert.deepEqual(await winning(page), ['1,0', '2,1', '3,2', '4,3']);
  assert.deepEqual(await shapes(), ['#disc-blue', '#disc-red', '#win-red']);
  await picture(page, 'won');

  await page.goto(`${server.url}/line?bins=6&capacity=4&line=4&moves=12132415`);
  await says(page, '#status', /blue wins/i);
  assert.deepEqual(await shapes(), ['#disc-red', '#win-blue'], 'every blue disc is in the line');
  await picture(page, 'won-by-blue');
});

test('the page is light', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  const weight = weigh(page);
  await startGame(page, server);
  const bytes = await weight();
  assert.ok(bytes > 10_000 && bytes < 61_000, `${bytes} bytes`);
});
