// A public host: players sign with wallets of their own, and nobody's key is on the server.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, drop, host, picture, says, text, turns } from './harness.mjs';
import {
  connect,
  error,
  ethereum,
  fastGame,
  files,
  game,
  playForStake,
  substrate,
  world,
} from './hosted.mjs';

after(closeBrowser);

test('two wallets of two kinds play for a stake, and the winner is paid', async (t) => {
  const at = await world(t);
  const red = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  const blue = await substrate(t, at, '//Red//one');
  await playForStake(at, red, blue);
  assert.deepEqual(red.page.complaints, []);
  assert.deepEqual(blue.page.complaints, []);
});

test('a challenge leads into its game if it is accepted before the wallet tells of it, and after a reload', async (t) => {
  const at = await world(t);
  const red = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  const blue = await substrate(t, at, '//Blue//one');
  for (const { page } of [red, blue]) await connect(page, at.url);
  const challenge = async () => {
    await red.page.selectOption('#new-game select[name=pace]', '');
    await red.page.press('#start:enabled', 'Enter');
    await says(blue.page, '#challenges', /challenges anyone/);
  };

  red.wallet.keepsQuiet = true;
  await challenge();
  await blue.page.click('#challenges button[data-act=accept]');
  await blue.page.waitForSelector('#board[data-game="0"]');
  await says(red.page, '#games', /#0/);
  assert.equal(new URL(red.page.url()).pathname, '/');
  red.wallet.keepsQuiet = false;
  await red.page.waitForSelector('#board[data-game="0"]');

  for (const { page } of [red, blue]) {
    await page.goto(at.url);
    await page.waitForSelector('#start:enabled:visible');
  }
  await challenge();
  await says(red.page, '#challenges', /waiting/);
  // Whatever is on the way to a page that is reloaded does not reach it.
  const url = red.page.url();
  await red.page.goto('about:blank');
  await blue.page.click('#challenges button[data-act=accept]');
  await blue.page.waitForSelector('#board[data-game="1"]');
  await red.page.goto(url);
  await red.page.waitForSelector('#board[data-game="1"]');
});

test('a wallet that refuses, is locked, changes its account or its chain', async (t) => {
  const at = await world(t);
  const secrets = ['11', '33'].map((byte) => `0x${byte.repeat(32)}`);
  const { red, blue } = await game(t, at, { secrets });
  const { page, wallet } = red;

  wallet.refuses = true;
  await page.keyboard.press('Digit1');
  await error(page, /You refused in Test wallet: nothing was signed/);
  assert.equal(await page.locator('#board .disc').count(), 0);
  wallet.refuses = false;
  await drop(page, 0);
  await turns(blue.page, 1);
  await drop(blue.page, 1);
  await turns(page, 2);

  // Locked: it says so at once, signs nothing, and the game goes on once it is unlocked.
  await wallet.lock();
  await says(page, '#signing', /Test wallet is locked: unlock it/);
  const signed = wallet.signed.length;
  await page.keyboard.press('Digit1');
  await error(page, /unlock it/);
  assert.equal(wallet.signed.length, signed);
  await wallet.lock(false);
  await page.waitForSelector('#signing', { state: 'hidden' });

  // With another account the browser watches: nothing is signed by mistake.
  await wallet.use(1);
  await says(page, '#note', /You watch this game/);
  await wallet.use(0);
  await page.waitForFunction(() => !document.querySelector('#note').textContent.includes('watch'));

  // On another chain: it is asked to switch, then signs.
  await wallet.onChain(1);
  await says(page, '#signing', /another chain: it is asked to switch/);
  await drop(page, 0);
  await turns(blue.page, 3);
  assert.equal(wallet.chainId, 420420420);
});

test('a transaction that its owner replaces in the wallet does not happen', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at);
  red.wallet.replaces = true;
  await red.page.keyboard.press('Digit1');
  // Its number is a guess, as no node has told it: so it is not said that it will not happen.
  await says(red.page, '#signing', /another transaction of this account is in a block/);
  await red.page.click('#signing button');
  await error(red.page, /You stopped waiting/);
  red.wallet.replaces = false;
  await drop(red.page, 0);
  await turns(blue.page, 1);
});

test('a transaction that its owner speeds up or cancels, or whose wallet is moved to another chain meanwhile', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at);
  const { page, wallet } = red;
  /** Red drops a disc, and the transaction gets lost on its way. */
  const lost = async () => {
    const before = wallet.signed.length;
    wallet.loses = true;
    await page.keyboard.press('Digit1');
    await says(page, '#signing', /sent, waiting for its block/);
    wallet.loses = false;
    assert.equal(wallet.signed.length, before + 1);
  };
  const overtaken = async () => {
    await says(page, '#signing', /another transaction of this account is in a block/);
    await page.click('#signing button');
    await error(page, /You stopped waiting/);
    await page.click('#dismiss');
  };

  await lost();
  await wallet.speedsUp();
  await overtaken();
  // It has happened under another hash.
  await turns(page, 1);
  await turns(blue.page, 1);
  await drop(blue.page, 1);
  await turns(page, 2);

  await lost();
  await wallet.cancels();
  await overtaken();

  // On another chain the account has sent more: that says nothing of this one.
  await lost();
  await wallet.onChain(1);
  await wallet.arrives();
  await turns(blue.page, 3);
  await wallet.onChain(420420420);
  await turns(page, 3);
  await page.waitForSelector('#signing', { state: 'hidden' });
});

