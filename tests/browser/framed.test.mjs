// The page in a frame of another page: nothing of it can be clicked there but a link to itself.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { afterwards, closeBrowser, FIREFOX, picture, visitor } from './harness.mjs';
import { files, world } from './hosted.mjs';

after(closeBrowser);

/** A page of somebody else that frames an address. */
const framing = async (t, url) => {
  const server = createServer((_, answer) =>
    answer
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<title>around</title><iframe src="${url}" width="900" height="600"></iframe>`),
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => server.close());
  return `http://127.0.0.1:${server.address().port}`;
};

test('a page from elsewhere links to itself alone when it is framed', async (t) => {
  for (const engine of ['chromium', FIREFOX.engine]) {
    await t.test(`in ${engine}`, async (t) => {
      const at = await world(t);
      const where = await files(t, at.url);
      const page = await visitor(t, { engine });
      const asked = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(await framing(t, `${where}/?host=${at.url}`));
      const frame = page.frameLocator('iframe');
      await frame.locator('a').waitFor();
      assert.equal(
        await frame.locator('body').innerText(),
        'Open Connect Four in a tab of its own',
      );
      assert.equal(await frame.locator('button, input, a').count(), 1);
      await picture(page, `framed-${engine}`);
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        frame.locator('a').click(),
      ]);
      await opened.waitForSelector('body[data-state=lobby]');
      assert.deepEqual(
        asked.filter((url) => url.startsWith(at.url)),
        [],
        'the framed page has asked its host nothing',
      );
    });
  }
});
