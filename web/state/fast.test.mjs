import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { actions } from './actions.js';
import { dueText, fastActions, fastNote, fastText, signedBy } from './fast.js';
import { alice, bob, game, playing } from './fixtures.mjs';
import { seats } from './seats.js';

describe('a fast game', () => {
	/** @type {(changes?: object) => import('../wire.d.ts').Fast} */
	const fast = (changes = {}) => ({
		on_chain: 0,
		signed: 2,
		settled: false,
		here: ['red'],
		press: null,
		relay_missing: null,
		opponent: true,
		...changes,
	});
	/** @type {(fast: object, changes?: object) => any} */
	const at = (of, changes = {}) =>
		playing([alice, bob], game('443', { fast: fast(of), ...changes }));

	test('says until when a program has to have answered on the chain, where it plays', () => {
		const of = { deadline: 1_299 };
		assert.equal(
			dueText(fast(of), 1_000_000),
			'The clock of the player to move runs on the chain (4:59 left).',
		);
		assert.equal(
			dueText(fast({ ...of, contested: true }), 1_000_000),
			'A line on the chain can still be contested, by another move (4:59 left).',
		);
		assert.match(dueText(fast(of), 1_300_000), /the time is over/);
		for (const no of [{ here: [] }, { deadline: null }, { settled: true }, { due: null }]) {
			assert.equal(dueText(fast({ ...of, ...no }), 1_000_000), '');
		}
	});

	test('says which moves are signed, and which are on the chain', () => {
		const { view } = at({});
		assert.equal(
			fastText(view, view.fast),
			'A fast game: 0 moves of 3 on the chain, 2 signed by both.',
		);
		assert.equal(signedBy(1, view.fast, 'blue'), 'signed by both');
		assert.equal(signedBy(2, view.fast, 'red'), 'signed by red');
		const over = at({ on_chain: 1 }, { over: true }).view;
		assert.equal(
			fastText(over, over.fast),
			'Not settled yet: 1 move of 3 on the chain, 2 signed by both.',
		);
		const settled = at({ settled: true }, { over: true }).view;
		assert.equal(fastText(settled, settled.fast), 'A fast game: all of it is on the chain.');
	});

	test('says who is missing', () => {
		const note = (/** @type {object} */ of) => {
			const state = at(of);
			return fastNote(state, state.view.fast);
		};
		assert.equal(note({}), '');
		assert.equal(note({ opponent: false }), 'bob is not connected.');
		assert.match(note({ relay_missing: 'it is gone' }), /^The relay is not there: it is gone\./);
		assert.equal(note({ relay_missing: 'it is gone', settled: true }), '');
	});

	test('is played where its session keys are', () => {
		assert.deepEqual(seats(at({})), ['red']);
		assert.deepEqual(seats(at({ here: [] })), []);
		assert.deepEqual(seats(at({ here: ['red', 'blue'], settled: true })), ['red', 'blue']);
	});

	test('can be settled while the chain knows less, and is followed by another one afterwards', () => {
		const can = (/** @type {any} */ state) => fastActions(state, state.view.fast);
		assert.deepEqual(can(at({})), { press: null, settle: 'red' });
		assert.deepEqual(can(at({ on_chain: 3, press: 'red' })), { press: 'red', settle: null });
		assert.deepEqual(can(at({ here: [], press: 'blue' })), { press: null, settle: null });
		const over = at({ on_chain: 3 }, { over: true, winner: 'red' });
		assert.equal(can(over).settle, 'red');
		assert.equal(actions(over).next, null);
		const here = ['red', 'blue'];
		const settled = at({ on_chain: 3, here, settled: true }, { over: true, winner: 'red' });
		assert.equal(can(settled).settle, null);
		assert.deepEqual(actions(settled).next, ['red', 'blue']);
	});
});
