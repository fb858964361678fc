// Variants at one screen: every kind of move by mouse, touch and keyboard, and watching it again.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  CLASSROOM,
  cells,
  closeBrowser,
  DRAWN,
  lobby,
  make,
  picture,
  says,
  serve,
  shown,
  startGame,
  startVariant,
  still,
  text,
  turns,
  visitor,
  winning,
} from './harness.mjs';

after(closeBrowser);

const ONE_EACH = { take: 1, clear: 1, float: 1 };

/** Waits until the position after so many moves is shown. */
const position = (page, count) => page.waitForSelector(`#board[data-turns="${count}"]`);

const cell = (bin, row) => `#board [data-bin="${bin - 1}"][data-row="${row - 1}"]`;

/** The cells that are marked as targets, as in the notation. */
const targets = (page) =>
  page.$$eval('#board [data-target]:not([data-target=""])', (all) =>
    all.map(({ dataset }) => `${Number(dataset.bin) + 1}.${Number(dataset.row) + 1}`).sort(),
  );

/** How often a colour may still take, clear and float. */
const left = (page, colour) =>
  page.$$eval(`#players [data-colour=${colour}] .chip`, (chips) =>
    chips.map(({ textContent }) => Number(textContent)),
  );

/** Complaints other than those of the browser about requests that are refused on purpose. */
const faults = (page) => page.complaints.filter((one) => !/status of 4\d\d/.test(one));

test('each power is picked, aimed at one of the targets that are shown, and used up', async (t) => {
  const page = await visitor(t);
  await startVariant(page, await serve(t), { powers: ONE_EACH });
  for (const bin of ['1', '1', '1']) await make(page, bin);
  assert.deepEqual(await cells(page), ['rbr', '', '', '', '', '']);

  // Blue takes the lower red disc: what stands on it comes down.
  await page.click('#hand [data-kind=take]');
  await says(page, '#note', /disc to take/i);
  assert.deepEqual(await targets(page), ['1.1', '1.3']);
  await picture(page, 'variant-take-targets');
  await page.click(cell(1, 1));
  await turns(page, 4);
  assert.deepEqual(await cells(page), ['br', '', '', '', '', '']);
  await says(page, '#live', /blue takes the red disc in bin 1, row 1; two discs come down/i);
  assert.deepEqual(await left(page, 'blue'), [0, 1, 1]);
  assert.deepEqual(await left(page, 'red'), [1, 1, 1]);

  // Red floats a disc; the cells below it stay empty.
  await page.click('#hand [data-kind=float]');
  assert.ok((await targets(page)).includes('2.3'));
  assert.ok(!(await targets(page)).includes('2.1'), 'a disc on the ground does not float');
  await page.click(cell(2, 3));
  await turns(page, 5);
  assert.deepEqual(await cells(page), ['br', '--r', '', '', '', '']);

  // Blue clears the second row by the button at its side.
  await page.click('#hand [data-kind=clear]');
  await page.click('.row-edge [data-place="1"]');
  await turns(page, 6);
  assert.deepEqual(await cells(page), ['b', '--r', '', '', '', '']);
  await make(page, '3');
  await page.keyboard.press('t');
  await says(page, '#error', /take.*used up/i);
  assert.deepEqual(await left(page, 'blue'), [0, 0, 1]);
  assert.equal(await text(page, '#notation'), '111t1.1f2.3r23');
  assert.deepEqual(faults(page), []);
});

