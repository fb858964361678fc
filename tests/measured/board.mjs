// The page's board beside chessground: its bytes over the wire, and the time from a move until it is painted in Chromium.
// Ours is what `connect4 page` writes: the modules that the board loads, and their styles, without the rest of the page.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { Comparison, inTurn, packages, report, say } from './report.mjs';

const { CONNECT4_PROGRAM, CHROMIUM } = process.env;
const ROUNDS = 6;
/** Moves of a round: no line of four, and knights that go and return. */
const MOVES = 12;
/** Milliseconds until what falls or slides has come to rest. */
const REST = 800;
const TYPES = { '.js': 'text/javascript', '.css': 'text/css' };

const folder = await mkdtemp(`${tmpdir()}/connect4-measured-`);
execFileSync(CONNECT4_PROGRAM, ['page', folder], { stdio: 'ignore' });
const index = await readFile(`${folder}/index.html`, 'utf8');
const symbols = /<svg class="symbols".*?<\/svg>/s.exec(index)[0];
const versions = await readdir(`${folder}/page`, { withFileTypes: true });
const page = await Promise.all(
  versions
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) => ({ name, files: await readdir(`${folder}/page/${name}`) })),
);
const ours = `${folder}/page/${page.find(({ files }) => files.includes('dom')).name}`;
const theirs = `${import.meta.dirname}/node_modules/@lichess-org/chessground`;

/** A module with all that it imports. */
const modules = async (root, file, found = new Set()) => {
  if (found.has(file)) return found;
  found.add(file);
  const source = await readFile(`${root}/${file}`, 'utf8');
  for (const [, imported] of source.matchAll(/(?:from|^import|;import)\s*["'](\.[^"']+)["']/g)) {
    await modules(root, path.join(path.dirname(file), imported), found);
  }
  return found;
};

const boards = [
  {
    name: 'connect4',
    root: ours,
    files: [...(await modules(ours, 'dom/board.js')), 'style/base.css', 'style/board.css'],
    more: symbols,
    body: `<div id="table" style="width:600px;container-type:inline-size"></div>${symbols}`,
    script: `
      import { makeBoard } from './dom/board.js';
      const on = { choose() {}, aim() {}, leave() {}, landed() {} };
      const shape = { bins: 7, capacity: 6, line: 4 };
      const show = (board, discs) =>
        board.render({
          ...{ game: 1, shape, discs, turns: discs.length, at: 'live', ghost: null, may: true },
          ...{ targets: new Map(), leaving: null },
        });
      const disc = (turn) => ({
        ...{ key: 'd' + turn, bin: [0, 1, 0, 1, 1, 0, 2, 3, 2, 3, 3, 2][turn] },
        ...{ row: Math.floor(turn / 2) % 3, player: turn % 2 ? 'blue' : 'red' },
        ...{ winning: false, last: false },
      });
      let board;
      let discs;
      globalThis.begin = () => {
        board = makeBoard(document.querySelector('#table'), on);
        discs = [];
        show(board, discs);
      };
      globalThis.move = (turn) => {
        discs = [...discs.map((other) => ({ ...other, last: false })), { ...disc(turn), last: true }];
        show(board, discs);
      };`,
  },
  {
    name: 'chessground',
    root: theirs,
    files: [
      'dist/chessground.min.js',
      ...['base', 'brown', 'cburnett'].map((style) => `assets/chessground.${style}.css`),
    ],
    more: '',
    body: '<div id="table" style="width:600px;height:600px"></div>',
    script: `
      import { Chessground } from './dist/chessground.min.js';
      const moves = [['g1', 'f3'], ['g8', 'f6'], ['f3', 'g1'], ['f6', 'g8']];
      let board;
      globalThis.begin = () => {
        board?.destroy();
        board = Chessground(document.querySelector('#table'), {});
      };
      globalThis.move = (turn) => board.move(...moves[turn % 4]);`,
  },
];

/** Does something at the beginning of a frame, and returns the milliseconds until that has been painted. */
const timed = `
  globalThis.timed = (act) =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        const begun = performance.now();
        act();
        // A message comes after the frame, which is styled, laid out and painted in between.
        port1.onmessage = () => resolve(performance.now() - begun);
        port2.postMessage(null);
      });
    });`;

const comparison = new Comparison(...boards.map(({ name }) => name));
const weigh = async (compress) => {
  const weights = boards.map(async ({ name, root, files, more }) => {
    const sources = [
      more,
      ...(await Promise.all(files.map((file) => readFile(`${root}/${file}`)))),
    ];
    const sizes = sources.filter((source) => source.length).map((each) => compress(each).length);
    return [name, sizes.reduce((sum, size) => sum + size, 0) / 1000];
  });
  return Object.fromEntries(await Promise.all(weights));
};
const kinds = { uncompressed: Buffer.from, gzip: gzipSync, brotli: brotliCompressSync };
for (const [kind, compress] of Object.entries(kinds)) {
  comparison.figure(`weight, ${kind}`, 'kB', await weigh(compress));
}

const servers = [];
const serve = async ({ root, files, body, script }) => {
  const styles = files.filter((file) => file.endsWith('.css'));
  const links = styles.map((file) => `<link rel="stylesheet" href="/${file}">`).join('');
  const html = `<!doctype html>${links}<body>${body}<script>${timed}</script>
    <script type="module">${script}; document.body.dataset.ready = true;</script>`;
  const server = createServer(async ({ url }, response) => {
    const type = url === '/' ? 'text/html' : TYPES[path.extname(url)];
    const bytes = url === '/' ? html : await readFile(root + url).catch(() => null);
    response.writeHead(bytes === null ? 404 : 200, { 'content-type': type ?? 'text/plain' });
    response.end(bytes ?? '');
  });
  servers.push(server);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}/`;
};

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu'],
});
const version = browser.version();
const made = Object.fromEntries(boards.map(({ name }) => [name, []]));
const moves = Object.fromEntries(boards.map(({ name }) => [name, []]));
const addresses = new Map();
for (const board of boards) addresses.set(board, await serve(board));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const board of inTurn(boards, round)) {
    const tab = await browser.newPage();
    tab.on('pageerror', (error) => {
      throw error;
    });
    await tab.goto(addresses.get(board));
    await tab.waitForSelector('body[data-ready]');
    made[board.name].push(await tab.evaluate(() => globalThis.timed(() => globalThis.begin())));
    await tab.waitForTimeout(REST);
    for (let turn = 0; turn < MOVES; turn += 1) {
      const move = (number) => globalThis.timed(() => globalThis.move(number));
      moves[board.name].push(await tab.evaluate(move, turn));
      await tab.waitForTimeout(REST);
    }
    if (process.env.SCREENSHOTS && !round) {
      await tab.screenshot({ path: `${process.env.SCREENSHOTS}/${board.name}.png` });
    }
    await tab.close();
  }
  say(`round ${round + 1} of ${ROUNDS}`);
}
comparison.times('an empty board or the first position until it is painted', made);
comparison.times('a move until it is painted', moves);
await browser.close();
for (const server of servers) server.close();
await rm(folder, { recursive: true });

report(
  'board',
  `${packages('@lichess-org/chessground')}, Chromium ${version} without a window; ${ROUNDS} rounds of ${MOVES} moves`,
  String(comparison),
);
