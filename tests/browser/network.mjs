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
import { ethereum, playForStake, substrate } from './hosted.mjs';

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

test('two wallets play for a stake, the winner is paid, and the host’s index has both', async (t) => {
  const { at, red, blue } = await world(t);
  const deposit = isHub ? /returned if you remove the storage/ : /returned with the storage/;
  await playForStake(at, red, blue, deposit);
  // An account is made known to contracts first, which the chain of the Hub does by itself.
  const first = isHub ? 0 : 1;
  assert.equal(red.wallet.signed.length, 6 + (ETH_RPC ? 0 : first));
  assert.equal(blue.wallet.signed.length, 4 + first);
  if (!ETH_RPC) red.wallet.signed.forEach(isForRuntime);
  blue.wallet.signed.forEach(isForRuntime);
  for (const { page } of [red, blue]) assert.deepEqual(page.complaints, []);

  const page = await visitor(t);
  await page.goto(`${at.url}/players`);
  await page.waitForSelector('.standings tbody tr:nth-child(2)');
  await page.click('.standings tr[data-rank="1"] a');
  await says(page, '.figures', /Rating.*place 1.*Games.*1.*Won.*1 of 1/);
  await page.click('#last-games a:has-text("The only game")');
  await says(page, '#all-games', /#0.*won/);
  await page.click('#all-games a[href="/game/0"]');
  await turns(page, 7);
  await says(page, '#status', /Red wins/);
  assert.deepEqual(page.complaints, []);
});
