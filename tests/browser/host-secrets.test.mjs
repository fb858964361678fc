// Whoever takes all that a host has, its memory, its disk and its logs, can sign nothing by it.
import assert from 'node:assert/strict';
import { open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { closeBrowser, drop, turns } from './harness.mjs';
import { game, world } from './hosted.mjs';

after(closeBrowser);

const MOST = 64 << 20;

/** The memory of a process, in parts that overlap by what is looked for at most. */
async function* memory(pid) {
  const maps = (await readFile(`/proc/${pid}/maps`, 'utf8')).split('\n');
  const mem = await open(`/proc/${pid}/mem`);
  try {
    for (const line of maps) {
      const [range, rights] = line.split(' ');
      if (!rights?.startsWith('rw')) continue;
      const [start, end] = range.split('-').map((address) => Number.parseInt(address, 16));
      for (let at = start; at < end; at += MOST) {
        const part = Buffer.alloc(Math.min(end - at, MOST + 256));
        const { bytesRead } = await mem
          .read(part, 0, part.length, at)
          .catch(() => ({ bytesRead: 0 }));
        if (bytesRead) yield part.subarray(0, bytesRead);
      }
    }
  } finally {
    await mem.close();
  }
}

/** Which of these values are among the bytes, raw or as hexadecimal digits. */
const found = (bytes, values) =>
  Object.entries(values)
    .filter(([, value]) => bytes.includes(value) || bytes.includes(value.toString('hex')))
    .map(([name]) => name);

test('memory, disk and logs of a host hold no secret, and what passed through it can not be used again', async (t) => {
  const at = await world(t);
  const { red, blue } = await game(t, at);
  /** @type {{ head: string, tail: string, signature: string }[]} */
  const passed = [];
  blue.page.on('request', (request) => {
    if (request.url().endsWith('/api/submit')) passed.push(request.postDataJSON());
  });
  await drop(red.page, 0);
  await turns(blue.page, 1);
  await drop(blue.page, 1);
  await turns(red.page, 2);

  const hex = (text) => Buffer.from(text.replace('0x', ''), 'hex');
  const secrets = {
    'key of the wallet of Ethereum': hex(red.wallet.keys[0].privateKey),
    ...blue.wallet.secrets(),
  };
  // What it does hold, so that the search is known to find something.
  const known = { 'address of a player': hex(red.wallet.address.toLowerCase()) };
  const inMemory = { ...secrets, ...known };
  const names = new Set();
  for await (const part of memory(at.pid))
    for (const name of found(part, inMemory)) names.add(name);
  assert.deepEqual([...names], ['address of a player']);

  const onDisk = await readdir(at.data, { recursive: true, withFileTypes: true });
  for (const file of onDisk.filter((one) => one.isFile())) {
    const bytes = await readFile(path.join(file.parentPath, file.name));
    assert.deepEqual(found(bytes, secrets), [], file.name);
  }
  assert.deepEqual(found(Buffer.from(at.said()), secrets), []);

  // The host has seen this signature. It is good for the one transaction, once.
  const signed = passed.at(-1);
  const submit = async (body) => {
    const response = await fetch(`${at.url}/api/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { ok: response.ok, ...(await response.json()) };
  };
  const again = await submit(signed);
  assert.equal(again.ok, false);
  assert.match(again.error, /rejected the transaction/);
  const other = await submit({ ...signed, tail: signed.tail.replace(/..$/, '03') });
  assert.equal(other.ok, false);
});
