// The protocol of games at a relay, by docs/programs.md alone: digests, encoding, the rules. Of other people's code it
// needs a library of Ethereum.
import {
  concat,
  getBytes,
  hexlify,
  keccak256,
  TypedDataEncoder,
  toBeHex,
  toUtf8Bytes,
} from 'ethers';

// "Digests": the types of EIP-712, and the domain of a chain.
const players = 'address accountOne,address accountTwo,address keyOne,address keyTwo';
const board = 'uint8 bins,uint8 capacity,uint8 line,bool pieRule';
export const types = {
  Terms: `${players},${board},uint32 bank,uint32 increment,address witness,uint128 stake,uint16 pool,bool programOne,bool programTwo,bytes32 event,bytes32 previous,uint64 time,uint32 nonce`,
  Session: 'address account,address key,uint64 until',
  Presence: 'bytes32 game,bytes32 nonce',
  Acceptance: 'bytes32 game',
  Position: 'bytes32 game,bytes moves',
  Resignation: 'bytes32 game,bytes moves',
  Draw: 'bytes32 game,bytes moves,uint64 until',
  Receipt: 'bytes32 game,bytes moves,uint64 at,uint64 leftOne,uint64 leftTwo',
  Ended: 'bytes32 game,bytes moves,uint8 end,uint64 at',
};
export const FOR_GOOD = 2n ** 64n - 1n;
const fields = (type) =>
  types[type].split(',').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }));
export const domainOf = ({ id, genesis }) => {
  const [name, version] = ['Connect Four', '3'];
  return { name, version, chainId: id, salt: genesis };
};
export const digest = (domain, type, message) =>
  TypedDataEncoder.hash(domain, { [type]: fields(type) }, message);

// "Encoding": numbers are little-endian, but in terms.
const u = (width) => (value) => getBytes(toBeHex(value, width)).reverse();
export const [u8, u16, u32, u64] = [1, 2, 4, 8].map(u);
export const flag = (value) => u8(value ? 1 : 0);
export const bytes = (data) => {
  const { length } = getBytes(data);
  return concat([length < 64 ? u8(4 * length) : u16(4 * length + 1), data]);
};
export const option = (value) => (value === undefined ? u8(0) : concat([u8(1), value]));
export const list = (moves) => Uint8Array.from(moves);
export const NOTHING = `0x${'00'.repeat(65)}`;
const width = (type) =>
  ({ address: 20, bool: 1 })[type] ?? Number(type.match(/\d+/)) / (type.startsWith('u') ? 8 : 1);