test('a target that is none is refused with the reason, and Escape puts a power back', async (t) => {
  const page = await visitor(t);
  await startVariant(page, await serve(t), { powers: ONE_EACH, rules: ['pop_out'] });
  for (const bin of ['1', '2']) await make(page, bin);
  await page.keyboard.press('t');
  await page.click(cell(1, 1));
  await says(page, '#error', /own/i);
  await page.click(cell(5, 4));
  await says(page, '#error', /no disc/i);
  await page.keyboard.press('Escape');
  await page.waitForSelector('#error', { state: 'hidden' });
  assert.deepEqual(await targets(page), ['2.1'], 'the power is still picked');
  await page.keyboard.press('Escape');
  assert.deepEqual(await targets(page), []);
  for (const [keys, why] of [
    ['p2', /not the mover's own/i],
    ['r4', /row has no disc/i],
    ['f31', /above the top/i],
  ]) {
    for (const key of keys) await page.keyboard.press(key);
    await says(page, '#error', why);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('9');
  await says(page, '#error', /no bin 9/i);
  assert.equal(await shown(page), 2);
  await says(page, '#status', /red to move/i);
  assert.deepEqual(faults(page), []);
});

test('a disc pops out of the bottom, by the button under its bin', async (t) => {
  const page = await visitor(t);
  await startVariant(page, await serve(t), { rules: ['pop_out'] });
  for (const bin of ['1', '1']) await make(page, bin);
  const button = (bin) => page.locator(`.bin-edge [data-place="${bin - 1}"]`);
  assert.equal(await button(1).isEnabled(), true);
  assert.equal(await button(2).isEnabled(), false);
  await picture(page, 'variant-pop-targets');
  await button(1).click();
  await turns(page, 3);
  assert.deepEqual(await cells(page), ['b', '', '', '', '', '']);
  await says(page, '#live', /red pops a disc out of bin 1; one disc comes down.*blue to move/i);
  await make(page, 'p1');
  assert.deepEqual(await cells(page), ['', '', '', '', '', '']);
  assert.deepEqual(page.complaints, []);
});

test('by the pie rule the second player swaps colours', async (t) => {
  const page = await visitor(t);
  await startVariant(page, await serve(t), { rules: ['pie_rule'] });
  const name = (colour) => text(page, `#players [data-colour=${colour}] .name`);
  assert.deepEqual([await name('red'), await name('blue')], ['alice', 'bob']);
  assert.equal(await page.locator('#hand [data-kind=swap]').isVisible(), false);
  await make(page, '3');
  await page.click('#hand [data-kind=swap]');
  await turns(page, 2);
  assert.deepEqual([await name('red'), await name('blue')], ['bob', 'alice']);
  assert.deepEqual(await cells(page), ['', '', 'r', '', '', '']);
  await says(page, '#status', /blue to move — alice/i);
  await says(page, '#live', /blue swaps: the two players exchange colours/i);
  await make(page, '4');
  assert.deepEqual(await cells(page), ['', '', 'r', 'b', '', '']);
  // Only then.
  await page.keyboard.press('s');
  assert.equal(await shown(page), 3);
  assert.deepEqual(page.complaints, []);
});

test('nobody can move any more: a draw, and the same again', async (t) => {
  const page = await visitor(t);
  await startVariant(page, await serve(t), { rules: ['pie_rule'] });
  for (const bin of DRAWN) await make(page, String(bin + 1));
  await says(page, '#status', /a draw: no move is possible/i);
  await says(page, '#live', /draw/i);
  assert.deepEqual(await winning(page), []);
  // The same again, with the turn order moved on.
  await page.keyboard.press('Enter');
  await page.waitForSelector('#board[data-game="v1"][data-turns="0"]');
  assert.equal(await text(page, '#players [data-colour=red] .name'), 'bob');
  assert.deepEqual(page.complaints, []);
});

test('by the keyboard alone, from the lobby to a power in the grid', async (t) => {
  const page = await visitor(t);
  const server = await serve(t);
  await lobby(page, server);
  await page.focus('#which-game input:checked');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#new-variant:visible');
  await page.focus('#new-variant input[name=players]:checked');
  await page.keyboard.press('ArrowLeft');
  await page.focus('#start-variant');
  await page.keyboard.press('Enter');
  await page.waitForSelector('body[data-state=game] #board[data-game="v0"]');
  assert.equal(await page.$$eval('#players .player', (all) => all.length), 3);
  await page.keyboard.press('5');
  await turns(page, 1);
  await page.keyboard.press('5');
  await turns(page, 2);

  // The button of a power leads on to its first target, and arrows from there.
  await page.focus('#hand [data-kind=take]');
  await page.keyboard.press('Enter');
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  assert.equal(await focused(), 'bin 5, row 1: red, Enter to take it');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), 'bin 5, row 2: blue, Enter to take it');
  await page.keyboard.press('Enter');
  await turns(page, 3);
  await says(page, '#live', /green takes the blue disc in bin 5, row 2\. red to move/i);
  assert.equal(await focused(), 'bin 5, row 2: empty', 'the focus stays');
  // So does its letter; Escape puts it back.
  await page.keyboard.press('f');
  assert.equal(await focused(), 'bin 1, row 2: empty, Enter to float a disc here');
  await page.keyboard.press('Escape');
  assert.equal(await focused(), 'bin 1, row 2: empty');
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  await turns(page, 4);
  assert.deepEqual((await cells(page))[8], 'r');
  assert.deepEqual(page.complaints, []);
});

