// Takes the time of a move of a fast game by its parts, on its way from the key to the other browser's
// board.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterwards, visitor } from './harness.mjs';

/** What a move comes by, in this order. */
export const PARTS = [
  ['pressed', 'asked', 'key to request'],
  ['asked', 'relayed', 'request to relay, signed and kept'],
  ['relayed', 'served', 'relay to the other program, checked and kept'],
  ['served', 'told', 'that program to its page'],
  ['told', 'drawn', 'page to board'],
  ['drawn', 'seen', 'board to frame'],
];

/**
 * Listens to a socket of a program, and notes when each message comes. The messages are not answered:
 * the program may close the socket after a minute.
 * @returns the time of the first message since a time that has a text in it, or of any
 */
const listen = (t, url, path) =>
  new Promise((resolve, reject) => {
    const asked = request(new URL(path, url), {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        'sec-websocket-version': 13,
      },
    });
    asked.once('error', reject);
    asked.once('response', ({ statusCode }) => reject(new Error(`${path}: ${statusCode}`)));
    asked.once('upgrade', (_, socket) => {
      const heard = [];
      socket.on('data', (data) => heard.push({ at: Date.now(), text: data.toString('latin1') }));
      socket.on('error', () => {});
      afterwards(t, () => socket.destroy());
      resolve(
        (since, text = '') => heard.find((one) => one.at >= since && one.text.includes(text))?.at,
      );
    });
    asked.end();
  });

/** Notes in a page when a request goes out, and when the program tells of a move. */
const note = () => {
  globalThis.times = {};
  const { fetch, WebSocket } = globalThis;
  globalThis.fetch = (...args) => {
    globalThis.times.asked ??= Date.now();
    return fetch(...args);
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data }) => {
        const [, turns] = data.match(/"turns":(\d+)/) ?? [];
        if (Number(turns) === globalThis.wanted) globalThis.times.told ??= Date.now();
      });
    }
  };
};

/** Has a page take the times of the next move, after which the board has so many discs. */
const expect = (turns) => {
  globalThis.times = {};
  globalThis.wanted = turns;
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

/**
 * Plays a fast game between two pages of two programs.
 * @param game of `fastGame`
 * @returns for each move the time in milliseconds since 1970 of what it came by
 */
export const timedMoves = async (t, { pages, hers, his }, bins, turns) => {
  for (const page of pages) {
    await page.addInitScript(note);
    await page.reload();
    await turns(page, 0);
  }
  const relayed = await listen(t, hers.url, '/fast/f0');
  const served = await Promise.all(
    [his, hers].map(({ url }) => listen(t, url, '/api/live?game=f0')),
  );
  const moves = [];
  for (const [turn, bin] of bins.entries()) {
    const [mover, other] = turn % 2 ? pages.toReversed() : pages;
    const ready = await Promise.all([mover, other].map((page) => page.evaluate(expect, turn + 1)));
    if (!ready.every(Boolean)) throw new Error(`the boards are not at turn ${turn}`);
    await mover.keyboard.press(`Digit${bin + 1}`);
    const [{ pressed, asked }, there] = await Promise.all(
      [mover, other].map((page) => page.evaluate(() => globalThis.took)),
    );
    moves.push({ ...there, pressed, asked });
    await Promise.all(pages.map((page) => turns(page, turn + 1)));
  }
  // What came is looked at now, when it has come for sure.
  return moves.map((move, turn) => ({
    ...move,
    relayed: relayed(move.asked),
    served: served[turn % 2](move.asked, `"turns":${turn + 1}`),
  }));
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
 * Plays a game by signed terms between two visitors of a public host who have nothing.
 * @returns for each move the time in milliseconds since 1970 of what it came by
 */
export const timedGuests = async (t, url, bins, turns) => {
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
  return moves;
};
