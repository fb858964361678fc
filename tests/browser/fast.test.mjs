// Fast games: two browsers on two programs, with somebody who watches at a third one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  board,
  closeBrowser,
  drop,
  fastGame,
  node,
  onChain,
  picture,
  play,
  says,
  serve,
  text,
  turns,
  visitor,
} from './harness.mjs';

after(closeBrowser);

/** What is said of each move that is on no chain. */
const signed = (page) => page.$$eval('#moves .signed', (all) => all.map((one) => one.textContent));

test('two browsers on two programs play a fast game, and others watch', async (t) => {
  const { pages, third } = await fastGame(t, { stake: '1' });
  const [alice, bob] = pages;
  const watcher = await visitor(t);
  await watcher.goto(`${third.url}/game/f0`);
  await turns(watcher, 0);
  await says(alice, '#fast-text', /fast game: 0 moves of 0 on the chain/i);

  // Each sees each move, though none is on the chain, and who has signed it.
  await drop(alice, 0);
  await Promise.all([bob, watcher].map((page) => turns(page, 1)));
  await drop(bob, 1);
  await Promise.all([alice, watcher].map((page) => turns(page, 2)));
  await drop(alice, 0);
  for (const page of [bob, watcher]) {
    await turns(page, 3);
    assert.deepEqual(await signed(page), ['signed by both', 'signed by both', 'signed by red']);
    await says(page, '#fast-text', /0 moves of 3 on the chain, 2 signed by both/);
  }
  assert.equal((await onChain(bob, 'f0')).fast.on_chain, 0);
  await bob.keyboard.press('Digit2');
  await turns(bob, 4);
  await turns(alice, 4);
  await alice.reload();
  await turns(alice, 4);
  await picture(alice, 'fast');

  // One action brings it to the chain; who watches has no such button.
  assert.equal(await watcher.isVisible('#settle'), false);
  await alice.click('#settle');
  for (const page of [alice, bob, watcher]) {
    await says(page, '#fast-text', /4 moves of 4 on the chain/);
    assert.deepEqual(await signed(page), []);
    // By one transaction, whose fee was paid once.
    assert.equal(await page.locator('#moves .hash').count(), 1);
    assert.equal(await page.locator('#moves > li:nth-child(4) .hash').count(), 1);
  }

  // To the end, which the winner's program tells the chain.
  await drop(alice, 0);
  await turns(bob, 5);
  await drop(bob, 1);
  await turns(alice, 6);
  await alice.keyboard.press('Digit1');
  for (const page of [alice, bob, watcher]) {
    await turns(page, 7);
    await says(page, '#status', /red wins/i);
    await says(page, '#fast-text', /all of it is on the chain/i);
    assert.equal(await page.locator('#moves .hash').count(), 2);
  }
  await alice.click('#withdraw');
  await alice.waitForSelector('#withdraw', { state: 'hidden' });

  // The next game: the loser begins.
  await alice.click('#next');
  await says(bob, '#live', /another game/i);
  await bob.click('#next');
  for (const page of [alice, bob, watcher]) {
    await page.waitForSelector('#board[data-game="f1"][data-turns="0"]');
  }
  assert.equal(await text(bob, '#players [data-colour=red] .name'), 'bob');
  await play(bob, [3]);
  await turns(alice, 1);
  assert.deepEqual(await board(alice), [[], [], [], ['red'], [], []]);
  await alice.click('#resign');
  await alice.click('#resign-yes');
  for (const page of [alice, bob]) {
    await says(page, '#status', /red won: blue resigned/i);
    await says(page, '#fast-text', /all of it is on the chain/i);
  }
  for (const page of [alice, bob, watcher]) assert.deepEqual(page.complaints, []);
});

test('a silent opponent is given the move by the clock on the chain', async (t) => {
  const { pages, his } = await fastGame(t);
  const [alice, bob] = pages;
  await drop(alice, 2);
  await turns(bob, 1);
  await bob.close();
  await his.stop();
  await says(alice, '#fast-note', /bob is not connected/i);
  await alice.click('#press');
  await says(alice, '#fast-text', /1 move of 1 on the chain/);
  await alice.waitForSelector('#players [data-colour=blue] .clock:visible');
  await alice.waitForSelector('#press', { state: 'hidden' });
  assert.deepEqual(alice.complaints, []);
});

test('a program whose chain is in memory keeps what it signs as long as that', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  await page.goto(`${server.url}/#key=${server.key}`);
  await page.waitForSelector('#start:enabled:visible');
  await page.check('#new-game input[name=way][value=challenge]', { force: true });
  await page.selectOption('#new-game select[name=pace]', 'fast');
  await page.click('#start');
  await says(page, '#challenges', /fast/);
});

test('what fast games need is loaded with the first one', async (t) => {
  const chain = await node(t, null);
  const server = await serve(t, '--url', chain.url);
  const page = await visitor(t);
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${server.url}/#key=${server.key}`);
  await page.waitForSelector('#start:enabled:visible');
  await page.click('#start');
  await turns(page, 0);
  assert.ok(!asked.some((url) => url.includes('/fast/')), asked.join('\n'));
});
