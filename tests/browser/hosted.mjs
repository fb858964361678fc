// Public hosts for tests, and players with wallets there.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import {
  afterwards,
  drop,
  folder,
  hashed,
  host,
  node,
  run,
  says,
  turns,
  visitor,
} from './harness.mjs';
import { EthereumWallet, fund, SubstrateWallet } from './wallets.mjs';

const DOT = 10n ** 10n;

/** A chain with the contracts, and a host of it. */
export const world = async (t, { options = [] } = {}, ...ofNode) => {
  const chain = await node(t, null, 0, ...ofNode);
  await run('deploy', '--url', chain.url);
  const served = await host(t, '--url', chain.url, ...options);
  const http = chain.url.replace('ws', 'http');
  /** Moves the chain's clock, and makes a block. */
  const later = async (seconds) => {
    for (const [method, ...params] of [['dev_advanceClock', seconds], ['dev_seal']]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const headers = { 'content-type': 'application/json' };
      const answer = await (await fetch(http, { method: 'POST', headers, body })).json();
      assert.equal(answer.error, undefined);
    }
  };
  return { chain, http, later, ...served };
};

/** A visitor at the lobby of a host. */
export const guest = async (t, url, options = {}) => {
  const page = await visitor(t, options);
  await page.goto(url);
  await page.waitForSelector('#start:enabled:visible');
  return page;
};

/** Two players of a game that has just begun, in the order of their seats. */
export const seated = async (...pages) => {
  for (const page of pages) {
    await page.waitForSelector('body[data-state=game] #board[data-turns="0"]');
    await page.waitForFunction(() => /you|Waiting for/.test(document.title));
  }
  return (await pages[0].title()).includes('you') ? pages : pages.reverse();
};

/** Drops discs in turn; each is seen by both. */
export const played = async (red, blue, bins, from = 0) => {
  for (const [index, bin] of bins.entries()) {
    const turn = from + index;
    await drop(turn % 2 ? blue : red, bin);
    for (const page of [red, blue]) await turns(page, turn + 1);
  }
};

/**
 * A node of a player's own: it passes on what it is asked to the chain's, until it is stopped. `answers`
 * has what it says in place of the chain, by method.
 */
export const ownNode = async (t, { http }) => {
  const answers = {};
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  const asked = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end();
    let body = '';
    for await (const part of request) body += part;
    const { id, method } = JSON.parse(body);
    asked.push(method);
    const headers = { 'content-type': 'application/json' };
    const own =
      method in answers && JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] });
    const said = own || (await (await fetch(http, { method: 'POST', headers, body })).text());
    response.writeHead(200, { ...headers, ...cors }).end(said);
  });
  const listen = (port) => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server.address();
  afterwards(t, () => server.listening && stop());
  return { name: `127.0.0.1:${port}`, answers, asked, stop, again: () => listen(port) };
};

/** Names a node in the sheet of wallets, and waits until it is used. */
export const nameNode = async (page, { name }) => {
  await page.click('#wallet-open');
  await page.click('#own-node summary');
  await page.fill('#own-node input', `http://${name}`);
  await page.keyboard.press('Enter');
  await says(page, '#own-node summary', new RegExp(`checked by the node ${name}`));
  await page.keyboard.press('Escape');
};

/** A visitor with a wallet of Ethereum. */
export const ethereum = async (t, { chain, http, forgets = false, options }, ...secrets) => {
  const wallet = new EthereumWallet(http, secrets);
  wallet.forgets = forgets;
  await fund(chain.url, 100n * DOT, ...wallet.keys.map(({ address }) => address));
  const page = await visitor(t, options);
  await wallet.into(page);
  afterwards(t, () => wallet.stop());
  return { page, wallet };
};

/** A visitor with a wallet of a Polkadot SDK chain. */
export const substrate = async (t, { chain, options }, ...uris) => {
  const wallet = new SubstrateWallet(uris);
  await fund(chain.url, 100n * DOT, ...wallet.pairs.map(({ address }) => address));
  const page = await visitor(t, options);
  await wallet.into(page);
  return { page, wallet };
};

/** Opens the lobby and connects the wallet. */
export const connect = async (page, url) => {
  await page.goto(url);
  await page.click('#wallet-open');
  await page.click('#wallets [data-wallet]');
  await connected(page);
};

/** Waits until the wallet is connected: without an account of it the form is for games of the page. */
export const connected = async (page) => {
  await page.waitForSelector('#new-game [name=red] option', { state: 'attached' });
  await page.waitForSelector('#start:enabled:visible');
};

/** Starts a game on the chain against an account, by the form of the lobby, with the own one as red. */
export const start = async (page, account) => {
  await page.check('#new-game [name=way][value=friend]', { force: true });
  await page.selectOption('#new-game [name=friend]', 'account');
  await page.fill('#new-game [name=account]', account);
  await page.press('#start:enabled', 'Enter');
};

/** Has a wallet start a game on the chain against another one, which opens it. */
export const begun = async (red, blue) => {
  await start(red.page, blue.wallet.address ?? blue.wallet.pairs[0].address);
  await red.page.waitForURL(/\/game\/\d+$/);
  await blue.page.goto(red.page.url());
  for (const { page } of [red, blue]) {
    await turns(page, 0);
    // The wallet is there again.
    await says(page, '#status', /you|Waiting for/);
  }
};

/** A game on the chain between two wallets: red, which begins, is of Ethereum. */
export const game = async (
  t,
  at,
  { secrets = [`0x${'11'.repeat(32)}`], url = at.url, before = () => {} } = {},
) => {
  const red = await ethereum(t, at, ...secrets);
  const blue = await substrate(t, at, '//Blue//one');
  await before(red.page, blue.page);
  await connect(red.page, url);
  await connect(blue.page, url);
  await begun(red, blue);
  return { red, blue };
};

/** Serves the page as files, as any web server does. */
export const files = async (t, ...hosts) => (await mirror(t, hosts)).origin;

/** The same, with other files beside those of the page; and what was asked for. */
export const mirror = async (t, hosts, more = {}) => {
  const where = await folder(t);
  const named = hosts.flatMap((one) => ['--host', one]);
  const written = JSON.parse(await run('page', where, '--json', ...named));
  assert.ok(written.files > 50);
  const types = {
    js: 'text/javascript',
    css: 'text/css',
    svg: 'image/svg+xml',
    wasm: 'application/wasm',
    png: 'image/png',
    webmanifest: 'application/manifest+json',
  };
  const requests = [];
  const server = createServer(async (asked, answer) => {
    const { pathname } = new URL(asked.url, 'http://here');
    requests.push(pathname);
    const isFile = pathname.startsWith('/page/') || pathname === '/sw.js';
    const file = isFile ? pathname : '/index.html';
    const type = types[file.split('.').at(-1)] ?? 'text/html';
    const body = more[file] ?? (await readFile(path.join(where, file)).catch(() => null));
    answer.writeHead(body ? 200 : 404, { 'content-type': type }).end(body ?? '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => server.close());
  const origin = `http://127.0.0.1:${server.address().port}`;
  hashed.add(origin);
  return { origin, requests };
};

/** Waits until the page's error matches. */
export const error = (page, pattern) => says(page, '#error-text', pattern);

/** Has a page see other messages of the host's sockets: those that `change` makes of the true ones. */
export const lie = (page, change) =>
  page.routeWebSocket(/\/api\/live/, (socket) => {
    const host = socket.connectToServer();
    host.onMessage((text) => {
      const told = change(JSON.parse(text));
      if (told) socket.send(JSON.stringify(told));
    });
  });
