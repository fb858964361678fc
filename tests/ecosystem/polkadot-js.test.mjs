// @polkadot/api, over the older families of methods: what apps in a browser use.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiPromise, Keyring, WsProvider } from '@polkadot/api';

const UNIT = 10n ** 10n;

// It reports on the console what it misses in a node.
const warnings = [];
for (const level of ['warn', 'error']) {
  console[level] = (...words) => warnings.push(words.join(' '));
}

let api;
let alice;
let bob;

before(async () => {
  api = await ApiPromise.create({ provider: new WsProvider(process.env.CHAIN_URL) });
  const keys = new Keyring({ type: 'sr25519' });
  alice = keys.addFromUri('//Alice');
  bob = keys.addFromUri('//Bob');
});
after(() => api?.disconnect());

// Signs with Alice, and gives every status up to the last.
const follow = (transaction, options = {}) =>
  new Promise((resolve, reject) => {
    const statuses = [];
    transaction
      .signAndSend(alice, options, (result) => {
        statuses.push(result);
        if (result.isFinalized) resolve(statuses);
        if (result.isError) reject(new Error(result.status.type));
      })
      .catch(reject);
  });

test('it connects and learns what chain it is', async () => {
  assert.equal((await api.rpc.system.chain()).toString(), 'Connect Four Local');
  assert.equal(api.runtimeVersion.specName.toString(), 'connect4-local');
  assert.equal(api.registry.chainSS58, 42);
  assert.deepEqual(api.registry.chainDecimals, [10]);
  assert.ok(api.tx.revive.call, 'the contract engine is there');
});

test('it misses nothing in the chain', () => {
  // It does not know pallet-revive's transaction extension and takes it for empty, which is right.
  // And it reports the methods of this chain that it does not use.
  const known = /Unknown signed extensions EthSetOrigin found|RPC methods not decorated/;
  assert.deepEqual(
    warnings.filter((warning) => !known.test(warning)),
    [],
  );
});

test('it reads blocks', async () => {
  const header = await api.rpc.chain.getHeader();
  const block = await api.rpc.chain.getBlock(header.hash);
  assert.equal(block.block.header.hash.toHex(), header.hash.toHex());
  const [first] = block.block.extrinsics;
  assert.equal(`${first.method.section}.${first.method.method}`, 'timestamp.set');

  const genesis = await api.rpc.chain.getBlockHash(0);
  assert.equal(genesis.toHex(), api.genesisHash.toHex());
  const next = await api.derive.chain.getBlockByNumber(1);
  assert.equal(next.block.header.parentHash.toHex(), genesis.toHex());
});

test('it reads storage, now and as it was', async () => {
  const now = await api.query.system.account(alice.address);
  assert.ok(now.data.free.toBigInt() > 0n);
  const genesis = await api.at(api.genesisHash);
  assert.equal((await genesis.query.system.account(alice.address)).nonce.toNumber(), 0);
  assert.equal((await genesis.query.system.number()).toNumber(), 0);
  const accounts = await api.query.system.account.entries();
  assert.ok(accounts.some(([key]) => key.args[0].toString() === bob.address));
});

test('it submits a transaction and watches it into a final block', async () => {
  const transfer = api.tx.balances.transferKeepAlive(bob.address, UNIT);
  const { partialFee } = await transfer.paymentInfo(alice);
  const had = (await api.query.system.account(bob.address)).data.free.toBigInt();

  const statuses = await follow(transfer);
  assert.deepEqual(
    statuses.map((result) => result.status.type),
    ['Ready', 'InBlock', 'Finalized'],
  );
  const { status, events } = statuses.at(-1);
  const names = events.map(({ event }) => `${event.section}.${event.method}`);
  assert.ok(names.includes('balances.Transfer'), names.join());
  assert.equal(names.at(-1), 'system.ExtrinsicSuccess');
  const paid = events.find(({ event }) => event.method === 'TransactionFeePaid');
  assert.equal(paid.event.data.actualFee.toBigInt(), partialFee.toBigInt());

  const block = await api.rpc.chain.getBlock(status.asFinalized);
  assert.equal(block.block.extrinsics.at(-1).signer.toString(), alice.address);
  const has = (await api.query.system.account(bob.address)).data.free.toBigInt();
  assert.equal(has - had, UNIT);
});

test('it learns why a transaction failed in its block', async () => {
  const statuses = await follow(api.tx.balances.transferKeepAlive(bob.address, 10n ** 30n));
  const { dispatchError, events } = statuses.at(-1);
  assert.equal(dispatchError.toString(), '{"arithmetic":"Underflow"}');
  assert.equal(events.at(-1).event.method, 'ExtrinsicFailed');
});

test('it learns why a transaction is not taken', async () => {
  const transfer = api.tx.balances.transferKeepAlive(bob.address, UNIT);
  await assert.rejects(follow(transfer, { nonce: 0 }), /1010: Invalid Transaction.*outdated/is);
});

test('it follows new blocks and changes of storage', async () => {
  const { nonce } = await api.query.system.account(alice.address);
  let stopHeads;
  let stopAccount;
  const numbers = [];
  const heads = new Promise((resolve) => {
    stopHeads = api.rpc.chain.subscribeNewHeads((header) => {
      numbers.push(header.number.toNumber());
      if (numbers.length === 2) resolve();
    });
  });
  const changed = new Promise((resolve) => {
    stopAccount = api.query.system.account(alice.address, (account) => {
      if (account.nonce.gt(nonce)) resolve();
    });
  });
  await Promise.all([stopHeads, stopAccount]);
  await follow(api.tx.system.remark('0x00'));
  await Promise.all([heads, changed]);
  assert.equal(numbers[1] - numbers[0], 1);
  (await stopHeads)();
  (await stopAccount)();
});
