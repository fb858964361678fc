// Records by a reader in another language: the vectors of the crate that reads and writes them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { prove, read } from './records.mjs';

const file = new URL('../../crates/record/vectors.json', import.meta.url);
const { records } = JSON.parse(readFileSync(file, 'utf8'));
const good = records.filter(({ proof }) => proof !== 'none');
const bad = records.filter(({ proof }) => proof === 'none');

test('records say and prove the same', () => {
  assert.ok(good.length > 12);
  for (const { name, text, ...expected } of good) {
    const [game, ...others] = read(text);
    assert.equal(others.length, 0, name);
    const { tags, steps, result } = game;
    const players = ['Player1', 'Player2', 'Player3', 'Player4'].map((tag) => tags.get(tag));
    assert.deepEqual(
      {
        game: tags.get('Game') ?? null,
        players: players.filter((player) => player !== undefined),
        terms: tags.get('Terms'),
        steps,
        end: tags.get('End') ?? null,
        result,
        ...prove(game),
      },
      expected,
      name,
    );
  }
});

test('games follow each other', () => {
  const text = good.map(({ text }) => text).join('\r\n');
  assert.equal(read(text).length, good.length);
});

test('texts that the crate refuses are refused', () => {
  assert.ok(bad.length > 10);
  for (const { name, text } of bad) {
    assert.throws(() => read(text).map(prove), undefined, name);
  }
});

test('each digit of what is signed counts', () => {
  for (const { name, text } of good.filter(({ proof }) => proof === 'ended')) {
    for (const tag of [
      'Game',
      'Chain',
      'Genesis',
      'Witness',
      'EndedAt',
      'WitnessSignature',
      'Player1',
      'Time',
      'Nonce',
      'Signature1',
      'Signature2',
    ]) {
      const [line] = new RegExp(`^\\[${tag} .*$`, 'm').exec(text) ?? [];
      if (line === undefined) continue;
      for (let at = tag.length + 3; at < line.length - 2; at += 7) {
        const other = line[at] === '1' ? '2' : '1';
        if (!/[0-9a-f]/.test(line[at])) continue;
        const changed = text.replace(line, line.slice(0, at) + other + line.slice(at + 1));
        assert.throws(() => read(changed).map(prove), undefined, `${name}: ${tag}, ${at}`);
      }
    }
  }
});
