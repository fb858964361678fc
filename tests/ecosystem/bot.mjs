// A bot that plays as a guest at a relay, by the protocol in docs/relay.md. Of other people's code it needs a
// library of Ethereum, and a WebSocket.
import { randomBytes } from 'node:crypto';
import { concat, getBytes, hexlify, TypedDataEncoder, toBeHex } from 'ethers';
import WebSocket from 'ws';

const fields = (text) =>
  text.split(',').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }));
const board = 'uint8 bins,uint8 capacity,uint8 line,bool pieRule,uint16 pool';
const types = {
  Seek: `address account,address key,${board},bool program,uint32 bank,uint32 increment,uint8 side,bytes32 commitment,uint64 time,bytes32 nonce`,
  Terms: `uint8 version,address accountOne,address accountTwo,address keyOne,address keyTwo,${board},bool programOne,bool programTwo,uint32 bank,uint32 increment,uint64 time,uint32 nonce`,
  Presence: 'uint256 game,bytes32 nonce',
  Position: 'uint256 game,bytes moves',
};
const u64 = (value) => getBytes(toBeHex(value, 8)).reverse();
const number = (bytes) => BigInt(hexlify(bytes.slice().reverse()));

// A socket: `hear` has the kind of each message, a function that takes so many bytes of it, and one that sends.
function open(url, hear) {
  const socket = new WebSocket(url);
  const send = (...parts) =>
    socket.send(
      getBytes(concat(parts.map((part) => (Array.isArray(part) ? Uint8Array.from(part) : part)))),
    );
  socket.on('message', (data) => {
    let rest = data.subarray(1);
    const take = (count) => {
      const taken = Uint8Array.from(rest.subarray(0, count));
      rest = rest.subarray(count);
      return taken;
    };
    hear(data[0], take, send);
  });
  return socket;
}

// Seeks a game as the player who moves second, and plays it: `choose` makes a bin of the moves so far, and none
// once the game is over. Resolves with all moves.
export const play = (url, wallet, [bins, capacity, line], choose, listed) =>
  new Promise((done, failed) => {
    const terms = {
      version: 1,
      bins,
      capacity,
      line,
      pieRule: false,
      pool: 0,
      bank: 0,
      increment: 0,
    };
    const hash = (type, message) =>
      TypedDataEncoder.hash(domain, { [type]: fields(types[type]) }, message);
    const sign = (type, message) => wallet.signingKey.sign(hash(type, message)).serialized;
    let domain;
    const lobby = open(`${url}/fast/lobby`, (kind, take, send) => {
      if (kind === 0) {
        const nonce = take(32);
        const [chainId, verifyingContract, time] = [
          number(take(8)),
          hexlify(take(20)),
          number(take(8)),
        ];
        domain = { name: 'Connect Four', version: '2', chainId, verifyingContract };
        const who = { account: wallet.address, key: wallet.address, program: true };
        const seek = { ...terms, ...who, side: 2, commitment: randomBytes(32), time, nonce };
        const head = [
          [0],
          who.account,
          who.key,
          [bins, capacity, line, 0, 0, 0, 1, 0, 2],
          seek.commitment,
        ];
        send(...head, u64(time), nonce, [0], sign('Seek', seek), [0]);
      } else if (kind === 1) listed();
      else if (kind === 3) {
        const [id, packed, session] = [take(8), take(109), [take(1)]];
        // Of an account with a session key: until when, the kind of the signature, the signature.
        if (session[0][0]) session.push(take(9)) && session.push(take(session[1][8] ? 96 : 65));
        const [theirs, part] = [take(65), (from, to) => hexlify(packed.slice(from, to))];
        const players = {
          accountOne: part(1, 21),
          accountTwo: part(21, 41),
          keyOne: part(41, 61),
          keyTwo: part(61, 81),
        };
        const programs = { programOne: packed[87] === 1, programTwo: packed[88] === 1 };
        const message = {
          ...terms,
          ...players,
          ...programs,
          time: BigInt(part(97, 105)),
          nonce: BigInt(part(105, 109)),
        };
        if (players.keyTwo !== wallet.address.toLowerCase()) return send([5], id);
        const ours = sign('Terms', message);
        send([4], id, new Uint8Array(32), ours);
        const signed = [[3], packed, ...session, [0], theirs, ours];
        room(hash('Terms', message), signed);
      } else if (kind === 4 || kind === 6)
        failed(new Error(`the lobby refuses: ${hexlify(take(9))}`));
    });
    const room = (game, signed) =>
      open(`${url}/fast/${game}`, function hear(kind, take, send) {
        if (kind === 0)
          send(...signed) ?? send([2, 1], sign('Presence', { game, nonce: take(32) }));
        if (kind === 4) failed(new Error(`the room refuses: ${hexlify(take(9))}`));
        if (kind !== 1) return;
        const [[ending], theirs, , [length]] = [take(1), take(65), take(65), take(1)];
        const moves = [...take(length / 4)];
        const bin = choose(moves);
        if (ending || bin === undefined) return lobby.close() ?? done(moves);
        if (moves.length % 2 === 0) return;
        moves.push(bin);
        const position = sign('Position', { game, moves: Uint8Array.from(moves) });
        send([0, 0], theirs, position, [4 * moves.length, ...moves]);
      });
  });
