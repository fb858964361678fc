// A reader of records, written from docs/records.md and the digests of docs/programs.md alone. It knows the rules of
// drops and swaps, not those of the other moves of variants.

import { sr25519Verify } from '@polkadot/util-crypto';
import {
  concat,
  getBytes,
  hexlify,
  keccak256,
  recoverAddress,
  TypedDataEncoder,
  toUtf8Bytes,
} from 'ethers';

const FOR_GOOD = 2n ** 64n - 1n;
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const terms = (fields) =>
  fields.split(',').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }));
/** What is signed in signed games. */
const TYPES = {
  Terms: terms(
    'address accountOne,address accountTwo,address keyOne,address keyTwo,' +
      'uint8 bins,uint8 capacity,uint8 line,bool pieRule,uint32 bank,uint32 increment,' +
      'address witness,uint128 stake,uint16 pool,bool programOne,bool programTwo,' +
      'bytes32 event,bytes32 previous,uint64 time,uint32 nonce',
  ),
  Session: terms('address account,address key,uint64 until'),
  Position: terms('bytes32 game,bytes moves'),
  Resignation: terms('bytes32 game,bytes moves'),
  Draw: terms('bytes32 game,bytes moves,uint64 until'),
  Ended: terms('bytes32 game,bytes moves,uint8 end,uint64 at'),
};

