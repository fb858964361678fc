// Signed games for a stake between two wallets at a public host: by a link, with moves in the room of a relay, and the stake
// held by a contract.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { faultsInBoth } from './axe.mjs';
import { closeBrowser, drop, says, text, turns } from './harness.mjs';
import { connect, ethereum, played, substrate, world } from './hosted.mjs';
import {
  agreed,
  askAgain,
  asked,
  BEGUN,
  offered,
  paid,
  paidOut,
  pays,
  pictures,
  players,
  SECRETS,
  TAKEN,
} from './staked.mjs';

after(closeBrowser);

/** `map_account` of the pallet of contracts, as a wallet is asked to sign it. */
const MAPS = /^0x..07$/;

test('two wallets agree by a link, pay, play to the end, and the winner is paid', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { red, blue } = both;
  await agreed(both);
  await paid(both);
  assert.deepEqual(await faultsInBoth(red.page), []);
  const signed = () => red.wallet.signed.length + blue.wallet.signed.length;
  const before = signed();
  await played(both.red.page, both.blue.page, [0, 1, 0]);

  // A page that is loaded again waits until it has seen the game in a final block, and makes no move before.
  let release;
  const looked = new Promise((resolve) => {
    release = resolve;
  });
  blue.wallet.beforeCall = () => looked;
  await blue.page.addInitScript(() => {
    const { fetch } = globalThis;
    const looked = new Promise((resolve) => {
      globalThis.letLook = resolve;
    });
    globalThis.fetch = async (...asked) => {
      if (String(asked[0]).endsWith('/api/look')) await looked;
      return fetch(...asked);
    };
  });
  await blue.page.reload();
  await turns(blue.page, 3);
  await says(blue.page, '#status', /^Waiting for a final block$/);
  await blue.page.keyboard.press('Digit2');
  assert.ok(await blue.page.isHidden('#error'), 'it is a wait, and no error');
  await pictures(blue.page, 'waits');
  assert.ok(await blue.page.isHidden('#stake-acts'));
  release();
  await blue.page.evaluate(() => globalThis.letLook());
  await says(blue.page, '#status', /you/);
  await turns(blue.page, 3);
  await pictures(blue.page, 'plays');
  await played(both.red.page, both.blue.page, [1, 0, 1], 3);
  assert.equal(signed(), before, 'moves are signed by keys of the browsers');

  await drop(red.page, 0);
  for (const { page } of [red, blue]) await says(page, '#status', /Red wins/);
  await says(red.page, '#terms-note', /owes you 2 DOT/);
  await pictures(red.page, 'won');
  await paidOut(red.page);
  assert.match(await text(red.page, '#wallet-open'), /100\.9\d* DOT/);
  for (const { page } of [red, blue]) assert.deepEqual(page.complaints, []);
});

test('a rematch for the same stake is paid from what is owed', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { red, blue } = both;
  await agreed(both);
  await paid(both);
  await played(red.page, blue.page, [0, 1, 0, 1, 0, 1, 0]);
  await says(red.page, '#terms-note', /owes you 2 DOT/);
  await says(red.page, '#next', /Rematch.*for 1 DOT of each, seats exchanged/);
  const before = red.page.url();
  await red.page.press('#next:enabled', 'Enter');
  await says(blue.page, '#note', /wants another game/);
  await pictures(blue.page, 'rematch');
  await blue.page.press('#next:enabled', 'Enter');
  // Who takes it pays first, and the other one once that is seen.
  await says(red.page, '#terms-note', /your opponent, who pays first for the rematch/);
  await blue.page.waitForURL((now) => now.href !== before);
  // One who takes it and does not pay can take it again: anybody could have said that it takes it.
  await asked(blue);
  await blue.page.click('#agreement button[value=""]');
  await blue.page.goto(before);
  await says(blue.page, '#note', /wants another game/);
  await blue.page.press('#next:enabled', 'Enter');
  await blue.page.waitForURL((now) => now.href !== before);
  await pays(blue);
  await red.page.waitForURL((now) => now.href !== before);
  await says(red.page, '#agreement', /Stake1 DOTFrom what you are owed1 DOTOpponent0x/);
  assert.doesNotMatch(await text(red.page, '#agreement'), /You pay now/);
  await red.page.click('#agreement button[value=yes]');
  for (const { page } of [red, blue]) await says(page, '#status', BEGUN);
  assert.equal(red.page.url(), blue.page.url());
  // The seats are exchanged: blue begins.
  await played(blue.page, red.page, [2, 3]);
  await says(red.page, '#players', /0 : 1|1 : 0|1/);
  for (const { page } of [red, blue]) assert.deepEqual(page.complaints, []);
});

