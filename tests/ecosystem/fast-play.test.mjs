// The statements of fast play, by another implementation of EIP-712: the vectors of the protocol, read
// by ethers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { getBytes, hexlify, recoverAddress, TypedDataEncoder, Wallet } from 'ethers';

const file = new URL('../../crates/protocol/fast-vectors.json', import.meta.url);
const { domain, types, keys, statements, presence, terms, played, earlier } = JSON.parse(
  readFileSync(file, 'utf8'),
);
const signed = [
  ...statements,
  presence,
  ...terms.guests.signed,
  ...terms.accountAndGuest.signed,
  terms.session,
];
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
  const secrets = [...Object.values(keys), terms.wallet];
  const wallets = secrets.map(({ secret }) => new Wallet(secret));
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
    hash(domain, type, { ...message, game: terms.guests.signed[0].digest }),
    hash(domain, type, { ...message, moves: `${message.moves}00` }),
    hash(domain, 'Resignation', message),
    hash(domain, 'Draw', { ...message, until: 0 }),
  ];
  assert.equal(new Set([...others, digest]).size, others.length + 1);
});

test('the number of a game by signed terms is the digest of its terms', () => {
  const guests = terms.guests.signed[0].digest;
  for (const { game, scale, moves, result } of played) {
    if (result.refused) continue;
    const number = game === guests ? guests : terms.accountAndGuest.signed[0].digest;
    assert.equal(game, number);
    // Its last move was signed by who made it, on all moves, and the signature is in what is recorded.
    const count = getBytes(moves).length;
    const { address } = count % 2 ? keys.one : keys.two;
    const message = { game, moves };
    const digest = TypedDataEncoder.hash(domain, only('Position'), message);
    if (result.end === 'Agreement') continue;
    const bytes = getBytes(scale);
    const found = [...bytes.keys()].some((start) => {
      const signature = bytes.slice(start, start + 65);
      if (signature.length < 65 || (signature[64] !== 27 && signature[64] !== 28)) return false;
      try {
        return recoverAddress(digest, hexlify(signature)).toLowerCase() === address;
      } catch {
        return false;
      }
    });
    assert.ok(found, moves);
  }
});

test('statements for contracts of an earlier version have another domain and type', () => {
  const before = { ...domain, version: '1' };
  const Position = [{ name: 'game', type: 'uint32' }, types.Position[1]];
  assert.equal(TypedDataEncoder.hash(before, { Position }, earlier.message), earlier.digest);
  assert.notEqual(TypedDataEncoder.hash(domain, only('Position'), earlier.message), earlier.digest);
});
