// Takes the time of a guest's move by its parts, on its way from the key to the other browser's board.
import { visitor } from './harness.mjs';

/** Has a page take the times of the next move, after which the board has so many discs. */
const expect = (turns) => {
  globalThis.times = {};
  const { times } = globalThis;
  const board = document.querySelector('#board');
  addEventListener(
    'keydown',
    () => {
      times.pressed = Date.now();
    },
    { capture: true, once: true },
  );
  globalThis.took = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (Number(board.dataset.turns) < turns) return;
      observer.disconnect();
      times.drawn = Date.now();
      requestAnimationFrame(() => resolve({ ...times, seen: Date.now() }));
    });
    observer.observe(board, { attributes: true });
  });
  return Number(board.dataset.turns) === turns - 1;
};

/** What a move of a guest comes by, in this order. */
export const PARTS_OF_GUESTS = [
  ['pressed', 'sent', 'key to relay, judged, signed and kept in the browser'],
  ['sent', 'heard', 'relay to the other page'],
  ['heard', 'drawn', 'that page to its board, checked and kept'],
  ['drawn', 'seen', 'board to frame'],
];

/** Notes in a page when it sends something, and when something comes. */
const noteFrames = () => {
  globalThis.sent = [];
  globalThis.heard = [];
  const { WebSocket } = globalThis;
  globalThis.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', () => globalThis.heard.push(Date.now()));
    }

    send(data) {
      globalThis.sent.push(Date.now());
      super.send(data);
    }
  };
};

/**
 * Plays a game by signed terms between two visitors of a public host who have nothing, and leave after it.
 * @param rest milliseconds for which both look at the board before the first move
 * @returns for each move the time in milliseconds since 1970 of what it came by
 */
export const timedGuests = async (t, url, bins, turns, rest) => {
  const pages = [];
  for (const side of ['first', 'second']) {
    const page = await visitor(t);
    await page.addInitScript(noteFrames);
    await page.goto(url);
    await page.waitForSelector('#start:enabled:visible');
    await page.selectOption('#by-terms [name=side]', side);
    pages.push(page);
  }
  for (const page of pages) await page.click('#start');
  for (const page of pages) await page.waitForSelector('body[data-state=game] #board');
  await new Promise((resolve) => setTimeout(resolve, rest));
  const moves = [];
  for (const [turn, bin] of bins.entries()) {
    const [mover, other] = turn % 2 ? pages.toReversed() : pages;
    await Promise.all(pages.map((page) => turns(page, turn)));
    await mover.waitForFunction(() => /you/.test(document.querySelector('#status').textContent));
    for (const page of pages) await page.evaluate(expect, turn + 1);
    await mover.keyboard.press(`Digit${bin + 1}`);
    const [{ pressed }, there] = await Promise.all(
      [mover, other].map((page) => page.evaluate(() => globalThis.took)),
    );
    const first = (page, times, since) =>
      page.evaluate(
        ([times, since]) => globalThis[times].find((at) => at >= since),
        [times, since],
      );
    const sent = await first(mover, 'sent', pressed);
    const heard = await first(other, 'heard', sent);
    moves.push({ ...there, pressed, sent, heard });
  }
  for (const page of pages) await page.context().close();
  return moves;
};
