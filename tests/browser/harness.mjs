// Helpers of the browser tests: they start the program, a chain and a browser, and play.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { beforeEach } from 'node:test';
import { promisify } from 'node:util';
import { chromium, firefox } from 'playwright-core';

const { CONNECT4_PROGRAM: PROGRAM, CHROMIUM, SCREENSHOTS, WEB } = process.env;

/** Milliseconds to wait for a chain or a page before a test fails. Generous, for busy machines. */
const PATIENCE = 90_000;

/** Milliseconds after which a test does not end any more. The longest takes a minute beside two others. */
const LONGEST = 300_000;

/** A small board, and the drops of a game on it that nobody wins. */
export const CLASSROOM = { bins: 6, capacity: 4, line: 4 };
export const DRAWN = [0, 1, 0, 2, 0, 0, 3, 1, 2, 1, 1, 2, 3, 3, 5, 3, 5, 5, 4, 4, 4, 5, 4, 2];

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The pages that are open, and what each shows, if it says so in time. */
const pages = new Set();
const screens = () =>
  Promise.all(
    Array.from(pages, (page) => {
      const shown = page.evaluate(() => {
        const { dataset, innerText } = document.body;
        return `${location.pathname} ${JSON.stringify(dataset)}\n${innerText}`;
      });
      const late = new Promise((resolve) =>
        setTimeout(resolve, 5_000, 'a page that does not answer'),
      );
      return Promise.race([shown.catch(String), late]);
    }),
  );

/** Ends the file of a test that does not end, and says what its pages show: nothing else would. */
let watchdog;
beforeEach(({ name }) => {
  clearTimeout(watchdog);
  watchdog = setTimeout(async () => {
    console.error(`“${name}” does not end. Its pages show:\n${(await screens()).join('\n---\n')}`);
    process.exit(1);
  }, LONGEST);
  // Not even the last test is waited for.
  watchdog.unref();
});

/** What comes within `PATIENCE`; it fails with what `late` says if it does not. */
const inTime = async (coming, late) => {
  let timer;
  const over = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(late())), PATIENCE);
  });
  return Promise.race([coming, over]).finally(() => clearTimeout(timer));
};

