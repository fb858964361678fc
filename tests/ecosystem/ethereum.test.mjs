// ethers, as wallets and pages of Ethereum use it: two wallets play on the chain, and for a stake.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  JsonRpcProvider,
  parseEther,
  parseUnits,
  Transaction,
  Wallet,
  WebSocketProvider,
} from 'ethers';
import { Chain } from './chain.mjs';
import { digest, domainOf, NONE, pack, ZERO } from './protocol.mjs';

const CHAIN_ID = 420420420n;
const STAKE = parseEther('2');
// A token has 10 decimals in the chain, and 18 for contracts and wallets of Ethereum.
const FUNDS = 100n * 10n ** 10n;
const SHAPE = { bins: 7, capacity: 6, line: 4 };
// What a hang, such as waiting for a block that does not come, may take.
const timeout = 60_000;

let chain;
let provider;
let red;
let blue;

before(async () => {
  chain = await Chain.start('--dev-rpc', '--finality-lag', '8');
  await chain.deploy();
  provider = new JsonRpcProvider(chain.http, undefined, { pollingInterval: 50, cacheTimeout: -1 });
  red = new Wallet(`0x${'11'.repeat(32)}`, provider);
  blue = new Wallet(`0x${'22'.repeat(32)}`, provider);
  await chain.fund(FUNDS, red.address, blue.address);
});
after(async () => {
  provider?.destroy();
  await chain?.stop();
});

// Sends a transaction as a wallet does, with what the node says about gas, and waits for it.
const send = async (wallet, call, value = 0n) => {
  const sent = await wallet.sendTransaction({ ...call, value });
  const receipt = await sent.wait();
  assert.equal(receipt.status, 1, `${sent.hash} failed`);
  return receipt;
};

// What a call of a contract answers.
const ask = async (contract, name, ...values) => {
  const { isOk, value } = contract.answer(
    name,
    await provider.call(contract.call(name, ...values)),
  );
  assert.ok(isOk, 'ink! reads the call');
  return value;
};

// The error of a promise that has to fail.
const failure = (promise) =>
  promise.then(
    () => assert.fail('it did not fail'),
    (error) => error,
  );

suite('the chain', { timeout }, () => {
  test('it tells what chain it is', async () => {
    const { chainId } = await provider.getNetwork();
    assert.equal(chainId, CHAIN_ID);
    assert.equal(await provider.send('net_version', []), String(CHAIN_ID));
    assert.match(await provider.send('web3_clientVersion', []), /^connect4\/\d/);
    assert.deepEqual(await provider.send('eth_accounts', []), []);
    assert.equal(await provider.send('eth_syncing', []), false);
  });

  test('its blocks follow each other', async () => {
    const best = await provider.getBlock('latest');
    assert.equal(best.number, await provider.getBlockNumber());
    let block = best;
    while (block.number > 0) {
      const parent = await provider.getBlock(block.parentHash);
      assert.equal(parent.number, block.number - 1);
      assert.deepEqual((await provider.getBlock(parent.number)).hash, parent.hash);
      block = parent;
    }
    assert.equal((await provider.getBlock('earliest')).hash, block.hash);
    const final = await provider.getBlock('finalized');
    assert.equal(final.number, Math.max(best.number - 8, 0));
    assert.equal((await provider.getBlock('safe')).hash, final.hash);
    assert.equal(await provider.getBlock(best.number + 1), null);
  });

  test('it tells what gas costs', async () => {
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = await provider.getFeeData();
    assert.equal(maxPriorityFeePerGas, 0n);
    assert.equal(maxFeePerGas, 2n * gasPrice);
    const history = await provider.send('eth_feeHistory', ['0x2', 'latest', [25, 75]]);
    assert.equal(history.baseFeePerGas.length, 3);
    assert.equal(BigInt(history.baseFeePerGas[2]), gasPrice);
    assert.deepEqual(history.reward, [
      ['0x0', '0x0'],
      ['0x0', '0x0'],
    ]);
  });

  test('it knows contracts from accounts', async () => {
    assert.ok((await provider.getCode(chain.games.address)).length > 1000);
    assert.equal(await provider.getCode(red.address), '0x');
  });
});

