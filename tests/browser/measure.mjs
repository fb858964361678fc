// Prints the weight and the speed of the page. Nothing is asserted, since machines differ.
import {
  CLASSROOM,
  closeBrowser,
  DRAWN,
  fastGame,
  lobby,
  serve,
  startGame,
  turns,
  visitor,
  weigh,
} from './harness.mjs';

const cleanups = [];
const t = { after: (cleanup) => cleanups.unshift(cleanup) };
const middle = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const summary = (numbers) =>
  `${middle(numbers).toFixed(0)} ms in the middle of ${numbers.length}, ` +
  `${Math.min(...numbers).toFixed(0)} to ${Math.max(...numbers).toFixed(0)}`;

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

// From the key to the disc in the board of the other browser, which is of another program.
const { pages } = await fastGame(t);
const between = [];
for (const [turn, bin] of DRAWN.entries()) {
  const [mover, other] = turn % 2 ? pages.toReversed() : pages;
  const [from, to] = await Promise.all([
    mover.evaluate((turn) => {
      const board = document.querySelector('#board');
      globalThis.took = new Promise((resolve) => {
        addEventListener('keydown', () => resolve(Date.now()), { capture: true, once: true });
      });
      return turn === Number(board.dataset.turns);
    }, turn),
    other.evaluate((turn) => {
      const board = document.querySelector('#board');
      globalThis.took = new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (Number(board.dataset.turns) <= turn) return;
          observer.disconnect();
          requestAnimationFrame(() => resolve(Date.now()));
        });
        observer.observe(board, { attributes: true });
      });
      return true;
    }, turn),
  ]);
  if (!from || !to) throw new Error(`the boards are not at turn ${turn}`);
  await mover.keyboard.press(`Digit${bin + 1}`);
  const [pressed, seen] = await Promise.all(
    [mover, other].map((page) => page.evaluate(() => globalThis.took)),
  );
  between.push(seen - pressed);
  await Promise.all(pages.map((page) => turns(page, turn + 1)));
}
console.log(`fast move, from the key to the other browser's board: ${summary(between)}`);

for (const cleanup of cleanups) await cleanup();
await closeBrowser();
