// Accessibility of what a page shows, by axe's rules for WCAG 2.1 A and AA.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { still } from './harness.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

/** The violations that axe finds on the screen, in words. */
export const faults = async (page) => {
  await still(page);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (rules) => globalThis.axe.run(document, { runOnly: rules }),
    RULES,
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
};

/** The same in light and in dark, one after the other on the same screen. */
export const faultsInBoth = async (page) => {
  const found = [];
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await faults(page)).map((fault) => `in ${colorScheme}: ${fault}`));
  }
  return found;
};
