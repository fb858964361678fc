// A program that plays at a relay, by docs/programs.md alone. Of other people's code it needs a library of Ethereum,
// and a WebSocket.
import { randomBytes } from 'node:crypto';
import { concat, getBytes, hexlify, keccak256, TypedDataEncoder, toBeHex, ZeroHash } from 'ethers';
import WebSocket from 'ws';

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

// "Encoding": SCALE, and the terms, whose numbers are big-endian.
const u = (width) => (value) => getBytes(toBeHex(value, width)).reverse();
const [u8, u16, u64] = [1, 2, 8].map(u);
const width = (type) => ({ address: 20, bool: 1 })[type] ?? Number(type.slice(4)) / 8;
export const pack = (terms) =>
  concat(fields('Terms').map(({ name, type }) => toBeHex(BigInt(terms[name]), width(type))));
const unpack = (bytes, at = 0) =>
  Object.fromEntries(
    fields('Terms').map(({ name, type }) => {
      const value = hexlify(bytes.slice(at, (at += width(type))));
      return [name, type === 'address' ? value : type === 'bool' ? value === '0x01' : BigInt(value)];
    }),
  );
const reader = (bytes, at = 1) => ({
  take: (count) => bytes.slice(at, (at += count)),
  number: (count) => BigInt(hexlify(bytes.slice(at, (at += count)).reverse())),
});
export const swapped = (terms) => ({
  ...terms,
  ...{ accountOne: terms.accountTwo, keyOne: terms.keyTwo, programOne: terms.programTwo },
  ...{ accountTwo: terms.accountOne, keyTwo: terms.keyOne, programTwo: terms.programOne },
});
export const seekerIsFirst = (secret, nonce) =>
  getBytes(keccak256(concat([secret, toBeHex(nonce, 4)])))[31] % 2 === 0;
export const seekFrame = (seek, signature) =>
  concat([
    ...[u8(0), seek.account, seek.key, u8(seek.bins), u8(seek.capacity), u8(seek.line)],
    ...[u8(Number(seek.pieRule)), u16(seek.pool), u8(1), u8(0), u8(seek.side), seek.commitment],
    ...[u64(seek.time), seek.nonce, u8(0), signature, u8(0)],
  ]);
const none = new Uint8Array(65);
export const positionFrame = (signatures, moves, loser) =>
  concat([
    ...[u8(0), loser === undefined ? u8(0) : Uint8Array.of(1, 0, loser), ...signatures],
    ...(moves.length < 64 ? [u8(4 * moves.length)] : [u16(4 * moves.length + 1)]),
    Uint8Array.from(moves),
  ]);

// "The game": the cells of a line, if the last disc of these has made one.
export const lineOf = (moves, { bins, capacity, line }) => {
  const discs = new Map();
  const heights = Array(Number(bins)).fill(0);
  let last;
  moves.forEach((bin, turn) => {
    // After a swap the discs stay, and each player plays the other's colour.
    if (bin !== 255) discs.set((last = `${bin},${heights[bin]++}`), (turn + (moves[1] === 255 && turn > 1)) % 2);
  });
  const legal = [...heights.keys()].filter((bin) => heights[bin] < capacity);
  const won = [[1, 0], [0, 1], [1, 1], [1, -1]].some(([right, up]) => {
    const [bin, row] = last?.split(',').map(Number) ?? [];
    const reach = (sign, count = 0) =>
      last && discs.get(`${bin + sign * right * (count + 1)},${row + sign * up * (count + 1)}`) === discs.get(last)
        ? reach(sign, count + 1)
        : count;
    return last && reach(1) + reach(-1) + 1 >= line;
  });
  return { won, legal };
};

// Wins if it can, stops the opponent if it has to, else plays near the middle, and swaps the first disc there.
export const choose = (moves, terms) => {
  const { legal } = lineOf(moves, terms);
  const wins = (before, bin) => lineOf([...before, bin], terms).won;
  const middle = (Number(terms.bins) - 1) / 2;
  if (terms.pieRule && moves.length === 1 && Math.abs(moves[0] - middle) < 1) return 255;
  // As if the opponent had passed: a move into another bin, and its disc then.
  const theirs = (bin) => legal.some((other) => other !== bin && wins([...moves, other], bin));
  const near = legal.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return near.find((bin) => wins(moves, bin)) ?? near.find(theirs) ?? near[moves.length ? 0 : 1];
};

