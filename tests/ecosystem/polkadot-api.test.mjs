// polkadot-api, over the newer families of methods: chainHead_v1, transaction_v1 and archive_v1. It
// reads the types from the chain's metadata. Its generator of types is not needed for that: an
// override in package.json leaves it out, with the compilers that it depends on.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Keyring } from '@polkadot/api';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { createClient } from 'polkadot-api';
import { getPolkadotSigner } from 'polkadot-api/signer';
import { getWsProvider } from 'polkadot-api/ws';
import WebSocket from 'ws';

const UNIT = 10n ** 10n;

let client;
let api;
let charlie;
let dave;

before(async () => {
  await cryptoWaitReady();
  const keys = new Keyring({ type: 'sr25519' });
  charlie = keys.addFromUri('//Charlie');
  dave = keys.addFromUri('//Dave');
  // Node.js has a WebSocket of its own since version 22.
  const websocketClass = globalThis.WebSocket ?? WebSocket;
  client = createClient(getWsProvider(process.env.CHAIN_URL, { websocketClass }));
  api = client.getUnsafeApi();
});
after(() => client?.destroy());

test('it connects and learns what chain it is', async () => {
  const { name, properties } = await client.getChainSpecData();
  assert.equal(name, 'Connect Four Local');
  assert.equal(properties.tokenDecimals, 10);
  assert.equal((await api.constants.System.Version()).spec_name, 'connect4-local');
});

test('it reads blocks', async () => {
  const block = await client.getFinalizedBlock();
  const header = await client.getBlockHeader(block.hash);
  assert.equal(header.number, block.number);
  assert.equal(header.parentHash, block.parent);
  const body = await client.getBlockBody(block.hash);
  assert.ok(body.length >= 1, 'the block has its timestamp at least');
});

test('it reads storage', async () => {
  const account = await api.query.System.Account.getValue(charlie.address);
  assert.ok(account.data.free > 0n);
  const entries = await api.query.System.Account.getEntries();
  assert.ok(entries.some(({ keyArgs: [address] }) => address === dave.address));
});

test('it submits a transaction and watches it into a final block', async () => {
  const signer = getPolkadotSigner(charlie.publicKey, 'Sr25519', (bytes) => charlie.sign(bytes));
  const dest = { type: 'Id', value: dave.address };
  const transfer = api.tx.Balances.transfer_keep_alive({ dest, value: UNIT });
  assert.ok((await transfer.getEstimatedFees(charlie.address)) > 0n);

  const events = [];
  await new Promise((resolve, reject) => {
    const next = (event) => events.push(event);
    transfer.signSubmitAndWatch(signer).subscribe({ next, error: reject, complete: resolve });
  });
  const types = events.map(({ type }) => type);
  assert.deepEqual(types.slice(0, 2), ['signed', 'broadcasted']);
  assert.ok(types.includes('txBestBlocksState'), types.join());
  const last = events.at(-1);
  assert.equal(last.type, 'finalized');
  assert.equal(last.ok, true);
  const names = last.events.map(({ type, value }) => `${type}.${value.type}`);
  assert.ok(names.includes('Balances.Transfer'), names.join());
});
