// cargo-contract: deploys the contract of the games, and plays a move.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { Keyring } from '@polkadot/api';
import { cryptoWaitReady, keccakAsHex } from '@polkadot/util-crypto';

const { CARGO_CONTRACT, CONTRACT, CHAIN_URL } = process.env;

// This version expects an earlier pallet-revive, whose encoding the chain uses at this path.
const url = `${CHAIN_URL}/cargo-contract`;

const run = promisify(execFile);
const cargoContract = async (command, ...args) => {
  const all = ['contract', command, CONTRACT, '--url', url, '--suri', '//Eve', ...args];
  const env = { ...process.env, NO_COLOR: '1', RUST_BACKTRACE: '0' };
  return (await run(CARGO_CONTRACT, all, { env })).stdout;
};
const EXECUTE = ['--execute', '--skip-confirm'];

let eve;
let ferdie;
let contract;
const call = (message, args, ...more) =>
  cargoContract('call', '--contract', contract, '--message', message, '--args', ...args, ...more);

before(async () => {
  await cryptoWaitReady();
  const keys = new Keyring({ type: 'sr25519' });
  // The address of an account for contracts.
  const address = (uri) => `0x${keccakAsHex(keys.addFromUri(uri).publicKey).slice(-40)}`;
  [eve, ferdie] = ['//Eve', '//Ferdie'].map(address);
});

test('it uploads the code', async () => {
  const { source } = JSON.parse(await readFile(CONTRACT, 'utf8'));
  const uploaded = JSON.parse(await cargoContract('upload', ...EXECUTE, '--output-json'));
  assert.equal(`0x${uploaded.code_hash}`, source.hash);
});

test('it instantiates the contract', async () => {
  const output = await cargoContract('instantiate', ...EXECUTE);
  assert.match(output, /Gas required estimated at Weight/);
  const [, deployer] = output.match(/deployer: (0x[0-9a-f]{40})/);
  assert.equal(deployer, eve);
  [, contract] = output.match(/Contract (0x[0-9a-f]{40})/);
});

test('it starts a game', async () => {
  const shape = 'ShapeSpec { bins: 7, capacity: 6, line: 4 }';
  const output = await call('start_game', [eve, ferdie, shape], ...EXECUTE);
  const event = `GameStarted { game: 0, player_one: ${eve}, player_two: ${ferdie}, shape: ${shape} }`;
  assert.ok(output.includes(event), output);
});

test('it drops a disc', async () => {
  const output = await call('drop_disc', ['0', '3'], ...EXECUTE);
  const event = `DiscDropped { game: 0, player: ${eve}, bin: 3, row: 0, turn: 0 }`;
  assert.ok(output.includes(event), output);
});

test('it reads the game', async () => {
  const output = await call('game', ['0']);
  assert.match(output, /Result Ok\(Ok\(Game \{/);
  assert.match(output, /shape: Shape \{ bins: 7, capacity: 6, line: 4 \}/);
  assert.match(output, /last_mover: One, turns: 1, winner: Nobody, over: No/);
});

test('it shows that a drop is refused', async () => {
  // The bytes are `Err(NotYourTurn)`.
  const refused = /the contract consciously decided to revert.*Raw Bytes: +0x0102/s;
  await assert.rejects(call('drop_disc', ['0', '3']), refused);
  const submitted = call('drop_disc', ['0', '3'], ...EXECUTE);
  await assert.rejects(submitted, /Revive::ContractReverted/);
});
