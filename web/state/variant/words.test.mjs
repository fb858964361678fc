import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { news } from '../announce.js';
import { note, status } from '../status.js';
import { durationText, moveSentence, moveText, termsText } from '../words.js';
import { alice, bob, drop, move, playing, TAKEN, variant } from './fixtures.mjs';

/** What is announced when a game goes from one view to another. */
const said = (before, after, accounts = [alice]) => news(before, playing(accounts, after));

describe('a move in words', () => {
	test('says what it does to the discs', () => {
		const [first, , , take] = TAKEN;
		assert.equal(moveText(first), 'bin 1');
		assert.equal(moveSentence(drop('red', 0, 1)), 'Bin 1, row 2.');
		assert.equal(moveSentence(drop('red', 0, 1), 'red'), 'Red: bin 1, row 2.');
		assert.equal(moveText(take), 'takes 2.1');
		assert.equal(
			moveSentence(take, 'red'),
			'Red takes the blue disc in bin 2, row 1; one disc comes down.',
		);
		const gone = [0, 1, 2].map((bin) => ({ colour: 'red', bin, row: 1 }));
		const clear = move('red', { kind: 'clear', row: 1 }, { removed: gone });
		assert.equal(moveSentence(clear), 'Clears row 2 of three discs.');
		assert.equal(
			moveSentence(move('blue', { kind: 'swap' }), 'blue'),
			'Blue swaps: the two players exchange colours.',
		);
	});
});

describe('a screen reader is told', () => {
	test('each move, and whose turn it is', () => {
		assert.equal(
			said(variant(TAKEN.slice(0, 3)), variant(TAKEN)),
			'Yellow takes the blue disc in bin 2, row 1; one disc comes down. Red to move, you.',
		);
	});

	test('nothing about another game', () => {
		assert.equal(said(variant([], { game: 'v4' }), variant(TAKEN)), '');
	});

	test('who has left or was late, and who won', () => {
		const left = { player: 'blue', late: true, turns: 1, transaction: {} };
		const after = variant(TAKEN.slice(0, 1), { departures: [left], to_move: 'green' });
		assert.equal(
			said(variant(TAKEN.slice(0, 1)), after),
			'Blue was late and is out. Green to move.',
		);
		const won = variant(TAKEN, { over: true, end: 'line', winner: 'yellow', to_move: null });
		assert.match(said(variant(TAKEN), won), /^Yellow wins with four in a row\.$/);
	});

	test('who sits down at a table, and that the game starts', () => {
		const table = (joined, changes) => {
			const view = variant([], { started: false, to_move: null, ...changes });
			const players = view.players.map((one, index) => ({ ...one, joined: index < joined }));
			return { ...view, players };
		};
		assert.equal(said(table(1), table(2)), 'bob joins as blue.');
		assert.equal(said(table(2), table(1)), 'The seat of blue is free again.');
		assert.match(
			said(table(3), variant()),
			/joins as yellow\. The game starts\. Red to move, you\.$/,
		);
	});
});

describe('the status', () => {
	const says = (...args) => status(playing(...args)).text;

	test('says whose turn it is', () => {
		assert.equal(says([alice]), 'Red to move — alice (you)');
		assert.equal(says([alice, bob]), 'Red to move — alice');
		assert.equal(says([bob]), 'Waiting for alice, red…');
		assert.equal(says([]), 'Red to move — alice');
	});

	test('says how the game ended', () => {
		const over = (end, winner = null) =>
			says([], variant([], { over: true, to_move: null, end, winner }));
		assert.equal(over('line', 'green'), 'Green wins!');
		assert.equal(over('last left', 'green'), 'Green wins: all others have left.');
		assert.equal(over('no move'), 'A draw: no move is possible.');
		assert.equal(over('turn limit'), 'A draw after 250 turns.');
	});

	test('of a table says how many are there', () => {
		const table = variant([], { started: false, to_move: null });
		table.players[3].joined = false;
		assert.equal(says([], table), 'Waiting for players: 3 of 4 are here');
	});

	test('names who has left, below it', () => {
		const view = variant(TAKEN);
		view.players[1].out = true;
		view.players[3].out = true;
		assert.equal(note(playing([alice], view)), 'Blue and yellow have left.');
	});
});

test('terms and durations are short', () => {
	const { terms } = variant();
	assert.equal(
		termsText({ ...terms, limit: 60 }),
		'5 × 4 · 4 players · pop out · 1 take, 1 clear, 1 float · 1 min a move',
	);
	assert.deepEqual([10, 90, 3_600, 172_800].map(durationText), ['10 s', '90 s', '1 h', '2 d']);
});
