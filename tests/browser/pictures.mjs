// Makes the pictures of variants for the documents, in docs/: a game of four, and each kind of move before
// it, while its target is chosen, and after it.
import path from 'node:path';
import { closeBrowser, make, serve, startVariant, still, visitor } from './harness.mjs';

const DOCS = process.env.DOCS;
/** Pixels of a panel, and between two of them. */
const WIDTH = 620;
const GAP = 16;
const ONE_EACH = { take: 1, clear: 1, float: 1 };
const cleanups = [];
const t = { after: (cleanup) => cleanups.unshift(cleanup) };
const server = await serve(t);

const file = (name) => path.join(DOCS, `${name}.png`);

for (const colorScheme of ['light', 'dark']) {
  const page = await visitor(t, { colorScheme });
  await startVariant(page, server, {
    seats: ['here', 'here', 'here', 'here'],
    board: { bins: 9, capacity: 7, line: 4 },
    powers: ONE_EACH,
    rules: ['pop_out'],
  });
  for (const move of '5 5 4 6 4 5 5 3 6 7 3 4 6 2 f2.5 t5.2 8 7 7 3 8'.split(' ')) {
    await make(page, move);
  }
  await page.keyboard.press('t');
  await still(page);
  await page.screenshot({ path: file(colorScheme === 'dark' ? 'variant-dark' : 'variant') });
}

/** A part of the page from the hand to the lower edge of the board. */
const panel = async (page) => {
  await still(page);
  // What changed is drawn by the second frame from now.
  for (const _ of [1, 2]) await page.evaluate(() => new Promise(requestAnimationFrame));
  const [hand, board] = await Promise.all(
    ['#hand', '.frame'].map((selector) => page.locator(selector).boundingBox()),
  );
  const y = hand.y - 8;
  const height = board.y + board.height + 8 - y;
  const width = page.viewportSize().width;
  return page.screenshot({ clip: { x: 0, y, width, height } });
};

for (const [name, key, move] of [
  ['take', 't', '42'],
  ['clear', 'r', '1'],
  ['float', 'f', '13'],
  ['pop', 'p', '4'],
]) {
  const page = await visitor(t, {
    viewport: { width: WIDTH, height: 1000 },
    reducedMotion: 'reduce',
  });
  await startVariant(page, server, {
    seats: ['here', 'here', 'here'],
    powers: ONE_EACH,
    rules: ['pop_out'],
  });
  for (const drop of '33442354') await make(page, drop);
  await page.mouse.move(0, 0);
  const panels = [await panel(page)];
  await page.keyboard.press(key);
  panels.push(await panel(page));
  for (const digit of move) await page.keyboard.press(digit);
  await page.waitForSelector('body[data-pending=false] #board[data-turns="9"]');
  panels.push(await panel(page));

  // Side by side, on the page's own ground.
  const strip = await visitor(t, { viewport: { width: 3 * WIDTH + 2 * GAP, height: 400 } });
  const images = panels.map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`);
  await strip.setContent(
    `<body style="margin:0"><div style="display:flex;gap:${GAP}px;background:#f5f4f0">
      ${images.map((image) => `<img width="${WIDTH}" src="${image}">`).join('')}</div>`,
  );
  await strip.locator('div').screenshot({ path: file(`variant-${name}`) });
}

for (const cleanup of cleanups) await cleanup();
await closeBrowser();
