// A disk that is full while other tabs of the same browser keep their games.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';

import '../host/page-fakes.mjs';

import { kept as disk } from '../host/page-fakes.mjs';
import { keep, recall } from '../storage.js';
import { line } from './fixtures.mjs';

/** @import { HereGames } from './types.d.ts' */

const { setItem } = window.localStorage;
let isFull = false;
window.localStorage.setItem = (name, value) => {
	if (isFull) throw new Error('QuotaExceededError');
	setItem(name, value);
};
Object.assign(globalThis, { addEventListener: () => {} });

const here = await import('../here/main.js');
const terms = await import('../terms/kept.js');
const { addKey } = await import('../program/main.js');

/** What is on the disk under a name. @param {string} name */
const onDisk = (name) => JSON.parse(disk.get(`connect4-${name}`) ?? 'null');
/** Has another tab, which has seen the disk as it is, keep something. @param {string} name @param {unknown} value */
const otherTab = (name, value) => disk.set(`connect4-${name}`, JSON.stringify(value));

const start = () => here.start({ terms: line('').terms, seats: [null, null] });
/** @returns {HereGames} */
const games = () => recall('here', { count: 0, games: {} });

let visits = 0;
/** Games of one test are not those of the next. */
const fresh = (/** @type {string} */ game) => `0x${game}${visits}`;
/** A game by signed terms as its module shows it. @param {string} number @param {number} turns @returns {any} */
const shownAs = (number, turns) => ({
	number,
	side: 'red',
	stage: 'playing',
	terms: { players: { red: { key: '' }, blue: { account: 'mine', guest: false } }, time: 1 },
	game: { position: { turns } },
});

beforeEach(() => {
	isFull = false;
	visits += 1;
	disk.clear();
});

describe('a game that a full disk does not take', () => {
	test('is there in its tab, beside those that another tab has kept since', () => {
		start();
		isFull = true;
		const mine = start();
		otherTab('here', { count: 2, games: { h1: games().games.h1, h9: { turns: 7 } } });
		assert.deepEqual(Object.keys(games().games).sort(), ['h1', mine, 'h9'].sort());
		isFull = false;
		const later = start();
		assert.deepEqual(Object.keys(onDisk('here').games).sort(), ['h1', mine, 'h9', later].sort());
	});

	test('leaves its number to one that another tab has kept', () => {
		isFull = true;
		const mine = start();
		otherTab('here', { count: 1, games: { [mine]: { seed: -1, turns: 7 } } });
		assert.equal(games().games[mine]?.turns, 7);
		isFull = false;
		const later = start();
		assert.notEqual(later, mine);
		assert.equal(onDisk('here').games[mine].turns, 7);
	});

	test('by signed terms does not take those of another tab from the disk', () => {
		isFull = true;
		terms.write('0x01', shownAs(fresh('a'), 0));
		otherTab('signed', { [fresh('b')]: { opponent: 'another', over: false } });
		assert.deepEqual(Object.keys(terms.kept()).sort(), [fresh('a'), fresh('b')]);
		isFull = false;
		terms.write('0x01', shownAs(fresh('a'), 1));
		const found = onDisk('signed');
		assert.deepEqual([found[fresh('a')].turns, found[fresh('b')].opponent], [1, 'another']);
	});
});

test('a key to an account that another tab has kept stays, on a full disk and else', () => {
	addKey('one');
	otherTab('keys', ['one', 'theirs']);
	addKey('two');
	assert.deepEqual(onDisk('keys'), ['one', 'theirs', 'two']);
	isFull = true;
	addKey('three');
	otherTab('keys', ['one', 'theirs', 'two', 'theirs as well']);
	isFull = false;
	addKey('four');
	assert.deepEqual(onDisk('keys'), ['one', 'theirs', 'two', 'theirs as well', 'three', 'four']);
});

test('a page is told whether the browser has kept something', () => {
	assert.equal(keep('sound', true), true);
	isFull = true;
	assert.equal(keep('sound', false), false);
	assert.equal(recall('sound', true), false, 'it is there as long as the page lasts');
});
