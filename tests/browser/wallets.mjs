// Wallets in a test's browser, of the libraries that real ones are made of: ethers for one of Ethereum,
// polkadot-js for one of a Polkadot SDK chain. Keys stay in the test, as they stay in an extension; the
// page gets what an extension puts into it.
import { ApiPromise, Keyring, WsProvider } from '@polkadot/api';
import { TypeRegistry } from '@polkadot/types';
import { JsonRpcProvider, Transaction, Wallet } from 'ethers';

/** Extensions of transactions that polkadot-js does not know: nothing of them is signed. */
const UNKNOWN = Object.fromEntries(
  ['EthSetOrigin', 'WeightReclaim', 'CheckWeight'].map((name) => [
    name,
    { extrinsic: {}, payload: {} },
  ]),
);

/** An error as wallets of Ethereum give it to pages. */
const refusal = (code, message) => Object.assign(new Error(message), { code });

/** What the node of another chain answers, on which the account has done more. */
const ELSEWHERE = {
  eth_blockNumber: '0x1406f40',
  eth_call: '0x',
  eth_gasPrice: '0x3b9aca00',
  eth_getBlockByNumber: null,
  eth_getCode: '0x',
  eth_getTransactionByHash: null,
  eth_getTransactionCount: '0x1000',
  eth_getTransactionReceipt: null,
};

/**
 * A wallet of Ethereum, which its owner unlocks, and who agrees to what it is asked unless told
 * otherwise. As real ones, it asks the node of the chain that it is on, numbers transactions itself, and
 * refuses those for another chain.
 */
export class EthereumWallet {
  constructor(http, secrets, name = 'Test wallet') {
    this.name = name;
    this.provider = new JsonRpcProvider(http, undefined, { pollingInterval: 50, cacheTimeout: -1 });
    this.keys = secrets.map((secret) => new Wallet(secret, this.provider));
    this.used = 0;
    this.locked = false;
    this.refuses = false;
    /** Whether what it signs is replaced by something else. */
    this.replaces = false;
    /** Whether what it signs gets lost on the way to the chain: then it is kept here. */
    this.loses = false;
    this.lost = null;
    /** Whether another page has it send something just before what it is asked for next. */
    this.isShared = false;
    /** Whether its node does not tell what became of transactions. */
    this.keepsQuiet = false;
    /** What happens before its node answers a call of a contract. */
    this.beforeCall = async () => {};
    /** What happens before its owner agrees to a chain that is added. */
    this.beforeAdd = async () => {};
    /** Whether it does not know the chain of the game. */
    this.forgets = false;
    /** The chain that it is on, and those that it knows. */
    this.chainId = null;
    this.known = new Set();
    /** What it was asked to sign. */
    this.signed = [];
    /** The session keys that its accounts have named. */
    this.named = [];
  }

  get address() {
    return this.keys[this.used].address;
  }

  /** Puts it into the pages of a browser context. */
  async into(page) {
    this.page = page;
    const { chainId } = await this.provider.getNetwork();
    this.chainId ??= Number(chainId);
    if (!this.forgets) this.known.add(Number(chainId));
    await page.exposeBinding('askTestWallet', async (_, asked) => {
      try {
        const result = (await this.request(asked)) ?? null;
        if (asked.method === this.waiting?.method) this.waiting.resolve();
        return { result };
      } catch (error) {
        const { code = -32603, shortMessage, message } = error;
        return {
          error: { code: Number.isInteger(code) ? code : -32603, message: shortMessage ?? message },
        };
      }
    });
    await page.addInitScript((name) => {
      const listeners = {};
      const provider = {
        async request(asked) {
          const { result, error } = await window.askTestWallet(asked);
          if (error) throw Object.assign(new Error(error.message), error);
          return result;
        },
        on: (event, heard) => {
          listeners[event] ??= new Set();
          listeners[event].add(heard);
        },
        removeListener: (event, heard) => listeners[event]?.delete(heard),
      };
      window.emitOfTestWallet = (event, value) => {
        for (const heard of listeners[event] ?? []) heard(value);
      };
      const info = {
        uuid: '9c7ae5b2-0000-4000-8000-000000000001',
        name,
        icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
        rdns: 'example.test',
      };
      const announce = () =>
        dispatchEvent(
          new CustomEvent('eip6963:announceProvider', {
            detail: Object.freeze({ info, provider }),
          }),
        );
      addEventListener('eip6963:requestProvider', announce);
      announce();
    }, this.name);
  }

