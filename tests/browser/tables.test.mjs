// Variants in several browsers: four players in four windows, tables, and players who are late.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  COLOURS,
  cells,
  closeBrowser,
  lobby,
  make,
  node,
  picture,
  says,
  serve,
  startVariant,
  text,
  turns,
  visitor,
} from './harness.mjs';

after(closeBrowser);

const card = (colour) => `#players [data-colour=${colour}]`;

test('four play in four windows to a win, and anybody watches', async (t) => {
  const server = await serve(t);
  const red = await visitor(t);
  const number = await startVariant(red, server, { seats: ['here', 'link', 'link', 'link'] });
  const links = await red.$$eval('#invite [data-link]', (all) =>
    all.map(({ dataset }) => dataset.link),
  );
  assert.equal(links.length, 3);
  const watching = `${server.url}/game/${number}`;
  assert.equal(await red.getAttribute('#watch-link', 'data-link'), watching);

  const others = await Promise.all(
    links.map(async (link) => {
      const page = await visitor(t);
      await page.goto(link);
      await turns(page, 0);
      assert.equal(page.url(), watching, 'what is in the address line may be shown to anybody');
      return page;
    }),
  );
  const players = [red, ...others];
  const watcher = await visitor(t);
  await watcher.goto(watching);
  await turns(watcher, 0);
  const all = [...players, watcher];
  for (const [seat, page] of players.entries()) {
    await says(page, `${card(COLOURS[seat])} .kind`, /you/);
  }
  await says(watcher, '#note', /you watch/i);

  // Nobody moves out of turn.
  for (const page of [others[0], watcher]) {
    await page.keyboard.press('1');
    await says(page, '#error', /red|watch/i);
  }
  for (let turn = 0; turn < 13; turn += 1) {
    const seat = turn % 4;
    await says(players[seat], '#status', /\(you\)/);
    await make(players[seat], String(seat + 1));
    await Promise.all(all.map((page) => turns(page, turn + 1)));
    if (turn === 5) {
      // One of them reloads in the middle, and still has the seat.
      await players[2].reload();
      await turns(players[2], turn + 1);
    }
  }
  for (const page of all) {
    await says(page, '#status', /red wins/i);
    assert.deepEqual(await cells(page), ['rrrr', 'bbb', 'ggg', 'yyy', '', '']);
    assert.deepEqual(page.complaints, []);
  }
  await says(red, '#note', /you won/i);
  await says(others[2], '#note', /you lost/i);
  await says(others[1], '#live', /red wins with four in a row/i);
});

test('at a table of three somebody joins, leaves, and joins again', async (t) => {
  const chain = await node(t, null);
  const [hers, his] = await Promise.all([
    serve(t, '--url', chain.url),
    serve(t, '--url', chain.url),
  ]);
  const alice = await visitor(t);
  const number = await startVariant(alice, hers, { seats: ['', '', ''], table: true });
  await says(alice, '#status', /waiting for players: 1 of 3/i);
  const bob = await visitor(t);
  await lobby(bob, his);
  await says(bob, '#tables', /table v0.*1 of 3.*alice.*free.*free/is);
  await picture(bob, 'variant-tables');
  await bob.click('#tables [data-do=join] >> nth=0');
  await bob.waitForSelector(`#board[data-game="${number}"]`);
  await says(alice, '#status', /2 of 3/);
  await says(alice, '#live', /bob joins as blue/i);
  await bob.click('#table-actions [data-do=leave]:has-text("bob")');
  await says(alice, '#status', /1 of 3/);
  await says(alice, '#live', /seat of blue is free again/i);
  await bob.click('#table-actions [data-do=join]:has-text("bob")');
  await bob.click('#table-actions [data-do=join]:has-text("charlie")');
  await Promise.all([turns(alice, 0), turns(bob, 0)]);
  await says(alice, '#status', /red to move.*you/i);
  await make(alice, '1');
  await turns(bob, 1);
  await make(bob, '2');
  await make(bob, '3');
  await turns(alice, 3);

  // Who leaves a game of three leaves the discs, and the others go on.
  await bob.click('#actions #resign');
  await says(bob, '#actions', /leave for good as blue/i);
  await bob.click('#resign-yes');
  await says(alice, '#note', /blue has left/i);
  await make(alice, '1');
  await says(bob, '#status', /green to move/i);
  await make(bob, '3');
  assert.deepEqual(await cells(alice), ['rr', 'b', 'gg', '', '', '']);
  assert.deepEqual([...alice.complaints, ...bob.complaints], []);

  // A table is closed by who opened it.
  await startVariant(alice, hers, { seats: ['', ''], table: true });
  await lobby(bob, his);
  await says(bob, '#tables', /table v1/i);
  await alice.click('#table-actions [data-do=leave]');
  await bob.waitForSelector('#tables', { state: 'hidden' });
});

test('a table for named players is for them alone', async (t) => {
  const page = await visitor(t);
  const server = await serve(t);
  await lobby(page, server);
  await page.check('#which-game input[value=variant]', { force: true });
  await page.check('#new-variant input[name=players][value="3"]', { force: true });
  await page.check('#new-variant input[name=way][value=table]', { force: true });
  await page.fill('#new-variant input[name=invited]', 'charlie');
  await page.click('#start-variant');
  await says(page, '#error', /players/i);
  await page.fill('#new-variant input[name=invited]', 'charlie, bob');
  await page.click('#start-variant');
  await turns(page, 0);
  await says(page, `${card('blue')}`, /charlie.*not here yet/i);
  await says(page, '#note', /named players/i);
  const joins = await page.$$eval('#table-actions [data-do=join]', (all) =>
    all.map(({ textContent }) => textContent),
  );
  assert.deepEqual(joins.sort(), ['Join as bob', 'Join as charlie']);
  await page.click('#table-actions [data-do=join]:has-text("bob")');
  await says(page, card('green'), /bob.*is here/i);
  await page.click('#table-actions [data-do=join]:has-text("charlie")');
  await says(page, '#status', /red to move/i);
});

test('a computer sits down at a table, and plays', async (t) => {
  const page = await visitor(t);
  await startVariant(page, await serve(t), { seats: ['', ''], table: true });
  await page.selectOption('[aria-label="Level of the computer"]', 'random');
  await page.click('[data-do=join-computer]');
  await says(page, `${card('blue')} .kind`, /computer \(random\)/);
  // The game has started, and nothing is under way any more.
  await says(page, '#status', /red to move/i);
  await turns(page, 0);
  await page.keyboard.press('1');
  await turns(page, 2);
  await says(page, '#status', /red to move.*you/i);
  assert.deepEqual(page.complaints, []);
});

test('a player who is late is removed, and the game goes on', async (t) => {
  const page = await visitor(t);
  await startVariant(page, await serve(t), { seats: ['here', 'here', 'here'], limit: 10 });
  await turns(page, 0);
  assert.match(await text(page, `${card('red')} .clock`), /^0:\d\d$/);
  await make(page, '1');
  assert.equal(await page.isVisible('[data-do=remove-late]'), false);
  await page.waitForSelector('[data-do=remove-late]');
  await page.keyboard.press('2');
  await says(page, '#error', /time/i);
  await page.click('[data-do=remove-late]');
  await says(page, '#note', /blue has left/i);
  await says(page, '#live', /blue was late and is out/i);
  await says(page, '#status', /green to move/i);
  await says(page, '#moves', /blue was late and is out/i);
  await page.waitForSelector('[data-do=remove-late]');
  await page.click('[data-do=remove-late]');
  await says(page, '#status', /red wins: all others have left/i);
});