test('on a narrow screen by touch, and nothing is wider than it', async (t) => {
  const phone = await visitor(t, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const overflow = () => phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const server = await serve(t);
  await lobby(phone, server);
  await phone.check('#which-game input[value=variant]', { force: true });
  await phone.waitForSelector('#new-variant:visible');
  assert.ok((await overflow()) <= 0, `the form is ${await overflow()} pixels too wide`);
  await startVariant(phone, server, {
    seats: ['here', 'here', 'here', 'here'],
    board: { bins: 9, capacity: 7, line: 4 },
    powers: ONE_EACH,
    rules: ['pop_out'],
  });
  for (const bin of [5, 5, 4, 6]) {
    const before = await shown(phone);
    await phone.tap(cell(bin, 1));
    await turns(phone, before + 1);
  }
  await phone.tap('#hand [data-kind=take]');
  await phone.tap(cell(5, 2));
  await turns(phone, 5);
  await phone.tap('#hand [data-kind=float]');
  await phone.tap(cell(2, 4));
  await turns(phone, 6);
  await phone.tap('#hand [data-kind=pop]');
  await phone.tap(cell(4, 1));
  await turns(phone, 7);
  assert.ok((await overflow()) <= 0, `the game is ${await overflow()} pixels too wide`);
  await phone.tap('#hand [data-kind=clear]');
  await picture(phone, 'variant-narrow');
  await phone.tap(cell(9, 1));
  await turns(phone, 8);
  assert.deepEqual((await cells(phone)).join(''), '---b');
  assert.deepEqual(phone.complaints, []);
});

test('discs come down and go visibly, unless the system asks for less motion', async (t) => {
  const server = await serve(t);
  for (const [reducedMotion, moves] of [
    ['no-preference', true],
    ['reduce', false],
  ]) {
    const page = await visitor(t, { reducedMotion });
    await page.addInitScript(() => {
      globalThis.seen = [];
      const { animate } = Element.prototype;
      Element.prototype.animate = function watched(frames, timing) {
        const what = frames.some(({ transform }) => /translateY/.test(transform)) ? 'down' : 'fade';
        globalThis.seen.push(
          frames.some(({ transform }) => /scale/.test(transform)) ? 'burst' : what,
        );
        return animate.call(this, frames, timing);
      };
    });
    await startVariant(page, server, { powers: ONE_EACH });
    for (const bin of ['1', '1', '1']) await make(page, bin);
    await page.evaluate(() => {
      globalThis.seen.length = 0;
    });
    await make(page, 't1.1');
    await still(page);
    const seen = await page.evaluate(() => globalThis.seen.sort());
    assert.deepEqual(seen, moves ? ['burst', 'down', 'down'] : ['fade', 'fade', 'fade']);
    assert.equal(await page.$$eval('#table .disc', (all) => all.length), 2);
  }
});

test('four shapes as well as four colours tell the discs', async (t) => {
  const page = await visitor(t);
  await startVariant(page, await serve(t), { seats: ['here', 'here', 'here', 'here'] });
  for (const bin of ['1', '2', '3', '4', '1', '2', '3', '4', '1', '2', '3', '4', '5', '5', '5']) {
    await make(page, bin);
  }
  const shapes = () =>
    page.$$eval('#table .disc use', (all) => {
      const names = all.map((use) => use.getAttribute('href').replace('#last-', '#disc-'));
      return [...new Set(names)].sort();
    });
  assert.deepEqual(await shapes(), ['#disc-blue', '#disc-green', '#disc-red', '#disc-yellow']);
  await make(page, '4');
  await says(page, '#status', /yellow wins/i);
  assert.deepEqual(await winning(page), ['3,0', '3,1', '3,2', '3,3']);
  assert.ok((await shapes()).includes('#win-yellow'));
  await picture(page, 'variant-won');
});

test('a game is watched again with its powers, as a film and from a link; reloading loses nothing', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  const number = await startVariant(page, server, { powers: ONE_EACH });
  for (const move of ['1', '1', 't1.2', 'f3.3', '1']) await make(page, move);
  await page.reload();
  await turns(page, 5);
  assert.deepEqual(await cells(page), ['rr', '', '--b', '', '', '']);
  assert.deepEqual(await left(page, 'red'), [0, 1, 1]);
  await page.click('#first');
  await position(page, 0);
  const boards = [];
  for (let turn = 1; turn < 5; turn += 1) {
    await page.click('#forward');
    await position(page, turn);
    boards.push((await cells(page)).join('|'));
  }
  assert.deepEqual(boards, ['r|||||', 'rb|||||', 'r|||||', 'r||--b|||']);
  await page.click('#moves > li[data-turn="1"]');
  await position(page, 2);
  assert.deepEqual(await left(page, 'red'), [1, 1, 1], 'what was left then');
  assert.match(page.url(), new RegExp(`/game/${number}\\?move=2$`));

  const other = await visitor(t);
  await other.goto(page.url());
  await position(other, 2);
  assert.deepEqual((await cells(other))[0], 'rb');
  await page.click('#film');
  await position(page, 3);
  await position(page, 5);
  assert.equal(page.url(), `${server.url}/game/${number}`);
  await make(page, '6');
  assert.deepEqual([...page.complaints, ...other.complaints], []);
});

