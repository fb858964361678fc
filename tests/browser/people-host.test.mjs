// Players, standings and games that go on, at public hosts: what wallets have played is read by visitors
// who have none, at each host of a chain and on a page that comes from elsewhere.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { faults, faultsInBoth } from './axe.mjs';
import { playSigned, rated, recorded } from './games.mjs';
import {
  closeBrowser,
  drop,
  host,
  picture,
  pictureInBoth,
  says,
  turns,
  visitor,
} from './harness.mjs';
import { files, game, world } from './hosted.mjs';

after(closeBrowser);

/** What a host answers, without how far its index is, which is asked for first. */
const answer = async (url, path) => {
  const { index, ...said } = await (await fetch(url + path)).json();
  assert.equal(index.trouble, null);
  return said;
};

/** Key of the witness that a host is, once its chain has answered. */
const witnessOf = async ({ url }) => {
  const { witness } = await (await fetch(`${url}/api/hello`)).json();
  return witness ?? witnessOf({ url });
};

/**
 * Two hosts of one chain, of which the second counts the games of the first one's witness, too; a signed game of guests that
 * is recorded; and a game on the chain in which red has moved once.
 */
const started = async (t) => {
  const at = await world(t);
  const second = await host(t, '--url', at.chain.url, '--witness', await witnessOf(at));
  await playSigned(t, at.url, { moves: '4343434' });
  await recorded(t, at.chain, at);
  for (const each of [at, second]) await rated(each, 2);
  const players = await game(t, at);
  await drop(players.red.page, 0);
  await turns(players.blue.page, 1);
  return { at, second, ...players };
};

/** Red wins the game. */
const win = async ({ red, blue }, from) => {
  for (let turn = from; turn < 7; turn += 1) {
    const [one, other] = turn % 2 ? [blue, red] : [red, blue];
    await drop(one.page, turn % 2);
    await turns(other.page, turn + 1);
  }
  await says(red.page, '#status', /Red wins/);
};

const fits = async (page, what) => {
  const [is, may] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  assert.ok(is <= may, `${what} is ${is} pixels wide, the screen ${may}`);
  // The top of the page stays in its one line.
  const outside = await page.$$eval('.top > *', (parts) =>
    parts
      .filter((part) => {
        const [box, top] = [part, part.parentElement].map((one) => one.getBoundingClientRect());
        return (
          box.height && (box.top < top.top || box.bottom > top.bottom || box.right > top.right)
        );
      })
      .map(({ id }) => id),
  );
  assert.deepEqual(outside, [], what);
};

/** Looks at every view as a visitor without a wallet does. @param base of the page's addresses */
const lookAround = async (page, base, name, [find, keep] = [faults, picture]) => {
  const look = async (what) => {
    await fits(page, what);
    assert.deepEqual(await find(page), [], what);
    await keep(page, `people-host-${name}-${what}`);
  };
  await page.goto(`${base}/players`);
  await page.waitForSelector('.standings tbody tr:nth-child(2)');
  await look('players');
  const winner = page.locator('.standings tr[data-rank="1"] a');
  const address = (await winner.getAttribute('href')).replace('/player/', '');
  assert.match(address, /^0x[0-9a-f]{40}$/);
  await winner.click();
  await says(page, '.figures', /Rating.*place 1.*Games.*1.*Won.*1 of 1/);
  await look('player');
  await page.click('#last-games a:has-text("The only game")');
  await says(page, '#all-games', /won/);
  await look('games');
  await page.click('#all-games a[href^="/game/0x"]');
  await turns(page, 7);
  await says(page, '#status', /Red w[io]n/);
  await fits(page, 'a game');

  await page.goto(`${base}/live`);
  await says(page, '.people-content', /Nobody plays at the moment/);
  await look('live');
  await page.focus('#search-field');
  await page.keyboard.type(address.slice(0, 8));
  await says(page, '#search-found', /1 game/);
  await look('search');
  await page.keyboard.press('Enter');
  await says(page, '.address', new RegExp(address));
  await page.fill('#search-field', '0');
  await says(page, '#search-found', /Game 0/);
  await page.keyboard.press('Enter');
  await turns(page, 7);

  // By link.
  for (const [path, selector, said] of [
    [`/player/${address}`, '.figures', /place 1/],
    [`/player/${address}/games?result=lost`, '#all-games', /There is no such game/],
    ['/game/0', '#status', /Red wins/],
  ]) {
    await page.goto(base + path);
    await says(page, selector, said);
  }
  assert.deepEqual(page.complaints, []);
};

test('a visitor without a wallet looks at players and games at two hosts, which tell the same', async (t) => {
  const { at, second, ...players } = await started(t);
  const options = { viewport: { width: 360, height: 740 }, bypassCSP: true };
  const [one, other] = [await visitor(t, options), await visitor(t, options)];
  const board = (plies) => `.live-game[data-game="0"][data-plies="${plies}"]`;
  for (const [page, { url }] of [
    [one, at],
    [other, second],
  ]) {
    await page.goto(`${url}/live`);
    await page.waitForSelector(board(1));
    assert.deepEqual(await faults(page), [], 'live');
  }
  await drop(players.blue.page, 1);
  await turns(players.red.page, 2);
  for (const page of [one, other]) {
    await page.waitForSelector(board(2));
    const small = `${board(2)} .small-board`;
    assert.equal(await page.getAttribute(small, 'aria-label'), 'Board with 1 red and 1 blue');
  }
  await picture(one, 'people-host-moving');
  await one.click(`${board(2)} .watch`);
  await turns(one, 2);
  await win(players, 2);
  // Who watches sees it to its end, and among the live games it is no more.
  await turns(one, 7);
  await says(other, '.people-content', /Nobody plays at the moment/);

  const [here, there] = await Promise.all([at, second].map((each) => rated(each, 2)));
  // Each host counts the games of its own witness, and of those that its operator names.
  const [mine, theirs] = [here, there].map(({ witnesses, ...other }) => other);
  assert.deepEqual(mine, theirs);
  assert.deepEqual(
    here.witnesses.filter((key) => !there.witnesses.includes(key)),
    [],
  );
  assert.equal(there.witnesses.length, 2);
  const [winner, loser] = here.rows;
  assert.deepEqual([winner.rank, loser.rank], [1, 2]);
  for (const { account } of here.rows) {
    for (const path of [
      `/api/accounts/${account.address}`,
      `/api/history?account=${account.address}`,
    ]) {
      assert.deepEqual(await answer(at.url, path), await answer(second.url, path), path);
    }
  }
  await lookAround(one, at.url, 'first');
  await lookAround(other, second.url, 'second');
});

test('players and games on a page that comes from elsewhere, in light and in dark', async (t) => {
  const { second, ...players } = await started(t);
  const url = await files(t, second.url);
  const page = await visitor(t, { bypassCSP: true });
  await page.goto(`${url}/live`);
  await page.waitForSelector('.live-game[data-game="0"][data-plies="1"]');
  await drop(players.blue.page, 1);
  await page.waitForSelector('.live-game[data-game="0"][data-plies="2"]');
  await pictureInBoth(page, 'people-page-live');
  await turns(players.red.page, 2);
  await win(players, 2);
  await says(page, '.people-content', /Nobody plays at the moment/);
  await lookAround(page, url, 'page', [faultsInBoth, pictureInBoth]);
});