/** Starts the program, and waits for the line that says where it is. */
const start = async (args, stream, pattern, env = {}) => {
  const child = spawn(PROGRAM, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  running.add(child);
  let said = '';
  const ended = new Promise((resolve) => {
    child.once('exit', (status) => {
      running.delete(child);
      resolve(status);
    });
  });
  const lines = new EventTarget();
  for (const name of ['stdout', 'stderr']) {
    createInterface({ input: child[name] }).on('line', (line) => {
      said += `${line}\n`;
      lines.dispatchEvent(new CustomEvent(name, { detail: line }));
    });
  }
  /** Waits for the next line that fits. */
  const says = (pattern) => {
    const found = new Promise((resolve, reject) => {
      lines.addEventListener(stream, ({ detail: line }) => {
        const match = line.match(pattern);
        if (match) resolve(match);
      });
      ended.then((status) => reject(new Error(`it ended with ${status}:\n${said}`)));
    });
    return inTime(found, () => `${args[0]} does not say ${pattern}:\n${said}`);
  };
  const match = await says(pattern);
  return {
    match,
    says,
    pid: child.pid,
    /** All that it has printed. */
    said: () => said,
    /** Answers what it asks. */
    types: (line) => child.stdin.write(`${line}\n`),
    /** Waits for its end; returns its status. */
    ends: () => inTime(ended, () => `${args[0]} does not end:\n${said}`),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
};

const endings = new WeakMap();

/**
 * Calls this after the test, before what was handed in earlier: who uses a folder or a server ends before
 * it does. One that fails keeps no other from being called, as it would with `t.after`: a browser that is
 * left open keeps the file with its tests from ending.
 */
export const afterwards = (t, end) => {
  if (!endings.has(t)) {
    endings.set(t, []);
    t.after(async () => {
      const failed = [];
      for (const each of endings.get(t).reverse()) {
        await Promise.resolve()
          .then(each)
          .catch((error) => failed.push(error));
      }
      if (failed.length) throw new AggregateError(failed, failed.join('\n'));
    });
  }
  endings.get(t).push(end);
};

/** A folder that is removed after the test. */
export const folder = async (t) => {
  const made = await mkdtemp(path.join(tmpdir(), 'connect4-browser-'));
  // A browser that was killed has children that may write for a moment.
  afterwards(t, () => rm(made, { recursive: true, force: true, maxRetries: 10 }));
  return made;
};

/** Runs `connect4 serve`; returns its address and the host's key. */
export const serve = async (t, ...args) => {
  const where = args.length ? args : ['--tmp'];
  const all = ['serve', '--json', ...(where.includes('--port') ? [] : ['--port', '0']), ...where];
  const env = where.includes('--url') ? { CONNECT4_DATA: await folder(t) } : {};
  const { match, stop } = await start(all, 'stdout', /^\{.*\}$/, env);
  const { url, key } = JSON.parse(match[0]);
  if (t) afterwards(t, () => stop());
  return { url, key, port: new URL(url).port, stop };
};

/** Runs a command that listens and says where; returns its address, and the folder of its data. */
const listening = async (t, command, args, more = {}) => {
  const listen = args.includes('--listen') ? [] : ['--listen', '127.0.0.1:0'];
  const data = await folder(t);
  const env = { CONNECT4_DATA: data, ...more };
  const all = [command, '--json', ...listen, ...args];
  const { match, ...process } = await start(all, 'stdout', /^\{.*\}$/, env);
  const { url } = JSON.parse(match[0]);
  afterwards(t, () => process.stop());
  return { url, port: new URL(url).port, data, ...process };
};

/** Runs `connect4 host`; returns its address. */
export const host = (t, ...args) => listening(t, 'host', args);

/** The same, with more in its environment. */
export const hostWith = (t, env, ...args) => listening(t, 'host', args, env);

/** Runs `connect4 relay`; returns its address. */
export const relay = (t, ...args) => listening(t, 'relay', args);

/** Runs the program to its end, and returns what it printed. */
export const run = async (...args) => (await promisify(execFile)(PROGRAM, args)).stdout;

/** Seeks a game at the terminal with these options, and waits until it says this. */
export const seeking = async (t, pattern, args) => {
  const env = { CONNECT4_DATA: await folder(t) };
  const sought = await start(['seek', ...args], 'stdout', pattern, env);
  afterwards(t, () => sought.stop());
  return sought;
};

/** What a program says that plays. */
export const PLAYS = /^you play (\w+)$/;

/** Seeks a game at the terminal with these options, and waits until it has begun; returns the colour that it plays. */
export const seek = async (t, ...args) => (await seeking(t, PLAYS, args)).match[1];

/**
 * Plays at the program, which asks for a line in each turn of this colour, and waits for its end.
 * @param lines what is typed, one after the other
 */
export const plays = async (t, colour, lines, ...args) => {
  const asks = new RegExp(`^add shape: \\d+, player: ${colour}$`);
  const program = await start([...args, '--data', await folder(t)], 'stdout', asks);
  for (const [turn, line] of lines.entries()) {
    if (turn > 0) await program.says(asks);
    program.types(line);
  }
  assert.equal(await program.ends(), 0, program.said());
};

/** Runs `connect4 node`; returns its address. */
export const node = async (t, data, port = 0, ...more) => {
  const args = [
    'node',
    ...(data ? ['--data', data] : ['--tmp']),
    '--rpc-port',
    String(port),
    ...more,
  ];
  const { match, stop } = await start(args, 'stderr', /JSON-RPC server: addr=(\S+:(\d+))/);
  afterwards(t, () => stop());
  return { url: `ws://${match[1]}`, port: match[2], stop };
};

/** A name of this machine that browsers take for one of the local network: pages from there are not secure. */
export const INSECURE = 'class.test';

/** How each browser is started. */
const ENGINES = {
  chromium: () =>
    chromium.launch({
      executablePath: CHROMIUM,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // An address by which this machine is found, and of which the browser has no reason to think that it is.
        `--host-resolver-rules=MAP ${INSECURE} 127.0.0.1`,
      ],
    }),
  // As it is installed, by WebDriver BiDi.
  firefox: () => firefox.launch({ channel: 'moz-firefox', executablePath: process.env.FIREFOX }),
};

/** What a visitor with Firefox is asked for. */
export const FIREFOX = { engine: 'firefox' };

/** The browsers as they are started, so that visitors who come at once get the same. */
const starting = {};

/** A page in a browser context of its own, which shares nothing with others. */
export const visitor = async (t, { engine = 'chromium', ...options } = {}) => {
  starting[engine] ??= ENGINES[engine]();
  const browser = await starting[engine];
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  if (WEB) await serveFrom(context, WEB);
  const page = await context.newPage();
  const complaints = [];
  if (process.env.CHATTY) {
    page.on('pageerror', (error) => console.error(error));
    page.on('console', (message) => console.error(message.text()));
    page.on('response', async (one) => {
      if (one.status() < 400) return;
      console.error(one.status(), one.url(), one.request().postData(), await one.text());
    });
    page.on('requestfailed', (one) => console.error(one.url(), one.failure()));
  }
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // Who goes on at once leaves before the socket of a view is open: the browser says so, nothing failed.
    if (/WebSocket is closed before the connection is established/.test(message.text())) return;
    complaints.push(message.text());
  });
  pages.add(page);
  afterwards(t, async () => {
    pages.delete(page);
    await context.close();
  });
  return Object.assign(page, {
    /** Errors and warnings of the page and of the browser. */
    complaints,
  });
};

