// Which host a page uses, where it was taken from elsewhere: it is shown before anything is known of it.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { faults } from './axe.mjs';
import { closeBrowser, host, picture, says, text, visitor } from './harness.mjs';
import { connect, ethereum, files, world } from './hosted.mjs';

after(closeBrowser);

/** The hosts that a page has asked for something, over HTTP and by sockets. */
const asks = (page) => {
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('websocket', (socket) => asked.push(socket.url()));
  return (name) => asked.filter((url) => new URL(url).host === name);
};

/** Another host of the same chain. */
const another = async (t, { chain }) => `127.0.0.1:${(await host(t, '--url', chain.url)).port}`;

const agree = (page) => page.click('#link-host button:has-text("in this tab")');

describe('the host that a page uses', () => {
  test('is shown whatever it says of itself, and a link’s is left by a click', async (t) => {
    const at = await world(t);
    const where = await files(t, at.url);
    const page = await visitor(t);
    await page.goto(where);
    await says(page, '#used-host', new RegExp(`^Host: ${new URL(at.url).host}$`));
    const evil = await another(t, at);
    // It does not say that it is a host.
    await page.route(`http://${evil}/api/hello`, (route) => route.fulfill({ body: '{}' }));
    await page.goto(`${where}/?host=http://${evil}`);
    await agree(page);
    await says(page, '#used-host', new RegExp(`^Host: ${evil}, which a link has named`));
    await picture(page, 'used-host');
    // It stays visible in the tab, under an address that does not name it.
    await page.goto(`${where}/game/5`);
    await says(page, '#used-host', new RegExp(`^Host: ${evil}, which a link has named`));
    await page.click('#used-host button:has-text("Use the page’s own")');
    await says(page, '#used-host', new RegExp(`^Host: ${new URL(at.url).host}$`));
    // Another tab never heard of it.
    const other = await page.context().newPage();
    await other.goto(where);
    await says(other, '#used-host', new RegExp(`^Host: ${new URL(at.url).host}$`));
  });

  test('is not a link’s on a page that a host serves', async (t) => {
    const at = await world(t);
    const page = await visitor(t);
    const asked = asks(page);
    const evil = await another(t, at);
    await page.goto(`${at.url}/?host=http://${evil}`);
    await page.waitForSelector('body[data-state=lobby]');
    assert.equal(await text(page, '#used-host'), '');
    assert.deepEqual(asked(evil), []);
  });
});

describe('the host of a link', () => {
  test('is asked nothing before the player agrees, and learns no account by that', async (t) => {
    const at = await world(t);
    const where = await files(t, at.url);
    const { page, wallet } = await ethereum(t, at, `0x${'11'.repeat(32)}`);
    await connect(page, where);
    const evil = await another(t, at);
    const asked = asks(page);
    const link = `${where}/?host=http://${evil}`;
    await page.goto(link);
    await says(page, '#link-host h1', new RegExp(`^Use ${evil}\\?$`));
    assert.deepEqual(await faults(page), []);
    await picture(page, 'link-host');
    // Nor by what can be clicked meanwhile.
    await page.click('#puzzle-link a');
    await says(page, '#link-host h1', new RegExp(`^Use ${evil}\\?$`));
    assert.deepEqual([asked(evil), asked(new URL(at.url).host)], [[], []]);
    await page.goto(link);
    await page.click('#link-host button:has-text("Stay with")');
    await says(page, '#used-host', new RegExp(`^Host: ${new URL(at.url).host}$`));
    assert.equal(page.url(), `${where}/`);
    assert.deepEqual(asked(evil), []);
    await page.goto(link);
    await agree(page);
    await page.waitForSelector('body[data-state=lobby] #start:enabled:visible');
    await says(page, '#wallet', /^(?!.*0x)/);
    const said = asked(evil).join(' ').toLowerCase();
    assert.match(said, /api\/hello/);
    assert.ok(!said.includes(wallet.address.slice(2, 10).toLowerCase()));
    assert.ok(!said.includes('/api/holder'));
    await connect(page, where);
    assert.match(asked(evil).join(' '), /\/api\/holder/);
  });

  test('is not used at a later visit, whatever it has said of itself', async (t) => {
    const at = await world(t);
    const where = await files(t, at.url);
    const page = await visitor(t);
    const evil = await another(t, at);
    await page.goto(`${where}/?host=http://${evil}`);
    await agree(page);
    await page.waitForSelector('body[data-state=lobby] #start:enabled:visible');
    const later = await page.context().newPage();
    // Those of the page itself are away.
    await later.route(`${at.url}/**`, (route) => route.abort());
    await later.routeWebSocket(new RegExp(new URL(at.url).host), (socket) => socket.close());
    const asked = asks(later);
    await later.goto(where);
    await says(later, '#used-host', new RegExp(`^Host: ${new URL(at.url).host}$`));
    await later.waitForSelector('#chain:visible');
    assert.deepEqual(asked(evil), []);
    const kept = await later.evaluate(() => JSON.stringify({ ...localStorage }));
    assert.ok(!kept.includes(evil), kept);
  });

  test('has the page go nowhere else, also by a path that looks like another site', async (t) => {
    const at = await world(t);
    const where = await files(t, at.url);
    const page = await visitor(t);
    const evil = await another(t, at);
    await page.goto(`${where}//${evil}/?host=http://${evil}#key=1234`);
    await agree(page);
    await page.click('#used-host button:has-text("Use the page’s own")');
    await page.waitForSelector('body[data-state=lobby]');
    assert.equal(page.url(), `${where}/`);
  });

  test('that is none which a page can ask is left out', async (t) => {
    const at = await world(t);
    const where = await files(t, at.url);
    const page = await visitor(t);
    for (const text of ['data:,x', 'file:///x', 'javascript:alert(1)', '//', '']) {
      await page.goto(`${where}/?host=${encodeURIComponent(text)}`);
      await page.waitForSelector('body[data-state=lobby] #start:enabled:visible');
      await says(page, '#used-host', new RegExp(`^Host: ${new URL(at.url).host}$`));
    }
  });
});
