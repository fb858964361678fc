import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { actions, follows } from './actions.js';
import { alice, bob, chain, game, playing, sending, won } from './fixtures.mjs';
import { keyMeans } from './keys.js';

describe('actions', () => {
	const can = (...args) => actions(playing(...args));

	test('are none for who watches', () => {
		const { busy, ...all } = can([]);
		assert.equal(busy, false);
		assert.equal(Object.values(all).some(Boolean), false);
	});

	test('are to resign and to offer a draw, for our seat or for who is to move', () => {
		assert.equal(can([bob]).resign, 'blue');
		assert.equal(can([bob]).offer, 'blue');
		assert.equal(can([alice, bob], game('4')).resign, 'blue');
	});

	test('are to offer a draw in a signed game after the own move', () => {
		const signed = (...here) => game('4', { byTerms: /** @type {any} */ ({ here }) });
		assert.equal(can([], signed('blue')).offer, null);
		assert.equal(can([], signed('red')).offer, 'red');
	});

	test('are to accept or decline what the other offers', () => {
		const offered = game('44', { match: { draw_offer: 'blue' } });
		assert.equal(can([alice], offered).accept, 'red');
		assert.equal(can([bob], offered).accept, null);
		assert.equal(can([alice], offered).offer, null);
	});

	test('are to claim once the time of the other is over', () => {
		const state = playing([bob], game('', { left: { red: 10, blue: 60 } }));
		assert.equal(actions(state, 9_000).claim, null);
		assert.equal(actions(state, 11_000).claim, 'blue');
		assert.equal(actions(playing([alice], state.view), 11_000).claim, null);
	});

	test('after the end are the next game and the review', () => {
		assert.deepEqual(can([alice], won()).next, ['red']);
		assert.deepEqual(can([alice, bob], won()).next, ['red', 'blue']);
		assert.equal(can([alice], won()).resign, null);
		assert.equal(can([], won()).review, true);
	});

	test('do not offer a next game that we have offered, nor one that there is', () => {
		assert.equal(can([alice], won({ match: { rematch_offer: 'red' } })).next, null);
		assert.deepEqual(can([alice], won({ match: { rematch_offer: 'blue' } })).next, ['red']);
		assert.equal(can([alice], won({ match: { rematch_offer: 'blue' } })).declineRematch, 'red');
		assert.equal(can([alice], won({ match: { next: '6' } })).next, null);
	});

	test('of a freed game are no next one, but to withdraw', () => {
		const freed = won({ freed: true, owed: { red: '20000000000', blue: '0' } });
		assert.equal(can([alice], freed).next, null);
		assert.equal(can([alice], freed).withdraw, 'red');
	});

	test('wait while something is under way or away', () => {
		assert.equal(can([alice], game(), sending(1)).busy, true);
		assert.equal(can([alice], game(), chain(false)).busy, true);
	});

	test('are to withdraw what a player is owed, and a stake is never paid by a key alone', () => {
		const told = won({ match: { stake: '10000000000' }, owed: { red: '20000000000', blue: '0' } });
		const state = playing([alice], told);
		assert.equal(actions(state).withdraw, 'red');
		assert.equal(actions(playing([bob], told)).withdraw, null);
		const enter = { code: 'Enter', key: 'Enter' };
		assert.deepEqual(keyMeans(playing([alice], won()), enter, 'page'), { do: 'next' });
		assert.equal(keyMeans(state, enter, 'page')?.do === 'next', false);
		assert.ok(actions(state).next, 'the button does');
	});
});

describe('the next game', () => {
	const old = won();
	const told = won({ match: { next: '6' } });

	test('is gone to when it appears', () => {
		assert.equal(follows(old, playing([alice], told)), '6');
		assert.equal(follows(old, playing([], told)), '6');
	});

	test('is not gone to when an old game is opened', () => {
		assert.equal(follows(null, playing([alice], told)), null);
		assert.equal(follows(told, playing([alice], told)), null);
	});

	test('does not disturb who watches the game again', () => {
		assert.equal(follows(old, playing([], told, { type: 'show', at: 2 })), null);
		assert.equal(follows(old, playing([alice], told, { type: 'show', at: 2 })), '6');
	});
});