  /** Resolves once it has done what it is asked by a method next. */
  asked(method) {
    return new Promise((resolve) => {
      this.waiting = { method, resolve };
    });
  }

  emit(event, value) {
    return this.page.evaluate(
      ([name, told]) => window.emitOfTestWallet(name, told),
      [event, value],
    );
  }

  async request({ method, params = [] }) {
    switch (method) {
      case 'eth_requestAccounts':
        if (this.locked) throw refusal(4001, 'User rejected the request.');
        return [this.address];
      case 'eth_accounts':
        return this.locked ? [] : [this.address];
      case 'eth_chainId':
        return `0x${this.chainId.toString(16).toUpperCase()}`;
      case 'wallet_switchEthereumChain': {
        const wanted = Number(params[0].chainId);
        if (!this.known.has(wanted)) throw refusal(4902, 'Unrecognized chain ID.');
        if (this.refuses) throw refusal(4001, 'User rejected the request.');
        this.chainId = wanted;
        await this.emit('chainChanged', params[0].chainId);
        return null;
      }
      case 'wallet_addEthereumChain':
        await this.beforeAdd();
        this.added = params[0];
        this.known.add(Number(params[0].chainId));
        this.chainId = Number(params[0].chainId);
        return null;
      case 'eth_sendTransaction': {
        const [{ from, to, data, value, gas, chainId, nonce }] = params;
        if (this.locked) throw refusal(4100, 'The account is locked.');
        if (this.refuses) throw refusal(4001, 'User denied transaction signature.');
        if (chainId && Number(chainId) !== this.chainId) {
          throw refusal(-32602, `The active chain is ${this.chainId}, and not ${chainId}.`);
        }
        const key = this.keys.find(({ address }) => address.toLowerCase() === from.toLowerCase());
        if (!key) throw refusal(4100, 'Unknown account.');
        const numbered = nonce === undefined ? {} : { nonce: Number(nonce) };
        const transaction = { to, data, value, ...(gas ? { gasLimit: gas } : {}), ...numbered };
        this.signed.push({ from, ...transaction });
        if (this.isShared) await this.#instead(key, {});
        if (this.replaces) {
          // Its owner sends something else in its place.
          const made = await key.populateTransaction(transaction);
          const { hash } = Transaction.from(await key.signTransaction(made));
          await this.#instead(key, {});
          return hash;
        }
        if (this.loses) {
          const made = await key.populateTransaction(transaction);
          this.lost = { key, made, signed: await key.signTransaction(made) };
          return Transaction.from(this.lost.signed).hash;
        }
        return (await key.sendTransaction(transaction)).hash;
      }
      case 'eth_signTypedData_v4': {
        const { domain, types, message, primaryType } = JSON.parse(params[1]);
        if (this.refuses) throw refusal(4001, 'User denied message signature.');
        const key = this.keys.find(
          ({ address }) => address.toLowerCase() === params[0].toLowerCase(),
        );
        if (!key) throw refusal(4100, 'Unknown account.');
        if (domain.chainId !== this.chainId) throw refusal(-32602, 'This is not the active chain.');
        this.named.push(message);
        return key.signTypedData(domain, { [primaryType]: types[primaryType] }, message);
      }
      case 'eth_call':
        await this.beforeCall();
        return this.#ask(method, params);
      case 'eth_getTransactionReceipt':
        return this.keepsQuiet ? null : this.#ask(method, params);
      default:
        return this.#ask(method, params);
    }
  }

  /** Asks the node of the chain that it is on. */
  async #ask(method, params) {
    const { chainId } = await this.provider.getNetwork();
    if (this.chainId === Number(chainId)) return this.provider.send(method, params);
    if (method in ELSEWHERE) return ELSEWHERE[method];
    throw refusal(-32601, `The method ${method} does not exist.`);
  }

  /** Sends something that does nothing. */
  async #instead(key, how) {
    const nothing = { to: key.address, value: 1_000_000_000n, ...how };
    await (await key.sendTransaction(nothing)).wait();
  }

  /** What was lost arrives after all. */
  arrives() {
    return this.provider.broadcastTransaction(this.lost.signed);
  }

  /** Its owner pays more for what was lost: it is another transaction with the same number. */
  async speedsUp() {
    const { key, made } = this.lost;
    const dearer = ({ maxFeePerGas: fee, maxPriorityFeePerGas: tip, gasPrice: price }) =>
      price ? { gasPrice: price * 2n } : { maxFeePerGas: fee * 2n, maxPriorityFeePerGas: tip * 2n };
    await (await key.sendTransaction({ ...made, ...dearer(made) })).wait();
  }

  /** Its owner takes back what was lost, by something else with its number. */
  cancels() {
    const { key, made } = this.lost;
    return this.#instead(key, { nonce: made.nonce });
  }

  async lock(locked = true) {
    this.locked = locked;
    await this.emit('accountsChanged', locked ? [] : [this.address]);
  }

  async use(index) {
    this.used = index;
    await this.emit('accountsChanged', [this.address]);
  }

  async onChain(id) {
    this.chainId = id;
    await this.emit('chainChanged', `0x${id.toString(16)}`);
  }

  stop() {
    this.provider.destroy();
  }
}

