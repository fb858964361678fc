// Lost connections to the chain and to the program, and accounts that cannot pay.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import {
  board,
  closeBrowser,
  drop,
  folder,
  lobby,
  node,
  play,
  says,
  serve,
  startGame,
  text,
  turns,
  visitor,
} from './harness.mjs';

after(closeBrowser);

/** Marks the document, so that it shows whether the page was loaded again. */
const mark = (page) =>
  page.evaluate(() => {
    globalThis.marked = true;
  });
const isMarked = (page) => page.evaluate(() => globalThis.marked === true);

/** A page in the middle of a game, marked so that a reload shows. */
const playing = async (t, server, bins) => {
  const page = await visitor(t);
  await startGame(page, server);
  await play(page, bins);
  await mark(page);
  return page;
};

test('the chain is killed and started again in the middle of a game', async (t) => {
  const data = await folder(t);
  const chain = await node(t, data);
  const server = await serve(t, '--url', chain.url);
  const page = await playing(t, server, [3, 3]);

  await chain.stop('SIGKILL');
  await page.waitForSelector('#chain', { state: 'visible' });
  await says(page, '#chain', /cannot be reached/i);
  // The board stays as the chain last had it, and says why nothing can be done.
  await page.keyboard.press('Digit1');
  await says(page, '#chain', /no response from ws:.*refused.*trying again/i);
  await says(page, '#error', /no move can be made until the chain is back/i);
  assert.deepEqual(await board(page), [[], [], [], ['red', 'blue'], [], [], []]);

  await node(t, data, chain.port);
  await page.waitForSelector('#chain', { state: 'hidden' });
  assert.equal(await page.isVisible('#error'), false);
  await drop(page, 0);
  assert.deepEqual(await board(page), [['red'], [], [], ['red', 'blue'], [], [], []]);
  assert.ok(await isMarked(page), 'without a reload');
  assert.deepEqual(page.complaints, []);
});

test('if the program that had the chain ends, the one with the page takes it over', async (t) => {
  const data = await folder(t);
  const chain = await node(t, data);
  const server = await serve(t, '--data', data);
  const page = await playing(t, server, [3, 3]);
  await chain.stop('SIGKILL');
  await page.waitForSelector('#chain', { state: 'visible' });
  await page.waitForSelector('#chain', { state: 'hidden' });
  await drop(page, 3);
  assert.deepEqual((await board(page))[3], ['red', 'blue', 'red']);
  assert.ok(await isMarked(page), 'without a reload');
});

test('what happened while nobody looked is there once the chain is back', async (t) => {
  const data = await folder(t);
  const first = await serve(t, '--data', data);
  const page = await playing(t, first, [3, 3, 4]);
  const number = Number(await page.getAttribute('#board', 'data-game'));
  await first.stop('SIGKILL');
  await page.waitForSelector('#chain', { state: 'visible' });

  // The program starts again, where it was; its links open what they opened.
  await serve(t, '--data', data, '--port', first.port);
  await page.waitForSelector('#chain', { state: 'hidden' });
  await drop(page, 4);
  assert.ok(await isMarked(page), 'without a reload');
  assert.deepEqual(await board(page), [[], [], [], ['red', 'blue'], ['red', 'blue'], [], []]);
  assert.equal(Number(await page.getAttribute('#board', 'data-game')), number);
});

test("an account that can't pay is told so, and what to do", async (t) => {
  const secret = path.join(await folder(t), 'secret');
  await writeFile(secret, `sr25519:0x${'77'.repeat(32)}`);
  const server = await serve(t, '--tmp', '--secret-file', secret);
  const page = await visitor(t);
  await lobby(page, server);
  await page.click('#start');
  await says(page, '#error', /cannot pay.*0 DOT.*another account/i);
  assert.equal(await text(page, '#start').then((label) => label.length > 0), true);
  // Another account can.
  await page.evaluate(() =>
    document.querySelectorAll('#new-game details').forEach((one) => {
      one.open = true;
    }),
  );
  const accounts = await page.$$eval('#new-game select[name=red] option', (all) =>
    all.map(({ value }) => value),
  );
  await page.selectOption('#new-game select[name=red]', accounts[1]);
  await page.selectOption('#new-game select[name=blue]', accounts[2]);
  await page.click('#start');
  await turns(page, 0);
});

