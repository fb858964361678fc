// Offers, letters and frames of signed games, by another implementation: the vectors of the protocol, made anew by
// protocol.mjs, which was written by docs/programs.md alone.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { concat, keccak256, TypedDataEncoder, Wallet } from 'ethers';
import * as protocol from './protocol.mjs';

const { bytes, digest, flag, option, Reader, u8, u16, u32, u64 } = protocol;
const file = new URL('../../crates/seat/play-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8'));
const { chain, keys, now, nonce, secret } = vectors;
const domain = protocol.domainOf(chain);
const sign = ({ secret }, type, message) =>
  new Wallet(secret).signingKey.sign(digest(domain, type, message)).serialized;

const nothing = { bank: 0, increment: 0, stake: 0, event: protocol.NONE, time: 0 };
const nobody = { accountTwo: protocol.ZERO, keyTwo: protocol.ZERO, programTwo: false };
const witness = keys.witness.address;
const [offers, takes] = [keys.offers.address, keys.takes.address];

// A guest, who is a program, offers a game by a coin.
const byCoin = {
  chain,
  terms: {
    ...{ accountOne: offers, keyOne: offers, programOne: true, ...nobody, ...nothing, witness },
    ...{ bins: 7, capacity: 6, line: 4, pieRule: true, pool: 4, previous: protocol.NONE, nonce: 9 },
  },
  coin: keccak256(secret),
  until: now + 600,
};
const taker = { account: takes, key: takes, program: false, time: now + 5, nonce: 78 };
const tossed = [0, 1].map((player) => {
  const terms = protocol.complete(byCoin, player, taker);
  const signatures = [protocol.NOTHING, sign(keys.takes, 'Terms', terms)];
  return { terms, sessions: [], signatures: player === 0 ? signatures.reverse() : signatures };
});
for (const half of tossed) half.sessions = [undefined, undefined];
const decided = tossed[protocol.takerByCoin(secret, taker.nonce)];
const game = digest(domain, 'Terms', decided.terms);
const ofCoin = {
  ...decided,
  signatures: ['offers', 'takes'].map((who) => sign(keys[who], 'Terms', decided.terms)),
};
// By the coin the player who has offered is player two.
ofCoin.signatures.reverse();

// An account offers the next game to one opponent, who moves first.
const account = keys.wallet.address;
const session = concat([
  ...[u64(now + 86_400), u8(0)],
  sign(keys.wallet, 'Session', { account, key: offers, until: now + 86_400 }),
]);
const byAccount = {
  chain,
  terms: {
    ...byCoin.terms,
    ...{ accountOne: account, programOne: false, bins: 9, capacity: 7, bank: 180, increment: 2 },
    ...{ pool: 0x0102, event: `0x${'ee'.repeat(32)}`, previous: game },
  },
  ...{ player: 1, taker: takes, session, relay: new TextEncoder().encode('wss://relay.example') },
  until: now + 60,
};
const next = protocol.complete(byAccount, 0, taker);
const half = {
  terms: next,
  sessions: [undefined, session],
  signatures: [sign(keys.takes, 'Terms', next), protocol.NOTHING],
};
const both = { ...half, signatures: [half.signatures[0], sign(keys.offers, 'Terms', next)] };

test('the keys, the domain and the games', () => {
  for (const { secret, address } of Object.values(keys))
    assert.equal(new Wallet(secret).address.toLowerCase(), address);
  assert.equal(TypedDataEncoder.hashDomain(domain), vectors.separator);
  assert.deepEqual([game, digest(domain, 'Terms', next)], vectors.games);
});

test('offers, as they are in a lobby, in a link and as text', () => {
  assert.deepEqual(
    vectors.offers.map(({ scale }) => scale),
    [byCoin, byAccount].map(protocol.packOffer),
  );
  for (const [at, offer] of [byCoin, byAccount].entries()) {
    const { scale, invite, text, fragment } = vectors.offers[at];
    assert.equal(protocol.inviteOf(offer), invite);
    assert.equal(text, `connect4-offer:${scale.slice(2)}`);
    assert.equal(fragment, `#offer=${scale.slice(2)}`);
    const reader = new Reader(scale);
    assert.equal(protocol.packOffer(reader.offer()), scale);
    assert.ok(reader.isDone);
  }
});

test('the coin', () => {
  for (const { nonce, takerIsSecond } of vectors.coins)
    assert.equal(protocol.takerByCoin(secret, nonce) === 1, takerIsSecond);
  assert.equal(new Set(vectors.coins.map(({ takerIsSecond }) => takerIsSecond)).size, 2);
});

const [ofTaker, ofOffer] = [
  concat([u8(2), ...tossed.map(protocol.packSigned)]),
  concat([u8(3), protocol.packSigned(ofCoin), secret]),
];

