// The local chain beside anvil, hardhat and LiteSVM: signed transfers of coins. The first three get them as raw transactions
// of Ethereum over WebSockets, from the same client. LiteSVM is a library: it gets them by a call.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { Wallet } from 'ethers';
import { built, Comparison, inTurn, packages, Running, report, say } from './report.mjs';

const { CONNECT4_PROGRAM, ECOSYSTEM, TRANSFERS = '10000' } = process.env;
const { Chain } = await import(`${ECOSYSTEM}/chain.mjs`);

const STARTS = 7;
const ROUNDS = 5;
const SINGLE = 200;
/** Accounts that send at the same time, each one transfer after the other. */
const SENDERS = 16;
/** Transfers that an account has sent at most which are not in blocks: our chain takes 32. */
const AHEAD = 16;
/** Milliseconds after which a sender that waits asks again whether the last is in a block. */
const PAUSE = 20;
/** The first development account of anvil and hardhat. */
const RICH = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const TO = `0x${'55'.repeat(20)}`;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** JSON-RPC over a WebSocket. */
class Connection {
  #asked = new Map();
  #number = 0;

  static async open(port) {
    const connection = new Connection();
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    connection.socket = socket;
    socket.onmessage = ({ data }) => {
      const { id, result, error } = JSON.parse(data);
      const { resolve, reject } = connection.#asked.get(id) ?? {};
      connection.#asked.delete(id);
      if (error) reject?.(new Error(JSON.stringify(error)));
      else resolve?.(result);
    };
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    return connection;
  }

  ask(method, ...params) {
    this.#number += 1;
    const id = this.#number;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
  }