test('an account of Polkadot that no contract knows is made known before it pays', async (t) => {
  const at = await world(t);
  const both = await players(t, at, { blue: (at) => substrate(t, at, '//Blue//one') });
  const { red, blue } = both;
  const said = [];
  await blue.page.exposeFunction('noteLine', (text) => said.push(text));
  await blue.page.evaluate(() => {
    const line = document.querySelector('#signing');
    new MutationObserver(() => globalThis.noteLine(line.textContent)).observe(line, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  await agreed(both);
  await asked(blue);
  const methods = () => blue.wallet.signed.map(({ method }) => method);
  assert.equal(methods().length, 1, 'the account was made known, and nothing is paid yet');
  assert.match(methods()[0], MAPS);
  assert.ok(said.some((line) => /^Sign in polkadot.*: Make your account known.*fee/.test(line)));
  assert.ok(!said.some((line) => /Make your account known.*stake/.test(line)));
  await pictures(blue.page, 'agreement');
  await paid(both);
  await played(both.red.page, both.blue.page, [2, 3]);
  assert.equal(methods().length, 2);

  // The winner has the end brought to the chain, and is paid there.
  await red.page.click('#resign');
  await red.page.click('#resign-yes');
  await says(blue.page, '#status', /Blue won: red resigned/);
  await says(blue.page, '#terms-note', /owes you 2 DOT/);

  // Another stake comes from that: nothing is paid, and the player is asked all the same.
  await red.page.goto(at.url);
  await red.page.waitForSelector('#start:enabled:visible');
  await blue.page.goto(await offered(both));
  await blue.page.click('#invitation-play:visible');
  await says(blue.page, '#agreement', /Stake1 DOTFrom what you are owed1 DOTOpponent0x.*Fee/);
  assert.doesNotMatch(await text(blue.page, '#agreement'), /You pay now/);
  await blue.page.click('#agreement button[value=yes]');
  await says(blue.page, '#terms-note', /You have paid 1 DOT/);
  await blue.page.click('#stake-refund:enabled');
  await says(blue.page, '#status', /^No game is played$/);
  await paidOut(blue.page);
  for (const { page } of [red, blue]) assert.deepEqual(page.complaints, []);
});

test('a stake that the opponent does not follow is paid back', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { red, blue } = both;
  await agreed(both);
  // Who has taken the link is kept, though nothing is paid.
  await red.page.reload();
  await says(red.page, '#invitation-text', TAKEN);
  await pays(blue);
  await red.page.waitForURL('**/game/0x*');
  await says(blue.page, '#terms-note', /You have paid 1 DOT. Waiting for your opponent’s payment/);
  await says(blue.page, '#status', /^Waiting for both stakes$/);
  await pictures(blue.page, 'paid');
  // Red does not want to pay, is not asked again by itself, and can be.
  await asked(red);
  await red.page.click('#agreement button[value=""]');
  await says(red.page, '#terms-note', /Nothing was paid or signed/);
  await pictures(red.page, 'refused');
  await red.page.click('#stake-now:enabled');
  await asked(red);
  await red.page.click('#agreement button[value=""]');
  assert.equal(red.wallet.signed.length, 0);

  assert.ok(await blue.page.isHidden('#stake-cancel'));
  await blue.page.click('#stake-refund:enabled');
  await says(blue.page, '#terms-note', /You have called the game off/);
  await says(blue.page, '#status', /^No game is played$/);
  await blue.page.waitForSelector('#stake-acts', { state: 'hidden' });
  await pictures(blue.page, 'refunded');
  assert.equal(blue.wallet.signed.length, 2);
  await says(blue.page, '#wallet-open', /99\.9\d* DOT/);
  // Red need not pay any more.
  await says(red.page, '#terms-note', /Waiting for your opponent, who pays first/);
  await red.page.click('#stake-cancel:enabled');
  await says(red.page, '#status', /^No game is played$/);
  assert.equal(red.wallet.signed.length, 0);
  for (const { page } of [red, blue]) assert.deepEqual(page.complaints, []);
});

test('a payment that was taken back while the opponent was asked is not followed', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { red, blue } = both;
  await agreed(both);
  await pays(blue);
  await red.page.waitForURL('**/game/0x*');
  await asked(red);
  await blue.page.click('#stake-refund:enabled');
  await says(blue.page, '#status', /^No game is played$/);
  // The stake is back, and not only asked for.
  await says(blue.page, '#wallet-open', /99\.9\d* DOT/);
  await red.page.click('#agreement button[value=yes]');
  // Either is said: that nothing was paid, and once the page has looked again that the opponent pays first.
  await says(red.page, '#terms-note', /the payment is not due any more|who pays first/);
  await red.page.click('#stake-cancel:enabled');
  await says(red.page, '#status', /^No game is played$/);
  assert.equal(red.wallet.signed.length, 0);
  for (const { page } of [red, blue]) assert.deepEqual(page.complaints, []);
});

test('a taker whom the page has forgotten is found by the payment', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { red, blue } = both;
  await agreed(both);
  // Enough who say that they take the offer, and do not pay, make the page forget the one who does.
  const forgotten = await red.page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('connect4-fast');
        opening.onsuccess = () => {
          const [name] = opening.result.objectStoreNames;
          const store = opening.result.transaction(name, 'readwrite').objectStore(name);
          let forgotten = 0;
          store.openCursor().onsuccess = ({ target: { result: at } }) => {
            if (!at) {
              opening.result.close();
              return resolve(forgotten);
            }
            if (at.value.told) {
              forgotten += at.value.told.length;
              at.update({ ...at.value, told: [] });
            }
            at.continue();
          };
        };
      }),
  );
  assert.equal(forgotten, 1);
  await red.page.reload();
  await says(red.page, '#invitation-text', /Send the link/);
  await paid(both);
  await played(both.red.page, both.blue.page, [0, 1]);
  assert.equal(red.wallet.signed.length, 1);
  for (const { page } of [red, blue]) assert.deepEqual(page.complaints, []);
});

