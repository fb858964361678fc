// A chain of a test's own, with the contracts, for clients of Ethereum.
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { TypinkRegistry } from '@dedot/contracts';
import { ApiPromise, Keyring, WsProvider } from '@polkadot/api';

const { PROGRAM, ARTIFACTS } = process.env;

// A contract's messages by its metadata, in SCALE: what libraries of Ethereum know are those of
// Solidity. A call is what they send: an address and data.
export class Contract {
  constructor(address, metadata) {
    this.address = address;
    this.messages = metadata.spec.messages;
    this.events = metadata.spec.events;
    this.registry = new TypinkRegistry(metadata, {});
  }

  static async open(address, name) {
    const metadata = JSON.parse(await readFile(`${ARTIFACTS}/${name}.contract`, 'utf8'));
    return new Contract(address, metadata);
  }

  message(name) {
    return this.messages.find(({ label }) => label === name);
  }

  call(name, ...values) {
    const { selector, args } = this.message(name);
    const encoded = args.map(({ type }, at) =>
      Buffer.from(this.registry.findCodec(type.type).tryEncode(values[at])).toString('hex'),
    );
    return { to: this.address, data: [selector, ...encoded].join('') };
  }

  // What a message answers or refuses, by the bytes that it returned.
  answer(name, hex) {
    const { returnType } = this.message(name);
    const bytes = Buffer.from(hex.slice(2), 'hex');
    return this.registry.findCodec(returnType.type).tryDecode(bytes);
  }

  // The name of the event of a log.
  event({ topics }) {
    return this.events.find(({ signature_topic: topic }) => topic === topics[0])?.label;
  }
}

// The program's node with these arguments, and what a test does with it.
export class Chain {
  static async start(...args) {
    const chain = new Chain();
    const node = spawn(PROGRAM, ['node', '--tmp', '--rpc-port', '0', ...args], {
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    chain.node = node;
    chain.port = await new Promise((resolve, reject) => {
      node.once('exit', () => reject(new Error('the node did not start')));
      createInterface({ input: node.stderr }).on('line', (line) => {
        const port = /Running JSON-RPC server: addr=.*:(\d+)/.exec(line)?.[1];
        if (port) resolve(port);
      });
    });
    return chain;
  }

  get http() {
    return `http://127.0.0.1:${this.port}`;
  }

  get ws() {
    return `ws://127.0.0.1:${this.port}`;
  }

  // Deploys the contracts, from the account alice.
  async deploy() {
    const { stdout } = await promisify(execFile)(PROGRAM, ['deploy', '--json', '--url', this.ws]);
    const { contract, stakes } = JSON.parse(stdout.split('\n')[0]);
    this.games = await Contract.open(contract, 'connect4');
    this.stakes = await Contract.open(stakes, 'connect4_stakes');
  }

  // Gives money of the account bob to addresses of Ethereum, in the chain's smallest unit.
  async fund(amount, ...addresses) {
    const provider = new WsProvider(this.ws);
    const api = await ApiPromise.create({ provider, noInitWarn: true });
    const bob = new Keyring({ type: 'sr25519' }).addFromUri('//Bob');
    // The account that an address stands for as long as no other one has claimed it.
    const accounts = addresses.map((address) => `${address}${'ee'.repeat(12)}`);
    const transfers = accounts.map((to) => api.tx.balances.transferKeepAlive(to, amount));
    for (const transfer of transfers) {
      await new Promise((resolve, reject) => {
        // On a busy machine the block is final before it is looked at.
        const told = ({ isInBlock, isFinalized, isError, status }) => {
          if (isInBlock || isFinalized) resolve();
          if (isError) reject(new Error(status.type));
        };
        transfer.signAndSend(bob, told).catch(reject);
      });
    }
    await api.disconnect();
  }

  // Asks over HTTP, and gives the answer with its error, if it is one.
  async ask(method, ...params) {
    const response = await fetch(this.http, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return response.json();
  }

  async stop() {
    if (!this.node || this.node.exitCode !== null) return;
    const gone = new Promise((resolve) => this.node.once('exit', resolve));
    this.node.kill();
    await gone;
  }
}
