// ethers, as a wallet of Ethereum has it: plays game 0 against the program, which has started it, and wins; then starts
// a game of its own, gives it up and frees it. tests/ethereum.rs starts all the rest.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { TypinkRegistry } from '@dedot/contracts';
import { JsonRpcProvider, Wallet, concat, getBytes, hexlify, parseEther } from 'ethers';

const { ETH_RPC, ARTIFACTS, GAMES, WALLET_SECRET, OPPONENT } = process.env;
const game = 0;
// What a hang, such as waiting for a block that does not come, may take.
const timeout = 180_000;

// A contract's messages by its metadata, in SCALE: what ethers knows are those of Solidity.
class Contract {
  constructor(address, metadata) {
    this.address = address;
    this.messages = metadata.spec.messages;
    this.registry = new TypinkRegistry(metadata, {});
  }

  static async open(address, name) {
    return new Contract(address, JSON.parse(await readFile(`${ARTIFACTS}/${name}.contract`, 'utf8')));
  }

  message(name) {
    return this.messages.find(({ label }) => label === name);
  }

  call(name, ...values) {
    const { selector, args } = this.message(name);
    const encoded = args.map(({ type }, at) => this.registry.findCodec(type.type).tryEncode(values[at]));
    return { to: this.address, data: hexlify(concat([selector, ...encoded])) };
  }

  // What a message answers or refuses, as eth_call gives its bytes.
  answer(name, bytes) {
    const { returnType } = this.message(name);
    return this.registry.findCodec(returnType.type).tryDecode(getBytes(bytes));
  }

  async ask(name, ...values) {
    const { isOk, value } = this.answer(name, await provider.call(this.call(name, ...values)));
    assert.ok(isOk, 'ink! reads the call');
    return value;
  }
}

let provider;
let wallet;
let games;

before(async () => {
  provider = new JsonRpcProvider(ETH_RPC, undefined, { pollingInterval: 500 });
  wallet = new Wallet(WALLET_SECRET, provider);
  games = await Contract.open(GAMES, 'connect4');
});
after(() => provider?.destroy());

// Sends a transaction as a wallet does, with the gas that the node estimates, and waits for it.
const send = async (call) => {
  const sent = await wallet.sendTransaction(call);
  const receipt = await sent.wait();
  assert.equal(receipt.status, 1, `${sent.hash} failed`);
  return receipt;
};

// Why the contract refuses what the wallet would send: it estimates first, and the reason is in the data, in SCALE.
const refusal = async (name, ...values) => {
  const error = await wallet.sendTransaction(games.call(name, ...values)).then(
    () => assert.fail('it was sent'),
    (error) => error,
  );
  assert.equal(error.code, 'CALL_EXCEPTION');
  return games.answer(name, error.data).value.err.toString();
};

test('it has the balance that the chain spec gave to its address', { timeout }, async () => {
  // Without the least that an account keeps, which is 0.01.
  assert.equal(await provider.getBalance(wallet.address), parseEther('999999.99'));
});

test('a call that the contract refuses is not sent', { timeout }, async () => {
  assert.equal(await refusal('drop_disc', game + 7, 0), 'NoSuchGame');
});

test('it plays, and wins', { timeout }, async () => {
  for (let turn = 0; turn < 4; turn += 1) {
    // The program has dropped a disc before each of these.
    for (;;) {
      const board = await games.ask('board', game);
      const discs = board.value.flat().length;
      if (discs === 2 * turn + 1) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    await send(games.call('drop_disc', game, 1));
  }
  const winner = await games.ask('winner', game);
  assert.equal(winner.value.toString().toLowerCase(), wallet.address.toLowerCase());
});

test('it frees a game of its own', { timeout }, async () => {
  const own = Number(await games.ask('game_count'));
  await send(games.call('start_game', OPPONENT, wallet.address, { bins: 7, capacity: 6, line: 4 }));
  await send(games.call('resign', own));
  const { value: winner } = await games.ask('winner', own);
  assert.equal(winner.toString().toLowerCase(), OPPONENT.toLowerCase());
  await send(games.call('free', own));
  assert.equal(await refusal('free', own), 'NoSuchGame');
});
