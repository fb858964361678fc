// Signed games on the page of a program of one's own: guests, and stakes of its accounts, for which it is the wallet.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { faultsInBoth } from './axe.mjs';
import {
  afterwards,
  closeBrowser,
  folder,
  lobby,
  node,
  picture,
  pictureInBoth,
  relay,
  run,
  says,
  serve,
  visitor,
} from './harness.mjs';
import { guest, played, seated } from './hosted.mjs';
import { agreed, offered, paid, paidOut } from './staked.mjs';

after(closeBrowser);

/** A program whose chain has the contracts. */
const program = async (t) => {
  const chain = await node(t);
  await run('deploy', '--url', chain.url);
  return { ...(await serve(t, '--url', chain.url)), chain };
};

/** The page of its owner, who plays as this account. */
const owner = async (t, server, name) => {
  const page = await visitor(t, { bypassCSP: true });
  await lobby(page, server);
  // The accounts of the program are a wallet as soon as signed games are wanted.
  await page.check('#new-game [name=way][value=anyone]', { force: true });
  await says(page, '#wallet-open', /^alice · /);
  if (name !== 'alice') {
    await page.click('#wallet-open');
    const accounts = page.locator('#wallets select');
    const label = await accounts.locator('option', { hasText: name }).textContent();
    await accounts.selectOption({ label });
    await page.keyboard.press('Escape');
    await says(page, '#wallet-open', new RegExp(`^${name} · `));
  }
  return page;
};

test('who has no key plays as a guest, against an account of the program', async (t) => {
  const server = await serve(t);
  const red = await owner(t, server, 'alice');
  await pictureInBoth(red, 'own-program-owner');
  await red.click('#wallet-open');
  await red.waitForSelector('#wallets dl');
  assert.deepEqual(await faultsInBoth(red), [], 'the accounts of the program');
  await picture(red, 'own-program-accounts');
  await red.keyboard.press('Escape');
  const blue = await guest(t, server.url, {
    viewport: { width: 360, height: 800 },
    bypassCSP: true,
  });
  await says(blue, '#watcher', /You play as a guest/);
  assert.deepEqual(await faultsInBoth(blue), []);
  await picture(blue, 'own-program-guest');
  // The account signs once that a key of the browser plays for it, and nobody is asked.
  for (const page of [red, blue]) await page.click('#start');
  const [one, two] = await seated(red, blue);
  await played(one, two, [0, 1, 0, 1, 0, 1, 0]);
  for (const page of [red, blue]) await says(page, '#status', /Red wins!/);
  assert.match(await blue.textContent('#players'), /alice/);
  await picture(red, 'own-program-won');
  for (const page of [red, blue]) assert.deepEqual(page.complaints, []);
});

test('guests of a program meet at the relay that it names', async (t) => {
  const chain = await node(t);
  const { url } = await relay(t, '--witness-log', await folder(t));
  const server = await serve(t, '--url', chain.url, '--relay', url.replace('http', 'ws'));
  const pages = [await guest(t, server.url), await guest(t, server.url)];
  for (const page of pages) await page.click('#start');
  const [red, blue] = await seated(...pages);
  await played(red, blue, [3, 2]);
  for (const page of pages) assert.deepEqual(page.complaints, []);
});

test('two accounts of a program play for a stake, which it pays', async (t) => {
  const server = await program(t);
  const red = { page: await owner(t, server, 'alice'), wallet: {} };
  const blue = { page: await owner(t, server, 'bob'), wallet: {} };
  const both = { red, blue };
  await agreed(both);
  await paid(both);
  await played(red.page, blue.page, [0, 1, 0, 1, 0, 1, 0]);
  await says(red.page, '#status', /Red wins/);
  await says(red.page, '#terms-note', /owes you 2 DOT/);
  await paidOut(red.page);
  for (const { page } of [red, blue]) assert.deepEqual(page.complaints, []);
});

test('by the link of a seat nothing is staked', async (t) => {
  const server = await program(t);
  const red = { page: await owner(t, server, 'alice') };
  const link = await offered({ red });
  const headers = { 'x-connect4-keys': server.key };
  const { accounts } = await (await fetch(`${server.url}/api/hello`, { headers })).json();
  const page = await visitor(t);
  await page.goto(`${server.url}/#key=${accounts.find(({ name }) => name === 'bob').key}`);
  await page.waitForSelector('body[data-state=lobby] #start:enabled:visible');
  await says(page, '#wallet-open', /^Guest/);
  await page.click('#wallet-open');
  await says(page, '#wallets', /has no key of the program’s owner, so it plays as a guest/);
  assert.equal(await page.locator('#wallets [data-wallet]').count(), 0);
  await page.goto(link);
  await says(page, '#invitation-text', /Connect a wallet first/);
  // The owner's link in the same tab makes it the owner's page.
  await page.goto(`${page.url().split('#')[0]}#key=${server.key}`);
  await says(page, '#wallet-open', /^alice · /);
});

test('a page of another site has the program sign nothing', async (t) => {
  const server = await program(t);
  const page = await owner(t, server, 'alice');
  const evil = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Free stakes</h1>'),
  );
  await new Promise((resolve) => evil.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => evil.close());
  const other = await page.context().newPage();
  await other.goto(`http://127.0.0.1:${evil.address().port}/`);
  // Even with the owner's key: it can't read the token, and the browser says where it is from.
  const tried = await other.evaluate(
    async ([url, key]) => {
      const outcome = (promise) =>
        promise.then(
          (answer) => `answered ${answer.type}`,
          () => 'refused',
        );
      const body = JSON.stringify({
        account: `0x${'11'.repeat(20)}`,
        key: `0x${'22'.repeat(20)}`,
        until: 1,
      });
      const paths = ['sign', 'sessions', 'prepare', 'submit'].map((path) => `${url}/api/${path}`);
      const headers = { 'content-type': 'application/json', 'x-connect4-keys': key };
      const asked = (path) => fetch(path, { method: 'POST', headers, body });
      const simple = (path) => fetch(path, { method: 'POST', mode: 'no-cors', body });
      return Promise.all(paths.flatMap((path) => [outcome(asked(path)), outcome(simple(path))]));
    },
    [server.url, server.key],
  );
  // The page of the program lets no other one load an answer.
  assert.deepEqual(tried, Array(8).fill('refused'));
});
