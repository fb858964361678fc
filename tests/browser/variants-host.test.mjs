// Variants at a public host: a table that wallets of both kinds open and join, and each move a transaction.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { faultsInBoth } from './axe.mjs';
import { cells, closeBrowser, make, picture, says, startVariantHere, turns } from './harness.mjs';
import { connect, error, ethereum, lie, nameNode, ownNode, substrate, world } from './hosted.mjs';

after(closeBrowser);

const POPPING = { seats: ['', ''], table: true, rules: ['pop_out'], powers: { take: 1 } };

/** Joins the table that is shown. */
const join = (page) => page.click('#table-actions [data-do=join]:enabled');

test('three wallets meet at a table, play with powers, and one leaves', async (t) => {
  const at = await world(t);
  const visitors = { options: { bypassCSP: true }, ...at };
  const red = await ethereum(t, visitors, `0x${'11'.repeat(32)}`);
  const blue = await substrate(t, visitors, '//Blue//one');
  const green = await ethereum(t, visitors, `0x${'33'.repeat(32)}`);

  // Without a wallet there are games of this page, and what is missing is said.
  await red.page.goto(at.url);
  await red.page.waitForSelector('#start:enabled:visible');
  await red.page.check('#which-game input[value=variant]', { force: true });
  await red.page.check('#new-variant input[name=way][value=table]', { force: true });
  await says(red.page, '#start-variant', /^Connect a wallet$/);
  assert.deepEqual(await faultsInBoth(red.page), [], 'the form of a table');
  await red.page.click('#start-variant');
  await red.page.click('#wallets [data-wallet]');
  await says(red.page, '#start-variant', /^Open the table$/);
  await picture(red.page, 'variant-wallet-form');
  const seats = ['', '', ''];
  const game = await startVariantHere(red.page, { ...POPPING, seats, limit: 300 });
  assert.equal(game, 'v0');
  await says(red.page, '#status', /waiting for players: 1 of 3/i);

  for (const { page } of [blue, green]) {
    await connect(page, at.url);
    await says(page, '#tables', /table v0.*of 3/is);
    // What is joined is looked at before, with what a node has of it.
    assert.equal(await page.locator('#tables [data-do]').count(), 0);
    await page.click('#tables a');
    await join(page);
  }
  const all = [red.page, blue.page, green.page];
  for (const page of all) await turns(page, 0);
  await picture(blue.page, 'variant-wallet');
  await says(blue.page, '#status', /red to move|waiting for/i);
  await says(red.page, '#status', /red to move.*you/i);
  // A wallet of Ethereum has a node, which has the same game.
  await says(red.page, '#checked', /Checked by/);
  await make(red.page, '1');
  await turns(blue.page, 1);
  await make(blue.page, 't11');
  await turns(green.page, 2);
  await make(green.page, '3');
  await turns(red.page, 3);
  await make(red.page, '4');
  for (const page of all) {
    await turns(page, 4);
    assert.deepEqual(await cells(page), ['', '', 'g', 'r', '', '']);
  }
  await blue.page.click('#actions #resign');
  await blue.page.click('#resign-yes');
  await says(red.page, '#note', /blue has left/i);
  await turns(green.page, 4);
  await make(green.page, 'p3');
  await turns(red.page, 5);
  await green.page.click('#actions #resign');
  await green.page.click('#resign-yes');
  for (const page of all) await says(page, '#status', /red wins: all others have left/i);
  // Who has opened the table has paid its deposit.
  await says(red.page, '#checked', /Checked by/);
  await red.page.click('#actions #free');
  await says(red.page, '#note', /storage of this game was freed/);
  for (const page of all) assert.deepEqual(page.complaints, []);
});

test('a host that shows another table, other powers or another board is seen through', async (t) => {
  const at = await world(t);
  const red = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  await connect(red.page, at.url);
  await startVariantHere(red.page, { ...POPPING, limit: 300 });
  const blue = await ethereum(t, at, `0x${'33'.repeat(32)}`);
  /** What the host tells blue in place of the truth. */
  let change = (said) => ({ ...said, terms: { ...said.terms, limit: 3_600 } });
  await lie(blue.page, (said) => (said.type === 'game' ? change(said) : said));
  await connect(blue.page, at.url);
  const { pathname } = new URL(red.page.url());
  await blue.page.goto(at.url + pathname);
  await join(blue.page);
  await error(blue.page, /own node, is another one.*nothing was signed/);
  assert.deepEqual(blue.wallet.signed, []);

  change = (said) => said;
  await blue.page.reload();
  await join(blue.page);
  for (const { page } of [red, blue]) await turns(page, 0);
  await make(red.page, '1');
  await turns(blue.page, 1);
  // A disc in another bin, which its moves lead to.
  change = (said) => {
    const board = said.board.map((bin, index) => (index === 1 ? ['red'] : index ? bin : []));
    return { ...said, board, moves: said.moves.map((move) => ({ ...move, bin: 1 })) };
  };
  await blue.page.reload();
  await turns(blue.page, 1);
  assert.deepEqual(await cells(blue.page), ['', 'r', '', '', '', '']);
  const signed = blue.wallet.signed.length;
  await blue.page.keyboard.press('Digit3');
  await error(blue.page, /another one.*nothing was signed/);
  assert.equal(blue.wallet.signed.length, signed);
  // A board that its moves do not lead to needs no node.
  change = (said) => ({ ...said, board: said.board.map((bin, index) => (index ? bin : [])) });
  await blue.page.reload();
  await error(blue.page, /another board than its moves lead to/);
});

test('a wallet of Polkadot checks a variant by a node that its player names', async (t) => {
  const at = await world(t);
  const node = await ownNode(t, at);
  const blue = await substrate(t, at, '//Blue//one');
  await connect(blue.page, at.url);
  await startVariantHere(blue.page, { ...POPPING, limit: 300 });
  await says(blue.page, '#checked', /Not checked/);
  await nameNode(blue.page, node);
  await says(blue.page, '#checked', /Checked by the node/);
  await blue.page.click('#table-actions [data-do=leave]');
  await says(blue.page, 'main', /The table of game v0 was closed/);
});
