// Games by signed terms on the chain: a wallet takes one there that the opponent has left, and records others.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { faults } from './axe.mjs';
import { closeBrowser, drop, folder, host, picture, says, visitor } from './harness.mjs';
import { connect, ethereum, world } from './hosted.mjs';

after(closeBrowser);

const LINE = [3, 0, 3, 0, 3, 0, 3];

/** A guest, who begins, and a wallet of Ethereum: both in a game that has just begun. */
const paired = async (t, at, { time = '300,5', options } = {}) => {
  const guest = await visitor(t, options);
  const { page, wallet } = await ethereum(t, { ...at, options }, `0x${'11'.repeat(32)}`);
  await connect(page, at.url);
  await guest.goto(at.url);
  await guest.waitForSelector('#start:enabled:visible');
  await page.check('#new-game [name=way][value=anyone]', { force: true });
  for (const [one, side] of [
    [guest, 'first'],
    [page, 'second'],
  ]) {
    await one.selectOption('#by-terms [name=side]', side);
    await one.selectOption('#by-terms [name=time]', time);
    await one.click('#start');
  }
  for (const one of [guest, page]) await one.waitForSelector('#board[data-turns="0"]');
  return { guest, page, wallet };
};

/** Drops discs in turn; each is seen by both. */
const played = async ({ guest, page }, bins) => {
  for (const [turn, bin] of bins.entries()) {
    await drop(turn % 2 ? page : guest, bin);
    for (const one of [guest, page]) await one.waitForSelector(`#board[data-turns="${turn + 1}"]`);
  }
};

test('a player whose opponent has gone wins by the clock on the chain', async (t) => {
  const at = await world(t, {}, '--dev-rpc');
  const pair = await paired(t, at, { options: { bypassCSP: true } });
  const { guest, page } = pair;
  await played(pair, [3]);
  // A guest alone is told what it takes, unless it has to move itself.
  await guest.click('#terms-stuck summary');
  await says(guest, '#terms-stuck', /start your opponent’s clock/);
  await says(guest, '#terms-dispute', /^Connect a wallet$/);
  await drop(page, 3);
  await guest.waitForSelector('#terms-stuck', { state: 'hidden' });
  await guest.goto('about:blank');
  await says(page, '#terms-note', /not connected/);
  await page.click('#terms-stuck summary');
  assert.deepEqual(await faults(page), [], 'before the dispute');
  for (const width of [360, 1200]) {
    await page.setViewportSize({ width, height: 900 });
    await picture(page, `stuck-${width}`);
  }
  await page.click('#terms-dispute:enabled');
  await says(page, '#terms-text', /on the chain for a dispute, as game f\d/);
  await page.click('#terms-press:enabled');
  await says(page, '#terms-time', /clock of your opponent runs/);
  for (const width of [360, 1200]) {
    await page.setViewportSize({ width, height: 900 });
    await picture(page, `pressed-${width}`);
  }
  // The time is over, and the page claims the win.
  await at.later(400);
  await says(page, '#status', /Blue won: red ran out of time/);
  await says(page, '#terms-text', /The dispute has ended on the chain/);
  await page.reload();
  await says(page, '#status', /Blue won: red ran out of time/);
  assert.deepEqual(page.complaints, []);
});

test('who was away answers in a dispute by moves, which the opponent’s page brings', async (t) => {
  const at = await world(t);
  const pair = await paired(t, at);
  const { guest, page } = pair;
  await played(pair, [3, 3]);
  const game = guest.url();
  await guest.goto('about:blank');
  await says(page, '#terms-note', /not connected/);
  await page.click('#terms-stuck summary');
  await page.click('#terms-dispute:enabled');
  await says(page, '#terms-text', /on the chain for a dispute/);
  await page.click('#terms-press:enabled');
  await says(page, '#terms-time', /clock of your opponent runs/);
  await guest.goto(game);
  await says(guest, '#terms-time', /Your clock runs on the chain/);
  await drop(guest, 3);
  // The signed move stops the clock: nobody loses by it any more.
  await page.waitForSelector('#board[data-turns="3"]');
  await drop(page, 3);
  for (const one of [guest, page]) await one.waitForSelector('#board[data-turns="4"]');
});

test('a finished game is recorded by a wallet, and its file by the program', async (t) => {
  const at = await world(t);
  const pair = await paired(t, at, { options: { bypassCSP: true } });
  const { guest, page } = pair;
  await played(pair, LINE);
  await says(guest, '#terms-text', /Both players have signed this result/);
  // Without a wallet: the file, which the program takes.
  assert.ok(await guest.isHidden('#terms-record'));
  const [download] = await Promise.all([
    guest.waitForEvent('download'),
    guest.click('#terms-save'),
  ]);
  const file = path.join(await folder(t), download.suggestedFilename());
  await download.saveAs(file);
  const said = await promisify(execFile)(process.env.CONNECT4_PROGRAM, [
    ...['record', '--url', at.chain.url, '--account', 'alice', '--dry-run', file],
  ]);
  assert.match(said.stdout + said.stderr, /1 game/);
  await page.setViewportSize({ width: 1200, height: 900 });
  await picture(page, 'record-1200');
  assert.deepEqual(await faults(page), [], 'before the record');
  await page.click('#terms-record:enabled');
  await says(page, '#terms-text', /It is recorded on the chain/);
  assert.ok(await page.isHidden('#terms-record'));
  await guest.reload();
  await says(guest, '#terms-text', /It is recorded on the chain/);
  // A host with a relay that has never had the room: the chain has the game.
  const other = await host(t, '--url', at.chain.url);
  const stranger = await visitor(t);
  await stranger.goto(guest.url().replace(at.url, other.url));
  await says(stranger, '#status', /Red wins!/);
  await says(stranger, '#terms-text', /The chain has this game, by a line, as the index/);
  await stranger.click('#review');
  await says(stranger, '#review-result li', /red: /);
  for (const one of [guest, page]) assert.deepEqual(one.complaints, []);
});
