// What the programs of scripts/measured share: turns, figures, and the part of docs/measured.md that each prints.
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { createInterface } from 'node:readline';

/** The number below which this share of them lies. */
export const at = (numbers, share) => {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
};
export const median = (numbers) => at(numbers, 0.5);

const shown = (number) =>
  number >= 100
    ? Math.round(number).toLocaleString('en')
    : number.toFixed(number >= 10 ? 1 : number >= 1 ? 2 : 3);

/** The values by the order in which they come in this turn, so that nobody is always the first. */
export const inTurn = (values, turn) => [
  ...values.slice(turn % values.length),
  ...values.slice(0, turn % values.length),
];

/** Figures of this project beside those of others: a table, and a list of those in which another one is better. */
export class Comparison {
  #names;
  #rows = [];
  #worse = [];

  constructor(ours, ...others) {
    this.#names = [ours, ...others];
  }

  /** Milliseconds of each, of which less are better. */
  times(what, of) {
    const share = (part) =>
      Object.fromEntries(Object.entries(of).map(([name, times]) => [name, at(times, part)]));
    this.figure(`${what}, median`, 'ms', share(0.5));
    this.figure(`${what}, 99 %`, 'ms', share(0.99));
  }

  /** One figure of each. Those that are missing have none. */
  figure(what, unit, of, { isMoreBetter = false } = {}) {
    this.#rows.push([
      `${what}, ${unit}`,
      ...this.#names.map((name) => (of[name] === undefined ? '' : shown(of[name]))),
    ]);
    const [ours, ...others] = this.#names;
    const isBetter = (name) => (isMoreBetter ? of[name] > of[ours] : of[name] < of[ours]);
    const isTheirs = (name) => !name.startsWith(ours);
    for (const name of others.filter((other) => isTheirs(other) && isBetter(other))) {
      this.#worse.push(`${what}: ${shown(of[ours])} ${unit}, ${name} ${shown(of[name])}`);
    }
  }

  toString() {
    const line = (cells) => `| ${cells.join(' | ')} |`;
    return [
      line(['', ...this.#names]),
      line(['---', ...this.#names.map(() => '---:')]),
      ...this.#rows.map(line),
      '',
      this.#worse.length ? 'What we do worse:\n' : 'No other one is better in any row.',
      ...this.#worse.map((what) => `- ${what}`),
    ].join('\n');
  }
}

const { dependencies } = JSON.parse(await readFile(`${import.meta.dirname}/package.json`, 'utf8'));
/** Packages of npm with their versions. */
export const packages = (...names) =>
  names.map((name) => `${name} ${dependencies[name]}`).join(', ');

const load = () => loadavg()[0].toFixed(2);
const begun = { at: new Date(), load: load() };

/** Prints the part of the page: where and when this was measured, what of, and the comparisons. */
export const report = (section, versions, ...parts) => {
  const [{ model }] = cpus();
  const seconds = ((Date.now() - begun.at) / 1000).toFixed(0);
  const where = `${cpus().length} cores (${model}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  const when = `${begun.at.toISOString().slice(0, 10)}, in ${seconds} s`;
  console.log(`
${when}, ${where}, with a load of ${begun.load} at the beginning and ${load()} at the end, \`scripts/measured ${section}\`: ${versions}.

${parts.join('\n\n')}
`);
};

/** What a program of this project was built as, by its path. */
export const built = (program = '') =>
  `ours is built with the profile ${/\/(debug|release|dist)\//.exec(program)?.[1].replace('debug', 'dev') ?? 'of its own'}`;

export const say = (text) => console.error(`measured: ${text}`);

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A program that runs until it is stopped. */
export class Running {
  constructor(program, args, options = {}) {
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], ...options });
    running.add(this.child);
    /** When it has ended. */
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.ended.then(() => running.delete(this.child));
    this.said = '';
    this.child.stderr?.on('data', (data) => {
      this.said += data;
    });
  }

  /** Sends a line, and returns the next one that it prints. */
  async ask(line) {
    this.child.stdin.write(`${line}\n`);
    return this.line();
  }

  async line() {
    this.lines ??= createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    const { done, value } = await this.lines.next();
    if (done) throw new Error(`${this.child.spawnfile} has ended: ${this.said}`);
    return value;
  }

  /** Memory of the process and of those that it has started, in MB. */
  memory = () => memory(this.child.pid);

  /** Processor time that the process has taken, in milliseconds. */
  async busy() {
    const stat = await readFile(`/proc/${this.child.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // In hundredths of a second on all common systems.
    return 10 * (Number(fields[11]) + Number(fields[12]));
  }

  async stop() {
    this.child.kill();
    return this.ended;
  }
}

/** Resident memory of a process and its children, in MB. */
const memory = async (pid) => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const own = (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024) / 1e6;
  const tasks = await readdir(`/proc/${pid}/task`);
  const lists = tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8'));
  const children = (await Promise.all(lists)).join(' ').split(' ').filter(Boolean);
  const all = await Promise.all(children.map((child) => memory(Number(child))));
  return all.reduce((sum, each) => sum + each, own);
};