/** Origins of pages that name the hashes of their files, so that none can be replaced. */
export const hashed = new Set();

/** Types of the files that come from the folder; others come from the program. */
const TYPES = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
};

/** A file of the page in a folder; nothing if it comes from the program. */
const fromFolder = async (web, pathname) => {
  const file = pathname.replace(/^\/page\/([\da-f]{16}\/)?/, '');
  const ending = file.split('.').at(-1);
  const contentType = TYPES[ending];
  // The modules of WebAssembly are built apart.
  const from = ending === 'wasm' ? ['..', 'artifacts', path.basename(file)] : [file];
  const body = contentType && (await readFile(path.join(web, ...from)).catch(() => null));
  return body && { contentType, body };
};

/**
 * Has a browser load the page's files from a folder, in place of those that the program carries. The page
 * itself is left alone: one that does not come from this machine may not open sockets to it.
 */
const serveFrom = async (context, web) => {
  await context.route(/\/page\/[\w/.-]+$/, async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    const found = !hashed.has(origin) && (await fromFolder(web, pathname));
    await (found ? route.fulfill(found) : route.continue());
  });
  // It keeps the files by their hashes.
  await context.route(/\/sw\.js$/, async (route) => {
    const answer = await route.fetch();
    let body = await answer.text();
    for (const [entry, pathname, hash] of body.matchAll(/\['([^']+)','([^']+)'\]/g)) {
      const found = pathname === '/' ? null : await fromFolder(web, pathname);
      const now = found && createHash('sha256').update(found.body).digest('base64');
      if (now) body = body.replace(entry, entry.replace(hash, `sha256-${now}`));
    }
    await route.fulfill({ response: answer, body });
  });
};

/** To be called when all tests are done. */
export const closeBrowser = async () => {
  for (const browser of Object.values(starting)) await (await browser).close();
};

/**
 * Counts the bytes that a page receives over the wire, compressed ones as they are.
 * @returns a function that gives their number so far
 */
