// A seat at a relay, by docs/programs.md alone: seeks a game or answers a seek, agrees on the terms, and plays it with
// another program's moves.
import { randomBytes } from 'node:crypto';
import { concat, getBytes, hexlify, keccak256, recoverAddress } from 'ethers';
import WebSocket from 'ws';
import * as protocol from './protocol.mjs';

const { digest, u8 } = protocol;

const open = (url, hear) => {
  const socket = new WebSocket(url);
  const send = (...parts) => socket.send(getBytes(concat(parts)));
  const read = (data) => new protocol.Reader(Uint8Array.from(data.subarray(1)));
  socket.on('message', (data) => hear(data[0], read(data), send, () => socket.close()));
};

// Seeks one game, or answers the first seek of it if it `answers`, and plays it to its end by what `choose` makes of its
// moves and terms. Resolves with its number, terms, moves, the own seat and the ending.
export const play = (url, wallet, sought, choose, answers = false) =>
  new Promise((done, failed) => {
    const [secret, who] = [randomBytes(32), wallet.address.toLowerCase()];
    let domain;
    let asked;
    const sign = (type, message) =>
      wallet.signingKey.sign(digest(domain, type, message)).serialized;
    const isBy = (key, signature, type, message) =>
      recoverAddress(digest(domain, type, message), hexlify(signature)).toLowerCase() === key;
    const fits = (terms) =>
      Object.keys(sought).every((name) => BigInt(terms[name]) === BigInt(sought[name]));
    const bring = (terms, sessions, signatures, seat) =>
      enter(terms, seat, concat([u8(3), protocol.pack(terms), ...sessions, ...signatures]));
    // Answers a seek that is listed, for both colours, as the coin decides.
    const answer = (id, seek, send) => {
      const [accountOne, keyOne] = [seek.account, seek.key];
      const made = { version: 1, accountOne, accountTwo: who, keyOne, keyTwo: who, ...sought };
      const programs = { programOne: seek.program, programTwo: true, bank: 0, increment: 0 };
      const nonce = Number(hexlify(randomBytes(4)));
      const terms = { ...made, ...programs, time: seek.time, nonce };
      asked = { terms, seek };
      const other = sign('Terms', protocol.swapped(terms));
      send(u8(3), id, protocol.pack(terms), u8(0), sign('Terms', terms), u8(1), other);
    };
    open(`${url}/fast/lobby`, (kind, reader, send, close) => {
      if (kind === 0) {
        const nonce = reader.take(32);
        const [chainId, verifyingContract] = [reader.number(8), hexlify(reader.take(20))];
        domain = { name: 'Connect Four', version: '2', chainId, verifyingContract };
        if (answers) return send(u8(6), u8(1));
        const own = { account: who, key: who, program: true, bank: 0, increment: 0, side: 0 };
        const rest = { commitment: keccak256(secret), time: reader.number(8), nonce };
        const seek = { ...sought, ...own, ...rest };
        send(protocol.seekFrame(seek, sign('Seek', seek)));
      } else if (kind === 3) {
        const [id, answered, session] = [reader.take(8), reader.take(109), reader.session()];
        const [asIs, , exchanged] = [reader.take(65), reader.take(1), reader.take(65)];
        const seat = protocol.seekerIsFirst(secret, protocol.unpack(answered).nonce) ? 0 : 1;
        const made = protocol.unpack(answered);
        const terms = seat === 0 ? made : protocol.swapped(made);
        const theirs = seat === 0 ? asIs : exchanged;
        const isOwn = made.keyOne === who && made.accountOne === who;
        if (!fits(terms) || !isOwn || !isBy(made.keyTwo, theirs, 'Terms', terms))
          return send(u8(5), id);
        const ours = sign('Terms', terms);
        send(u8(4), id, secret, ours);
        const [sessions, signatures] = [
          [u8(0), session],
          [ours, theirs],
        ];
        if (seat === 1) sessions.reverse() && signatures.reverse();
        bring(terms, sessions, signatures, seat);
        close();
      } else if (kind === 1 && answers && !asked) {
        const id = reader.take(8);
        reader.take(1);
        const seek = reader.seek();
        if (fits(seek) && seek.side === 0) answer(id, seek, send);
      } else if (kind === 5 && asked) {
        const [, shown, theirs] = [reader.take(8), reader.take(32), reader.take(65)];
        const isFirst = protocol.seekerIsFirst(shown, asked.terms.nonce);
        const terms = isFirst ? asked.terms : protocol.swapped(asked.terms);
        const isTold = keccak256(shown) === asked.seek.commitment;
        if (!isTold || !isBy(asked.seek.key, theirs, 'Terms', terms))
          return failed(new Error('the seeker cheats'));
        const signatures = [theirs, sign('Terms', terms)];
        if (!isFirst) signatures.reverse();
        bring(terms, [u8(0), u8(0)], signatures, isFirst ? 1 : 0);
        close();
      } else if (kind === 4 || kind === 6) failed(new Error(`no game: ${kind}, ${reader.take(9)}`));
    });
    const enter = (terms, seat, signedTerms) => {
      const game = digest(domain, 'Terms', terms);
      const opponent = seat === 0 ? terms.keyTwo : terms.keyOne;
      const bytes = (moves) => ({ game, moves: Uint8Array.from(moves) });
      let held = [];
      open(`${url}/fast/${game}`, (kind, reader, send, close) => {
        if (kind === 0) {
          send(signedTerms);
          send(u8(2), u8(seat), sign('Presence', { game, nonce: reader.take(32) }));
        } else if (kind === 4) failed(new Error(`the room refuses: ${reader.take(2)}`));
        if (kind !== 1) return;
        const { ending, signatures, moves } = reader.evidence();
        // The opponent's last move is signed, and the relay has left out and changed none of those before.
        const last = moves.length % 2 === seat ? moves : moves.slice(0, -1);
        const isSigned =
          last.length === 0 || isBy(opponent, signatures[1 - seat], 'Position', bytes(last));
        const isLonger = held.every((bin, turn) => moves[turn] === bin);
        if (!ending && (!isSigned || !isLonger)) return;
        held = moves;
        const { won, legal } = protocol.after(moves, terms);
        const put = (type, loser) => {
          signatures[seat] = sign(type, bytes(moves));
          send(protocol.evidenceFrame(signatures, moves, loser));
        };
        const isTurn = moves.length % 2 === seat;
        if (ending || (!won && legal.length === 0))
          close() ?? done({ game, terms, moves, seat, ending });
        else if (won && isTurn) put('Resignation', seat);
        else if (!won && isTurn) moves.push(choose(moves, terms)) && put('Position');
      });
    };
  });
