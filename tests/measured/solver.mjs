// The solver beside bitbully and connect-four-ai, on the same positions: the time for the score of each. And the move of
// the best level in WebAssembly, as the page has it, beside the same in native code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Comparison, inTurn, Running, report, say } from './report.mjs';

const { ROOT, SOLVE, PYTHON, POSITIONS = '100' } = process.env;
const DISCS = [8, 10, 12, 14, 16];
const BOOK = `${ROOT}/crates/opponent/src/book.bin`;
const { exchange } = await import(`${ROOT}/web/host/wasm.js`);
const { toHex } = await import(`${ROOT}/web/host/hex.js`);

/** Random positions, by the number of discs. */
const made = new Running(SOLVE, ['positions', POSITIONS, ...DISCS.map(String)]);
const positions = new Map(DISCS.map((discs) => [discs, []]));
for (let left = DISCS.length * Number(POSITIONS); left > 0; left -= 1) {
  const moves = await made.line();
  positions.get(moves.length).push(moves);
}

/** A program that answers a line with a value and nanoseconds. */
const program = (name, ...command) => {
  const running = new Running(command[0], command.slice(1));
  const ask = async (moves) => {
    const [value, nanoseconds] = (await running.ask(moves)).split(' ').map(Number);
    return { value, time: nanoseconds / 1e6 };
  };
  return { name, ask, stop: () => running.stop() };
};

/** The page's module. */
const page = (name) => {
  const module = new WebAssembly.Module(readFileSync(`${ROOT}/artifacts/computer.wasm`));
  const { exports } = new WebAssembly.Instance(module, { page: { now: () => performance.now() } });
  const answer = (request) => JSON.parse(exchange(exports, JSON.stringify(request)));
  answer({ book: toHex(readFileSync(BOOK)) });
  const shape = { bins: 7, capacity: 6, line: 4 };
  const terms = { shape, players: 2, pop_out: false, pie_rule: false };
  terms.powers = { take: 0, clear: 0, float: 0 };
  const ask = async (moves) => {
    const begun = performance.now();
    const { ok, ...failure } = answer({ choose: { terms, moves, level: 'perfect', seed: 1 } });
    const time = performance.now() - begun;
    assert.ok(ok, JSON.stringify(failure));
    return { value: ok.bin + 1, time };
  };
  return { name, ask, stop: () => {} };
};

const sum = (times) => times.reduce((all, time) => all + time, 0);

/** Asks all of them about each position, by turns, and compares what they answer. */
const compare = async (what, ...contenders) => {
  const comparison = new Comparison(...contenders.map(({ name }) => name));
  for (const [discs, lines] of positions) {
    const times = Object.fromEntries(contenders.map(({ name }) => [name, []]));
    for (const [turn, moves] of lines.entries()) {
      const values = new Map();
      for (const { name, ask } of inTurn(contenders, turn)) {
        const { value, time } = await ask(moves);
        times[name].push(time);
        values.set(name, value);
      }
      assert.equal(new Set(values.values()).size, 1, `${moves}: ${JSON.stringify([...values])}`);
    }
    comparison.times(`${discs} discs`, times);
    const sums = Object.entries(times).map(([name, all]) => [name, sum(all) / 1000]);
    comparison.figure(`${discs} discs, all of them`, 's', Object.fromEntries(sums));
    say(`${what}, ${discs} discs`);
  }
  for (const { stop } of contenders) await stop();
  return `### ${what}\n\n${comparison}`;
};

const found = (pattern, file) => pattern.exec(readFileSync(`${ROOT}/${file}`, 'utf8'))[1];
const bitbully = found(/^bitbully==(.*)$/m, 'tests/measured/requirements.txt');
const other = found(/"connect-four-ai"\nversion = "(.*)"/, 'Cargo.lock');
const python = [PYTHON, `${ROOT}/tests/measured/solver.py`];
report(
  'solver',
  `bitbully ${bitbully}, connect-four-ai ${other}, Node.js ${process.versions.node}; ${POSITIONS} positions of each number of discs`,
  await compare(
    'Scores without books',
    program('connect4', SOLVE, 'score'),
    program('bitbully', ...python),
    program('connect-four-ai', SOLVE, 'other'),
  ),
  await compare(
    'Scores with the books that they come with',
    program('connect4', SOLVE, 'score', BOOK),
    program('bitbully', ...python, 'book'),
    program('connect-four-ai', SOLVE, 'other-book'),
  ),
  await compare(
    'The move of the best level, in WebAssembly and native',
    page('WebAssembly'),
    program('native', SOLVE, 'move', BOOK),
  ),
);
