// The protocol of games at a relay, by docs/programs.md alone: digests, encoding, frames, the rules. Of other people's
// code it needs a library of Ethereum.
import { concat, getBytes, hexlify, keccak256, TypedDataEncoder, toBeHex } from 'ethers';

// "Digests": the types of EIP-712.
const board = 'uint8 bins,uint8 capacity,uint8 line,bool pieRule,uint16 pool';
export const types = {
  Seek: `address account,address key,${board},bool program,uint32 bank,uint32 increment,uint8 side,bytes32 commitment,uint64 time,bytes32 nonce`,
  Terms: `uint8 version,address accountOne,address accountTwo,address keyOne,address keyTwo,${board},bool programOne,bool programTwo,uint32 bank,uint32 increment,uint64 time,uint32 nonce`,
  Presence: 'uint256 game,bytes32 nonce',
  Position: 'uint256 game,bytes moves',
  Resignation: 'uint256 game,bytes moves',
};
const fields = (type) =>
  types[type].split(',').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }));
export const digest = (domain, type, message) =>
  TypedDataEncoder.hash(domain, { [type]: fields(type) }, message);

// "Encoding": numbers are little-endian, but in terms.
const u = (width) => (value) => getBytes(toBeHex(value, width)).reverse();
export const [u8, u16, u64] = [1, 2, 8].map(u);
const width = (type) => ({ address: 20, bool: 1 })[type] ?? Number(type.slice(4)) / 8;
export class Reader {
  #rest;
  constructor(bytes) {
    this.#rest = bytes;
  }
  take(count) {
    const taken = this.#rest.slice(0, count);
    this.#rest = this.#rest.slice(count);
    return taken;
  }
  number = (count) => BigInt(hexlify(this.take(count).reverse()));
  // A session: until when, the kind of the signature, the signature.
  session() {
    const parts = [this.take(1)];
    if (parts[0][0]) parts.push(this.take(9));
    if (parts[1]) parts.push(this.take(parts[1][8] ? 96 : 65));
    return concat(parts);
  }
  // What somebody seeks, of a signed seek.
  seek() {
    const [account, key] = [this.take(20), this.take(20)].map(hexlify);
    const [bins, capacity, line, pieRule] = this.take(4);
    const [pool, [program], [clock]] = [this.number(2), this.take(1), this.take(1)];
    this.take(clock ? 8 : 0);
    const [[side], commitment, time] = [this.take(1), hexlify(this.take(32)), this.number(8)];
    return { account, key, bins, capacity, line, pieRule, pool, program, side, commitment, time };
  }
  evidence() {
    const kind = this.take(1)[0] ? this.take(1)[0] : undefined;
    const ending = kind === undefined ? undefined : { kind, by: this.take(kind ? 8 : 1)[0] };
    const signatures = [this.take(65), this.take(65)];
    const low = this.take(1)[0];
    const length = low % 4 ? (low + 256 * this.take(1)[0]) >> 2 : low >> 2;
    return { ending, signatures, moves: [...this.take(length)] };
  }
}
export const pack = (terms) =>
  concat(fields('Terms').map(({ name, type }) => toBeHex(BigInt(terms[name]), width(type))));
export const unpack = (packed) => {
  const reader = new Reader(packed);
  const read = ({ name, type }) => {
    const value = hexlify(reader.take(width(type)));
    return [name, type === 'address' ? value : type === 'bool' ? value === '0x01' : BigInt(value)];
  };
  return Object.fromEntries(fields('Terms').map(read));
};
export const swapped = (terms) => ({
  ...terms,
  ...{ accountOne: terms.accountTwo, keyOne: terms.keyTwo, programOne: terms.programTwo },
  ...{ accountTwo: terms.accountOne, keyTwo: terms.keyOne, programTwo: terms.programOne },
});
export const seekerIsFirst = (secret, nonce) =>
  getBytes(keccak256(concat([secret, toBeHex(nonce, 4)])))[31] % 2 === 0;

// "The lobby" and "The room": frames.
export const seekFrame = (seek, signature) =>
  concat([
    ...[u8(0), seek.account, seek.key, u8(seek.bins), u8(seek.capacity), u8(seek.line)],
    ...[u8(Number(seek.pieRule)), u16(seek.pool), u8(1), u8(0), u8(seek.side), seek.commitment],
    ...[u64(seek.time), seek.nonce, u8(0), signature, u8(0)],
  ]);
export const evidenceFrame = (signatures, moves, loser) => {
  const length = moves.length < 64 ? u8(4 * moves.length) : u16(4 * moves.length + 1);
  const ending = loser === undefined ? [0] : [1, 0, loser];
  return concat([u8(0), Uint8Array.from(ending), ...signatures, length, Uint8Array.from(moves)]);
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
