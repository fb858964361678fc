// Numbers, plurals, lists, and elements within a text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, either, form, listed, listedElements, mixed, number, spelt } from './forms.js';

/** Stands for an element, which these functions do not look into. */
const element = (text) => ({ text });

test('a number of things has a mark between its thousands', () => {
	assert.deepEqual([0, 999, 1_000, 1_234_567].map(number), ['0', '999', '1,000', '1,234,567']);
	assert.equal(counted(1, 'game'), '1 game');
	assert.equal(counted(12_345, 'game'), '12,345 games');
	assert.equal(counted(1_001, 'loss', 'losses'), '1,001 losses');
	assert.equal(form(0, 'disc comes', 'discs come'), 'discs come');
	assert.deepEqual([0, 10, 11, 1_000].map(spelt), ['no', 'ten', '11', '1,000']);
});

test('lists end with a word', () => {
	assert.equal(listed([]), '');
	assert.equal(listed([3]), '3');
	assert.equal(listed(['red', 'blue', 'green']), 'red, blue and green');
	assert.equal(either([3, 4]), '3 or 4');
	assert.equal(either([3, 4, 5]), '3, 4 or 5');
});

test('an element has its place in a text', () => {
	const [who, whom] = [element('alice'), element('bob')];
	assert.deepEqual(mixed`${who} plays ${whom} (now)`, [who, ' plays ', whom, ' (now)']);
	assert.deepEqual(mixed`${who} plays ${'red'}`, [who, ' plays ', 'red']);
	assert.deepEqual(mixed`None at all.`, ['None at all.']);
});

test('a list of elements is a list in a text', () => {
	const players = ['alice', 'bob', 'carol'].map(element);
	const [first, second, third] = players;
	assert.deepEqual(mixed`against ${listedElements(players)}.`, [
		'against ',
		first,
		', ',
		second,
		' and ',
		third,
		'.',
	]);
	assert.deepEqual(mixed`against ${listedElements([])}`, ['against ']);
});

test('an element is made of words of its text', () => {
	const link = (text) => element(text);
	assert.deepEqual(mixed`Paid out. ${link('New games begin elsewhere.')}`, [
		'Paid out. ',
		{ text: 'New games begin elsewhere.' },
	]);
});
