// After a game: replay, moves as text, the review. And games against the computer.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  board,
  closeBrowser,
  folder,
  lobby,
  picture,
  play,
  says,
  serve,
  shown,
  startGame,
  text,
  turns,
  visitor,
  winning,
} from './harness.mjs';

after(closeBrowser);

/** Waits until the position after so many moves is shown. */
const position = (page, count) => page.waitForSelector(`#board[data-turns="${count}"]`);

test('a game is watched again, step by step and as a film, with a link to a position', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  const number = await startGame(page, server);
  await play(page, [0, 1, 0, 1, 0, 1, 0]);
  await says(page, '#status', /red wins/i);

  await page.click('#first');
  await position(page, 0);
  assert.deepEqual(await board(page), [[], [], [], [], [], [], []]);
  await page.click('#forward');
  await position(page, 1);
  await page.click('#forward');
  await position(page, 2);
  assert.deepEqual((await board(page)).slice(0, 2), [['red'], ['blue']]);
  assert.deepEqual(await winning(page), []);
  await page.click('#back');
  await position(page, 1);
  await page.locator('#position').fill('5');
  await position(page, 5);
  await page.click('#moves > li[data-turn="3"]');
  await position(page, 4);
  assert.match(page.url(), /\?move=4$/);

  // Who opens that address sees that position.
  const other = await visitor(t);
  await other.goto(page.url());
  await position(other, 4);
  assert.deepEqual((await board(other)).slice(0, 2), [
    ['red', 'red'],
    ['blue', 'blue'],
  ]);

  // Playing the moves continues from there to the end.
  await page.click('#film');
  await position(page, 5);
  await position(page, 7);
  assert.deepEqual(await winning(page), ['0,0', '0,1', '0,2', '0,3']);
  assert.equal(page.url(), `${server.url}/game/${number}`);
  assert.deepEqual([...page.complaints, ...other.complaints], []);
});

test('a game whose storage was freed is still watched again, from the events', async (t) => {
  const data = await folder(t);
  const server = await serve(t, '--data', data);
  const page = await visitor(t);
  const number = await startGame(page, server);
  await play(page, [0, 1, 0, 1, 0, 1, 0]);
  await says(page, '#status', /red wins/i);
  await page.click('#free:enabled');
  await says(page, '#note', /storage of this game was freed; its moves stay/);
  assert.ok(await page.isHidden('#free'));
  const later = await visitor(t);
  await later.goto(`${server.url}/game/${number}?move=3`);
  await position(later, 3);
  assert.deepEqual((await board(later)).slice(0, 2), [['red', 'red'], ['blue']]);
  await later.click('#last');
  await says(later, '#status', /red wins/i);
  assert.equal(
    await later.$$eval(
      '#moves > li',
      (rows) => rows.filter((row) => /block \d+/.test(row.textContent)).length,
    ),
    7,
  );
});

test('the moves go out as text, and come in again', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  await startGame(page, server);
  await play(page, [3, 3, 4, 4, 5, 5, 6]);
  const moves = await text(page, '#notation');
  assert.equal(moves, '4455667');

  await lobby(page, server);
  await page.fill('#import input[name=moves]', moves);
  await page.press('#import input[name=moves]', 'Enter');
  await page.waitForSelector('body[data-state=line] #board[data-turns="7"]');
  assert.deepEqual(await winning(page), ['3,0', '4,0', '5,0', '6,0']);
  await page.click('#back');
  await position(page, 6);
  assert.match(page.url(), /moves=4455667.*move=6/);
  await page.reload();
  await position(page, 6);

  // What is no game says at which move, and why.
  await lobby(page, server);
  await page.fill('#import input[name=moves]', '44444449');
  await page.press('#import input[name=moves]', 'Enter');
  await says(page, '#import', /move 7.*full/i);
  assert.deepEqual(
    page.complaints.filter((one) => !/400/.test(one)),
    [],
  );
});

test('alone, against the computer, which has an account of its own', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  await startGame(page, server, { way: 'computer', set: { level: 'random' } });
  const name = (colour) => text(page, `#players [data-colour=${colour}] .name`);
  assert.deepEqual([await name('red'), await name('blue')], ['alice', 'bob']);
  await says(page, '#players [data-colour=blue]', /computer.*random/i);

  // The computer answers each move by itself. It plays at random, so that filling one bin after the
  // other soon wins or fills the board.
  const isOver = () => page.$eval('#next', (button) => button.offsetParent !== null);
  for (let bin = 0; !(await isOver()); bin = (bin + 1) % 7) {
    for (let before = await shown(page); !(await isOver()); before = await shown(page)) {
      const heights = (await board(page)).map((discs) => discs.length);
      if (heights[bin] === 6) break;
      await page.keyboard.press(`Digit${bin + 1}`);
      await page.waitForFunction(
        (count) =>
          Number(document.querySelector('#board').dataset.turns) > count + 1 ||
          document.querySelector('#next').offsetParent,
        before,
      );
    }
  }

  // The review marks every move.
  await page.click('#review');
  const played = await shown(page);
  await page.waitForFunction(
    (count) => document.querySelectorAll('#moves > li[data-mark]').length === count,
    played,
  );
  await says(page, '#review-result', /red.*blue/is);
  await picture(page, 'review');

  // The next game starts at once: the computer always wants another one.
  const game = await page.getAttribute('#board', 'data-game');
  await page.focus('#board [tabindex="0"]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(
    (game) => Number(document.querySelector('#board')?.dataset.game) > game,
    Number(game),
  );
  await says(page, '#players', /computer.*random/i);
  assert.deepEqual(page.complaints, []);
});

test('the computer begins if it is asked to', async (t) => {
  const page = await visitor(t);
  await startGame(page, await serve(t), {
    way: 'computer',
    set: { level: 'perfect' },
    pick: { begins: 'computer' },
  });
  await turns(page, 1);
  assert.deepEqual((await board(page))[3], ['red'], 'perfect play begins in the middle');
  await page.keyboard.press('Digit4');
  await turns(page, 3);
});
