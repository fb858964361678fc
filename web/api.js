// The way to the program: requests with our keys and its token, and sockets that open again by themselves.

import { keep, recall } from './store.js';

const PATIENCE = 30_000; // milliseconds for an answer
const MOST_PATIENCE = 200_000; // for one that waits for a block: the program itself gives up before
const LEAST_WAIT = 300; // before a socket is opened again
const MOST_WAIT = 3_000;

/** What went wrong with a request, in words for who plays. */
export class Failure extends Error {
  /** @param {string} message @param {string} kind the program's, or `away` */
  constructor(message, kind) {
    super(message);
    this.kind = kind;
  }
}

let keys = recall('keys', []);
let token = '';

/** @param {string} key a secret that opens an account, or all: kept from now on */
export function addKey(key) {
  if (keys.includes(key)) return;
  keys = [...keys, key];
  keep('keys', keys);
}

/** @returns {Promise<object>} what the program says of itself; keys that open nothing are forgotten */
export async function hello() {
  const said = await request('/api/hello', { headers: { 'x-connect4-keys': keys.join(',') } });
  token = said.token;
  if (said.unknown_keys?.length) {
    keys = keys.filter((key) => !said.unknown_keys.includes(key));
    keep('keys', keys);
  }
  return said;
}

/** @param {string} path @returns {Promise<object>} */
export const get = (path) => request(path);

/** @param {string} path @param {object} body @returns {Promise<object>} */
export async function post(path, body) {
  const send = () =>
    request(path, {
      patience: MOST_PATIENCE,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-connect4-token': token,
        'x-connect4-keys': keys.join(','),
      },
      body: JSON.stringify(body),
    });
  try {
    return await send();
  } catch (failure) {
    if (failure.kind !== 'token') throw failure;
    await hello(); // the program was started anew
    return send();
  }
}

async function request(path, { patience = PATIENCE, ...options } = {}) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience);
  try {
    const answer = await fetch(path, { ...options, signal: stop.signal, cache: 'no-store' });
    const body = await answer.json().catch(() => null);
    if (answer.ok && body) return body;
    throw new Failure(
      body?.error ?? `The program answered with an error (${answer.status}): try again.`,
      body?.kind ?? 'other',
    );
  } catch (failure) {
    if (failure instanceof Failure) throw failure;
    throw stop.signal.aborted
      ? new Failure(
          `No answer for ${patience / 1000} seconds. It may still come: wait a little, or reload the page.`,
          'away',
        )
      : new Failure(
          'The program that serves this page does not answer: see that it runs, then try again.',
          'away',
        );
  } finally {
    clearTimeout(timer);
  }
}

const socketTo = (path) =>
  new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`);

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * Listens to the program, for as long as it takes.
 * @param {string} path
 * @param {{message: (said: object) => void, up: () => void, down: () => void}} on
 * @returns {() => void} stops it
 */
export function listen(path, on) {
  let socket = null;
  let timer = 0;
  let wait = LEAST_WAIT;
  let over = false;

  const open = () => {
    const mine = socketTo(path);
    socket = mine;
    mine.onopen = () => {
      wait = LEAST_WAIT;
      if (socket === mine) on.up();
    };
    mine.onmessage = ({ data }) => {
      const said = parse(data);
      if (said && socket === mine) on.message(said);
    };
    mine.onclose = () => {
      if (over || socket !== mine) return;
      on.down();
      timer = setTimeout(open, wait);
      wait = Math.min(MOST_WAIT, wait * 1.7);
    };
  };

  // A machine that slept may hold a socket of which nobody has said that it is dead.
  let hiddenAt = 0;
  const wake = () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (hiddenAt && Date.now() - hiddenAt > 20_000 && socket.readyState === WebSocket.OPEN) {
      const old = socket;
      open();
      old.close();
    }
  };
  document.addEventListener('visibilitychange', wake);
  open();

  return () => {
    over = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', wake);
    socket.close();
  };
}

/**
 * Asks what the moves gave away.
 * @param {string} query @param {(said: object) => void} message the last has `done` or `error`
 * @returns {() => void} stops it
 */
export function review(query, message) {
  const socket = socketTo(`/api/review?${query}`);
  let over = false;
  const end = (said) => {
    if (over) return;
    over = true;
    socket.close();
    message(said);
  };
  socket.onmessage = ({ data }) => {
    const said = parse(data);
    if (!said || over) return;
    if (said.done || said.error) end(said);
    else message(said);
  };
  socket.onclose = () => end({ error: 'The review broke off: try again.' });
  return () => {
    over = true;
    socket.close();
  };
}
