import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { alice, bob, computer, game, playing, sending, signed, won } from './fixtures.mjs';
import { reduce } from './reduce.js';
import { ending, note, status, title } from './status.js';

describe('the status', () => {
	const says = (...args) => status(playing(...args)).text;

	test('says whose move it is, and whether it is ours', () => {
		assert.equal(says([alice]), 'Red to move — alice (you)');
		assert.equal(says([alice, bob]), 'Red to move — alice');
		assert.equal(says([bob]), 'Waiting for alice…');
		assert.equal(says([]), 'Red to move — alice');
	});

	test('has no address of the guest who plays here', () => {
		const told = (/** @type {string} */ colour) => ({
			...game(),
			byTerms: { here: [colour], guests: ['red', 'blue'] },
		});
		assert.equal(says([], told('red')), 'Red to move — you');
		assert.equal(says([], told('blue')), 'Waiting for alice…');
	});

	test('says that the computer thinks, or why it does not', () => {
		const told = game();
		told.players[0].computer = computer();
		assert.equal(says([bob], told), 'The computer thinks…');
		told.players[0].computer = computer('it has no funds');
		assert.equal(says([bob], told), 'The computer does not move');
		assert.equal(note(playing([bob], told)), 'It has no funds');
	});

	test('says that a move is under way', () => {
		assert.deepEqual(status(playing([alice], game(), sending(3))), {
			text: 'Sending your move…',
			colour: 'red',
			busy: true,
		});
	});

	test('says at which older position we are', () => {
		const state = playing([alice], game('44'));
		assert.equal(status(reduce(state, { type: 'show', at: 1 })).text, 'Position after move 1');
		assert.equal(status(reduce(state, { type: 'show', at: 0 })).text, 'Before the first move');
	});

	test('says how the game ended', () => {
		const end = (kind, winner = null) =>
			ending({ end: kind, winner, shape: { line: 4 }, standing: '' });
		assert.equal(end('line', 'red'), 'Red wins!');
		assert.equal(end('full board'), 'A draw.');
		assert.equal(end('agreement'), 'A draw by agreement.');
		assert.equal(end('resignation', 'blue'), 'Blue won: red resigned.');
		assert.equal(end('timeout', 'blue'), 'Blue won: red ran out of time.');
		assert.equal(end('abort'), 'Aborted: nobody won.');
	});

	test('has the offers of the other under it', () => {
		const draw = (...here) => note(playing([], signed(game('44'), here, { drawOffer: 'blue' })));
		assert.equal(draw('red'), 'bob offers a draw.');
		assert.match(draw('blue'), /^You offer a draw: it stands until alice moves/);
		const another = (...here) => note(playing([], signed(won(), here, { rematchOffer: 'blue' })));
		assert.equal(another('red'), 'bob wants another game: Enter to play.');
		assert.match(another('blue'), /waiting for alice/);
	});

	test('stands in the title, so that it is seen from another tab', () => {
		assert.equal(title(status(playing([alice])).text), 'Red to move — alice (you) – Connect Four');
		assert.equal(title(status(playing([bob], won())).text), 'Red wins! – Connect Four');
		assert.equal(title(), 'Connect Four');
	});
});
