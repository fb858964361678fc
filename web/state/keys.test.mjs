import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { alice, bob, game, playing, won } from './fixtures.mjs';
import { keyMeans, walk } from './keys.js';
import { entrance } from './position.js';

describe('keys', () => {
	const press = (code, more = {}, where = 'page', state = playing([alice, bob], game('44'))) =>
		keyMeans(state, { code, key: code, ...more }, where);

	test('1 to 9 drop, by their place and not by their letter', () => {
		assert.deepEqual(press('Digit1', { key: '&' }), { do: 'number', number: 1 });
		assert.deepEqual(press('Numpad9', { key: 'PageUp' }), { do: 'number', number: 9 });
		assert.equal(press('Digit0'), null);
	});

	test('mean nothing in a field, or with a modifier', () => {
		assert.equal(press('Digit4', {}, 'field'), null);
		for (const held of ['ctrlKey', 'altKey', 'metaKey'])
			assert.equal(press('Digit4', { [held]: true }), null);
	});

	test('M switches the sound, also after the end', () => {
		assert.deepEqual(press('KeyM', { key: 'm' }), { do: 'sound' });
		assert.deepEqual(press('KeyM', { key: 'M' }, 'grid', playing([], won())), { do: 'sound' });
		assert.equal(press('KeyM', { key: 'm' }, 'field'), null);
	});

	test('that are held down do not drop again', () => {
		assert.deepEqual(press('Digit4', { repeat: true }), { do: 'nothing' });
	});

	test('walk the board, and drop where we are', () => {
		assert.deepEqual(press('ArrowLeft', {}, 'grid'), { do: 'walk', key: 'ArrowLeft' });
		assert.deepEqual(press('Home', {}, 'grid'), { do: 'walk', key: 'Home' });
		assert.deepEqual(press('Enter', {}, 'grid'), { do: 'choose here' });
		assert.deepEqual(press('Space', { key: ' ' }, 'grid'), { do: 'choose here' });
	});

	test('enter the board from nowhere', () => {
		assert.deepEqual(press('ArrowUp'), { do: 'enter' });
		assert.equal(press('ArrowUp', {}, 'control'), null);
	});

	test('step through the moves of a game that is over, or from an older position', () => {
		const over = playing([alice], won());
		const older = playing([alice], game('44'), { type: 'show', at: 1 });
		assert.deepEqual(press('ArrowLeft', {}, 'page', over), { do: 'step', by: -1 });
		assert.deepEqual(press('ArrowRight', {}, 'control', older), { do: 'step', by: 1 });
		assert.equal(press('ArrowLeft', {}, 'range', over), null);
	});

	test('Enter after the end plays the next game, unless a control wants it', () => {
		const over = playing([alice, bob], won());
		assert.deepEqual(press('Enter', {}, 'page', over), { do: 'next' });
		assert.deepEqual(press('Enter', {}, 'grid', over), { do: 'next' });
		assert.equal(press('Enter', {}, 'control', over), null);
		assert.equal(press('Enter', {}, 'page', playing([], won())), null);
		assert.equal(press('Enter'), null);
	});
});

describe('walking the board', () => {
	const shape = { bins: 7, capacity: 6 };
	const to = (key, from = { bin: 3, row: 2 }) => Object.values(walk(shape, from, key));

	test('goes a cell at a time, up being up', () => {
		assert.deepEqual(
			['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => to(key)),
			[
				[2, 2],
				[4, 2],
				[3, 3],
				[3, 1],
			],
		);
	});

	test('goes to the ends', () => {
		assert.deepEqual(
			['Home', 'End', 'PageUp', 'PageDown'].map((key) => to(key)),
			[
				[0, 2],
				[6, 2],
				[3, 5],
				[3, 0],
			],
		);
	});

	test('stays within', () => {
		assert.deepEqual(to('ArrowLeft', { bin: 0, row: 0 }), [0, 0]);
		assert.deepEqual(to('ArrowUp', { bin: 6, row: 5 }), [6, 5]);
	});

	test('begins in the middle, on top of its discs', () => {
		assert.deepEqual(entrance(playing([], game('44'))), { bin: 3, row: 2 });
		assert.deepEqual(entrance(playing([], game('444444'))), { bin: 3, row: 5 });
	});
});
