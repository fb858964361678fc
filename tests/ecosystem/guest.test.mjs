// The account of a guest is the one that wallets make of its phrase.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { HDNodeWallet, Mnemonic, randomBytes } from 'ethers';

const { PROGRAM } = process.env;

test('a wallet’s phrase is the same account at the terminal, whatever its length', async () => {
  for (const length of [16, 20, 24, 28, 32]) {
    const phrase = Mnemonic.fromEntropy(randomBytes(length)).phrase;
    const { address, path } = HDNodeWallet.fromPhrase(phrase);
    assert.equal(path, "m/44'/60'/0'/0/0");
    const folder = await mkdtemp(join(tmpdir(), 'connect4-guest-'));
    try {
      const guest = async (...options) =>
        (await promisify(execFile)(PROGRAM, ['guest', '--data', folder, ...options])).stdout.trim();
      const file = join(folder, 'phrase');
      await writeFile(file, `${phrase}\n`);
      assert.equal(await guest('--restore', file), `guest ${address.toLowerCase()}`);
      assert.equal(await guest(), `guest ${address.toLowerCase()}`);
      assert.equal(await guest('--phrase'), phrase);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
});
