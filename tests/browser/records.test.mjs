// Games as text: saved by the page, and files that are dropped onto it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { faults } from './axe.mjs';
import {
  CLASSROOM,
  closeBrowser,
  dropFile,
  lobby,
  picture,
  play,
  record,
  says,
  serve,
  startGame,
  text,
  visitor,
} from './harness.mjs';

after(closeBrowser);

/** A game of version 1 of the format with signatures. */
const EARLIER = `[Connect4 "1"]
[Game "0xb8fff14cba4b1cf1a2d107d2b028cc94ee80886b8e26c538bdd62d67c452d110"]
[Chain "420420421"]
[Contract "0xcccccccccccccccccccccccccccccccccccccccc"]
[Player1 "0xf29d73a04cb51167926d5735dae3e00bfe25fafc"]
[Player2 "0xa065797e9fc0e9ba929daa05e2419986725ebc7a"]
[Terms "13x4, line 3"]
[Time "2026-11-24T20:45:54Z"]
[Pool "2"]
[Nonce "21"]
[End "by resignation"]
[Signed "resignation 2"]
[Signature1 "0x${'2b'.repeat(64)}1b"]
[Signature2 "0x${'53'.repeat(64)}1c"]

8 4 3 3 3 3 (12) 2 1 (12) 1-0
`;

test('a file that is dropped shows its games and what proves them', async (t) => {
  const server = await serve(t);
  const page = await visitor(t, { viewport: { width: 1200, height: 800 } });
  await lobby(page, server);
  const signed = record('a signed game, a lapse of time');
  const others = ['of a chain, a resignation', 'of nobody, with comments'];
  const games = [signed, ...others.map(record), EARLIER];
  await dropFile(page, 'games.txt', games.join('\n'));
  await says(page, '#records li:nth-child(1) .proof', /and the witness how it ended/);
  await says(page, '#records li:nth-child(2) .proof', /evidence is on the chain/);
  await says(page, '#records li:nth-child(3) .proof', /Nobody has signed it/);
  await says(page, '#records li:nth-child(4) .proof', /no signature of a kind that is checked/);
  await says(page, '#records li:nth-child(4) strong', /1-0 by resignation$/);
  await picture(page, 'records-1200');
  assert.deepEqual(await faults(page), []);
  await page.click('#records li:nth-child(1) button');
  await page.waitForSelector('body[data-state=line] #board');
  const moves = signed.split('\n\n')[1].trim().split(/\s+/).length - 1;
  await says(page, '#notation', /\d/);
  assert.equal(await page.locator('#moves > *').count(), moves);
  // A move that was changed afterwards is found, and a text of another kind is no record.
  const at = signed.indexOf('[Nonce "') + 8;
  await dropFile(page, 'forged.txt', `${signed.slice(0, at)}1${signed.slice(at)}`);
  await says(page, '#records .proof', /^Not this game: the record is of game 0x/);
  await page.keyboard.press('Escape');
  await dropFile(page, 'other.txt', 'what is this?');
  await says(page, '#records .wrong', /^Line 1: a game begins with the tag/);
});

test('a file of many games is read by a worker, and shown in parts', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  await lobby(page, server);
  const games = Array.from({ length: 450 }, () => record('of nobody, with comments'));
  const working = page.waitForEvent('worker');
  await dropFile(page, 'many.txt', games.join('\n'));
  const worker = await working;
  await says(page, '#more-records', /^Show more: 250 left$/);
  assert.equal(await page.locator('#records li').count(), 200);
  assert.deepEqual(await faults(page), []);
  assert.ok(!page.workers().includes(worker), 'it has ended with its answer');
  await page.click('#more-records');
  await says(page, '#more-records', /^Show more: 50 left$/);
  // The focus is on the first of those that came.
  const focused = await page.evaluate(() => {
    const { activeElement } = document;
    return [...document.querySelectorAll('#records li')].findIndex((one) =>
      one.contains(activeElement),
    );
  });
  assert.equal(focused, 200);
  await page.click('#more-records');
  await page.waitForSelector('#more-records', { state: 'hidden' });
  assert.equal(await page.locator('#records li').count(), 450);
  // Another file, and one that is left before it was read.
  await page.keyboard.press('Escape');
  await dropFile(page, 'one.txt', record('of nobody, with comments'));
  await page.waitForFunction(() => document.querySelectorAll('#records li').length === 1);
  assert.equal(await page.isVisible('#more-records'), false);
  // One that comes before the page is told that the sheet of the one before was closed.
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'two.txt', { type: 'text/plain' }));
    document.querySelector('#records').close();
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.querySelector('main').dispatchEvent(drop);
  }, record('of nobody, with comments'));
  await says(page, '#records-title', /^two\.txt$/);
  assert.equal(await page.locator('#records li').count(), 1);
  assert.deepEqual(page.complaints, []);
});

test('a game is saved as text, and opened again', async (t) => {
  const server = await serve(t);
  const page = await visitor(t);
  await startGame(page, server, { board: CLASSROOM });
  await play(page, [0, 1, 0, 1, 0, 1, 0]);
  await page.waitForSelector('#next:not([hidden])');
  await page.click('#more > summary');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-game')]);
  const saved = readFileSync(await download.path(), 'utf8');
  assert.match(saved, /^\[Connect4 "1"\]\n\[Game "0"\]\n/);
  assert.match(saved, /\n\[End "by a line"\]\n\n1 2 1 2 1 2 1 1-0\n$/);
  await lobby(page, server);
  const buffer = Buffer.from(saved);
  await page.setInputFiles('#games-file', { name: 'saved.txt', mimeType: 'text/plain', buffer });
  await says(page, '#records li strong', /^Game 0 .* 1-0 by a line$/);
  await page.click('#records li button');
  await page.waitForSelector('body[data-state=line]');
  assert.equal(await text(page, '#notation'), '1212121');
});
