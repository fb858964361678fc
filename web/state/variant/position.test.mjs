import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { clockLeft } from '../clock.js';
import { keyMeans } from '../keys.js';
import { board, entrance } from '../position.js';
import { seats } from '../seats.js';
import { picking } from './choice.js';
import { alice, bob, CARL, playing, TAKEN, variant } from './fixtures.mjs';
import { again, lineQuery, requests } from './form.js';
import { remover, tableActions } from './table.js';

const pick = (kind) => ({ type: 'pick', picked: picking(variant(), kind) });

describe('the board', () => {
	test('marks the newest disc, and how discs go that were taken', () => {
		const drawn = board(playing([alice], variant(TAKEN.slice(0, 3))));
		assert.deepEqual(
			drawn.discs.map(({ key, last }) => [key, last]),
			[
				['0 0 0', false],
				['1 1 0', false],
				['2 1 1', true],
			],
		);
		assert.equal(drawn.leaving, null);
		assert.equal(board(playing([alice], variant(TAKEN))).leaving, 'take');
	});

	test('shows where a disc would fall, unless something else is picked', () => {
		const aim = { type: 'aim', bin: 4 };
		assert.deepEqual(board(playing([alice], variant(), aim)).ghost, {
			bin: 4,
			player: 'red',
			pulsing: false,
			refused: true,
			waits: false,
		});
		const picked = pick('take');
		assert.equal(board(playing([alice], variant(), aim, picked)).ghost, null);
	});

	test('is entered at a target, or on top of the middle bin', () => {
		assert.deepEqual(entrance(playing([alice])), { bin: 2, row: 0 });
		const picked = pick('float');
		assert.deepEqual(entrance(playing([alice], variant(), picked)), { bin: 2, row: 3 });
	});
});

test('the seats played here are those of the browser’s keys, but for computers and who has left', () => {
	assert.deepEqual(seats(playing([alice, bob])), ['red', 'blue']);
	const view = variant();
	view.players[0].computer = { level: 'hard', error: null };
	assert.deepEqual(seats(playing([alice, bob], view)), ['blue']);
	view.players[1].out = true;
	assert.deepEqual(seats(playing([alice, bob], view)), []);
});

test('who may join a table, and who may leave it', () => {
	const table = variant([], { started: false });
	table.players[1].joined = false;
	const { hello } = playing([alice, bob]);
	assert.deepEqual(tableActions(hello, table), { join: [bob.address], leave: [alice.address] });
	// At an open table anyone may, while a seat is free.
	const free = table.players.map((seat, index) =>
		index ? { ...seat, account: null, joined: false } : seat,
	);
	const open = { ...table, named: false, players: free };
	assert.deepEqual(tableActions(hello, open), { join: [bob.address], leave: [alice.address] });
	assert.deepEqual(tableActions(hello, variant()), { join: [], leave: [] });
});

test('a player can be removed once the time is over', () => {
	const state = playing([bob], variant([], { time: 10 }));
	assert.equal(clockLeft(state, 'red', 4_000), 6);
	assert.equal(remover(state, 10_500), null, 'the last second is in time');
	assert.equal(remover(state, 11_000), bob.address);
	assert.equal(remover(playing([bob]), 11_000), null);
});

describe('keys', () => {
	const press = (key, where = 'page', ...events) => {
		const code = /\d/.test(key) ? `Digit${key}` : key;
		return keyMeans(playing([alice], variant(), ...events), { key, code }, where);
	};

	test('are digits, the letters of the notation, and Escape', () => {
		assert.deepEqual(press('3'), { do: 'number', number: 3 });
		assert.deepEqual(press('t'), { do: 'pick', kind: 'take' });
		assert.deepEqual(press('R'), { do: 'pick', kind: 'clear' });
		assert.equal(press('s'), null, 'these terms have no swap');
		assert.equal(press('t', 'field'), null);
		assert.equal(press('Escape'), null);
		const picked = pick('take');
		assert.deepEqual(press('Escape', 'grid', picked), { do: 'cancel' });
	});

	test('walk the board and choose there', () => {
		assert.deepEqual(press('ArrowUp'), { do: 'enter' });
		assert.deepEqual(press('ArrowUp', 'grid'), { do: 'walk', key: 'ArrowUp' });
		assert.deepEqual(press('Enter', 'grid'), { do: 'choose here' });
	});
});

describe('the form', () => {
	const { terms } = variant();
	const seats = [
		{ account: 'alice', by: 'here' },
		{ account: 'bob', by: 'link' },
		{ account: 'carl', by: 'hard' },
	];

	test('starts a game of people and computers', () => {
		assert.deepEqual(requests({ terms, seats, opener: null, invited: [] }), {
			start: {
				kind: 'variant',
				terms,
				seats: [
					{ account: 'alice', level: null },
					{ account: 'bob', level: null },
					{ account: 'carl', level: 'hard' },
				],
			},
			plays: ['alice'],
		});
	});

	test('opens a table for anyone', () => {
		const { table, plays } = requests({ terms, seats, opener: 'bob', invited: [] });
		assert.deepEqual(table, { terms, account: 'bob', players: [] });
		assert.deepEqual(plays, ['bob']);
	});

	test('opens a table for some people, of whom the opener is the first', () => {
		const { table } = requests({ terms, seats, opener: 'bob', invited: ['eve', 'carl'] });
		assert.deepEqual(table.players, ['bob', 'eve', 'carl']);
	});

	test('plays again with the turn order moved on by one', () => {
		const view = variant();
		view.players[2].computer = { level: 'hard', error: null };
		const { seats: moved } = again(view, [alice.address]);
		assert.deepEqual(
			moved.map(({ by }) => by),
			['link', 'hard', 'link', 'here'],
		);
		assert.equal(moved[1].account, CARL);
	});

	test('writes the address of a line', () => {
		assert.equal(
			lineQuery(terms, '4t1.1'),
			'bins=5&capacity=4&line=4&players=4&pop_out=true&take=1&clear=1&float=1&moves=4t1.1',
		);
	});
});
