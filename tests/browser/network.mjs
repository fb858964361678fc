// The page of a public host on a network of validators, with wallets of both kinds. It is no test of the local
// chain: network/tests/tests/page.rs starts the network, deploys the contracts, and runs this file.
//
//     NODE           URL of a node
//     ETH_RPC        URL of Parity's eth-rpc there, if one of the wallets is of Ethereum
//     RUNTIME        `runtime`, or `runtime-hub`, which has what Polkadot Hub has besides
//     METADATA_HASH  of the runtime, which each signature of a Polkadot wallet has to contain
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, host, says, turns, visitor } from './harness.mjs';
import { begun, connect, connected, ethereum, played, substrate } from './hosted.mjs';
import { playForStake } from './staked.mjs';

const { NODE, ETH_RPC, RUNTIME, METADATA_HASH } = process.env;
const isHub = RUNTIME === 'runtime-hub';

after(closeBrowser);

/** A host, and two players there. */
const world = async (t) => {
  const at = { chain: { url: NODE }, http: ETH_RPC, ...(await host(t, '--url', NODE)) };
  const red = ETH_RPC
    ? await ethereum(t, at, `0x${'11'.repeat(32)}`)
    : await substrate(t, at, '//Red//one');
  return { at, red, blue: await substrate(t, at, '//Blue//one') };
};

/** All that a Polkadot wallet has signed is void for other metadata than the runtime's. */
const isForRuntime = ({ mode, metadataHash }) => {
  assert.deepEqual({ mode, metadataHash }, { mode: 1, metadataHash: METADATA_HASH });
};

test('two wallets play for a stake and on the chain, the winner is paid, and the host’s index has both', async (t) => {
  const { at, red, blue } = await world(t);
  const deposit = isHub ? /returned if you remove the storage/ : /returned with the storage/;
  for (const { page } of [red, blue]) await connect(page, at.url);
  await playForStake({ red, blue }, deposit);
  // An account is made known to contracts first, which the chain of the Hub does by itself.
  const first = isHub ? 0 : 1;
  // The payment, the end and the withdrawal of the winner; the payment of the loser.
  assert.equal(red.wallet.signed.length, 3 + (ETH_RPC ? 0 : first));
  assert.equal(blue.wallet.signed.length, 1 + first);

  for (const { page } of [red, blue]) {
    await page.goto(at.url);
    await connected(page);
  }
  await begun(red, blue);
  await played(red.page, blue.page, [0, 1, 0, 1, 0, 1, 0]);
  await says(red.page, '#status', /Red wins/);
  if (!ETH_RPC) red.wallet.signed.forEach(isForRuntime);
  blue.wallet.signed.forEach(isForRuntime);
  for (const { page } of [red, blue]) assert.deepEqual(page.complaints, []);

  const page = await visitor(t);
  await page.goto(red.page.url());
  await turns(page, 7);
  await page.click('#players [data-colour=red] .name a');
  await says(page, '.figures', /Games.*1.*Won.*1 of 1/);
  await page.click('#last-games a:has-text("The only game")');
  await says(page, '#all-games', /#0.*won/);
  await page.click('#all-games a[href="/game/0"]');
  await turns(page, 7);
  await says(page, '#status', /Red wins/);
  assert.deepEqual(page.complaints, []);
});
