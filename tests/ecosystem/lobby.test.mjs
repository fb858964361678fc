// The messages of the lobby and of rooms by signed terms, by another implementation: the vectors of the protocol,
// made anew by ethers from the tables in docs/programs.md.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { concat, getBytes, hexlify, keccak256, TypedDataEncoder, toBeHex, Wallet } from 'ethers';

const read = (name) =>
  JSON.parse(readFileSync(new URL(`../../crates/protocol/${name}`, import.meta.url), 'utf8'));
const { types } = read('fast-vectors.json');
const vectors = read('lobby-vectors.json');
const { domain, keys, now, nonce, invite, secret } = vectors;

const [, seekFields] = /^Seek\((.*)\)$/.exec(vectors.seek.type);
const all = {
  ...types,
  Seek: seekFields
    .split(',')
    .map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] })),
};
const digest = (type, message) => TypedDataEncoder.hash(domain, { [type]: all[type] }, message);
const sign = ({ secret }, type, message) =>
  new Wallet(secret).signingKey.sign(digest(type, message)).serialized;

// SCALE: numbers are little-endian.
const u = (width) => (value) => hexlify(getBytes(toBeHex(value, width)).reverse());
const [u8, u16, u32, u64] = [1, 2, 4, 8].map(u);
const flag = (value) => u8(value ? 1 : 0);
const some = (...parts) => concat(['0x01', ...parts]);
const none = '0x00';
const bytes = (list) => concat([u8(4 * list.length), Uint8Array.from(list)]);

// What is sought: by an account with a session key, of a board of 8x7.
const clock = { bank: 300, increment: 5 };
const board = { bins: 8, capacity: 7, line: 4, pieRule: true, pool: 0x0102 };
const seeker = { account: keys.wallet.address, key: keys.seeker.address };
const until = now + 3600;
const session = some(u64(until), u8(0), sign(keys.wallet, 'Session', { ...seeker, until }));
const seek = {
  ...seeker,
  ...board,
  program: false,
  ...clock,
  side: 0,
  commitment: keccak256(secret),
  time: now,
  nonce,
};
const { bins, capacity, line } = board;
const signedSeek = concat([
  ...[
    seeker.account,
    seeker.key,
    u8(bins),
    u8(capacity),
    u8(line),
    flag(true),
    u16(board.pool),
    flag(false),
  ],
  ...[some(u32(clock.bank), u32(clock.increment)), u8(0), seek.commitment, u64(now)],
  ...[nonce, session, sign(keys.seeker, 'Seek', seek)],
]);

// The answer of a guest, and the terms of the game.
const guest = { account: keys.answerer.address, key: keys.answerer.address };
const termsOf = (one, two, time, number) => ({
  version: 1,
  accountOne: one.account,
  accountTwo: two.account,
  keyOne: one.key,
  keyTwo: two.key,
  ...board,
  programOne: one === guest,
  programTwo: two === guest,
  ...clock,
  time,
  nonce: number,
});
// Numbers of the terms are big-endian.
const packed = (terms) =>
  concat(
    all.Terms.map(({ name, type }) => {
      if (type === 'address') return terms[name];
      const bits = /^uint(\d+)$/.exec(type);
      return toBeHex(Number(terms[name]), bits ? Number(bits[1]) / 8 : 1);
    }),
  );
const answered = termsOf(seeker, guest, now + 5, 7);
const swapped = termsOf(guest, seeker, now + 5, 7);
const answer = concat([
  packed(answered),
  none,
  sign(keys.answerer, 'Terms', answered),
  some(sign(keys.answerer, 'Terms', swapped)),
]);
const isFirst = (number) =>
  (getBytes(keccak256(concat([secret, toBeHex(number, 4)])))[31] & 1) === 0;
const made = isFirst(7) ? answered : swapped;
const game = digest('Terms', made);
const accepted = sign(keys.seeker, 'Terms', made);
const inOrder = (ofSeeker, ofGuest) => (isFirst(7) ? [ofSeeker, ofGuest] : [ofGuest, ofSeeker]);
const signedTerms = concat([
  packed(made),
  ...inOrder(session, none),
  ...inOrder(accepted, sign(keys.answerer, 'Terms', made)),
]);