  /** Waits until a transaction is in a block: asks again after so many milliseconds. */
  async mined(hash, pause) {
    for (;;) {
      const receipt = await this.ask('eth_getTransactionReceipt', hash);
      if (receipt) return receipt;
      if (pause) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** A node that is running, with accounts of Ethereum that have coins. */
class Node {
  static async start(name, command, endow) {
    const node = new Node();
    node.name = name;
    node.port = await freePort();
    const [program, ...args] = await command(String(node.port));
    const begun = performance.now();
    // Nobody reads what it prints, and a full pipe would stop it.
    node.running = new Running(program, args, {
      stdio: ['ignore', 'ignore', 'ignore'],
      cwd: import.meta.dirname,
      // anvil writes the states of earlier blocks there.
      env: { ...process.env, HOME: import.meta.dirname },
    });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
    const headers = { 'content-type': 'application/json' };
    for (;;) {
      const url = `http://127.0.0.1:${node.port}`;
      const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
      if (answer?.ok) {
        node.chainId = Number((await answer.json()).result);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    node.started = performance.now() - begun;
    node.endow = endow;
    return node;
  }

  async ready() {
    this.memoryAtFirst = await this.running.memory();
    this.connection = await Connection.open(this.port);
    this.senders = Array.from({ length: SENDERS }, () => {
      const { privateKey, address } = Wallet.createRandom();
      return { wallet: new Wallet(privateKey), address, nonce: 0 };
    });
    for (const sender of this.senders) sender.connection = await Connection.open(this.port);
    const addresses = this.senders.map(({ address }) => address);
    await this.endow(this, addresses);
    const [from] = addresses;
    const [gas, price] = await Promise.all([
      this.connection.ask('eth_estimateGas', { from, to: TO, value: '0x5af3107a4000' }),
      this.connection.ask('eth_gasPrice'),
    ]);
    this.fields = { type: 0, to: TO, gasLimit: BigInt(gas), gasPrice: 2n * BigInt(price) };
  }

  sign(sender) {
    const nonce = sender.nonce;
    sender.nonce += 1;
    const { chainId, fields } = this;
    return sender.wallet.signTransaction({ ...fields, chainId, nonce, value: 10n ** 14n });
  }

  /** Sends as many transfers from all senders at the same time, and returns how many were in blocks in a second. */
  async rate(count) {
    const each = Math.floor(count / SENDERS);
    const signed = new Map();
    for (const sender of this.senders) {
      const own = [];
      while (own.length < each) own.push(await this.sign(sender));
      signed.set(sender, own);
    }
    const begun = performance.now();
    await Promise.all(
      Array.from(signed, async ([{ connection }, own]) => {
        for (const [number, raw] of own.entries()) {
          const hash = await connection.ask('eth_sendRawTransaction', raw);
          if ((number + 1) % AHEAD && number + 1 < own.length) continue;
          const { status } = await connection.mined(hash, PAUSE);
          if (Number(status) !== 1) throw new Error(`${this.name} has not made a transfer`);
        }
      }),
    );
    return (SENDERS * each) / ((performance.now() - begun) / 1000);
  }

  /** Milliseconds from when a transfer is sent until its receipt is there. */
  async single() {
    const raw = await this.sign(this.senders[0]);
    const begun = performance.now();
    await this.connection.mined(await this.connection.ask('eth_sendRawTransaction', raw));
    return performance.now() - begun;
  }

  memory = () => this.running.memory();

  async stop() {
    for (const { socket } of [this, ...(this.senders ?? [])].flatMap((it) => it.connection ?? [])) {
      socket.close();
    }
    return this.running.stop();
  }
}

/** LiteSVM, in a process of its own. */
class InProcess {
  static async start(name) {
    const own = new InProcess();
    own.name = name;
    const begun = performance.now();
    own.running = new Running(process.execPath, [`${import.meta.dirname}/litesvm.mjs`]);
    await own.running.line();
    own.started = performance.now() - begun;
    return own;
  }

  async ready() {
    this.memoryAtFirst = await this.memory();
  }

  async #made(count) {
    return JSON.parse(await this.running.ask(count));
  }

  async rate(count) {
    const times = await this.#made(count);
    return times.length / (times.reduce((sum, time) => sum + time, 0) / 1000);
  }

  async single() {
    const [time] = await this.#made(1);
    return time;
  }

  memory = () => this.running.memory();
  stop = () => this.running.stop();
}

/** Coins for addresses, from a development account of anvil and hardhat. */
const byEther = async ({ connection, chainId }, addresses) => {
  const rich = new Wallet(RICH);
  const gasPrice = 2n * BigInt(await connection.ask('eth_gasPrice'));
  for (const [nonce, to] of addresses.entries()) {
    const value = 10n ** 19n;
    const fields = { type: 0, to, value, gasLimit: 21_000n, gasPrice, chainId, nonce };
    const raw = await rich.signTransaction(fields);
    await connection.mined(await connection.ask('eth_sendRawTransaction', raw));
  }
};
/** The same from a development account of the local chain. */
const bySubstrate = ({ port }, addresses) =>
  Object.assign(new Chain(), { port }).fund(1_000n * 10n ** 10n, ...addresses);

const folders = [];
const onDisk = async (port) => {
  const folder = await mkdtemp(`${tmpdir()}/connect4-measured-`);
  folders.push(folder);
  return [CONNECT4_PROGRAM, 'node', '--data', folder, '--rpc-port', port];
};
const bin = `${import.meta.dirname}/node_modules`;
const all = [
  {
    name: 'connect4',
    command: (port) => [CONNECT4_PROGRAM, 'node', '--tmp', '--rpc-port', port],
    endow: bySubstrate,
  },
  {
    name: 'anvil',
    command: (port) => [`${bin}/@foundry-rs/anvil-linux-amd64/bin/anvil`, '--port', port],
    endow: byEther,
  },
  {
    name: 'hardhat',
    command: (port) => [
      ...[process.execPath, `${bin}/hardhat/dist/src/cli.js`],
      ...['--config', `${import.meta.dirname}/hardhat.config.mjs`],
      ...['node', '--hostname', '127.0.0.1', '--port', port],
    ],
    endow: byEther,
  },
  { name: 'LiteSVM' },
  { name: 'connect4 on disk', command: onDisk, endow: bySubstrate },
].filter(({ name }) => CONNECT4_PROGRAM || !name.startsWith('connect4'));
const start = ({ name, command, endow }) =>
  command ? Node.start(name, command, endow) : InProcess.start(name);

const comparison = new Comparison(...all.map(({ name }) => name));
const each = (what) => Object.fromEntries(nodes.map((node) => [node.name, what(node)]));
const noted = () => Object.fromEntries(all.map(({ name }) => [name, []]));

const starts = noted();
for (let turn = 0; turn < STARTS; turn += 1) {
  for (const one of inTurn(all, turn)) {
    const node = await start(one);
    starts[one.name].push(node.started);
    await node.stop();
  }
}
comparison.times('start until it answers', starts);
say('starts');

const nodes = [];
for (const one of all) {
  const node = await start(one);
  await node.ready();
  nodes.push(node);
}
const singles = noted();
for (let turn = 0; turn < SINGLE; turn += 1) {
  for (const node of inTurn(nodes, turn)) singles[node.name].push(await node.single());
}
comparison.times('one transfer until its receipt', singles);
say('single transfers');

const rates = noted();
for (let turn = 0; turn < ROUNDS; turn += 1) {
  for (const node of inTurn(nodes, turn)) {
    rates[node.name].push(await node.rate(Number(TRANSFERS) / ROUNDS));
  }
  say(`round ${turn + 1} of ${ROUNDS}`);
}
const part = (Number(TRANSFERS) / ROUNDS).toLocaleString('en');
for (const [which, turn] of [
  ['first', 0],
  ['last', ROUNDS - 1],
]) {
  comparison.figure(
    `the ${which} ${part} transfers, from ${SENDERS} accounts at the same time`,
    'a second',
    each(({ name }) => rates[name][turn]),
    { isMoreBetter: true },
  );
}
comparison.figure(
  'memory after the start',
  'MB',
  each((node) => node.memoryAtFirst),
);
const after = new Map();
for (const node of nodes) after.set(node, await node.memory());
const count = Number(TRANSFERS).toLocaleString('en');
comparison.figure(
  `memory after ${count} transfers`,
  'MB',
  each((node) => after.get(node)),
);
for (const node of nodes) await node.stop();
for (const folder of folders) await rm(folder, { recursive: true, force: true });

const others = packages('@foundry-rs/anvil-linux-amd64', 'hardhat', 'litesvm');
report(
  'chain',
  `${others}, ${built(CONNECT4_PROGRAM)}, Node.js ${process.versions.node}; ${STARTS} starts, ${SINGLE} single transfers, ${ROUNDS} rounds by turns`,
  String(comparison),
);