test('another page of the same account sends something before', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at);
  red.wallet.isShared = true;
  await drop(red.page, 0);
  await turns(blue.page, 1);
});

test('a transaction that was dropped is told, and is made again when it is given up', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at, {
    before: (page) =>
      page.addInitScript(() => {
        // The page waits so long between two looks at a transaction: here it does not wait.
        const LOOK = 700;
        const wait = window.setTimeout;
        window.setTimeout = (act, time) => wait(act, time === LOOK ? 0 : time);
      }),
  });
  const { page, wallet } = red;
  await page.setViewportSize({ width: 360, height: 740 });
  wallet.loses = true;
  await page.keyboard.press('Digit1');
  await says(page, '#signing', /no block has it, and the node of Test wallet does not know it/);
  await picture(page, 'host-dropped');
  await page.click('#signing button');
  await error(page, /You stopped waiting/);
  wallet.loses = false;
  await drop(page, 0);
  await turns(blue.page, 1);
  assert.equal(wallet.signed.length, 3);
});

test('a move for a stake answers what the chain does not take back', async (t) => {
  const at = await world(t, {}, '--block-time', '1', '--finality-lag', '4');
  const { red, blue } = await game(t, at, { stake: '1' });
  await drop(red.page, 0);
  await turns(blue.page, 1);
  await drop(blue.page, 1);
  await turns(red.page, 2);
  // A transaction of Ethereum is valid on every branch, so that it waits until the answered one is final.
  await red.page.keyboard.press('Digit1');
  await says(red.page, '#signing', /opponent’s move has to lie safely in the chain first/);
  await turns(blue.page, 3);
});

test('a wallet that does not know the chain is offered to add it', async (t) => {
  const at = await world(t, { options: ['--wallet-rpc', 'https://rpc.example'] });
  const { page, wallet } = await ethereum(t, { ...at, forgets: true }, `0x${'11'.repeat(32)}`);
  wallet.chainId = 1;
  await connect(page, at.url);
  assert.equal(wallet.added.chainId, '0x190f1b44');
  assert.deepEqual(wallet.added.rpcUrls, ['https://rpc.example']);
  assert.equal(wallet.added.nativeCurrency.decimals, 18);
});

test('a call that the contract would refuse does not reach the wallet', async (t) => {
  const at = await world(t);
  const { page, wallet } = await ethereum(t, at, `0x${'11'.repeat(32)}`);
  await connect(page, at.url);
  await page.selectOption('#new-game select[name=pace]', '');
  await page.fill('#new-game input[name=stake]', '1');
  await page.selectOption('#new-game select[name=clock]', '60');
  await page.press('#start:enabled', 'Enter');
  await error(page, /bank of 5 minutes|too short|clock/i);
  assert.equal(wallet.signed.length, 0);
  // Nor does one that the account can't pay for.
  await page.fill('#new-game input[name=stake]', '1000');
  await page.selectOption('#new-game select[name=clock]', '300,5');
  await page.press('#start:enabled', 'Enter');
  await error(page, /cannot pay/);
  assert.equal(wallet.signed.length, 0);
});

/**
 * Two hosts, of which the first one is killed between two moves of a game that `begin` starts; `socket` is
 * in the URLs of the sockets that are opened at the second one.
 */
const outlives = async (t, begin, socket) => {
  const at = await world(t);
  const second = await host(t, '--url', at.chain.url);
  const url = await files(t, at.url, second.url);
  const { red, blue } = await begin(t, at, { url });
  await drop(red.page, 0);
  await turns(blue.page, 1);
  const moved = [red, blue].map(({ page }) =>
    page.waitForEvent('websocket', (opened) => opened.url().includes(`:${second.port}${socket}`)),
  );
  await at.stop('SIGKILL');
  await Promise.all(moved);
  for (const { page } of [red, blue]) await says(page, '#link', /block/);
  await drop(blue.page, 1);
  await turns(red.page, 2);
  await drop(red.page, 0);
  await turns(blue.page, 3);
};

test('a host ends in mid-game, and another one takes over', (t) => outlives(t, game, '/'));

