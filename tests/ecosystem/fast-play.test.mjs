// The statements of fast play, by another implementation of EIP-712: the vectors of the protocol, read
// by ethers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recoverAddress, TypedDataEncoder, Wallet } from 'ethers';

const file = new URL('../../crates/protocol/fast-vectors.json', import.meta.url);
const { domain, types, keys, statements, challenge } = JSON.parse(readFileSync(file, 'utf8'));
const signed = [...statements, challenge];
const only = (type) => ({ [type]: types[type] });

test('a session key is known by its Ethereum address', () => {
  for (const { secret, address } of Object.values(keys)) {
    assert.equal(new Wallet(secret).address.toLowerCase(), address);
  }
});

test('ethers makes the same digests', () => {
  for (const { type, message, digest } of signed) {
    assert.equal(TypedDataEncoder.hash(domain, only(type), message), digest, type);
  }
});

test('ethers finds who signed', () => {
  for (const { digest, signature, by } of signed) {
    assert.equal(recoverAddress(digest, signature).toLowerCase(), by);
  }
});

test('ethers signs as the program does', async () => {
  const wallets = Object.values(keys).map(({ secret }) => new Wallet(secret));
  for (const { type, message, signature, by } of signed) {
    const wallet = wallets.find(({ address }) => address.toLowerCase() === by);
    assert.equal(await wallet.signTypedData(domain, only(type), message), signature, type);
  }
});

test('a statement about anything else has another digest', () => {
  const { type, message, digest } = statements[2];
  const hash = (domain, type, message) => TypedDataEncoder.hash(domain, only(type), message);
  const others = [
    hash({ ...domain, chainId: domain.chainId + 1 }, type, message),
    hash({ ...domain, verifyingContract: keys.one.address }, type, message),
    hash(domain, type, { ...message, game: message.game + 1 }),
    hash(domain, type, { ...message, moves: `${message.moves}00` }),
    hash(domain, 'Resignation', message),
    hash(domain, 'Draw', { ...message, until: 0 }),
  ];
  assert.equal(new Set([...others, digest]).size, others.length + 1);
});