test('while a move is under way the page says so, and the board is no guess', async (t) => {
  // A chain that takes its time, as public ones do.
  const chain = await node(t, null, 0, '--block-time', '6');
  const server = await serve(t, '--url', chain.url);
  const page = await visitor(t);
  await startGame(page, server);
  await page.keyboard.press('Digit4');
  await page.waitForSelector('body[data-pending=true]');
  await says(page, '#status', /sending/i);
  assert.deepEqual(await board(page), [[], [], [], [], [], [], []]);
  // Whoever is impatient moves nothing twice.
  await page.keyboard.press('Digit5');
  await page.keyboard.press('Digit4');
  await turns(page, 1);
  assert.deepEqual(await board(page), [[], [], [], ['red'], [], [], []]);
  await says(page, '#status', /blue to move/i);
});

test('a chain that goes away while a move is under way says what became of it', async (t) => {
  const data = await folder(t);
  const chain = await node(t, data, 0, '--block-time', '6');
  const server = await serve(t, '--url', chain.url);
  const page = await visitor(t);
  await startGame(page, server);
  await page.keyboard.press('Digit4');
  await page.waitForSelector('body[data-pending=true]');
  await chain.stop('SIGKILL');
  await says(page, '#error', /lost.*may still be executed/i);
  await page.waitForSelector('body[data-pending=false]');
  assert.deepEqual(await board(page), [[], [], [], [], [], [], []], 'no guess');

  // Either the chain has it, or it can be tried again.
  await node(t, data, chain.port);
  await page.waitForSelector('#chain', { state: 'hidden' });
  await drop(page, 2);
  assert.deepEqual(await board(page), [[], [], ['red'], [], [], [], []]);
});

test('a move that the chain takes back is told, and can be made again', async (t) => {
  const chain = await node(t, null, 0, '--dev-rpc', '--finality-lag', '100');
  const server = await serve(t, '--url', chain.url);
  const page = await visitor(t);
  await startGame(page, server);
  await play(page, [3, 3, 4]);
  const reorganise = { jsonrpc: '2.0', id: 1, method: 'dev_reorganise', params: [1, 'drop'] };
  const answer = await fetch(chain.url.replace('ws:', 'http:'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(reorganise),
  });
  assert.equal((await answer.json()).error, undefined);
  await says(page, '#error', /the last move was undone: its block was replaced/i);
  assert.deepEqual(await board(page), [[], [], [], ['red', 'blue'], [], [], []]);
  await drop(page, 5);
  assert.deepEqual(await board(page), [[], [], [], ['red', 'blue'], [], ['red'], []]);
  assert.equal(await page.isVisible('#error'), false);
});

test('a chain that was begun anew has none of the old games, and says so', async (t) => {
  const chain = await node(t, null);
  const server = await serve(t, '--url', chain.url);
  const page = await visitor(t);
  const number = await startGame(page, server);
  await play(page, [3, 3]);
  await chain.stop('SIGKILL');
  await page.waitForSelector('#chain', { state: 'visible' });
  await node(t, null, chain.port);
  await page.waitForSelector('body[data-state=missing]');
  await says(page, '#missing-text', new RegExp(`no game ${number}`));
  // And new ones are started there as ever.
  assert.equal(await startGame(page, server), 0);
  await drop(page, 0);
});

test('the computer plays on when the program is started again', async (t) => {
  const data = await folder(t);
  const first = await serve(t, '--data', data);
  const page = await visitor(t);
  await startGame(page, first, { way: 'computer', set: { level: 'easy' } });
  await page.keyboard.press('Digit4');
  await turns(page, 2);
  await first.stop('SIGKILL');
  await page.waitForSelector('#chain', { state: 'visible' });
  await serve(t, '--data', data, '--port', first.port);
  await page.waitForSelector('#chain', { state: 'hidden' });
  await says(page, '#players [data-colour=blue]', /computer.*easy/i);
  await page.keyboard.press('Digit1');
  await turns(page, 4);
});