/** A wallet of a Polkadot SDK chain. */
export class SubstrateWallet {
  constructor(uris) {
    // With addresses as on Polkadot: the host writes them in the form that is the same for all chains.
    const keyring = new Keyring({ type: 'sr25519', ss58Format: 0 });
    this.uris = uris;
    this.pairs = uris.map((uri) => keyring.addFromUri(uri));
    this.refuses = false;
    this.signed = [];
    this.named = [];
  }

  /** Its secrets by their names. */
  secrets() {
    const seeds = this.uris.map((uri) => [`seed of ${uri}`, Buffer.from(uri)]);
    // polkadot-js gives a pair's secret as its file has it: PKCS8 with the key of 64 bytes.
    const keys = this.pairs.map((pair) => [
      `key of ${pair.address}`,
      Buffer.from(pair.encodePkcs8().slice(16, 16 + 32)),
    ]);
    return Object.fromEntries([...seeds, ...keys]);
  }

  async into(page) {
    const accounts = this.pairs.map(({ address }, index) => ({
      address,
      name: `Account ${index + 1}`,
      type: 'sr25519',
    }));
    await page.exposeBinding('signOfTestWallet', async (_, payload) => {
      if (this.refuses) return { error: 'Cancelled' };
      this.signed.push(payload);
      const pair = this.pairs.find(({ address }) => address === payload.address);
      if (!pair) return { error: 'Unknown account' };
      const registry = new TypeRegistry();
      registry.setSignedExtensions(payload.signedExtensions, UNKNOWN);
      const typed = registry.createType('ExtrinsicPayload', payload, { version: payload.version });
      return { signature: typed.sign(pair).signature };
    });
    await page.exposeBinding('signRawOfTestWallet', async (_, { address, data, type }) => {
      if (this.refuses || type !== 'bytes') return { error: 'Cancelled' };
      this.named.push(data);
      const pair = this.pairs.find((each) => each.address === address);
      // As the wallets wrap bytes, so that they are no transaction.
      const [before, after] = ['<Bytes>', '</Bytes>'].map((tag) => Buffer.from(tag));
      const wrapped = Buffer.concat([before, Buffer.from(data.slice(2), 'hex'), after]);
      return { signature: `0x${Buffer.from(pair.sign(wrapped)).toString('hex')}` };
    });
    await page.addInitScript((all) => {
      const injected = {
        accounts: {
          get: async () => all,
          subscribe: (changed) => {
            changed(all);
            return () => {};
          },
        },
        signer: {
          async signPayload(payload) {
            const { signature, error } = await window.signOfTestWallet(payload);
            if (error) throw new Error(error);
            return { id: 1, signature };
          },
          async signRaw(raw) {
            const { signature, error } = await window.signRawOfTestWallet(raw);
            if (error) throw new Error(error);
            return { id: 2, signature };
          },
        },
      };
      window.injectedWeb3 = { 'polkadot-js': { version: '0.0.0', enable: async () => injected } };
    }, accounts);
  }
}

/** Gives money of the account alice to accounts and addresses, in the chain's smallest unit. */
export const fund = async (url, amount, ...to) => {
  const api = await ApiPromise.create({ provider: new WsProvider(url), noInitWarn: true });
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  // The account that an address stands for as long as no other one has claimed it.
  const accounts = to.map((one) => (one.startsWith('0x') ? `${one}${'ee'.repeat(12)}` : one));
  for (const account of accounts) {
    await new Promise((resolve, reject) => {
      // On a busy machine the block is final before it is looked at.
      const told = ({ isInBlock, isFinalized, isError, status }) => {
        if (isInBlock || isFinalized) resolve();
        if (isError) reject(new Error(status.type));
      };
      api.tx.balances.transferKeepAlive(account, amount).signAndSend(alice, told).catch(reject);
    });
  }
  await api.disconnect();
};