suite('two wallets', { timeout }, () => {
  let game;

  test('they have what was sent to them, without what an account has to keep', async () => {
    assert.equal(await provider.getBalance(red.address), parseEther('99.99'));
    assert.equal(await provider.getTransactionCount(red.address), 0);
  });

  test('one pays the other', async () => {
    const had = await provider.getBalance(blue.address);
    const receipt = await send(red, { to: blue.address }, parseEther('1.5'));
    assert.equal((await provider.getBalance(blue.address)) - had, parseEther('1.5'));
    assert.equal(receipt.fee, receipt.gasUsed * receipt.gasPrice);
    const rest = parseEther('98.49') - receipt.fee;
    assert.equal(await provider.getBalance(red.address), rest);
  });

  test('red starts a game against blue', async () => {
    const { games } = chain;
    game = await ask(games, 'game_count');
    const receipt = await send(red, games.call('start_game', red.address, blue.address, SHAPE));
    assert.deepEqual(
      receipt.logs.map((log) => games.event(log)),
      ['GameStarted'],
    );
  });

  test('a call that the contract refuses tells the reason in its data', async () => {
    const early = chain.games.call('drop_disc', game, 3);
    for (const attempt of [
      () => blue.call(early),
      () => blue.estimateGas(early),
      () => blue.sendTransaction(early),
    ]) {
      const error = await failure(attempt());
      assert.equal(error.code, 'CALL_EXCEPTION');
      const refused = chain.games.answer('drop_disc', error.data);
      assert.equal(refused.value.err.toString(), 'NotYourTurn');
    }
  });

  test('a refused call that is sent all the same has status 0 and costs its fee', async () => {
    const early = chain.games.call('drop_disc', game, 3);
    const had = await provider.getBalance(blue.address);
    const gasLimit = 2n * (await red.estimateGas(early));
    const sent = await blue.sendTransaction({ ...early, gasLimit });
    const error = await failure(sent.wait());
    assert.equal(error.code, 'CALL_EXCEPTION');
    const { receipt } = error;
    assert.equal(receipt.status, 0);
    assert.deepEqual(receipt.logs, []);
    // The runtime rounds a fee up to whole gas, but what it takes for that is undone with the call.
    const rounded = receipt.fee - (had - (await provider.getBalance(blue.address)));
    assert.ok(rounded >= 0n && rounded < receipt.gasPrice, `${rounded}`);
  });

  test('they play, and red wins', async () => {
    for (const [wallet, bin] of [0, 1, 0, 1, 0, 1, 0].map((bin, at) => [
      [red, blue][at % 2],
      bin,
    ])) {
      const receipt = await send(wallet, chain.games.call('drop_disc', game, bin));
      assert.equal(chain.games.event(receipt.logs[0]), 'DiscDropped');
    }
    const winner = await ask(chain.games, 'winner', game);
    assert.equal(winner.value.toString().toLowerCase(), red.address.toLowerCase());
  });
});

