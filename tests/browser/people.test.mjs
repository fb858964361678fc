// Profiles, standings, games that go on and the search: by links, by keyboard, on narrow screens, for
// visitors without an account, and for screen readers.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { faults, faultsInBoth } from './axe.mjs';
import { move, playOne, playSigned, rated, recorded, requests } from './games.mjs';
import {
  closeBrowser,
  node,
  picture,
  pictureInBoth,
  run,
  says,
  serve,
  text,
  turns,
  visitor,
} from './harness.mjs';

after(closeBrowser);

/** A server with some games: three that have ended, one of them signed, recorded and rated, and two that go on. */
const withGames = async (t) => {
  const chain = await node(t, null);
  await run('deploy', '--url', chain.url);
  const server = await serve(t, '--url', chain.url);
  const post = await requests(server);
  await playOne(post, { red: 'bob', blue: 'alice', moves: '12345676', resigns: 'red' });
  await playSigned(t, server.url, { red: 'alice', blue: 'bob', moves: '4343434' });
  await recorded(t, chain, server);
  await rated(server, 2);
  await playOne(post, { red: 'alice', blue: 'charlie', moves: '4141552', resigns: 'blue' });
  const live = await playOne(post, { red: 'alice', blue: 'dave', moves: '44' });
  await playOne(post, { red: 'bob', blue: 'charlie', moves: '123' });
  return { server, post, live };
};

