// viem, as a second library of Ethereum: what it reads, sends and tells apart.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  InsufficientFundsError,
  NonceTooLowError,
  parseEther,
  RawContractError,
  webSocket,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Chain } from './chain.mjs';

const SHAPE = { bins: 7, capacity: 6, line: 4 };
const pollingInterval = 50;
// What a hang, such as waiting for a block that does not come, may take.
const timeout = 60_000;

let chain;
let network;
let reader;
let wallet;
let account;

before(async () => {
  chain = await Chain.start();
  await chain.deploy();
  network = defineChain({
    id: 420420420,
    name: 'Connect Four Local',
    nativeCurrency: { name: 'DOT', symbol: 'DOT', decimals: 18 },
    rpcUrls: { default: { http: [chain.http] } },
  });
  account = privateKeyToAccount(`0x${'33'.repeat(32)}`);
  reader = createPublicClient({ chain: network, transport: http(), pollingInterval });
  wallet = createWalletClient({ account, chain: network, transport: http(), pollingInterval });
  await chain.fund(100n * 10n ** 10n, account.address);
});
after(() => chain?.stop());

const failure = (promise) =>
  promise.then(
    () => assert.fail('it did not fail'),
    (error) => error,
  );

test('it reads the chain', { timeout }, async () => {
  assert.equal(await reader.getChainId(), 420420420);
  assert.equal(await reader.getBalance({ address: account.address }), parseEther('99.99'));
  const block = await reader.getBlock({ includeTransactions: true });
  assert.equal(block.number, await reader.getBlockNumber({ cacheTime: 0 }));
  const history = await reader.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] });
  assert.deepEqual(history.reward, [[0n], [0n]]);
});

test('it plays', { timeout }, async () => {
  const opponent = `0x${'44'.repeat(20)}`;
  const hash = await wallet.sendTransaction(
    chain.games.call('start_game', account.address, opponent, SHAPE),
  );
  const receipt = await reader.waitForTransactionReceipt({ hash });
  assert.equal(receipt.status, 'success');
  assert.deepEqual(
    receipt.logs.map((log) => chain.games.event(log)),
    ['GameStarted'],
  );
  const logs = await reader.getLogs({ address: chain.games.address, blockHash: receipt.blockHash });
  assert.deepEqual(logs, receipt.logs);
  const shown = await reader.getTransaction({ hash });
  assert.equal(shown.from, account.address.toLowerCase());
  assert.equal(shown.blockHash, receipt.blockHash);
});

test('it tells refusals apart', { timeout }, async () => {
  const refused = await failure(reader.call(chain.games.call('drop_disc', 7, 0)));
  const reverted = refused.walk((error) => error instanceof RawContractError || error.data);
  const reason = chain.games.answer('drop_disc', reverted.data);
  assert.equal(reason.value.err.toString(), 'NoSuchGame');

  const to = `0x${'44'.repeat(20)}`;
  // With gas and nonce it estimates nothing, and sends.
  const gas = 10_000_000n;
  const used = await failure(wallet.sendTransaction({ to, value: 1n, gas, nonce: 0 }));
  assert.ok(
    used.walk((error) => error instanceof NonceTooLowError),
    used.message,
  );
  const value = parseEther('1000');
  const poor = await failure(wallet.sendTransaction({ to, value, gas, nonce: 1 }));
  assert.ok(
    poor.walk((error) => error instanceof InsufficientFundsError),
    poor.message,
  );
});

test('it is told of new blocks over a WebSocket', { timeout }, async () => {
  const transport = webSocket(chain.ws, { reconnect: false });
  const listener = createPublicClient({ chain: network, transport });
  const [told, mined] = [[], []];
  // Not watchBlocks: it asks for each block that it is told of, and would be asking when it is closed.
  const stop = listener.watchBlockNumber({ onBlockNumber: (number) => told.push(number) });
  // Nothing says when the subscription has begun.
  while (told.length === 0) {
    const hash = await wallet.sendTransaction({ to: account.address, value: 1n });
    mined.push((await reader.waitForTransactionReceipt({ hash })).blockNumber);
  }
  stop();
  // So that the end of the subscription is answered before the connection is closed.
  await listener.getChainId();
  assert.ok(mined.includes(told[0]), `${told[0]}`);
  (await listener.transport.getRpcClient()).close();
});
