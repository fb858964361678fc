// A seat at a relay, by docs/programs.md alone: offers a game or takes an offer, agrees on the terms, and plays it in the
// room of the witness with another program's moves. It keeps nothing on disk, which a program needs that outlives its
// connection.
import { randomBytes } from 'node:crypto';
import { concat, getBytes, hexlify, keccak256, recoverAddress } from 'ethers';
import WebSocket from 'ws';
import * as protocol from './protocol.mjs';

const { bytes, digest, u8 } = protocol;

const open = (url, failed, hear) => {
  const socket = new WebSocket(url);
  const send = (...parts) => socket.send(getBytes(concat(parts)));
  socket.on('error', failed);
  socket.on('message', (data) => {
    const [kind, reader] = [data[0], new protocol.Reader(Uint8Array.from(data.subarray(1)))];
    try {
      hear(kind, reader, send, () => socket.close());
    } catch (error) {
      failed(error);
    }
  });
};

// What somebody else has written, which can be anything.
const tried = (read) => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

class Signer {
  constructor(wallet, domain) {
    [this.wallet, this.domain] = [wallet, domain];
  }
  sign = (type, message) =>
    this.wallet.signingKey.sign(digest(this.domain, type, message)).serialized;
  isBy = (key, signature, type, message) =>
    tried(() => recoverAddress(digest(this.domain, type, message), signature).toLowerCase()) ===
    key;
}

