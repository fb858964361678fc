// A game for a stake between two wallets at a public host: by a link, with moves in the room of a relay.
import assert from 'node:assert/strict';
import { pictureInBoth, says } from './harness.mjs';
import { connect, ethereum, played } from './hosted.mjs';

export const SECRETS = ['11', '22'].map((byte) => `0x${byte.repeat(32)}`);
/** What is said of a link that somebody has taken who has not paid. */
export const TAKEN = /its taker pays first.*can be taken again/;
/** What the page says in a turn of either player, whose name is two words. */
export const BEGUN = /to move|Waiting for ([A-Z]\w+ [A-Z]\w+|alice|bob)/;

/** Two players with wallets of Ethereum in the lobby; `blue` makes another one of the second. */
export const players = async (t, at, { blue = (at) => ethereum(t, at, SECRETS[1]) } = {}) => {
  const both = { red: await ethereum(t, at, SECRETS[0]), blue: await blue(at) };
  for (const { page } of Object.values(both)) await connect(page, at.url);
  return both;
};

/** Keeps pictures of a page, wide and narrow, in light and in dark. */
export const pictures = async (page, name) => {
  const before = page.viewportSize();
  for (const width of [360, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    await pictureInBoth(page, `stakes-${name}-${width}`);
  }
  await page.setViewportSize(before);
};

/** What a player is asked before the wallet is. */
export const asked = ({ page }, stake = '1 DOT') =>
  says(page, '#agreement', new RegExp(`Stake${stake}Opponent0x.*Their key0x.*You pay now`));

/** Has the wallet of a page pay what it is asked for, once that is shown. */
export const pays = async (player, stake) => {
  await asked(player, stake);
  await player.page.click('#agreement button[value=yes]');
};

/** Has the wallet asked again for what is due, unless it is by now. */
export const askAgain = ({ page }) =>
  page.evaluate(() => document.querySelector('#stake-now')?.click());

/** Red offers a game by a link. @param stake in DOT */
export const offered = async ({ red: { page } }, stake = '1') => {
  await page.check('#new-game [name=way][value=friend]', { force: true });
  await page.selectOption('#new-game [name=friend]', 'invite');
  await page.selectOption('#by-terms [name=pool]', '0');
  await page.selectOption('#by-terms [name=side]', 'first');
  await page.selectOption('#new-game [name=board]', '6x4x4');
  await page.fill('#bet input', stake);
  // The first clock that lasts for a stake.
  assert.equal(await page.inputValue('#by-terms [name=time]'), '300,5');
  await pictures(page, 'form');
  await page.press('#start:enabled', 'Enter');
  await says(page, '#invitation-text', /Send the link/);
  return page.inputValue('#invitation-link');
};

/** Red offers a game by a link, and blue agrees to it. */
export const agreed = async (both) => {
  const { red, blue } = both;
  // What is shown of an account of Polkadot is its address for contracts.
  const opponent = red.wallet.address?.toLowerCase() ?? '0x.*';
  await blue.page.goto(await offered(both));
  await says(blue.page, '#invitation-text', /6 × 4.*you move second.*You pay first/);
  await says(
    blue.page,
    '#invitation-facts',
    new RegExp(`Stake1 DOT of each playerOpponent${opponent}Their key0x.*Contract0x.*until`),
  );
  await pictures(blue.page, 'invited');
  await blue.page.click('#invitation-play:visible');
  await blue.page.waitForURL('**/game/0x*');
  await says(red.page, '#invitation-text', TAKEN);
};

/** Red pays after blue, and the game begins. */
export const follows = async ({ red, blue }) => {
  await red.page.waitForURL('**/game/0x*');
  await pays(red);
  for (const { page } of [red, blue]) {
    await says(page, '#status', BEGUN);
    await says(page, '#terms-text', /For a stake of 1 DOT of each/);
  }
};

/** Both pay, and the game begins. */
export const paid = async (both) => {
  await pays(both.blue);
  await follows(both);
};

/** Has what is owed paid out, until there is nothing more. */
export const paidOut = async (page) => {
  await page.click('#stake-withdraw:enabled');
  await page.waitForSelector('#stake-withdraw', { state: 'hidden' });
};

/**
 * A whole game between two wallets that are connected, from the offer until red, which wins, has its prize.
 * @param deposit what is said of the deposit to blue, which pays first
 */
export const playForStake = async (both, deposit) => {
  await agreed(both);
  await says(both.blue.page, '#agreement', deposit);
  await paid(both);
  await played(both.red.page, both.blue.page, [0, 1, 0, 1, 0, 1, 0]);
  await says(both.red.page, '#status', /Red wins/);
  await says(both.red.page, '#terms-note', /owes you 2 DOT/);
  await paidOut(both.red.page);
};