suite('a game for a stake', { timeout }, () => {
  let game;

  test('both pay it to the contract, by the terms as they stand', async () => {
    const { stakes } = chain;
    const [keyOne, keyTwo] = ['33', '44'].map((byte) => new Wallet(`0x${byte.repeat(32)}`).address);
    const terms = {
      ...{ accountOne: red.address, accountTwo: blue.address, keyOne, keyTwo },
      ...{ ...SHAPE, pieRule: false, bank: 600, increment: 5, witness: ZERO, stake: STAKE },
      ...{ pool: 0, programOne: false, programTwo: false, event: NONE, previous: NONE },
      ...{ time: Math.floor(Date.now() / 1000), nonce: 1 },
    };
    const { result: genesis } = await chain.ask('chain_getBlockHash', 0);
    const domain = { ...domainOf({ id: CHAIN_ID, genesis }), verifyingContract: stakes.address };
    game = digest(domain, 'Terms', terms);
    for (const wallet of [red, blue]) {
      const receipt = await send(wallet, stakes.call('fund', pack(terms)), STAKE);
      assert.deepEqual(
        receipt.logs.map((log) => stakes.event(log)),
        ['Funded'],
      );
    }
    assert.equal(await provider.getBalance(stakes.address), 2n * STAKE);
  });

  test('blue gives it up, and red is paid both stakes', async () => {
    const { stakes } = chain;
    await send(blue, stakes.call('resign', game));
    const had = await provider.getBalance(red.address);
    const { fee } = await send(red, stakes.call('withdraw'));
    const paid = (await provider.getBalance(red.address)) - had + fee;
    // With the deposit for the note of what red was owed, which is gone.
    assert.ok(paid >= 2n * STAKE && paid < 2n * STAKE + parseEther('0.01'), `${paid}`);
    assert.equal(await provider.getBalance(stakes.address), 0n);
  });
});

suite('transactions', { timeout }, () => {
  // Signs what ethers would fill in, and this besides, and sends it without a look at it.
  const raw = async (wallet, fields) => {
    const transaction = Transaction.from({
      type: 2,
      chainId: CHAIN_ID,
      nonce: await provider.getTransactionCount(wallet.address),
      gasLimit: 10_000_000n,
      maxFeePerGas: parseUnits('2', 'gwei'),
      maxPriorityFeePerGas: 0n,
      to: blue.address,
      value: 1n,
      ...fields,
    });
    transaction.signature = wallet.signingKey.sign(transaction.unsignedHash);
    return provider.broadcastTransaction(transaction.serialized);
  };

  test('those of all types that the chain takes are shown as they were sent', async () => {
    const gasPrice = parseUnits('1', 'gwei');
    const none = { maxFeePerGas: null, maxPriorityFeePerGas: null };
    for (const fields of [
      { type: 0, gasPrice, ...none },
      { type: 1, gasPrice, accessList: [], ...none },
      { type: 2 },
    ]) {
      const sent = await raw(red, { ...fields, data: '0x1234' });
      const receipt = await sent.wait();
      assert.equal(receipt.status, 1);
      assert.equal(receipt.type, fields.type);
      const shown = await provider.getTransaction(sent.hash);
      const { hash, type, nonce, from, to, value, data, gasLimit, chainId, signature } = sent;
      assert.deepEqual(
        { ...shown },
        {
          ...shown,
          ...{ hash, type, nonce, from, to, value, data, gasLimit, chainId, signature },
          blockHash: receipt.blockHash,
          blockNumber: receipt.blockNumber,
          index: 0,
        },
      );
      const block = await provider.getBlock(receipt.blockNumber, true);
      assert.deepEqual(block.transactions, [sent.hash]);
      assert.equal(block.prefetchedTransactions[0].hash, sent.hash);
      assert.equal(block.gasUsed, receipt.cumulativeGasUsed);
    }
  });

  test('refused ones say why', async () => {
    const nonce = await provider.getTransactionCount(red.address);
    for (const [fields, code, words] of [
      [{ nonce: nonce - 1 }, 'NONCE_EXPIRED', `nonce too low: next nonce ${nonce}`],
      [{ value: parseEther('1000') }, 'INSUFFICIENT_FUNDS', 'insufficient funds for gas'],
      [{ chainId: 1n }, 'UNKNOWN_ERROR', `invalid chain id: have 1 want ${CHAIN_ID}`],
      [{ maxFeePerGas: 1n }, 'UNKNOWN_ERROR', 'max fee per gas less than block base fee'],
      [{ gasLimit: 1n }, 'UNKNOWN_ERROR', 'intrinsic gas too low'],
    ]) {
      const error = await failure(raw(red, fields));
      assert.equal(error.code, code, error.message);
      assert.ok(JSON.stringify(error.info ?? error).includes(words), `${error.message}: ${words}`);
    }
  });

  test('one with a gap before its nonce waits for the one in between', async () => {
    const nonce = await provider.getTransactionCount(red.address);
    const later = await raw(red, { nonce: nonce + 1 });
    const waiting = await provider.getTransaction(later.hash);
    assert.equal(waiting.blockNumber, null);
    assert.equal(waiting.from, red.address);
    assert.equal(await provider.getTransactionReceipt(later.hash), null);
    assert.equal(await provider.getTransactionCount(red.address, 'pending'), nonce);
    const again = await failure(raw(red, { nonce: nonce + 1 }));
    assert.match(JSON.stringify(again), /already known/, again.message);
    await raw(red, { nonce });
    assert.equal((await later.wait()).status, 1);
    assert.equal(await provider.getTransactionCount(red.address, 'pending'), nonce + 2);
  });
});

