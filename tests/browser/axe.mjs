// Accessibility of what a page shows, by axe's rules for WCAG 2.1 A and AA.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { still } from './harness.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
};
/** Those that look at colours. By all others a screen has the same faults in light and in dark. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** The violations that axe finds on the screen, in words. */
export const faults = async (page, runOnly = RULES) => {
  await still(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate((options) => globalThis.axe.run(document, options), {
    runOnly,
  });
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
};

/** The same in light and in dark, one after the other on the same screen. */
export const faultsInBoth = async (page) => {
  const found = [];
  for (const [colorScheme, rules] of [
    ['light', RULES],
    ['dark', COLOURS],
  ]) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await faults(page, rules)).map((fault) => `in ${colorScheme}: ${fault}`));
  }
  return found;
};