test('a staked fast game: one signature each, one goes silent and loses on the clock, the other is paid', async (t) => {
  const at = await world(t, {}, '--dev-rpc');
  const { red, blue } = await fastGame(t, at, { before: (page) => page.clock.install() });
  const asked = () => red.wallet.signed.length + blue.wallet.signed.length;
  const before = asked();
  for (const turn of [0, 1, 2, 3]) {
    const [page, other] = turn % 2 ? [blue.page, red.page] : [red.page, blue.page];
    await drop(page, turn % 2);
    await turns(other, turn + 1);
  }
  // No wallet was asked, and the chain knows of no move.
  assert.equal(asked(), before);
  await drop(red.page, 3);
  await says(red.page, '#fast-text', /0 moves of 5 on the chain, 4 signed by both/);
  await picture(red.page, 'host-fast');

  await blue.page.close();
  await says(red.page, '#fast-note', /is not connected/);
  await red.page.click('#press');
  await says(red.page, '#fast-text', /5 moves of 5 on the chain/);
  await red.page.waitForSelector('#players [data-colour=blue] .clock:visible');
  const block = await text(red.page, '#link');
  await at.later(400);
  await red.page.waitForFunction(
    (before) => document.querySelector('#link').textContent !== before,
    block,
  );
  await red.page.clock.fastForward(400_000);
  // The win is claimed without being asked: the wallet signs it.
  await says(red.page, '#status', /Red won: blue ran out of time/);
  await red.page.click('#withdraw');
  await red.page.waitForSelector('#withdraw', { state: 'hidden' });
  assert.deepEqual(red.page.complaints, []);
});

test('two tabs: one signs, the other one goes on when it is closed', async (t) => {
  const at = await world(t);
  const { red, blue } = await fastGame(t, at, { stake: '' });
  await drop(red.page, 0);
  await turns(blue.page, 1);
  await drop(blue.page, 1);
  await turns(red.page, 2);
  const second = await red.page.context().newPage();
  await red.wallet.into(second);
  await second.goto(`${at.url}/game/f0`);
  await turns(second, 2);
  await says(second, '#fast-note', /played in another tab of this browser/);
  await second.keyboard.press('Digit4');
  await says(second, '#status', /Red to move|Waiting/);
  await drop(red.page, 0);
  await turns(blue.page, 3);
  await turns(second, 3);
  await red.page.close();
  await drop(blue.page, 1);
  await turns(second, 4);
  await says(second, '#fast-note', /^$/);
  await drop(second, 0);
  await turns(blue.page, 5);
});

test('a fast game is opened again until that succeeds, and its key signs, not the wallet', async (t) => {
  const at = await world(t);
  const { red, blue } = await fastGame(t, at, { stake: '' });
  const signed = red.wallet.signed.length;
  let answer;
  const answered = new Promise((done) => {
    answer = done;
  });
  red.wallet.beforeCall = () => answered;
  await red.page.reload();
  await turns(red.page, 0);
  await says(red.page, '#wallet-open', /DOT/);
  await red.page.keyboard.press('Digit1');
  await error(red.page, /being opened: try again in a moment/);
  answer();
  await says(red.page, '#status', /you/);
  await drop(red.page, 0);
  await turns(blue.page, 1);

  red.wallet.beforeCall = () => Promise.reject(new Error('the node is away'));
  await red.page.reload();
  await error(red.page, /the node is away/);
  red.wallet.beforeCall = async () => {};
  await red.page.waitForSelector('#error', { state: 'hidden' });
  await drop(blue.page, 1);
  await turns(red.page, 2);
  await drop(red.page, 0);
  await turns(blue.page, 3);
  await says(blue.page, '#fast-text', /0 moves of 3 on the chain/);
  assert.equal(red.wallet.signed.length, signed);
});

test('a browser that lost its data plays on by the chain, with its wallet', async (t) => {
  const at = await world(t);
  const { red, blue } = await fastGame(t, at, { stake: '' });
  for (const turn of [0, 1, 2, 3]) {
    const [page, other] = turn % 2 ? [blue.page, red.page] : [red.page, blue.page];
    await drop(page, turn % 2);
    await turns(other, turn + 1);
  }
  const signed = red.wallet.signed.length;
  const devtools = await red.page.context().newCDPSession(red.page);
  const storageTypes = 'indexeddb';
  await devtools.send('Storage.clearDataForOrigin', { origin: at.url, storageTypes });
  await red.page.reload();
  await turns(red.page, 4);
  await says(red.page, '#fast-note', /does not have the key.*can go on by moves on the chain/);
  await red.page.keyboard.press('Digit1');
  await turns(blue.page, 5);
  // What both had signed came first.
  assert.equal(red.wallet.signed.length, signed + 2);
  await says(blue.page, '#fast-text', /5 moves of 5 on the chain/);
});

test('a fast game outlives its host', (t) =>
  outlives(t, (t, at, where) => fastGame(t, at, { ...where, stake: '' }), '/fast/'));