export const weigh = (page) => {
  const sizes = [];
  page.on('requestfinished', (request) => {
    // How often the server is asked what it is depends on the time that things take.
    if (new URL(request.url()).pathname === '/api/hello') return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

/** Opens the lobby with the host's key. */
export const lobby = async (page, { url, key }) => {
  await page.goto(`${url}/#key=${key}`);
  await page.waitForSelector('body[data-state=lobby] :is(#start, #start-variant):enabled:visible');
};

/**
 * Starts a game in the lobby, and waits for its board.
 * @returns the game's number
 */
export const startGame = async (
  page,
  server,
  { way = 'screen', board, set = {}, pick = {} } = {},
) => {
  await lobby(page, server);
  await page.check(`#new-game input[name=way][value=${way}]`, { force: true });
  if (board) {
    await page.selectOption('#new-game select[name=board]', 'own');
    for (const [name, value] of Object.entries(board)) {
      await page.fill(`#new-game input[name=${name}]`, String(value));
    }
  }
  for (const [name, value] of Object.entries(set)) {
    await page.selectOption(`#new-game select[name=${name}]`, value);
  }
  for (const [name, value] of Object.entries(pick)) {
    await page.check(`#new-game input[name=${name}][value=${value}]`, { force: true });
  }
  await page.click('#start');
  await page.waitForSelector('body[data-state=game] #board[data-game]');
  return Number(await page.getAttribute('#board', 'data-game'));
};

/**
 * Starts a game of a variant, or opens a table, in the lobby, and waits for its board.
 * @returns the game's number, such as `v0`
 */
export const startVariant = async (page, server, asked) => {
  await lobby(page, server);
  return startVariantHere(page, asked);
};

/** The same on the lobby that is shown. */
export const startVariantHere = async (
  page,
  {
    seats = ['here', 'here'],
    table = false,
    board = CLASSROOM,
    powers = {},
    rules = [],
    limit,
  } = {},
) => {
  await page.check('#which-game input[value=variant]', { force: true });
  const form = (selector) => `#new-variant ${selector}`;
  await page.check(form(`input[name=players][value="${seats.length}"]`), { force: true });
  await page.check(form(`input[name=way][value=${table ? 'table' : 'now'}]`), { force: true });
  for (const [index, by] of table ? [] : seats.entries()) {
    await page.selectOption(form(`select[name=by-${COLOURS[index]}]`), by);
  }
  for (const power of ['take', 'clear', 'float']) {
    await page.selectOption(form(`select[name=${power}]`), String(powers[power] ?? 0));
  }
  for (const rule of rules) await page.check(form(`input[name=${rule}]`));
  await page.selectOption(form('select[name=board]'), 'own');
  for (const [name, value] of Object.entries(board)) {
    await page.fill(form(`input[name=${name}]`), String(value));
  }
  if (limit) await page.selectOption(form('select[name=limit]'), String(limit));
  await page.click('#start-variant');
  await page.waitForSelector('body[data-state=game] #board[data-game^=v]');
  return page.getAttribute('#board', 'data-game');
};

/** The colours of a variant, in turn order. */
export const COLOURS = ['red', 'blue', 'green', 'yellow'];

/** Types a move in the notation, as `t3.2`, and waits until the chain has it. */
export const make = async (page, move) => {
  const before = await shown(page);
  for (const key of move.replace('.', '')) await page.keyboard.press(key);
  await turns(page, before + 1);
};

/** The board of a variant from the left, each bin from the bottom, with `-` for the gaps. */
export const cells = (page) =>
  page.$$eval('#board [data-bin]', (all) => {
    const bins = [];
    for (const { dataset } of all) {
      bins[dataset.bin] ??= [];
      bins[dataset.bin][dataset.row] = dataset.disc.slice(0, 1) || '-';
    }
    return bins.map((bin) => bin.join('').replace(/-+$/, ''));
  });

/** Waits until the board shows so many discs and no request is under way. */
export const turns = (page, count) =>
  page.waitForSelector(`body[data-pending=false] #board[data-turns="${count}"]`);

/** How many discs the board shows. */
export const shown = async (page) => Number(await page.getAttribute('#board', 'data-turns'));

/** Drops a disc by a digit key, and waits until the chain has it. */
export const drop = async (page, bin) => {
  const before = await shown(page);
  await page.keyboard.press(`Digit${bin + 1}`);
  await turns(page, before + 1);
};

/** Drops discs one after the other. */
export const play = async (page, bins) => {
  for (const bin of bins) await drop(page, bin);
};

/** The board by bins from the left, each from the bottom. */
export const board = (page) =>
  page.$$eval('#board [data-bin]', (cells) => {
    const bins = [];
    for (const { dataset } of cells) {
      bins[dataset.bin] ??= [];
      bins[dataset.bin][dataset.row] = dataset.disc;
    }
    return bins.map((bin) => bin.filter(Boolean));
  });

/** The winning cells that are marked, as `bin,row`, in order. */
export const winning = (page) =>
  page.$$eval('#board [data-winning=true]', (cells) =>
    cells.map(({ dataset }) => `${dataset.bin},${dataset.row}`).sort(),
  );

/** The text of an element. */
export const text = async (page, selector) => (await page.textContent(selector)).trim();

/** Waits until the text of an element matches. */
export const says = async (page, selector, pattern) => {
  await page
    .waitForFunction(
      ([selector, source, flags]) =>
        new RegExp(source, flags).test(document.querySelector(selector)?.textContent ?? ''),
      [selector, pattern.source, pattern.flags],
    )
    .catch(async () => {
      const found = await page.$$eval(selector, (all) => all.map((one) => one.textContent));
      assert.fail(`${selector} should say ${pattern}, and says ${JSON.stringify(found)}`);
    });
};

/** Waits until all animations have ended. */
export const still = (page) =>
  page.evaluate(() => {
    // What is out of sight, as in closed details, stands still until it is seen.
    const ends = ({ effect }) =>
      effect?.getComputedTiming().iterations !== Infinity && effect?.target?.checkVisibility();
    const moving = document.getAnimations().filter(ends);
    return Promise.allSettled(moving.map(({ finished }) => finished));
  });

/** Keeps a screenshot for people to look at. */
export const picture = async (page, name) => {
  if (!SCREENSHOTS) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await still(page);
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
};

/** The same in light and in dark. */
export const pictureInBoth = async (page, name) => {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await picture(page, `${name}-${colorScheme}`);
  }
};

/** A game as the program tells it, for comparison with what the page shows. */
export const onChain = async (page, number) =>
  page.evaluate(
    (number) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://${location.host}/api/live?game=${number}`);
        socket.onmessage = ({ data }) => {
          const told = JSON.parse(data);
          if (told.type !== 'chain') {
            socket.close();
            resolve(told);
          }
        };
        socket.onerror = () => reject(new Error('no answer'));
      }),
    number,
  );

const { records } = JSON.parse(
  await readFile(new URL('../../crates/record/vectors.json', import.meta.url), 'utf8'),
);
/** A game as text, by its name in the vectors of records. */
export const record = (name) => records.find((one) => one.name === name).text;

/** Drops a file onto the page, as a person does. */
export const dropFile = async (page, name, content) => {
  const data = await page.evaluateHandle(
    ([file, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], file, { type: 'text/plain' }));
      return transfer;
    },
    [name, content],
  );
  await page.dispatchEvent('main', 'dragover', { dataTransfer: data });
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
  await says(page, '#records-title', new RegExp(name));
};