const open = (url, hear) => {
  const socket = new WebSocket(url);
  const send = (...parts) => socket.send(getBytes(concat(parts)));
  socket.on('message', (data) => hear(data[0], reader(Uint8Array.from(data)), send, socket));
  return socket;
};

// Seeks one game in a pool of programs, and plays it to its end. Resolves with its number, terms, moves and seat.
export const play = (url, wallet, sought) =>
  new Promise((done, failed) => {
    const secret = randomBytes(32);
    const who = wallet.address.toLowerCase();
    let domain;
    const sign = (type, message) =>
      wallet.signingKey.sign(digest(domain, type, message)).serialized;
    // "The lobby".
    const lobby = open(`${url}/fast/lobby`, (kind, { take, number }, send) => {
      if (kind === 0) {
        const [nonce, chainId, verifyingContract, time] = [take(32), number(8), hexlify(take(20)), number(8)];
        domain = { name: 'Connect Four', version: '2', chainId, verifyingContract };
        const self = { account: who, key: who, program: true, bank: 0, increment: 0, side: 0 };
        const seek = { ...sought, ...self, commitment: keccak256(secret), time, nonce };
        send(seekFrame(seek, sign('Seek', seek)));
      } else if (kind === 3) {
        const [id, packed, session] = [take(8), take(109), [take(1)]];
        // Of an account with a session key: until when, the kind of the signature, the signature.
        if (session[0][0]) session.push(take(9)) && session.push(take(session[1][8] ? 96 : 65));
        const [asSeeker, , asSecond] = [take(65), take(1), take(65)];
        const isFirst = seekerIsFirst(secret, unpack(packed).nonce);
        const terms = isFirst ? unpack(packed) : swapped(unpack(packed));
        const fits = Object.entries(sought).every(([name, value]) => BigInt(terms[name]) === BigInt(value));
        if (!fits || (isFirst ? terms.keyOne : terms.keyTwo) !== who) return send(u8(5), id);
        const [ours, theirs] = [sign('Terms', terms), isFirst ? asSeeker : asSecond];
        send(u8(4), id, secret, ours);
        const sides = isFirst ? [u8(0), ...session, ours, theirs] : [...session, u8(0), theirs, ours];
        enter(terms, isFirst ? 0 : 1, concat([u8(3), pack(terms), ...sides]));
      } else if (kind === 4 || kind === 6) failed(new Error(`the lobby refuses: ${take(9)}`));
    });
    // "The room".
    const enter = (terms, seat, signedTerms) => {
      lobby.close();
      const game = digest(domain, 'Terms', terms);
      const say = (type, moves) => sign(type, { game, moves: Uint8Array.from(moves) });
      open(`${url}/fast/${game}`, (kind, { take, number }, send, socket) => {
        if (kind === 0) {
          send(signedTerms);
          send(u8(2), u8(seat), sign('Presence', { game, nonce: take(32) }));
        } else if (kind === 4) failed(new Error(`the room refuses: ${take(9)}`));
        if (kind !== 1) return;
        const ending = take(1)[0] && take(1)[0] === 0 ? take(1)[0] : undefined;
        const signatures = [take(65), take(65)];
        const length = take(1)[0];
        const moves = [...take(length % 4 ? Number((BigInt(length) + 256n * number(1)) >> 2n) : length / 4)];
        const put = (type, loser) => {
          signatures[seat] = getBytes(say(type, moves));
          send(positionFrame(signatures, moves, loser));
        };
        const { won, legal } = lineOf(moves, terms);
        if (ending !== undefined || (!won && legal.length === 0)) {
          socket.close();
          done({ game, terms, moves, seat, ending });
        } else if (won && moves.length % 2 !== (seat + 1) % 2) put('Resignation', seat);
        else if (!won && moves.length % 2 === seat) {
          moves.push(choose(moves, terms));
          put('Position');
        }
      });
    };
  });
