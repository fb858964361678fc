// dedot: plays with both of its clients. DedotClient uses the newer families of methods,
// LegacyClient the older ones.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import { DedotClient, LegacyClient } from '@dedot/api';
import { Contract, ContractDeployer } from '@dedot/contracts';
import { WsProvider } from '@dedot/providers';
import { Keyring } from '@polkadot/api';
import { cryptoWaitReady, keccakAsHex } from '@polkadot/util-crypto';

const { CONTRACT, CHAIN_URL } = process.env;
const SHAPE = { bins: 7, capacity: 6, line: 4 };
// dedot estimates the limits for a pallet-revive that calls the first one `gas_limit`. On this one
// they have to be given.
const LIMITS = {
  gasLimit: { refTime: 500_000_000_000n, proofSize: 5_000_000n },
  storageDepositLimit: 10n ** 12n,
};

// A hang, such as waiting for a block that does not come, is a failure.
const timeout = 60_000;

let metadata;
let alice;
let bob;

before(async () => {
  await cryptoWaitReady();
  metadata = JSON.parse(await readFile(CONTRACT, 'utf8'));
  const keys = new Keyring({ type: 'sr25519' });
  // The accounts of the other tests here, which run at the same time, are in use.
  [alice, bob] = ['//Alice//stash', '//Bob//stash'].map((uri) => keys.addFromUri(uri));
});

// The address of an account for contracts.
const address = ({ publicKey }) => `0x${keccakAsHex(publicKey).slice(-40)}`;

for (const [Client, name, rpcVersion] of [
  [DedotClient, 'DedotClient', 'v2'],
  [LegacyClient, 'LegacyClient', 'legacy'],
]) {
  suite(name, { timeout }, () => {
    let client;
    let contract;

    before(async () => {
      client = await Client.new(new WsProvider(CHAIN_URL));
    });
    after(() => client?.disconnect());

    test('it connects and learns what chain it is', async () => {
      assert.equal(client.rpcVersion, rpcVersion);
      assert.equal(client.runtimeVersion.specName, 'connect4-local');
      const { data } = await client.query.system.account(alice.address);
      assert.ok(data.free > 0n);
    });

    test('it deploys the contract', async () => {
      const deployer = new ContractDeployer(client, metadata, metadata.source.contract_binary);
      const deployed = await deployer.tx.new(LIMITS).signAndSend(alice).untilFinalized();
      assert.equal(deployed.dispatchError, undefined);
      contract = new Contract(client, metadata, await deployed.contractAddress(), {
        defaultCaller: alice.address,
      });
    });

    test('it starts a game', async () => {
      const start = contract.tx.startGame(address(alice), address(bob), SHAPE, LIMITS);
      const { events, dispatchError } = await start.signAndSend(alice).untilFinalized();
      assert.equal(dispatchError, undefined);
      const started = contract.decodeEvents(events);
      assert.deepEqual(
        started.map((event) => event.name),
        ['GameStarted'],
      );
      assert.deepEqual(started[0].data, {
        game: 0,
        playerOne: address(alice),
        playerTwo: address(bob),
        shape: SHAPE,
      });
    });

    test('it drops a disc', async () => {
      const drop = contract.tx.dropDisc(0, 3, LIMITS);
      const { events, dispatchError } = await drop.signAndSend(alice).untilBestChainBlockIncluded();
      assert.equal(dispatchError, undefined);
      const [dropped] = contract.events.DiscDropped.filter(events);
      const { game, player, bin, row, turn } = dropped.data;
      assert.deepEqual([game, player, bin, row, turn], [0, address(alice), 3, 0, 0]);
    });

    test('it reads the game', async () => {
      const { data } = await contract.query.game(0);
      assert.ok(data.isOk);
      assert.equal(data.value.lastMover, 'One');
      assert.equal(data.value.turns, 1);
    });

    test('it shows that a drop is refused', async () => {
      const { data, flags } = await contract.query.dropDisc(0, 3);
      assert.ok(flags.revert);
      assert.equal(data.err, 'NotYourTurn');

      const submitted = contract.tx.dropDisc(0, 3, LIMITS).signAndSend(alice);
      const { dispatchError } = await submitted.untilFinalized();
      const { pallet, name } = client.registry.findErrorMeta(dispatchError);
      assert.equal(`${pallet}.${name}`, 'Revive.ContractReverted');
    });
  });
}