// Offers a game by a coin, or takes an offer of it if it `takes`, and plays it to its end by what `choose` makes of its
// moves and terms. Resolves with its number, terms, moves, the own player (0 or 1) and the end.
export const play = (url, wallet, sought, choose, takes = false) =>
  new Promise((done, failed) => {
    const key = wallet.address.toLowerCase();
    let [signer, chain, witness, offer, secret, asked, next] = [];
    // The game that is sought, as the offer of this player.
    const ownOffer = (time) => {
      secret = hexlify(randomBytes(32));
      const own = { accountOne: key, keyOne: key, programOne: true, programTwo: false };
      const nobody = { accountTwo: protocol.ZERO, keyTwo: protocol.ZERO };
      const nothing = { stake: 0, event: protocol.NONE, previous: protocol.NONE, time: 0 };
      const nonce = BigInt(hexlify(randomBytes(4)));
      const terms = { ...own, ...nobody, ...sought, witness, ...nothing, nonce };
      return { chain, terms, coin: keccak256(secret), until: time + 600n };
    };
    const isSought = (other) => {
      const game = ['bins', 'capacity', 'line', 'pieRule', 'bank', 'increment', 'stake', 'pool'];
      const same = ['witness', 'event', 'previous'];
      const [own, theirs] = [ownOffer(0n).terms, other.terms];
      return (
        theirs.accountOne !== key &&
        other.chain.id === chain.id &&
        other.chain.genesis === chain.genesis &&
        other.coin !== undefined &&
        [undefined, key].includes(other.taker) &&
        game.every((name) => BigInt(own[name]) === BigInt(theirs[name])) &&
        same.every((name) => own[name] === theirs[name])
      );
    };
    // "With a coin": the terms for both colours, signed by the taker.
    const take = (other, time) => {
      const nonce = BigInt(hexlify(randomBytes(4)));
      const taker = { account: key, key, program: true, time, nonce };
      const halves = [0, 1].map((player) => {
        const terms = protocol.complete(other, player, taker);
        const [sessions, signatures] = [[other.session], [protocol.NOTHING]];
        sessions.splice(player, 0, undefined);
        signatures.splice(player, 0, signer.sign('Terms', terms));
        return { terms, sessions, signatures };
      });
      asked = { offer: other, halves };
      return concat([u8(2), ...halves.map(protocol.packSigned)]);
    };
    // The letter of a taker: returns the terms with both signatures, if they are those of the own offer.
    const decided = (reader) => {
      if (reader.byte() !== 2) return undefined;
      const halves = [reader.signedTerms(), reader.signedTerms()];
      const { time, nonce } = halves[0].terms;
      const player = protocol.takerByCoin(secret, nonce);
      const signed = halves[player];
      const side = ['One', 'Two'][player];
      const [account, by, program] = ['account', 'key', 'program'].map(
        (of) => signed.terms[of + side],
      );
      const taker = { account, key: by, program, time, nonce };
      const terms = protocol.complete(offer, player, taker);
      const isFresh = time <= offer.until && Math.abs(Number(time) - Date.now() / 1000) < 120;
      const isOwn = protocol.pack(terms) === protocol.pack(signed.terms);
      if (!isOwn || !isFresh || !signer.isBy(taker.key, signed.signatures[player], 'Terms', terms))
        return undefined;
      signed.signatures[1 - player] = signer.sign('Terms', terms);
      signed.sessions[1 - player] = undefined;
      return signed;
    };
    // The letter of the player who offers: the terms that the coin gives, with both signatures.
    const isDecided = (reader) => {
      if (reader.byte() !== 3) return undefined;
      const [signed, shown] = [reader.signedTerms(), reader.hex(32)];
      const player = protocol.takerByCoin(shown, signed.terms.nonce);
      const { terms } = asked.halves[player];
      const [theirs, offers] = [signed.signatures[1 - player], asked.offer.terms.keyOne];
      const isTold =
        keccak256(shown) === asked.offer.coin &&
        protocol.pack(signed.terms) === protocol.pack(terms) &&
        signer.isBy(offers, theirs, 'Terms', terms);
      return isTold ? signed : undefined;
    };
    open(`${url}/signed/lobby`, failed, (kind, reader, send, close) => {
      const own = () => send(u8(0), bytes(protocol.packOffer(offer)), u8(0));
      if (kind === 0) {
        const time = reader.number(8) / 1000n;
        const told = reader.option(() => [reader.hex(20), reader.number(8), reader.hex(32)]);
        if (!told) return failed(new Error('the relay is no witness'));
        [witness, chain] = [told[0], { id: told[1], genesis: told[2] }];
        signer = new Signer(wallet, protocol.domainOf(chain));
        if (takes) send(u8(6), u8(1));
        else {
          offer = ownOffer(time);
          own();
        }
      } else if (kind === 1 && takes && !asked) {
        const [id, , data] = [reader.take(8), reader.byte(), reader.bytes()];
        const other = tried(() => new protocol.Reader(data).offer());
        const now = BigInt(Math.floor(Date.now() / 1000));
        if (other && isSought(other) && now <= other.until)
          send(u8(3), id, bytes(take(other, now)));
      } else if (kind === 3) {
        const [id, taking, letter] = [reader.take(8), reader.take(8), reader.bytes()];
        next = tried(() => decided(new protocol.Reader(letter)));
        if (!next) return send(u8(5), id, taking);
        send(u8(4), id, taking, bytes(concat([u8(3), protocol.packSigned(next), secret])), u8(0));
      } else if (kind === 5) {
        reader.take(8);
        if (takes) next = tried(() => isDecided(new protocol.Reader(reader.bytes())));
        if (!next) return failed(new Error('the other player cheats'));
        close();
        enter(next);
      } else if (kind === 6) {
        // Somebody was faster, or the other one has gone: another offer is taken, or the own one made again.
        [asked, next] = [];
        if (!takes) own();
      } else if (kind === 4) failed(new Error(`the lobby refuses: ${reader.byte()}`));
    });
    const enter = (agreed) => {
      const { terms } = agreed;
      const seat = terms.keyOne === key ? 0 : 1;
      const keys = [terms.keyOne, terms.keyTwo];
      const game = digest(signer.domain, 'Terms', terms);
      let [held, moved] = [[], undefined];
      const isSigned = (told) =>
        signer.isBy(terms.witness, told.witness, ...protocol.saidByWitness(game, told)) &&
        [0, 1].every((player) => {
          const said = protocol.saidBy(player, game, told);
          return !said || signer.isBy(keys[player], told.signatures[player], ...said);
        });
      // One move of a turn, whatever happens.
      const move = (send) => {
        if (moved?.length !== held.length + 1) moved = [...held, choose(held, terms)];
        const signature = signer.sign('Position', { game, moves: protocol.list(moved) });
        send(u8(2), protocol.packSpoken({ by: seat, act: 0, moves: moved, signature }));
      };
      open(`${url}/signed/${terms.witness}/${game}`, failed, (kind, reader, send, close) => {
        if (kind === 0) {
          const presence = signer.sign('Presence', { game, nonce: reader.hex(32) });
          send(u8(0), protocol.packSigned(agreed));
          send(u8(1), u8(seat), presence);
        } else if (kind === 5 && seat === 0 && held.length === 0) move(send);
        else if (kind === 1) {
          const told = reader.told();
          const isLonger = held.every((bin, turn) => told.moves[turn] === bin);
          if (!isSigned(told) || !isLonger) return failed(new Error('the witness cheats'));
          held = told.moves;
          if (told.end !== undefined) {
            close();
            return done({ game, terms, moves: held, seat, end: told.end });
          }
          const { won, legal } = protocol.after(held, terms);
          if (!won && legal.length > 0 && held.length % 2 === seat) move(send);
        } else if (kind === 4) {
          // It is said again when the room tells something.
          const refusal = reader.byte();
          if (![6, 8, 13].includes(refusal)) failed(new Error(`the room refuses: ${refusal}`));
        }
      });
    };
  });