test('the moves go out as text, and come in again with their terms in the address', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  await startVariant(page, server, { powers: ONE_EACH, rules: ['pop_out'] });
  for (const move of ['1', '1', 'p1', 'f3.3', 't3.3']) await make(page, move);
  const moves = await text(page, '#notation');
  assert.equal(moves, '11p1f3.3t3.3');

  await lobby(page, server);
  await page.check('#which-game input[value=variant]', { force: true });
  await page.check('#new-variant input[name=players][value="2"]', { force: true });
  await page.check('#new-variant input[name=pop_out]');
  await page.selectOption('#new-variant select[name=board]', '6x4x4');
  await page.fill('#import input[name=moves]', moves);
  await page.press('#import input[name=moves]', 'Enter');
  await position(page, 5);
  assert.deepEqual(await cells(page), ['b', '', '', '', '', '']);
  assert.match(page.url(), /players=2&pop_out=true&take=1&clear=1&float=1&moves=11p1f3\.3t3\.3$/);
  await page.click('#back');
  await position(page, 4);
  await page.reload();
  await position(page, 4);
  assert.deepEqual(await cells(page), ['b', '', '--b', '', '', '']);

  await lobby(page, server);
  await page.check('#which-game input[value=variant]', { force: true });
  await page.fill('#import input[name=moves]', '1t9.9');
  await page.press('#import input[name=moves]', 'Enter');
  await says(page, '#import', /move 2.*no disc|move 2.*no such/i);
  assert.deepEqual(faults(page), []);
});

test('computers play the other seats', async (t) => {
  const page = await visitor(t);
  await startVariant(page, await serve(t), {
    seats: ['random', 'here', 'random', 'random'],
    board: { bins: 9, capacity: 7, line: 4 },
    powers: { take: 1, clear: 1 },
  });
  // Red, a computer, begins; then three computers move after each move of blue.
  await turns(page, 1);
  await says(page, '#players [data-colour=green] .kind', /computer \(random\)/);
  for (let turn = 0; turn < 3; turn += 1) {
    await says(page, '#status', /blue to move|wins|draw/i);
    if (!/blue to move/i.test(await text(page, '#status'))) break;
    const before = await shown(page);
    await page.keyboard.press('5');
    await page.waitForFunction(
      (count) => Number(document.querySelector('#board').dataset.turns) > count,
      before,
    );
    await says(page, '#status', /blue to move|wins|draw/i);
    assert.ok((await shown(page)) > before + 1);
  }
  assert.deepEqual(page.complaints, []);
});

test('the classic game does not wait for the code of variants', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await startGame(page, server, { board: CLASSROOM });
  const ofVariants = () => asked.filter((path) => path.includes('/variant'));
  assert.deepEqual(ofVariants(), []);
  await startVariant(page, server);
  assert.ok(ofVariants().some((path) => path.endsWith('/variant/main.js')));
});