/** The games of a text, as tags, steps and result. */
export function read(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  const games = [];
  let at = 0;
  const fail = (why) => {
    throw new Error(`line ${at + 1}: ${why}`);
  };
  for (;;) {
    while (lines[at] === '') at += 1;
    if (at >= lines.length) return games;
    const tags = new Map();
    for (; lines[at]; at += 1) {
      const [, name, value] =
        /^\[([A-Z][A-Za-z0-9]{0,31}) "((?:[^"\\]|\\["\\])*)"\]$/.exec(lines[at]) ?? fail('no tag');
      if (UNSEEN.test(value)) fail(`${name} has characters that nobody sees`);
      if (tags.size === 0 && name !== 'Connect4') fail('no record');
      if (name === 'Connect4' && !/^[12]$/.test(value)) fail('another version');
      if (tags.has(name)) fail(`${name} is there twice`);
      tags.set(name, value.replace(/\\(["\\])/g, '$1'));
    }
    const steps = [];
    let result;
    let inComment = false;
    for (at += 1; result === undefined; at += 1) {
      if (at >= lines.length) fail('no result');
      for (const word of lines[at].match(inComment ? /[^}]*}|[{}]|[^\s{}]+/g : /[{}]|[^\s{}]+/g) ??
        []) {
        if (inComment) inComment = !word.endsWith('}');
        else if (word === '{') inComment = true;
        else if (word === '*' || word.includes('-')) result = word;
        else if (result !== undefined) fail('something is behind the result');
        else if (
          /^(([pr]?N|[tf]N\.N)|s|q[1-4])$/.test(
            word.replace(/\(\d\d+\)|[1-9]/g, 'N').replace(/^qN$/, word),
          )
        )
          steps.push(word);
        else fail(`no move: ${word}`);
      }
    }
    games.push({ tags, steps, result });
  }
}

/** The result that drops and swaps give; null if there are other moves, or players who left. */
export function played({ tags, steps }) {
  const [, bins, capacity, line] = /^(\d+)x(\d+), line (\d+)/.exec(tags.get('Terms')).map(Number);
  if (/players/.test(tags.get('Terms')) || steps.some((step) => /^[ptrfq]/.test(step))) return null;
  const columns = Array.from({ length: bins }, () => []);
  let winner = null;
  let isSwapped = false;
  let drops = 0;
  // A swap exchanges the colours; the discs go on by turns.
  const seatOf = (colour) => (isSwapped ? 1 - colour : colour);
  for (const step of steps) {
    if (winner !== null) throw new Error('the game has ended');
    if (step === 's') {
      if (drops !== 1 || isSwapped || !/pie rule/.test(tags.get('Terms')))
        throw new Error('no swap now');
      isSwapped = true;
      continue;
    }
    const bin = Number(step.replace(/[()]/g, '')) - 1;
    if (bin >= bins || columns[bin].length >= capacity) throw new Error(`no such move: ${step}`);
    const colour = drops % 2;
    drops += 1;
    const row = columns[bin].push(colour) - 1;
    for (const [x, y] of [
      [1, 0],
      [0, 1],
      [1, 1],
      [1, -1],
    ]) {
      const run = (sign) => {
        let length = 0;
        while (columns[bin + sign * (length + 1) * x]?.[row + sign * (length + 1) * y] === colour)
          length += 1;
        return length;
      };
      if (1 + run(1) + run(-1) >= line) winner = seatOf(colour);
    }
  }
  const isFull = columns.every((column) => column.length === capacity);
  return { winner, isFull, toMove: seatOf(drops % 2) };
}

const seconds = (time) => BigInt(Date.parse(time) / 1000);

/** What proves it: `ended`, what is signed; `chain`, nothing here; or `earlier`, what is not checked any more. Throws if a signature or the result is wrong. */
export function prove(game) {
  const { tags, result } = game;
  const outcome = played(game);
  const end = tags.get('End');
  const scores = (winner) => (winner === 0 ? '1-0' : '0-1');
  const say = (expected) => {
    if (result !== expected) throw new Error(`the result is ${result}, and not ${expected}`);
  };
  if (outcome && outcome.winner !== null && end !== 'by resignation') {
    say(end === 'by a line' && scores(outcome.winner));
  } else if (outcome?.isFull) {
    say(['on a full board', 'without a legal move'].includes(end) && '1/2-1/2');
  } else if (outcome) {
    if (end === 'by agreement') say('1/2-1/2');
    else if (end === 'on time') say(scores(1 - outcome.toMove));
    else if (end === undefined || end === 'aborted' || end === 'abandoned') say('*');
    else if (end !== 'by resignation') throw new Error(`no end ${end}`);
  }
  if (tags.get('Connect4') === '2') return proveSigned(game, outcome);
  const isPlain = /^\d+$/.test(tags.get('Game') ?? '');
  if (isPlain && (tags.has('Clock') || ['by agreement', 'on time', 'aborted'].includes(end)))
    throw new Error('a plain game has no clock and no draw by agreement');
  const none = { keys: [null, null] };
  if (/^(f\d+|0x[0-9a-f]{64})$/.test(tags.get('Game') ?? '')) return { proof: 'earlier', ...none };
  if ([...tags.keys()].some((name) => /^((Signature|Key|Session)\d|Signed|Statements)$/.test(name)))
    throw new Error('a tag of a signed game');
  return { proof: 'chain', ...none };
}

/** The end of a signed game: both players have signed it, and the witness of its terms. */
function proveSigned({ tags, steps, result }, outcome) {
  const need = (name, form) => {
    const value = tags.get(name) ?? '';
    if (!form.test(value)) throw new Error(`${name} is missing or not as it has to be`);
    return value;
  };
  const none = ['Contract', 'Stake', 'Limit', 'Signed', 'Statements'];
  if (none.some((name) => tags.has(name))) throw new Error('a tag of the other version');
  const [HASH, ADDRESS, SIGNATURE] = [64, 40, 130].map(
    (digits) => new RegExp(`^0x[0-9a-f]{${digits}}$`),
  );
  const optional = (name, form, otherwise) => (tags.has(name) ? need(name, form) : otherwise);
  const zeros = (digits) => `0x${'0'.repeat(digits)}`;
  const domain = {
    name: 'Connect Four',
    version: '3',
    chainId: BigInt(need('Chain', /^\d+$/)),
    salt: need('Genesis', HASH),
  };
  const hash = (type, message) => TypedDataEncoder.hash(domain, { [type]: TYPES[type] }, message);
  const accounts = ['Player1', 'Player2'].map((name) => need(name, ADDRESS));
  const keys = accounts.map((account, seat) => optional(`Key${seat + 1}`, ADDRESS, account));
  const [, bins, capacity, line] = /^(\d+)x(\d+), line (\d+)/.exec(tags.get('Terms')).map(Number);
  const [, bank, increment] = /^(\d+) s \+ (\d+) s a move$/.exec(
    tags.get('Clock') ?? '0 s + 0 s a move',
  );
  const programs = (tags.get('Programs') ?? '').split(' ');
  for (const name of ['Witness', 'Event', 'Previous'])
    if (/^0x0*$/.test(tags.get(name) ?? '')) throw new Error(`${name} is none`);
  const number = hash('Terms', {
    accountOne: accounts[0],
    accountTwo: accounts[1],
    keyOne: keys[0],
    keyTwo: keys[1],
    bins,
    capacity,
    line,
    pieRule: /pie rule/.test(tags.get('Terms')),
    bank,
    increment,
    witness: optional('Witness', ADDRESS, zeros(40)),
    stake: 0,
    pool: tags.get('Pool') ?? 0,
    programOne: programs.includes('1'),
    programTwo: programs.includes('2'),
    event: optional('Event', HASH, zeros(64)),
    previous: optional('Previous', HASH, zeros(64)),
    time: seconds(tags.get('Time')),
    nonce: need('Nonce', /^\d+$/),
  });
  if (number !== need('Game', HASH)) throw new Error(`the terms are those of ${number}`);
  accounts.forEach((account, seat) => {
    if (account !== keys[seat])
      checkSession(tags.get(`Session${seat + 1}`), account, keys[seat], hash, tags);
  });
  const bytes = steps.map((step) => (step === 's' ? 255 : Number(step.replace(/[()]/g, '')) - 1));
  if (bytes.length < 2) throw new Error('not both have moved');
  const [all, before] = [bytes, bytes.slice(0, -1)].map((of) => hexlify(Uint8Array.from(of)));
  const end = tags.get('End');
  const loser = { '1-0': 1, '0-1': 0 }[result];
  const isOver = outcome.winner !== null || outcome.isFull;
  const hasWitness = tags.has('Witness');
  const code = {
    'by a line': 1,
    'on a full board': 1,
    'by agreement': 2,
    'by resignation': 3 + loser,
    'on time': 5 + loser,
  }[end];
  if (!code || isOver !== (code === 1)) throw new Error(`it does not end ${end}`);
  if (code > 4 && !(hasWitness && tags.has('Clock'))) throw new Error('nobody keeps time');
  const resigned = end === 'by resignation' || (end === 'by a line' && !hasWitness) ? loser : null;
  keys.forEach((key, seat) => {
    let statement = ['Position', { moves: seat === (bytes.length - 1) % 2 ? all : before }];
    if (seat === resigned) statement = ['Resignation', { moves: all }];
    if (end === 'by agreement') statement = ['Draw', { moves: all, until: FOR_GOOD }];
    const digest = hash(statement[0], { game: number, ...statement[1] });
    const signature = need(`Signature${seat + 1}`, SIGNATURE);
    if (recoverAddress(digest, signature).toLowerCase() !== key) throw new Error('another signer');
  });
  if (hasWitness) {
    const at = BigInt(Date.parse(need('EndedAt', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)));
    const least = seconds(tags.get('Time')) - 600n + (code > 4 ? BigInt(bank) : 0n);
    if (at < least * 1000n) throw new Error('it ended too early');
    const digest = hash('Ended', { game: number, moves: all, end: code, at });
    const signature = need('WitnessSignature', SIGNATURE);
    if (recoverAddress(digest, signature).toLowerCase() !== tags.get('Witness'))
      throw new Error('another witness');
  } else if (tags.has('EndedAt') || tags.has('WitnessSignature')) {
    throw new Error('the terms name no witness');
  }
  return { proof: 'ended', keys };
}

function checkSession(text, account, key, hash, tags) {
  const [, until, kind, first, second] =
    /^until (\d+) (ethereum|sr25519) (0x[0-9a-f]+)(?: (0x[0-9a-f]+))?$/.exec(text ?? '') ?? [];
  if (until === undefined || BigInt(until) < seconds(tags.get('Time')))
    throw new Error('no session');
  const digest = hash('Session', { account, key, until });
  if (kind === 'ethereum') {
    if (recoverAddress(digest, first).toLowerCase() !== account) throw new Error('another account');
    return;
  }
  const wrapped = concat([toUtf8Bytes('<Bytes>'), digest, toUtf8Bytes('</Bytes>')]);
  const isValid = sr25519Verify(getBytes(wrapped), getBytes(second), getBytes(first));
  if (!isValid || `0x${keccak256(first).slice(-40)}` !== account)
    throw new Error('another account');
}
