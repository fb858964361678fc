// A node that the player names on the page of a public host, by which the page checks what the host says.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { faults } from './axe.mjs';
import { closeBrowser, drop, picture, says, turns, visitor } from './harness.mjs';
import { connect, error, game, lie, nameNode, ownNode, substrate, world } from './hosted.mjs';

after(closeBrowser);

const checked = (page, pattern) => says(page, '#checked', pattern);

/** Whether something is wider than the screen. */
const isTooWide = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

const NOT = /^Not checked: taken from this host’s word\./;

test('a board that is consistent and false is caught before a Polkadot wallet signs', async (t) => {
  const at = await world(t);
  const own = await ownNode(t, at);
  const { red, blue } = await game(t, at, {
    before: (_, page) =>
      lie(page, (said) => {
        if (said.type !== 'game' || said.turns !== 1) return said;
        // Red's disc is shown in another bin, and so is its move.
        const moves = said.moves.map((move) => ({ ...move, bin: 5 }));
        const board = said.board.map((_, bin) => (bin === 5 ? ['red'] : []));
        return { ...said, board, moves };
      }),
  });
  await checked(blue.page, NOT);
  await nameNode(blue.page, own);
  await checked(blue.page, new RegExp(`^Checked by the node ${own.name}`));
  await drop(red.page, 0);
  await turns(blue.page, 1);
  const signed = blue.wallet.signed.length;
  await blue.page.keyboard.press('Digit1');
  await error(blue.page, new RegExp(`by the node ${own.name}, is another one.*nothing was signed`));
  await checked(blue.page, /^The node .* has another board than this one/);
  await picture(blue.page, 'own-node-other');
  assert.equal(blue.wallet.signed.length, signed);
});

test('a move that is held back, and one that is not on the chain, are told by the own node', async (t) => {
  const at = await world(t);
  const own = await ownNode(t, at);
  let holds = false;
  let invents = false;
  const { red, blue } = await game(t, at, {
    before: async (_, page) => {
      await lie(page, (said) => {
        if (said.type !== 'game') return said;
        if (invents && said.turns === 2) {
          const move = { ...said.moves[0], bin: 6, row: 0 };
          const board = said.board.map((bin, index) => (index === 6 ? ['red'] : bin));
          return { ...said, turns: 3, to_move: 'blue', board, moves: [...said.moves, move] };
        }
        return holds ? null : said;
      });
    },
  });
  await nameNode(blue.page, own);
  await drop(red.page, 0);
  await turns(blue.page, 1);
  await drop(blue.page, 1);
  await turns(red.page, 2);

  invents = true;
  await blue.page.reload();
  await turns(blue.page, 3);
  await checked(blue.page, /up to move 2 of 3/);
  const signed = blue.wallet.signed.length;
  await blue.page.keyboard.press('Digit1');
  await error(blue.page, /has 2 of the 3 moves that this host shows: nothing was signed/);
  assert.equal(blue.wallet.signed.length, signed);

  invents = false;
  await blue.page.reload();
  await turns(blue.page, 2);
  await checked(blue.page, /^Checked by the node/);
  holds = true;
  await drop(red.page, 0);
  await error(blue.page, /The node .* has a move on the chain that this host does not show/);
  await checked(blue.page, /^The node .* has a later move than this host shows/);
});