/** Whether something is wider than the screen. */
const isTooWide = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test('players and games are looked at by anybody, by link and by search', async (t) => {
  const { server, post, live } = await withGames(t);
  // Without a key.
  const page = await visitor(t, { viewport: { width: 360, height: 740 } });
  await page.goto(`${server.url}/players`);
  await says(page, '.standings', /alice/);
  const first = await text(page, '.standings tbody tr:first-child');
  assert.match(first, /1.*alice.*15\d\d/);
  assert.equal(await isTooWide(page), false, 'players');
  await page.click('.standings a:has-text("alice")');
  await says(page, '.people-content h1', /Alice/);
  assert.equal(new URL(page.url()).pathname, '/player/alice');
  await says(page, '.figures', /Rating.*place 1.*Games.*4.*1 under way/);
  await says(page, '#open-here', /dave.*to move/);
  await says(page, '#plot-text', /After one game the rating is 15\d\d/);
  assert.equal(await isTooWide(page), false, 'a profile');
  await page.click('#series-here a[aria-label="Games against bob"]');
  await says(page, '#against', /2 games/);
  await page.reload();
  await says(page, '#against', /2 games/);

  // A game that goes on moves by itself.
  await page.click('#people-links a[href="/live"]');
  const game = `.live-game[data-game="${live}"]`;
  await page.waitForSelector(`${game}[data-plies="2"]`);
  assert.equal(await isTooWide(page), false, 'live games');
  await post(`/api/games/${live}/move`, move(0));
  await page.waitForSelector(`${game}[data-plies="3"]`);
  await says(page, game, /dave to move/);
  assert.equal(
    await page.getAttribute(`${game} .small-board`, 'aria-label'),
    'Board with 2 red and 1 blue',
  );
  const isWhole = await page.$eval(`${game} .small-board`, (board) => {
    const [outer, inner] = [board, board.querySelector('rect')].map((part) =>
      part.getBoundingClientRect(),
    );
    return inner.right < outer.right && inner.bottom < outer.bottom;
  });
  assert.ok(isWhole, 'its edges are seen');
  // It goes when it has ended.
  await post(`/api/games/${live}/act`, { act: 'resign', account: 'dave' });
  await page.waitForFunction((game) => !document.querySelector(game), game);

  // By keyboard alone.
  await page.focus('#search-field');
  await page.keyboard.type('cha');
  await says(page, '#search-found', /charlie/);
  await page.keyboard.press('Enter');
  await says(page, '.people-content h1', /Charlie/);
  await page.fill('#search-field', '0');
  await says(page, '#search-found', /Game 0/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('body[data-state=game] #board[data-game="0"]');
  await page.goBack();
  await says(page, '.people-content h1', /Charlie/);
  await page.fill('#search-field', 'zzz');
  await says(page, '#search-found', /Nothing found/);
  await page.goto(`${server.url}/player/nobody-at-all`);
  await page.waitForSelector('body[data-state=missing]');
  const expected = page.complaints.filter((said) => !/status of 400/.test(said));
  assert.deepEqual(expected, []);
});

test('names in the lobby and beside the board lead to profiles', async (t) => {
  const { server, post, live } = await withGames(t);
  const page = await visitor(t, { viewport: { width: 360, height: 740 } });
  await page.goto(server.url);
  const row = page.locator('#games .listed', { has: page.locator(`a[href="/game/${live}"]`) });
  // A game that goes on has its board, one that has ended has none.
  const board = row.locator('.small-board');
  await board.waitFor();
  assert.equal(await board.getAttribute('aria-label'), 'Board with 1 red and 1 blue');
  assert.equal(await page.locator('#games .small-board').count(), 2);
  await post(`/api/games/${live}/move`, move(0));
  await page.waitForSelector('#games [aria-label="Board with 2 red and 1 blue"]');
  await row.locator('a:has-text("dave")').click();
  await says(page, '.people-content h1', /Dave/);
  await page.goBack();
  // Anywhere else the row opens the game, also for the keyboard.
  await picture(page, 'lobby-names');
  assert.equal(await isTooWide(page), false, 'the lobby');
  await row.locator('.standing').click({ force: true });
  await turns(page, 3);
  await page.focus('#players [data-colour=red] .name a');
  await page.keyboard.press('Enter');
  await says(page, '.people-content h1', /Alice/);
  await page.goBack();
  await turns(page, 3);
  await page.goBack();
  await row.locator(`a[href="/game/${live}"]`).focus();
  // The list is drawn anew when something happens in any game, and the keyboard stays where it was.
  const other = await playOne(post, { red: 'bob', blue: 'dave', moves: '' });
  await page.waitForSelector(`#games a[href="/game/${other}"]`);
  await page.keyboard.press('Enter');
  await turns(page, 3);
  assert.deepEqual(page.complaints, []);
});

test('all games of a player are reached by link and by keyboard, page by page and by filter', async (t) => {
  const { server, post } = await withGames(t);
  const page = await visitor(t, { viewport: { width: 360, height: 740 } });
  await page.goto(`${server.url}/player/alice`);
  await says(page, '#last-games', /All 4 games/);
  // One page has 50 games.
  for (let number = 0; number < 48; number += 1) {
    await playOne(post, { red: 'alice', blue: 'dave', moves: '', resigns: 'blue' });
  }
  const link = page.locator('#last-games a[href="/player/alice/games"]');
  await says(page, '#last-games', /All 52 games/);
  await link.focus();
  await page.keyboard.press('Enter');
  await says(page, '.people-content h1', /Games of alice/);
  assert.equal(new URL(page.url()).pathname, '/player/alice/games');
  // Read from the heading on, where the keyboard goes on.
  await page.waitForSelector('.people-content h1:focus');
  const rows = page.locator('#all-games .games > li');
  assert.equal(await rows.count(), 50);
  await picture(page, 'people-games-narrow');
  // Neither the list nor the number of the block, which has three digits by now.
  assert.equal(await isTooWide(page), false, 'all games');
  await page.click('a:has-text("Older games")');
  await page.waitForSelector('a:has-text("Newest games")');
  assert.equal(await rows.count(), 2);
  assert.match(await rows.last().textContent(), /#0.*bob.*alice/);
  assert.equal(await page.locator('a:has-text("Older games")').count(), 0);
  // By link, with what it names.
  await page.reload();
  await page.waitForSelector('a:has-text("Newest games")');
  assert.equal(await rows.count(), 2);

  // A filter starts at the newest game again, and keeps the other filter.
  const tab = (name, said) => page.locator(`.tabs[aria-label="${name}"] a:has-text("${said}")`);
  const chosen = (said) => page.waitForSelector(`.tabs [aria-current]:focus:has-text("${said}")`);
  await tab('Results', 'Lost').focus();
  await page.keyboard.press('Enter');
  await chosen('Lost');
  await says(page, '#all-games', /There is no such game/);
  await tab('Results', 'Under way').focus();
  await page.keyboard.press('Enter');
  await chosen('Under way');
  assert.equal(await rows.count(), 1);
  assert.match(await rows.first().textContent(), /alice to move/);
  await tab('Kinds of games', 'Off the chain').focus();
  await page.keyboard.press('Enter');
  await chosen('Off the chain');
  await says(page, '#all-games', /There is no such game/);
  assert.equal(new URL(page.url()).search, '?result=open&kind=signed');
  await page.goBack();
  await says(page, '#all-games', /alice to move/);

  // The list follows the chain.
  await playOne(post, { red: 'alice', blue: 'eve', moves: '4' });
  await says(page, '#all-games', /eve to move/);
  assert.equal(await rows.count(), 2);
  await page.goto(`${server.url}/player/ferdie/games`);
  await says(page, '#all-games', /No game yet/);
  await page.goto(`${server.url}/player/nobody-at-all/games`);
  await page.waitForSelector('body[data-state=missing]');
  const expected = page.complaints.filter((said) => !/status of 400/.test(said));
  assert.deepEqual(expected, []);
});

test('programs are marked, also on a narrow screen', async (t) => {
  const { server } = await withGames(t);
  const page = await visitor(t, { viewport: { width: 360, height: 740 }, bypassCSP: true });
  // Standings in which an account has said that it is one.
  await page.route(/\/api\/(standings|accounts\/alice)/, async (route) => {
    const told = await (await route.fetch()).json();
    const rows = (told.rows ?? told.standings).filter((row) => row.account.name === 'alice');
    for (const row of rows) row.program = true;
    await route.fulfill({ json: told });
  });
  await page.goto(`${server.url}/players`);
  await says(page, '.standings tbody', /alice \(a program\)/);
  assert.doesNotMatch(await text(page, '.standings tr:has(a:has-text("bob"))'), /program/);
  const mark = await page.locator('.standings .player-cell .quiet').boundingBox();
  const cell = await page.locator('.standings .player-cell:has(.quiet)').boundingBox();
  assert.ok(mark && cell && mark.x + mark.width <= cell.x + cell.width, 'the mark is cut off');
  assert.equal(await isTooWide(page), false, 'players');
  assert.deepEqual(await faults(page), []);
  await page.click('.standings a:has-text("alice")');
  await says(page, '.people-content h1', /Alice \(a program\)/);
});

test('players and games are accessible, in light and in dark', async (t) => {
  const { server } = await withGames(t);
  const page = await visitor(t, { bypassCSP: true });
  for (const [path, selector, said] of [
    ['/players', '.standings', /alice/],
    ['/players?league=two', 'main', /Nobody has finished/],
    ['/player/alice?against=bob', '#against', /bob/],
    ['/player/eve', '.figures', /Rating/],
    ['/player/alice/games', '#all-games', /bob/],
    ['/player/alice/games?result=drawn&kind=signed', '#all-games', /no such game/],
    ['/live', '.live', /bob/],
  ]) {
    await page.goto(server.url + path);
    await says(page, selector, said);
    const details = page.locator('#rating details summary');
    if (await details.count()) await details.click();
    assert.deepEqual(await faultsInBoth(page), [], path);
    await pictureInBoth(page, `people-${path.replace(/\W+/g, '-')}`);
  }
  await page.fill('#search-field', 'a');
  await says(page, '#search-found', /alice/);
  assert.deepEqual(await faultsInBoth(page), [], 'found');
});
