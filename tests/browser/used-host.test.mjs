// Which host a page uses, where it was taken from elsewhere: it is shown before anything is known of it.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { closeBrowser, host, picture, says, text, visitor } from './harness.mjs';
import { files, world } from './hosted.mjs';

after(closeBrowser);

describe('the host that a page uses', () => {
  test('is shown whatever it says of itself, and a link’s is left by a click', async (t) => {
    const at = await world(t);
    const where = await files(t, at.url);
    const page = await visitor(t);
    await page.goto(where);
    await says(page, '#used-host', new RegExp(`^Host: ${new URL(at.url).host}$`));
    const { port } = await host(t, '--url', at.chain.url);
    const evil = `127.0.0.1:${port}`;
    // It does not say that it is a host.
    await page.route(`http://${evil}/api/hello`, (route) => route.fulfill({ body: '{}' }));
    await page.goto(`${where}/?host=http://${evil}`);
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
    const asked = [];
    page.on('request', (request) => asked.push(new URL(request.url()).host));
    const { port } = await host(t, '--url', at.chain.url);
    const evil = `127.0.0.1:${port}`;
    await page.goto(`${at.url}/?host=http://${evil}`);
    await page.waitForSelector('body[data-state=lobby]');
    assert.equal(await text(page, '#used-host'), '');
    assert.ok(!asked.includes(evil), 'it is asked nothing');
  });
});
