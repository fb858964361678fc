// The page as an app, without a network: all that it decides by itself works.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import {
  afterwards,
  closeBrowser,
  dropFile,
  picture,
  record,
  says,
  serve,
  text,
  visitor,
} from './harness.mjs';
import { files, world } from './hosted.mjs';

after(closeBrowser);

/** Opens the lobby. */
const lobby = async (page, { url }) => {
  await page.goto(url);
  await page.waitForSelector('body[data-state=lobby] #start:enabled:visible');
};

/** Has a visitor open the page of a public host and play there, then takes the network away. */
const offline = async (t) => {
  const served = await world(t);
  const page = await visitor(t);
  await lobby(page, served);
  await page.check('#new-game [name=way][value=screen]', { force: true });
  await page.click('#start');
  await page.waitForSelector('body[data-state=game] #table svg');
  await page.keyboard.press('Digit4');
  await says(page, '#notation', /^4$/);
  // All files are kept.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.context().setOffline(true);
  return { served, page };
};

/** Plays a game at one screen in which red wins in bin 1. */
const playHere = async (page, served) => {
  await lobby(page, served);
  await page.check('#new-game [name=way][value=screen]', { force: true });
  await page.click('#start');
  await page.waitForSelector('body[data-state=game] #table svg');
  for (const [turn, bin] of [...'1212121'].entries()) {
    await page.keyboard.press(`Digit${bin}`);
    await says(page, '#notation', new RegExp(`^${'1212121'.slice(0, turn + 1)}$`));
  }
};

test('a record is opened without a network, stepped through, and reviewed', async (t) => {
  const { served, page } = await offline(t);
  await lobby(page, served);
  const games = ['a signed game, a line without a witness', 'of nobody, with comments'].map(record);
  await dropFile(page, 'games.txt', games.join('\n'));
  await says(page, '#records li:nth-child(1) .proof', /both players have signed it/);
  await page.click('#records li:nth-child(1) button');
  await page.waitForSelector('body[data-state=line] #board');
  const count = await page.locator('#moves > *').count();
  assert.ok(count > 0);
  assert.equal(await text(page, '#link'), 'in this page');
  assert.equal(await page.isVisible('#chain'), false);
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector(`#board[data-turns="${count - 1}"]`);
  await page.reload();
  await page.waitForSelector(`body[data-state=line] #board[data-turns="${count - 1}"]`);
  await page.click('#review');
  await says(page, '#review-result', /red:.*blue:/s);
  await picture(page, 'offline-line');
});

test('a line without a network: of a variant, and what is wrong with one, as the host says', async (t) => {
  const { served, page } = await offline(t);
  const at = (query) => `${served.url}/line?${query}`;
  const board = 'bins=7&capacity=6&line=4';
  await page.goto(
    at(`${board}&players=3&pop_out=true&take=1&clear=1&float=1&moves=4+4t4.1f3.5p4r5`),
  );
  await page.waitForSelector('body[data-state=line] #board');
  await says(page, '#notation', /^44t4\.1f3\.5p4r5$/);
  const wrong = [
    `${board}&moves=44x`,
    `${board}&moves=12121211`,
    `${board}&pie_rule=true&moves=1111111`,
    `${board}&pie_rule=true&players=3&moves=`,
    `${board}&moves=${'1'.repeat(60)}`,
    'bins=255&capacity=255&line=4&moves=1',
    'bins=seven&capacity=6&line=4&moves=1',
    `${board}&players=256&moves=`,
    `${board}&pop_out=1&moves=`,
    'moves=44',
  ];
  const said = [];
  for (const query of wrong) {
    await page.goto(at(query));
    await page.waitForSelector('body[data-state=missing]');
    said.push(await text(page, '#missing-text'));
  }
  await page.context().setOffline(false);
  for (const [index, query] of wrong.entries()) {
    await page.goto(at(query));
    await page.waitForSelector('body[data-state=missing]');
    assert.equal(said[index], await text(page, '#missing-text'), query);
  }
});

test('a line is shown, too, while a proxy answers for a host that is away', async (t) => {
  const served = await world(t);
  const page = await visitor(t);
  await page.route(/\/api\/line/, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  );
  await page.goto(`${served.url}/line?bins=7&capacity=6&line=4&moves=4455`);
  await page.waitForSelector('body[data-state=line] #board[data-turns="4"]');
});

test('moves as text are opened from the lobby without a network', async (t) => {
  const { served, page } = await offline(t);
  await lobby(page, served);
  await page.fill('#import input[name=moves]', '44x');
  await page.press('#import input[name=moves]', 'Enter');
  await says(page, '#import-error', /^Move 3, 'x': there is no such bin/);
  await page.fill('#import input[name=moves]', '4455');
  await page.press('#import input[name=moves]', 'Enter');
  await page.waitForSelector('body[data-state=line] #board[data-turns="4"]');
  await says(page, '#notation', /^4455$/);
});

