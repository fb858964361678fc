// What is signed in signed games, by another implementation of EIP-712: the vectors of the protocol, read by ethers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hexlify, recoverAddress, solidityPacked, TypedDataEncoder, Wallet } from 'ethers';

const file = new URL('../../crates/protocol/signed-vectors.json', import.meta.url);
const { types, keys, statements, terms, finished } = JSON.parse(readFileSync(file, 'utf8'));
/** The struct, and those of which it has lists. */
const only = (type) => {
  const listed = types[type]
    .map((field) => field.type.replace('[]', ''))
    .filter((name) => name in types);
  return Object.fromEntries([type, ...listed].map((name) => [name, types[name]]));
};

test('ethers makes the same digests, and finds who signed', () => {
  for (const { type, domain, message, digest, signature, by } of statements) {
    assert.equal(TypedDataEncoder.hash(domain, only(type), message), digest, type);
    assert.equal(recoverAddress(digest, signature).toLowerCase(), by, type);
  }
  assert.deepEqual(
    new Set(statements.map(({ type }) => type)),
    new Set(Object.keys(types)),
    'there is an example of each',
  );
});

test('ethers signs as the program does', async () => {
  const wallets = keys.map(({ secret }) => new Wallet(secret));
  for (const { type, domain, message, signature, by } of statements) {
    const wallet = wallets.find(({ address }) => address.toLowerCase() === by);
    assert.equal(await wallet.signTypedData(domain, only(type), message), signature, type);
  }
});

test('a game without a stake names no contract, one for a stake does', () => {
  for (const { type, domain, message } of statements.filter(({ type }) => type === 'Terms')) {
    const isStaked = message.stake !== '0';
    assert.equal('verifyingContract' in domain, isStaked);
    const other = { ...domain, chainId: domain.chainId + 1 };
    const hash = (of) => TypedDataEncoder.hash(of, only(type), message);
    assert.notEqual(hash(other), hash(domain), 'a game is one of one chain');
    const sameNumber = { ...domain, salt: `0x${'07'.repeat(32)}` };
    assert.notEqual(hash(sameNumber), hash(domain), 'also where chains share a number');
  }
});

test('terms are their fields one after the other', () => {
  for (const { name, message, bytes, game } of terms) {
    const fields = types.Terms.map(({ type }) => type);
    const values = types.Terms.map((field) => message[field.name]);
    assert.equal(hexlify(solidityPacked(fields, values)), bytes, name);
    const [signed] = statements.filter(({ digest }) => digest === game);
    if (signed) assert.deepEqual(signed.message, message, name);
  }
});

test('the end of a game begins with its terms, and tells how it ended or why it has not', () => {
  const reasons = new Set();
  for (const { name, scale, result } of finished) {
    if (result.refused) reasons.add(result.refused);
    else assert.ok(terms.some(({ bytes }) => scale.startsWith(bytes)) || /full/.test(name), name);
  }
  assert.ok(reasons.size >= 20, [...reasons].join());
});