// Each message as its name has it in docs/programs.md.
const same = (list, expected) => {
  assert.deepEqual(Object.fromEntries(list.map(({ name, scale }) => [name, scale])), expected);
};

test('letters', () => {
  same(vectors.letters, {
    tossed: ofTaker,
    decided: ofOffer,
    half: concat([u8(1), protocol.packSigned(half)]),
    both: concat([u8(1), protocol.packSigned(both)]),
  });
  const reader = new Reader(vectors.letters[2].scale);
  reader.byte();
  assert.equal(protocol.packSigned(reader.signedTerms()), protocol.packSigned(half));
});

test('what is sent to the lobby', () => {
  const { scale, invite } = vectors.offers[0];
  same(vectors.toLobby, {
    offer: concat([u8(0), bytes(scale), u8(0)]),
    'offer by an invite': concat([u8(0), bytes(scale), option(invite)]),
    withdraw: u8hex(1),
    look: concat([u8(2), invite]),
    take: concat([u8(3), u64(258), bytes(ofTaker)]),
    accept: concat([u8(4), u64(258), u64(259), bytes(ofOffer), flag(false)]),
    decline: concat([u8(5), u64(258), u64(259)]),
    list: concat([u8(6), flag(true)]),
  });
});

test('what the lobby sends', () => {
  const time = u64(now * 1_000 + 1);
  same(vectors.fromLobby, {
    welcome: concat([u8(0), time, u8(1), witness, u64(chain.id), chain.genesis]),
    'welcome of a relay that is no witness': concat([u8(0), time, u8(0)]),
    listed: concat([u8(1), u64(258), flag(false), bytes(vectors.offers[0].scale)]),
    gone: concat([u8(2), u64(258)]),
    taken: concat([u8(3), u64(258), u64(259), bytes(ofTaker)]),
    refused: concat([u8(4), u8(8)]),
    accepted: concat([u8(5), u64(258), bytes(ofOffer)]),
    'not paired': concat([u8(6), u64(258), u8(3)]),
    cleared: u8hex(7),
    complete: u8hex(8),
    counts: concat([u8(9), u32(3), u32(258)]),
  });
});

test('what is said in the room', () => {
  assert.equal(vectors.room, `/signed/${witness}/${game}`);
  // The middle, a swap, the middle; then player two resigns.
  const players = [keys.takes, keys.offers];
  const moves = [3, protocol.SWAP, 3];
  const told = (count, end, at) => {
    const said = { moves: moves.slice(0, count), at, left: end ? undefined : [0, 0], end };
    const signatures = players.map((key, player) => {
      const own = protocol.saidBy(player, game, said);
      return own ? sign(key, ...own) : protocol.NOTHING;
    });
    const by = sign(keys.witness, ...protocol.saidByWitness(game, said));
    return protocol.packTold({ ...said, signatures, witness: by });
  };
  const spoken = (by, act, type) => {
    const message = { game, moves: protocol.list(moves), until: protocol.FOR_GOOD };
    return protocol.packSpoken({ by, act, moves, signature: sign(players[by], type, message) });
  };
  const [terms, draw] = [protocol.packSigned(ofCoin), spoken(0, 2, 'Draw')];
  const receipt = told(3, undefined, now * 1_000 + 7_003);
  const welcome = [nonce, u64(chain.id), chain.genesis, u64(now * 1_000 + 6_000)];
  same(vectors.toRoom, {
    terms: concat([u8(0), terms]),
    join: concat([u8(1), u8(1), sign(keys.offers, 'Presence', { game, nonce })]),
    move: concat([u8(2), spoken(0, 0, 'Position')]),
    resignation: concat([u8(2), spoken(1, 1, 'Resignation')]),
    draw: concat([u8(2), draw]),
    held: concat([u8(3), receipt]),
  });
  same(vectors.fromRoom, {
    welcome: concat([u8(0), ...welcome]),
    'first receipt': concat([u8(1), told(1, undefined, now * 1_000 + 7_001)]),
    receipt: concat([u8(1), receipt]),
    'end by a resignation': concat([u8(1), told(3, 4, now * 1_000 + 9_000)]),
    'end by a lapse': concat([u8(1), told(3, 6, now * 1_000 + 9_000)]),
    offer: concat([u8(2), draw]),
    present: concat([u8(3), flag(true), flag(false), u16(258)]),
    refused: concat([u8(4), u8(6)]),
    terms: concat([u8(5), terms]),
  });
  const reader = new Reader(receipt);
  assert.equal(protocol.packTold(reader.told()), receipt);
});

// A frame without fields.
function u8hex(kind) {
  return concat([u8(kind)]);
}
