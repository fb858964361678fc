// A host whose contracts are replaced by those of the next version while games run.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, drop, host, node, picture, run, says, turns } from './harness.mjs';
import { fastGame, game, seated } from './hosted.mjs';

after(closeBrowser);

/** The version before, whose contracts the program carries as well. */
const EARLIER = '3';

test('games for stakes go on, and are paid, while their host changes over to the next contracts', async (t) => {
  const chain = await node(t, null);
  const http = chain.url.replace('ws', 'http');
  const deploy = async (...more) =>
    JSON.parse(await run('deploy', '--url', chain.url, '--json', ...more)).contract;
  const old = await deploy('--earlier', EARLIER);
  const before = await host(t, '--url', chain.url, '--contract', old);
  const at = { chain, http, url: before.url };
  const fast = await fastGame(t, at);
  await drop(fast.red.page, 0);
  await turns(fast.blue.page, 1);
  const onChain = await game(t, at, { stake: '1' });
  const players = [onChain.red, onChain.blue];
  for (const turn of [0, 1, 2, 3, 4, 5]) {
    await drop(players[turn % 2].page, turn % 2);
    for (const { page } of players) await turns(page, turn + 1);
  }

  await before.stop();
  const now = await deploy();
  assert.notEqual(now, old);
  const after = await host(t, '--url', chain.url, '--listen', `127.0.0.1:${before.port}`);
  assert.equal(after.url, before.url);

  // Pages that are open go on below the path of their contracts, without being asked anything.
  for (const { page } of [...players, fast.red, fast.blue]) {
    await page.waitForURL(`**/earlier/${EARLIER}/game/**`);
    await page.waitForSelector('body[data-state=game] #board');
    await page.waitForSelector('#trust', { state: 'hidden' });
  }
  await turns(onChain.red.page, 6);
  await drop(onChain.red.page, 0);
  await says(onChain.blue.page, '#status', /Red wins/);
  await says(onChain.red.page, '#status', /Red wins/);
  await onChain.red.page.click('#withdraw');
  await onChain.red.page.waitForSelector('#withdraw', { state: 'hidden' });

  for (const { page } of [fast.red, fast.blue]) {
    await turns(page, 1);
    await seated(page);
  }
  for (const turn of [1, 2, 3, 4, 5, 6]) {
    const mover = turn % 2 ? fast.blue : fast.red;
    await drop(mover.page, turn % 2);
    for (const { page } of [fast.red, fast.blue]) await turns(page, turn + 1);
  }
  await fast.red.page.click('#withdraw');
  await fast.red.page.waitForSelector('#withdraw', { state: 'hidden' });

  // The lobby is that of the next contracts, and leads to the games of before.
  const { page } = onChain.red;
  await page.goto(after.url);
  await page.waitForSelector('#start:enabled:visible');
  await page.waitForSelector('#trust', { state: 'hidden' });
  await says(page, '#versions', /those of version 3/);
  await says(page, '#no-games', /./);
  await picture(page, 'host-changed-over');
  await page.click('#versions a');
  await page.waitForURL(`**/earlier/${EARLIER}/`);
  await says(page, '#versions', /contracts of version 3.*played to the end/);
  await says(page, '#games', /#f0/);
  await page.waitForSelector('#new', { state: 'hidden' });
  await picture(page, 'host-earlier');
  await page.click('#games a.id >> text=#0');
  await page.waitForURL(`**/earlier/${EARLIER}/game/0`);
  await says(page, '#status', /Red wins/);

  // A game of the next contracts has the number of one before; the profile has all of them.
  const next = await game(t, { ...at, url: after.url }, {});
  await next.red.page.waitForURL('**/game/0');
  assert.equal(new URL(next.red.page.url()).pathname, '/game/0');
  await drop(next.red.page, 3);
  await turns(next.blue.page, 1);
  await next.red.page.click('#page-game a.profile >> visible=true');
  await says(next.red.page, '#page-people', /3 games/);
  const links = next.red.page.locator('#page-people a.id');
  await links.nth(2).waitFor();
  const paths = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  for (const path of ['/game/0', '/earlier/3/game/0', '/earlier/3/game/f0']) {
    assert.ok(paths.includes(path), `${path} in ${paths}`);
  }
  await picture(next.red.page, 'host-profile-of-two-versions');
  for (const each of [...players, fast.red, fast.blue, next.red, next.blue]) {
    // While the host is away, browsers say so themselves, also where they look for a newer `sw.js`.
    const isAway = /ERR_CONNECTION_REFUSED|unknown error occurred when fetching the script/;
    const complaints = each.page.complaints.filter((one) => !isAway.test(one));
    assert.deepEqual(complaints, []);
  }
});