test('the digests are those of EIP-712', () => {
  assert.equal(digest('Seek', seek), vectors.seek.digest);
  assert.equal(digest('Terms', answered), vectors.answer);
  assert.equal(game, vectors.game);
});

test('the coin falls as the secret and the nonce have it', () => {
  for (const { nonce, seekerIsFirst } of vectors.coins)
    assert.equal(isFirst(nonce), seekerIsFirst, `${nonce}`);
  const sides = new Set(vectors.coins.map(({ seekerIsFirst }) => seekerIsFirst));
  assert.equal(sides.size, 2);
});

// Each message as its name has it in docs/programs.md, in the order of its first byte.
const same = (list, expected) => {
  assert.deepEqual(Object.fromEntries(list.map(({ name, scale }) => [name, scale])), expected);
};

test('what is sent to the lobby', () => {
  same(vectors.toLobby, {
    seek: concat([u8(0), signedSeek, none]),
    'seek by an invite': concat([u8(0), signedSeek, some(invite)]),
    withdraw: u8(1),
    look: concat([u8(2), invite]),
    answer: concat([u8(3), u64(258), answer]),
    accept: concat([u8(4), u64(259), secret, accepted]),
    decline: concat([u8(5), u64(259)]),
    list: concat([u8(6), flag(true)]),
  });
});

test('what the lobby sends', () => {
  same(vectors.fromLobby, {
    welcome: concat([u8(0), nonce, u64(domain.chainId), domain.verifyingContract, u64(now)]),
    listed: concat([u8(1), u64(258), flag(true), signedSeek]),
    gone: concat([u8(2), u64(258)]),
    answered: concat([u8(3), u64(259), answer]),
    refused: concat([u8(4), u8(8)]),
    accepted: concat([u8(5), u64(258), secret, accepted]),
    'not paired': concat([u8(6), u64(258), u8(3)]),
    cleared: u8(7),
    complete: u8(8),
  });
});

test('what is said in a room', () => {
  const [one, two] = inOrder(keys.seeker, keys.answerer);
  const list = [3, 255, 3];
  const moves = hexlify(Uint8Array.from(list));
  const of = (key, type, message) => sign(key, type, { game, ...message });
  const before = hexlify(Uint8Array.from(list.slice(0, 2)));
  const [last, first] = [of(one, 'Position', { moves }), of(two, 'Position', { moves: before })];
  const position = concat([none, last, first, bytes(list)]);
  const resigned = concat([
    some(u8(0), u8(1)),
    last,
    of(two, 'Resignation', { moves }),
    bytes(list),
  ]);
  const forGood = 2n ** 64n - 1n;
  const offer = concat([
    u8(0),
    u64(forGood),
    bytes(list),
    of(one, 'Draw', { moves, until: forGood }),
  ]);
  const join = concat([u8(1), sign(two, 'Presence', { game, nonce })]);
  const next = isFirst(7)
    ? termsOf(guest, seeker, now + 60, 8)
    : termsOf(seeker, guest, now + 60, 8);
  assert.equal(digest('Terms', next), vectors.rematch);
  const rematch = concat([u64(now + 60), u32(8), none, some(sign(two, 'Terms', next))]);
  same(vectors.toRoom, {
    position: concat([u8(0), position]),
    resignation: concat([u8(0), resigned]),
    offer: concat([u8(1), offer]),
    join: concat([u8(2), join]),
    terms: concat([u8(3), signedTerms]),
    rematch: concat([u8(4), rematch]),
  });
  same(vectors.fromRoom, {
    welcome: concat([u8(0), nonce]),
    position: concat([u8(1), position]),
    offer: concat([u8(2), offer]),
    present: concat([u8(3), flag(true), flag(false), u16(258)]),
    refused: concat([u8(4), u8(2)]),
    invalid: concat([
      u8(4),
      u8(5),
      vectors.fromRoom.find(({ name }) => name === 'invalid').scale.replace('0x0405', '0x'),
    ]),
    terms: concat([u8(5), signedTerms]),
    rematch: concat([u8(6), rematch]),
  });
});