suite('logs', { timeout }, () => {
  test('they are found by contract, by topic and by block', async () => {
    const { stakes, games } = chain;
    const all = await provider.getLogs({ fromBlock: 0 });
    const names = all.map((log) => games.event(log) ?? stakes.event(log));
    assert.deepEqual(names.slice(0, 2), ['GameStarted', 'DiscDropped']);
    assert.ok(names.includes('Funded'));
    const of = (address) => all.filter((log) => log.address.toLowerCase() === address);
    const found = await provider.getLogs({ fromBlock: 0, address: games.address });
    assert.deepEqual(found, of(games.address));
    const [drop] = found.filter((log) => games.event(log) === 'DiscDropped');
    const drops = await provider.getLogs({ fromBlock: 0, topics: [[drop.topics[0]]] });
    assert.equal(drops.length, 7);
    const { blockHash } = drop;
    assert.deepEqual(await provider.getLogs({ blockHash, topics: [null] }), [drop]);
    const receipt = await provider.getTransactionReceipt(drop.transactionHash);
    const place = ({ blockHash, index, topics, data }) => ({ blockHash, index, topics, data });
    assert.deepEqual(receipt.logs.map(place), [place(drop)]);
    assert.deepEqual(await provider.getLogs({ fromBlock: 0, topics: [blockHash] }), []);
  });
});

test('it is told of blocks and logs over HTTP', { timeout }, async () => {
  const { games } = chain;
  const [blocks, logs] = [[], []];
  await provider.on('block', (number) => blocks.push(number));
  await provider.on({ address: games.address }, (log) => logs.push(log.transactionHash));
  const receipts = [];
  // Nothing says when the filter is there.
  while (blocks.length === 0 || logs.length === 0) {
    receipts.push(await send(red, games.call('start_game', red.address, blue.address, SHAPE)));
  }
  assert.ok(receipts.some(({ hash }) => hash === logs[0]));
  await provider.removeAllListeners();
  const pending = [];
  await provider.on('pending', (hash) => pending.push(hash));
  while (pending.length === 0) await send(red, { to: blue.address });
  await provider.removeAllListeners();
});

test('it is told of blocks and logs over a WebSocket', { timeout }, async () => {
  const listener = new WebSocketProvider(chain.ws);
  const { games } = chain;
  const [blocks, logs, receipts] = [[], [], []];
  await listener.on('block', (number) => blocks.push(number));
  await listener.on({ address: games.address }, (log) => logs.push(log.transactionHash));
  // Nothing says when both subscriptions have begun.
  while (blocks.length === 0 || logs.length === 0) {
    const call = games.call('start_game', red.address, blue.address, SHAPE);
    receipts.push(await send(red, call));
  }
  assert.ok(receipts.some(({ blockNumber }) => blockNumber === blocks[0]));
  assert.ok(receipts.some(({ hash }) => hash === logs[0]));
  await listener.destroy();
});