test('a link is used up by a payment, and not by somebody who takes it and goes away', async (t) => {
  const at = await world(t);
  const both = await players(t, at);
  const { red, blue } = both;
  await red.page.clock.install();
  const taker = await ethereum(t, at, `0x${'33'.repeat(32)}`);
  await connect(taker.page, at.url);
  const link = await offered(both);
  await taker.page.goto(link);
  await taker.page.click('#invitation-play:visible');
  await asked(taker);
  await taker.page.close();
  await says(red.page, '#invitation-text', TAKEN);
  assert.equal(await red.page.inputValue('#invitation-link'), link);
  await blue.page.goto(link);
  await blue.page.click('#invitation-play:visible');
  // After the time in which a payment comes.
  await red.page.clock.fastForward(45_000);
  await blue.page.waitForURL('**/game/0x*');
  await paid(both);
  await played(both.red.page, both.blue.page, [0, 1]);
  assert.equal(red.wallet.signed.length, 1);
});

/** Has both offered and taken a game at a host that says something else of its contract of the stakes, and pays for nothing. */
const paysNothing = async (t, lie, why) => {
  const at = await world(t);
  const both = { red: await ethereum(t, at, SECRETS[0]), blue: await ethereum(t, at, SECRETS[1]) };
  const { red, blue } = both;
  for (const { page } of [red, blue]) {
    await page.route('**/api/hello', async (route) => {
      const response = await route.fetch();
      const { signing, ...hello } = await response.json();
      const json = { ...hello, signing: { ...signing, deployer: null, ...lie(hello) } };
      await route.fulfill({ response, json });
    });
    await connect(page, at.url);
  }
  await blue.page.goto(await offered(both));
  await blue.page.click('#invitation-play:visible');
  await blue.page.waitForURL('**/game/0x*');
  await says(blue.page, '#terms-note', why);
  for (const { wallet } of [red, blue]) assert.equal(wallet.signed.length, 0);
};

