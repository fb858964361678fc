// Makes the pictures of a profile, the standings and the games that go on for the documents, in docs/.
import path from 'node:path';
import { playOne, playSigned, rated, recorded, requests } from './games.mjs';
import { closeBrowser, node, run, says, serve, startVariant, still, visitor } from './harness.mjs';

const DOCS = process.env.DOCS;
/** A game that nobody wins: so nobody has a line after any number of its moves. */
const DRAWN = '773536213355643211576164565614277172224443';
/** The accounts, the strongest first. */
const PEOPLE = ['alice', 'dave', 'charlie', 'eve', 'bob', 'ferdie'];
/** A game that the player wins who begins, and one that the opponent wins. */
const WON = '4343434';
const LOST = '14151647';
/** Games that end, and those that go on: who plays, and how many moves. */
const ENDED = 64;
const LIVE = [
  ['alice', 'charlie', 17],
  ['dave', 'alice', 22],
  ['eve', 'ferdie', 9],
  ['bob', 'dave', 31],
  ['charlie', 'eve', 26],
  ['ferdie', 'alice', 12],
];

/** Numbers from 0 to below `bound`, the same each time (a linear congruential generator). */
let seed = 7;
const below = (bound) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * bound);
};
/** Pixels of a picture from the top, at most. */
const MOST_HEIGHT = 1_150;
/** The same game from the other side. */
const mirrored = (moves) => moves.replace(/./g, (bin) => String(8 - Number(bin)));

const cleanups = [];
const t = { after: (cleanup) => cleanups.unshift(cleanup) };
const chain = await node(t, null);
await run('deploy', '--url', chain.url);
const server = await serve(t, '--url', chain.url);
const post = await requests(server);

for (let number = 0; number < ENDED; number += 1) {
  const one = below(PEOPLE.length);
  const two = (one + 1 + below(PEOPLE.length - 1)) % PEOPLE.length;
  // The stronger one wins more often than not.
  const isUpset = below(10) < 3;
  const moves = one < two === isUpset ? LOST : WON;
  const [red, blue] = [PEOPLE[one], PEOPLE[two]];
  await playSigned(t, server.url, { red, blue, moves: below(2) ? moves : mirrored(moves) });
}
await recorded(t, chain, server);
await rated(server, PEOPLE.length);
await playOne(post, { red: 'alice', blue: 'bob', moves: '4141552', resigns: 'blue' });
const variants = await visitor(t);
await startVariant(variants, server, {
  seats: ['here', 'here', 'here', 'here'],
  board: { bins: 7, capacity: 6, line: 4 },
  powers: { take: 1 },
});
for (const move of '4 4 3 5 3 6 5 2'.split(' ')) {
  await variants.keyboard.press(move);
  await variants.waitForSelector('body[data-pending=false]');
}
for (const [index, [red, blue, length]] of LIVE.entries()) {
  const moves = DRAWN.slice(0, length);
  await playOne(post, { red, blue, moves: index % 2 ? moves : mirrored(moves) });
}
await playOne(post, { red: 'bob', blue: 'alice', moves: DRAWN.slice(0, 14) });

for (const colorScheme of ['light', 'dark']) {
  const page = await visitor(t, { colorScheme, viewport: { width: 1280, height: 900 } });
  const dark = colorScheme === 'dark' ? '-dark' : '';
  for (const [name, address, selector, said] of [
    ['profile', '/player/alice?against=dave', '#against', /games/],
    ['standings', '/players', '.standings', /ferdie/],
    ['live', '/live', '.live', /bob/],
  ]) {
    await page.goto(server.url + address);
    await says(page, selector, said);
    await still(page);
    // As much of it as a reader looks at, down to the lower edge of a card.
    const height = await page.evaluate((most) => {
      const parts = document.querySelectorAll('#page-people :is(.card, .live, p)');
      const edges = [...parts].map((part) => part.getBoundingClientRect().bottom);
      return Math.max(...edges.filter((edge) => edge < most));
    }, MOST_HEIGHT);
    const clip = { x: 0, y: 0, width: 1280, height: Math.ceil(height) + 24 };
    await page.screenshot({ path: path.join(DOCS, `${name}${dark}.png`), clip, fullPage: true });
  }
}

for (const cleanup of cleanups) await cleanup();
await closeBrowser();