test('a node that is none, is away, or is of another chain or contract is refused with words', async (t) => {
  const at = await world(t);
  const [own, gone] = [await ownNode(t, at), await ownNode(t, at)];
  await gone.stop();
  const { page } = await substrate(t, at, '//Blue//one');
  await page.setViewportSize({ width: 360, height: 740 });
  await connect(page, at.url);
  await page.click('#wallet-open');
  await says(page, '#own-node summary', /checked by no node/);
  await page.click('#own-node summary');
  const refused = async (url, pattern) => {
    await page.fill('#own-node input', url);
    await page.click('#own-node button');
    await says(page, '#own-node [role=alert]', pattern);
    await page.waitForSelector('#own-node button:enabled');
  };
  await refused('rpc.example', /begins with https:\/\/ or wss:\/\//);
  await refused(
    `http://${gone.name}`,
    /does not answer this page. Check that the address is right/,
  );
  await refused(`${at.url}/nothing`, /does not speak Ethereum’s JSON-RPC/);
  own.answers.eth_chainId = '0x1';
  await refused(
    `http://${own.name}`,
    /another chain: its chain has the number 1, and .* has 420420420/,
  );
  await picture(page, 'own-node-refused');
  assert.deepEqual(await faults(page), []);
  delete own.answers.eth_chainId;
  own.answers.eth_getCode = '0x';
  await refused(`http://${own.name}`, /knows no contract at 0x/);
  delete own.answers.eth_getCode;
  await says(page, '#own-node summary', /checked by no node/);

  // By the keyboard alone, over a socket, and kept by the browser until it is removed.
  await page.fill('#own-node input', at.chain.url);
  await page.keyboard.press('Enter');
  const kept = new RegExp(`checked by the node 127.0.0.1:${at.chain.port}`);
  await says(page, '#own-node summary', kept);
  await picture(page, 'own-node-named');
  assert.equal(await isTooWide(page), false);
  assert.deepEqual(await faults(page), []);
  await page.reload();
  await page.click('#wallet-open');
  await says(page, '#own-node summary', kept);
  await page.click('#own-node summary');
  await page.click('#own-node button');
  await says(page, '#own-node summary', /checked by no node/);
  await page.reload();
  await page.click('#wallet-open');
  await says(page, '#own-node summary', /checked by no node/);
});

test('a node that ends in mid-game is told, and the game goes on', async (t) => {
  const at = await world(t);
  const own = await ownNode(t, at);
  const { red, blue } = await game(t, at);
  await nameNode(blue.page, own);
  await drop(red.page, 0);
  await turns(blue.page, 1);
  await checked(blue.page, /^Checked by the node/);

  await own.stop();
  // The move finds it out at the latest.
  await drop(blue.page, 1);
  await turns(red.page, 2);
  await checked(
    blue.page,
    /^Not checked: the node .* does not answer\. Until it does, the board is taken/,
  );
  await says(blue.page, '#stage [role=status]', /does not answer: boards are not checked by it/);
  await picture(blue.page, 'own-node-away');
  await drop(red.page, 0);
  await turns(blue.page, 3);
  await drop(blue.page, 1);
  await turns(red.page, 4);

  await own.again();
  await checked(blue.page, /^Checked by the node/);
  await says(blue.page, '#stage [role=status]', /answers again/);
  // One that has become a node of another chain meanwhile is not believed.
  await own.stop();
  await checked(blue.page, /does not answer/);
  own.answers.eth_chainId = '0x1';
  await own.again();
  await checked(blue.page, /^Not checked: the node .* is one of another chain/);
  await drop(red.page, 0);
  await turns(blue.page, 5);
  await blue.page.click('#checked button');
  await blue.page.click('#own-node button:focus');
  await blue.page.keyboard.press('Escape');
  await checked(blue.page, NOT);
});

test('who watches without a wallet has the board compared, and a wallet’s own node does it unasked', async (t) => {
  const at = await world(t);
  const own = await ownNode(t, at);
  const { red, blue } = await game(t, at);
  await checked(red.page, /^Checked by your wallet’s own node/);
  await drop(red.page, 0);
  await turns(blue.page, 1);

  const page = await visitor(t, { viewport: { width: 360, height: 740 } });
  let lies = false;
  await lie(page, (said) => {
    if (!lies || said.type !== 'game') return said;
    const moves = said.moves.map((move) => ({ ...move, bin: 5 }));
    const board = said.board.map((_, bin) => (bin === 5 ? ['red'] : []));
    return { ...said, board, moves };
  });
  await page.goto(`${at.url}/game/0`);
  await checked(page, NOT);
  await picture(page, 'own-node-none');
  await page.click('#checked button');
  await page.fill('#own-node input:focus', `http://${own.name}`);
  await page.keyboard.press('Enter');
  await says(page, '#own-node summary', /checked by the node/);
  await page.keyboard.press('Escape');
  await checked(page, /^Checked by the node/);
  await picture(page, 'own-node-watched');
  assert.equal(await isTooWide(page), false);
  assert.deepEqual(await faults(page), []);
  lies = true;
  await page.reload();
  await error(page, /has another board on the chain than this host shows. Don’t trust this host/);

  // A node that is named comes before the wallet's.
  await nameNode(red.page, own);
  await checked(red.page, /^Checked by the node/);
  await picture(red.page, 'own-node-wide');
  await own.stop();
  await checked(
    red.page,
    /^Checked by your wallet’s own node\. The node .* does not answer\. Change the node$/,
  );
});
