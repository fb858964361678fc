// Public hosts side by side: behind a reverse proxy as packaging/ has it, and with a relay that they share.
import assert from 'node:assert/strict';
import { request } from 'node:https';
import { after, test } from 'node:test';
import { afterwards, closeBrowser, hostWith, says, shown, turns } from './harness.mjs';
import { game, guest, played, seated, world } from './hosted.mjs';
import { behind, PROXIES } from './proxies.mjs';

after(closeBrowser);

/** Whoever visits takes the certificates of these proxies. */
const options = { ignoreHTTPSErrors: true };

/** What is said to who drops a disc when the host has gone, and the page has not found another one yet. */
const AWAY = 'No move can be made until the program is back.';

/**
 * Drops a disc while a host may be away: it is taken without a word once the page has found another one, as the
 * page asks again what the proxy does not pass on.
 */
const dropAnyway = async (page, bin) => {
  const turn = (await shown(page)) + 1;
  await page.waitForSelector('body:has(#link[data-up=true]):has(#error[hidden])');
  await page.keyboard.press(`Digit${bin + 1}`);
  const told = await page.waitForFunction((turn) => {
    const error = document.querySelector('#error');
    const { turns } = document.querySelector('#board').dataset;
    const isDone = document.body.dataset.pending === 'false' && Number(turns) === turn;
    return isDone ? 'done' : !error.hidden && error.querySelector('#error-text').textContent;
  }, turn);
  const said = await told.jsonValue();
  if (said === AWAY) return dropAnyway(page, bin);
  assert.equal(said, 'done');
};

/** Makes a move, each time that it is called, and waits until both have it; returns how many there are. */
const moves = (red, blue) => {
  let turn = 0;
  return async () => {
    const [page, other] = turn % 2 ? [blue.page, red.page] : [red.page, blue.page];
    await dropAnyway(page, turn % 2);
    turn += 1;
    await turns(other, turn);
    return turn;
  };
};

for (const proxy of PROXIES) {
  /** A chain, and two hosts behind the proxy. */
  const two = async (t) => {
    const at = await world(t);
    const begin = ({ options, env }) => hostWith(t, env, '--url', at.chain.url, ...options);
    return { ...at, ...(await behind(t, proxy, 2, begin)), options };
  };

  test(`behind ${proxy.name}: a game on the chain, while one host after the other is killed`, async (t) => {
    const at = await two(t);
    const { red, blue } = await game(t, at);
    const move = moves(red, blue);
    await move();
    const again = await at.kill(0);
    await move();
    await move();
    await again();
    await at.kill(1);
    await move();
    await move();
    // What a visitor is told with the page holds behind the proxy, too.
    const page = await fetch(at.hosts[0].url);
    const proxied = await red.page.context().request.get(`${at.url}/`);
    for (const header of ['content-security-policy', 'x-content-type-options']) {
      assert.equal(proxied.headers()[header], page.headers.get(header));
    }
  });
}

test('of two hosts behind one name one is the witness: guests play on while the hosts are killed', async (t) => {
  const at = await world(t);
  const begin = ({ options, env }) => hostWith(t, env, '--url', at.chain.url, ...options);
  const [nginx] = PROXIES;
  const hosts = await behind(t, nginx, 2, begin, { hasWitness: true });
  const pages = [await guest(t, hosts.url, options), await guest(t, hosts.url, options)];
  for (const page of pages) await page.click('#start');
  const [red, blue] = await seated(...pages);
  await says(red, '#terms-text', /^Clock 3 min \+ 2 s/);
  await played(red, blue, [3, 0]);
  // The pages go on with the other host, and the game with the witness.
  await hosts.kill(1);
  await played(red, blue, [3, 0], 2);
  const again = await hosts.kill(0);
  await says(red, '#terms-note', /The relay is not there/);
  await again();
  await played(red, blue, [3, 0, 3], 4);
  for (const page of [red, blue]) {
    await says(page, '#status', /Red wins!/);
    await says(page, '#terms-text', /The relay has signed this result/);
  }
});

/** Opens a socket of the relay behind a proxy as another host does; returns it, or the status. */
const opened = (url, from) =>
  new Promise((resolve, reject) => {
    const asked = request(`${url}/signed/lobby`, {
      rejectUnauthorized: false,
      headers: {
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'MDEyMzQ1Njc4OTAxMjM0NQ==',
        'x-forwarded-for': from,
      },
    });
    asked.on('upgrade', (_, socket) => resolve(socket));
    asked.on('response', ({ statusCode }) => resolve(statusCode));
    asked.on('error', reject);
    asked.end();
  });

test('a host that is not counted opens more sockets through a proxy than an address may', async (t) => {
  const at = await world(t);
  const neighbour = '192.0.2.7';
  const begin = ({ options, env }) =>
    hostWith(t, env, '--url', at.chain.url, '--uncounted', neighbour, ...options);
  const [nginx] = PROXIES;
  const { url } = await behind(t, nginx, 1, begin);
  const [MANY, SOME] = [100, 50];
  const open = [];
  afterwards(t, () => {
    for (const one of open) one.destroy?.();
  });
  const opens = async (from) => {
    const all = await Promise.all(Array.from({ length: MANY }, () => opened(url, from)));
    open.push(...all);
    return all.filter((one) => typeof one === 'object').length;
  };
  assert.equal(await opens(neighbour), MANY);
  const others = await opens('192.0.2.8');
  assert.ok(others >= SOME && others < MANY, `${others} sockets`);
});