test('a game of this page is reviewed, saved, opened again and practised without a network', async (t) => {
  const { served, page } = await offline(t);
  await playHere(page, served);
  await page.click('#review');
  await says(page, '#review-result', /red:.*blue:/s);
  await page.click('#more > summary');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-game')]);
  const saved = readFileSync(await download.path(), 'utf8');
  assert.match(saved, /\n1 2 1 2 1 2 1 1-0\n$/);
  await page.click('#practice');
  await page.waitForSelector('#page-puzzles[data-phase=play]');
  assert.match(await text(page, '.puzzle-note'), /^Move \d of this game/);
  assert.equal(await page.isVisible('#chain'), false);
  await lobby(page, served);
  await page.setInputFiles('#games-file', {
    name: 'saved.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(saved),
  });
  await page.click('#records li button');
  await page.waitForSelector('body[data-state=line]');
  await says(page, '#notation', /^1212121$/);
  // The key works once hints are loaded.
  await page.waitForSelector('#help [data-switch=evaluation]', { state: 'attached' });
  await page.keyboard.press('KeyE');
  await says(page, '#evaluation', /red has won/);
});

test('puzzles, openings and mistakes work without a network', async (t) => {
  const { served, page } = await offline(t);
  await page.goto(`${served.url}/puzzles?grade=1`);
  await page.waitForSelector('#page-puzzles[data-phase=play]');
  await page.keyboard.press('h');
  await says(page, '.puzzle-note', /It is bin \d( or \d)?\./);
  assert.equal(await page.isVisible('#chain'), false);
  await picture(page, 'offline-puzzle');
  await page.click('.puzzle-links a[href="/puzzles?openings="]');
  await page.waitForSelector('.answer');
  await page.click('.answer[data-best=true]');
  await says(page, '.puzzle-status', /Moves 4/);
  await playHere(page, served);
  await page.goto(`${served.url}/puzzles?mistakes`);
  await page.waitForSelector('#page-puzzles[data-phase=play]');
  assert.match(await text(page, '.puzzle-note'), /^Move \d of game h\d in this page/);
});

/** Opens views that need a host, and one that does without, and looks what is said of it. */
const needsHost = async (page, { url, name }) => {
  /** What the browser knows: one that has kept the page may take an old look for the present one. */
  const isOffline = await page.evaluate(() => !navigator.onLine);
  const why = isOffline
    ? ', and this device has no network: try again'
    : '. If no other site opens';
  const says = `The host ${name} does not answer${why}`.replaceAll('.', '\\.');
  await sayNothing(page, url, new RegExp(`^${says}`));
};

const sayNothing = async (page, url, pattern) => {
  for (const path of ['/live', '/players', '/player/alice']) {
    await page.goto(url + path);
    await says(page, '#missing-text', pattern);
  }
  await page.goto(`${url}/puzzles?mistakes=alice`);
  await says(page, '.puzzle-note', pattern);
  await page.goto(`${url}/game/0`);
  await says(page, '#chain', / puzzles and records work without it\.$/);
  assert.match(await text(page, '#chain'), /^The host \S+ does not answer.* Trying again\./);
  assert.equal(await text(page, '#link'), 'host offline');
};

test('what needs a host says so without a network', async (t) => {
  const { served, page } = await offline(t);
  await needsHost(page, { ...served, name: new URL(served.url).host });
});

test('what needs a host says so where the device has a network, and the host is gone', async (t) => {
  const { served, page } = await offline(t);
  await served.stop();
  await page.context().setOffline(false);
  await needsHost(page, { ...served, name: new URL(served.url).host });
});

test('what needs a host says so where names of hosts lead nowhere, and names them', async (t) => {
  const names = ['one.nowhere.invalid', 'two.nowhere.invalid'];
  const url = await files(t, ...names.map((name) => `http://${name}`));
  const page = await visitor(t);
  // The page may have asked the second one first, for something else.
  const orders = [names, names.toReversed()].map((order) =>
    order.join(' and ').replaceAll('.', '\\.'),
  );
  const none = `^None of the hosts (${orders.join('|')}) answers\\. If no other site opens either`;
  await page.goto(`${url}/puzzles?mistakes=alice`);
  await says(page, '.puzzle-note', new RegExp(none));
  await page.goto(`${url}/live`);
  const away =
    /^The host (one|two)\.nowhere\.invalid does not answer\. Trying again\. Games at this/;
  await says(page, '#chain', away);
});

test('what needs a host says so where the host takes what is asked, and never answers', async (t) => {
  const silent = createServer(() => {});
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => {
    silent.closeAllConnections();
    silent.close();
  });
  const name = `127.0.0.1:${silent.address().port}`;
  const url = await files(t, `http://${name}`);
  const page = await visitor(t);
  await page.clock.install();
  const asked = page.waitForRequest(/\/api\/hello/);
  await page.goto(url);
  await asked;
  await page.clock.fastForward(31_000);
  await says(page, '#chain', new RegExp(`^The host ${name} has not answered for 30 seconds`));
});

test('what needs the program on this device tells to look after it, and nothing of a network', async (t) => {
  const program = await serve(t);
  const page = await visitor(t);
  await lobby(page, { url: `${program.url}/#key=${program.key}` });
  await page.click('#puzzle-link a');
  await page.waitForSelector('#page-puzzles[data-phase=play]');
  await page.context().setOffline(true);
  await program.stop();
  await page.evaluate(() => {
    history.pushState(null, '', '/puzzles?mistakes=alice');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await says(page, '.puzzle-note', /^The program .* does not answer: check that it is running/);
  await page.evaluate(() => history.back());
  await page.evaluate(() => history.back());
  await says(
    page,
    '#chain',
    /^The program that serves this page does not answer\. Trying again\.$/,
  );
  assert.equal(await text(page, '#link'), 'program offline');
});