export class Reader {
  #rest;
  constructor(data) {
    this.#rest = getBytes(data);
  }
  take(count) {
    if (count > this.#rest.length) throw new Error('it ends too early');
    const taken = this.#rest.slice(0, count);
    this.#rest = this.#rest.slice(count);
    return taken;
  }
  get isDone() {
    return this.#rest.length === 0;
  }
  hex = (count) => hexlify(this.take(count));
  byte = () => this.take(1)[0];
  number = (count) => BigInt(hexlify(this.take(count).reverse()));
  option = (read) => (this.byte() ? read() : undefined);
  bytes() {
    const low = this.byte();
    return this.take(low % 4 ? (low + 256 * this.byte()) >> 2 : low >> 2);
  }
  session() {
    const [until, isSubstrate] = [this.take(8), this.byte()];
    return concat([until, u8(isSubstrate), this.take(isSubstrate ? 96 : 65)]);
  }
  sessions = () => [0, 1].map(() => this.option(() => this.session()));
  signatures = () => [this.hex(65), this.hex(65)];
  terms() {
    const read = ({ name, type }) => {
      const value = this.hex(width(type));
      const isText = type === 'address' || type === 'bytes32';
      return [name, isText ? value : type === 'bool' ? value === '0x01' : BigInt(value)];
    };
    return Object.fromEntries(fields('Terms').map(read));
  }
  signedTerms = () => ({
    terms: this.terms(),
    sessions: this.sessions(),
    signatures: this.signatures(),
  });
  offer() {
    const chain = { id: this.number(8), genesis: this.hex(32) };
    const contract = this.option(() => this.hex(20));
    const [terms, player] = [this.terms(), this.option(this.byte)];
    const [taker, coin] = [20, 32].map((count) => this.option(() => this.hex(count)));
    const session = this.option(() => this.session());
    const relay = this.option(() => this.bytes());
    return { chain, contract, terms, player, taker, coin, session, relay, until: this.number(8) };
  }
  told() {
    const [moves, signatures, at] = [[...this.bytes()], this.signatures(), this.number(8)];
    const end = this.byte() ? this.byte() : undefined;
    const left = end === undefined ? [this.number(8), this.number(8)] : undefined;
    return { moves, signatures, at, left, end, witness: this.hex(65) };
  }
  spoken() {
    const [by, act, moves] = [this.byte(), this.byte(), [...this.bytes()]];
    return { by, act, moves, signature: this.hex(65) };
  }
}
export const pack = (terms) =>
  concat(
    fields('Terms').map(({ name, type }) =>
      typeof terms[name] === 'string' ? terms[name] : toBeHex(BigInt(terms[name]), width(type)),
    ),
  );
export const packSigned = ({ terms, sessions, signatures }) =>
  concat([pack(terms), ...sessions.map(option), ...signatures]);
export const packOffer = ({ chain, contract, terms, player, taker, coin, session, relay, until }) =>
  concat([
    ...[u64(chain.id), chain.genesis, option(contract), pack(terms)],
    ...[option(player === undefined ? undefined : u8(player)), option(taker), option(coin)],
    ...[option(session), option(relay === undefined ? undefined : bytes(relay)), u64(until)],
  ]);
export const packSpoken = ({ by, act, moves, signature }) =>
  concat([u8(by), u8(act), bytes(list(moves)), signature]);
export const packTold = ({ moves, signatures, at, left, end, witness }) =>
  concat([
    ...[bytes(list(moves)), ...signatures, u64(at)],
    ...(left ? [u8(0), ...left.map(u64)] : [u8(1), u8(end)]),
    witness,
  ]);

// "The lobby": where an offer is that a link shows.
export const inviteOf = (offer) =>
  keccak256(concat([bytes(toUtf8Bytes('Connect Four invite')), packOffer(offer)])).slice(0, 34);

// "Offers and terms": those of an offer by a taker, who is one of both players.
export const ZERO = `0x${'00'.repeat(20)}`;
export const NONE = `0x${'00'.repeat(32)}`;
export const complete = ({ terms, coin }, player, taker) => {
  const offers = { account: terms.accountOne, key: terms.keyOne, program: terms.programOne };
  const [one, two] = player === 0 ? [taker, offers] : [offers, taker];
  return {
    ...terms,
    ...{ accountOne: one.account, keyOne: one.key, programOne: one.program },
    ...{ accountTwo: two.account, keyTwo: two.key, programTwo: two.program },
    ...{ time: taker.time, nonce: coin ? taker.nonce : terms.nonce },
  };
};
// Which player the taker is by the coin.
export const takerByCoin = (secret, nonce) =>
  getBytes(keccak256(concat([secret, toBeHex(nonce, 4)])))[31] % 2 === 0 ? 1 : 0;

// "What is told": what is signed by the witness, and by each player.
export const saidByWitness = (game, { moves, at, left, end }) =>
  end === undefined
    ? ['Receipt', { game, moves: list(moves), at, leftOne: left[0], leftTwo: left[1] }]
    : ['Ended', { game, moves: list(moves), end, at }];
export const saidBy = (player, game, { moves, end }) => {
  if (end === 2) return ['Draw', { game, moves: list(moves), until: FOR_GOOD }];
  if (end === 3 + player) return ['Resignation', { game, moves: list(moves) }];
  const hasMovedLast = moves.length % 2 !== player;
  const own = hasMovedLast ? moves : moves.slice(0, -1);
  return own.length > 0 ? ['Position', { game, moves: list(own) }] : undefined;
};

// "The game": whether the last move has made a line, and the bins that are not full. After a swap the discs stay, and
// each player plays the other's colour.
export const SWAP = 255;
export const after = (moves, { bins, capacity, line }) => {
  const columns = Array.from({ length: Number(bins) }, () => []);
  moves.forEach((bin, turn) => {
    if (bin !== SWAP) columns[bin].push((turn + (moves[1] === SWAP && turn > 1)) % 2);
  });
  const bin = moves.findLast((bin) => bin !== SWAP);
  const row = columns[bin]?.length - 1;
  const colour = columns[bin]?.[row];
  const run = (right, up) => {
    let length = 0;
    while (columns[bin + right * (length + 1)]?.[row + up * (length + 1)] === colour) length += 1;
    return length;
  };
  const ways = [1, 1, 1, 0].map((right, way) => [right, [0, 1, -1, 1][way]]);
  const won = bin !== undefined && ways.some(([x, y]) => run(x, y) + run(-x, -y) + 1 >= line);
  return { won, legal: [...columns.keys()].filter((bin) => columns[bin].length < capacity) };
};
