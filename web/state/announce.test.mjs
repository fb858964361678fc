import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { alice, bob, game, playing, signed, view, won } from './fixtures.mjs';

describe('the live region', () => {
	const hears = (accounts, before, told) => playing(accounts, before, view(told)).says.text;

	test('tells each move and whose turn it is', () => {
		assert.equal(hears([bob], game(), game('4')), 'Red: bin 4, row 1. Blue to move, you.');
		assert.equal(hears([alice, bob], game(), game('4')), 'Red: bin 4, row 1. Blue to move.');
	});

	test('tells all moves that came while it was away', () => {
		assert.equal(
			hears([alice], game('4'), game('445')),
			'Blue: bin 4, row 2. Red: bin 5, row 1. Blue to move.',
		);
	});

	test('tells the end', () => {
		const before = game('415263');
		assert.match(hears([], game('414243'), won()), /Red wins with four in a row\.$/);
		assert.equal(
			hears([], before, game('415263', { over: true, to_move: null, end: 'full board' })),
			'A draw.',
		);
	});

	test('tells what the other offers, and not what we offer', () => {
		const offers = (told, here, series) =>
			hears([], signed(told, here), signed(told, here, series));
		assert.equal(offers(game('44'), ['red'], { drawOffer: 'blue' }), 'bob offers a draw.');
		assert.equal(offers(game('44'), ['blue'], { drawOffer: 'blue' }), '');
		assert.equal(offers(won(), ['red'], { rematchOffer: 'blue' }), 'bob wants another game.');
	});

	test('is silent on arrival, and when nothing is new', () => {
		assert.equal(playing([alice], game('44')).says.text, '');
		assert.equal(hears([alice], game('44'), game('44')), '');
	});
});
