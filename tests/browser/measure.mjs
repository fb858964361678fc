// Prints the weight and the speed of the page. Nothing is asserted, since machines differ. MOVES is how many moves of
// guests are timed: those of one game, unless it is set.
import {
  CLASSROOM,
  closeBrowser,
  DRAWN,
  folder,
  hostWith,
  lobby,
  serve,
  startGame,
  turns,
  visitor,
  weigh,
} from './harness.mjs';
import { world } from './hosted.mjs';
import { PARTS_OF_GUESTS, timedGuests } from './parts.mjs';
import { behind, PROXIES } from './proxies.mjs';

const cleanups = [];
const t = { after: (cleanup) => cleanups.unshift(cleanup) };
const { MOVES = `${DRAWN.length}` } = process.env;
const summary = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)];
  const [least, middle, late, most] = [0, 0.5, 0.99, 1].map((share) => at(share).toFixed(0));
  return `${middle} ms in the middle of ${sorted.length}, ${least} to ${most}, 99 % ${late}`;
};

const server = await serve(t);
const page = await visitor(t);
const weight = weigh(page);
await lobby(page, server);
const kilobytes = (await weight()) / 1000;
console.log(`weight of the page: ${kilobytes.toFixed(1)} kB over the wire, sound included`);

const game = await startGame(page, server);
const loads = [];
for (let load = 0; load < 15; load += 1) {
  await page.goto('about:blank');
  // When the first board has been drawn, by the browser's own clock since it began to load.
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('#board[data-game]')) {
        requestAnimationFrame(() => {
          globalThis.boardAfter ??= performance.now();
        });
      } else {
        requestAnimationFrame(look);
      }
    };
    look();
  });
  await page.goto(`${server.url}/game/${game}`);
  await page.waitForFunction(() => globalThis.boardAfter);
  loads.push(await page.evaluate(() => globalThis.boardAfter));
}
console.log(`first board after loading: ${summary(loads)}`);

await startGame(page, server, { board: CLASSROOM });
const moves = [];
for (const [turn, bin] of DRAWN.entries()) {
  // From the key to the disc in the board, with all that is between: signature, block, events.
  await page.evaluate((turn) => {
    const board = document.querySelector('#board');
    globalThis.took = new Promise((resolve) => {
      addEventListener(
        'keydown',
        () => {
          const pressed = performance.now();
          const observer = new MutationObserver(() => {
            if (Number(board.dataset.turns) <= turn) return;
            observer.disconnect();
            requestAnimationFrame(() => resolve(performance.now() - pressed));
          });
          observer.observe(board, { attributes: true });
        },
        { capture: true, once: true },
      );
    });
  }, turn);
  await page.keyboard.press(`Digit${bin + 1}`);
  moves.push(await page.evaluate(() => globalThis.took));
  await turns(page, turn + 1);
}
console.log(`move on the local chain, from the key to the board: ${summary(moves)}`);

// From the key to the disc in the board of the other browser, between two visitors of a public host without a wallet.
const { url: host } = await world(t);
// What two browsers still load and compile on the same cores slows the first moves of who moves at once.
for (const [rest, when] of [
  [2_000, 'who has looked at the board for 2 s'],
  [0, 'who moves as soon as the game is there'],
]) {
  const guests = [];
  while (guests.length < Number(MOVES)) {
    guests.push(...(await timedGuests(t, host, DRAWN, turns, rest)));
  }
  const took = guests.map(({ pressed, seen }) => seen - pressed);
  console.log(
    `move of a guest ${when}, from the key to the other browser's board: ${summary(took)}`,
  );
  for (const [from, to, name] of PARTS_OF_GUESTS) {
    console.log(`  ${name}: ${summary(guests.map((move) => move[to] - move[from]))}`);
  }
}

// From the address to the first own disc, in a fresh browser on a slow line, over TLS as at a public host.
const SLOW = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 90_000,
};
const VISITS = 5;
const slowWorld = await world(t);
// One that names its relay is a witness by a log of its own alone.
const log = ['--witness-log', await folder(t)];
const open = await behind(t, PROXIES.at(-1), 1, ({ options, env }) =>
  hostWith(t, env, '--url', slowWorld.chain.url, ...log, ...options),
);