test('a host that names a contract of its own for the stakes gets no payment', (t) =>
  // Who has deployed the contracts is left out, as that would show it.
  paysNothing(t, ({ chain }) => ({ stakes: chain.variants }), /stakes did not answer/));

test('a host that does not say who has deployed the contract of the stakes gets no payment', (t) =>
  paysNothing(t, () => ({}), /does not say who has deployed/));

test('an opponent who has left is pressed on the chain, where the host tries nothing, too, and loses on time', async (t) => {
  const at = await world(t, {}, '--dev-rpc');
  const both = await players(t, at);
  const { red, blue } = both;
  await agreed(both);
  await paid(both);
  await played(both.red.page, both.blue.page, [0, 1, 0]);
  assert.equal(await text(red.page, '#terms-note'), '');
  await blue.page.close();
  await red.page.route('**/api/prepare', (route) =>
    route.fulfill({ status: 400, json: { error: 'it is too late for that', kind: 'refused' } }),
  );
  await says(red.page, '#terms-note', /not there. You can start the clock on the chain/);
  await pictures(red.page, 'away');
  await red.page.click('#stake-press:enabled');
  await says(red.page, '#terms-note', /clock on the chain runs for your opponent/);
  await pictures(red.page, 'pressed');
  // Five minutes, and what the chain's clock may be behind.
  await at.later(400);
  await says(red.page, '#status', /Red won: blue ran out of time/);
  await says(red.page, '#terms-note', /owes you 2 DOT/);
  // What the host has refused.
  assert.ok(red.page.complaints.every((said) => /status of 400/.test(said)));
});

test('a wallet is asked for nothing but what was agreed, whatever a host says', async (t) => {
  const at = await world(t);
  const both = await players(t, at, { blue: (at) => substrate(t, at, '//Blue//one') });
  const { red, blue } = both;
  const evil = `0x${'66'.repeat(20)}`;
  /** What the host says, by the end of the address. @type {Record<string, (told: any) => any>} */
  const lies = {};
  await blue.page.route(/\/api\/(prepare|look|hello)$/, async (route) => {
    const lie = lies[new URL(route.request().url()).pathname];
    if (!lie) return route.continue();
    const response = await route.fetch();
    await route.fulfill({ response, json: lie(await response.json()) });
  });
  const link = await offered(both);
  await blue.page.goto(link);
  // The payment of another stake, and to somebody else.
  lies['/api/prepare'] = (told) => ({ ...told, payment: '50000000000' });
  await blue.page.click('#invitation-play:visible');
  await blue.page.waitForURL('**/game/0x*');
  await says(
    blue.page,
    '#terms-note',
    /prepared something else .*another payment.*nothing was signed/,
  );
  await pictures(blue.page, 'lied-to');
  lies['/api/prepare'] = (told) => ({ ...told, to: evil });
  await askAgain(blue);
  await says(blue.page, '#terms-note', /prepared something else .*another contract/);
  // Another contract in place of the one that was agreed on.
  lies['/api/hello'] = ({ signing, ...told }) => ({
    ...told,
    signing: { ...signing, stakes: evil },
  });
  await blue.page.reload();
  await says(blue.page, '#terms-note', /does not have the contract that holds the stake/);
  assert.ok(await blue.page.isHidden('#stake-now'));
  assert.equal(blue.wallet.signed.length, 0);
  lies['/api/hello'] = lies['/api/prepare'] = null;
  await blue.page.reload();
  await pays(blue);
  await says(blue.page, '#terms-note', /You have paid 1 DOT/);
  const paid = blue.wallet.signed.length;
  // A game with another opponent under the number of this one.
  const opponent = red.wallet.address.slice(2).toLowerCase();
  lies['/api/look'] = (told) => {
    // The last final block may not have it yet.
    const other = ({ data: [game, owed], ...at }) => ({
      ...at,
      data: [game.replaceAll(opponent, evil.slice(2)), owed],
    });
    return { newest: other(told.newest), last_final: other(told.last_final) };
  };
  await says(blue.page, '#terms-note', /another game/);
  lies['/api/look'] = null;
  await pays(red);
  for (const { page } of [red, blue]) await says(page, '#status', BEGUN);
  assert.deepEqual([red.wallet.signed.length, blue.wallet.signed.length], [1, paid]);
});