/** Visits the host; `begin` starts a game, in which the visitor moves first, and `end` leaves none that is void. Prints the times, returns the weight. */
const firstDiscs = async (against, begin, prepare = async () => {}, end = async () => {}) => {
  /** @type {Record<string, number[]>} */
  const steps = { 'the lobby': [], 'the board': [], 'the first own disc': [] };
  let kilobytes = 0;
  for (let visit = 0; visit < VISITS; visit += 1) {
    await prepare();
    const fresh = await visitor(t, { ignoreHTTPSErrors: true });
    const session = await fresh.context().newCDPSession(fresh);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW);
    const weight = weigh(fresh);
    const begun = performance.now();
    const reached = (step) => steps[step].push(performance.now() - begun);
    await fresh.goto(open.url, { waitUntil: 'commit' });
    await fresh.waitForSelector('body[data-state=lobby] #start:enabled:visible');
    reached('the lobby');
    const before = await weight();
    await begin(fresh);
    await fresh.waitForSelector('body[data-state=game] #board[data-turns="0"]');
    await fresh.waitForFunction(() => /you/.test(document.querySelector('#status').textContent));
    reached('the board');
    await fresh.keyboard.press('Digit4');
    await fresh.waitForSelector('#board[data-turns="1"]');
    reached('the first own disc');
    kilobytes = ((await weight()) - before) / 1000;
    await end();
    await fresh.context().close();
  }
  console.log(`at 1.6 Mbit/s and 150 ms, from the address of a public host, against ${against}:`);
  for (const [step, took] of Object.entries(steps)) console.log(`  to ${step}: ${summary(took)}`);
  return kilobytes;
};

const ofComputer = await firstDiscs('the computer', async (fresh) => {
  await fresh.check('#new-game [name=way][value=computer]', { force: true });
  await fresh.click('#start');
});
console.log(`weight of the computer: ${ofComputer.toFixed(1)} kB over the wire`);
const waiting = await visitor(t, { ignoreHTTPSErrors: true });
await firstDiscs(
  'a visitor who waits',
  (fresh) => fresh.click('#seeks li button'),
  async () => {
    await waiting.goto(open.url);
    await waiting.waitForSelector('body[data-state=lobby] #start:enabled:visible');
    await waiting.selectOption('#by-terms [name=side]', 'second');
    await waiting.click('#start');
    await waiting.waitForSelector('#seek-company:visible');
  },
  // A player who lets three games become void waits before the next seek.
  async () => {
    await waiting.waitForSelector('#board[data-turns="1"]');
    await waiting.keyboard.press('Digit1');
    await waiting.waitForSelector('#board[data-turns="2"]');
  },
);

// How long a page has no host when the only one is restarted: the program is stopped and started again.
for (const proxy of PROXIES) {
  const at = await world(t);
  const begin = ({ options, env }) => hostWith(t, env, '--url', at.chain.url, ...options);
  const { url, stop } = await behind(t, proxy, 1, begin);
  const watcher = await visitor(t, { ignoreHTTPSErrors: true });
  await watcher.goto(url);
  const away = [];
  for (let restart = 0; restart < 7; restart += 1) {
    await watcher.waitForSelector('#link[data-up=true]');
    await watcher.evaluate(() => {
      const link = document.querySelector('#link');
      let since = 0;
      globalThis.away = new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (link.dataset.up === 'false') since ||= performance.now();
          else if (since) resolve(performance.now() - since);
        });
        observer.observe(link, { attributes: true });
      });
    });
    const again = await stop(0);
    await again();
    away.push(await watcher.evaluate(() => globalThis.away));
  }
  console.log(
    `a host behind ${proxy.name} is restarted, and the page has none for ${summary(away)}`,
  );
}

for (const cleanup of cleanups) await cleanup();
await closeBrowser();
