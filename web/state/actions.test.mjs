import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { actions, follows } from './actions.js';
import { again } from './classic.js';
import {
	ALICE,
	alice,
	BOB,
	bob,
	chain,
	computer,
	game,
	playing,
	sending,
	signed,
	won,
} from './fixtures.mjs';

describe('actions', () => {
	const can = (...args) => actions(playing(...args));

	test('are none for who watches', () => {
		const { busy, ...all } = can([]);
		assert.equal(busy, false);
		assert.equal(Object.values(all).some(Boolean), false);
	});

	test('are to resign, for our seat or for who is to move', () => {
		assert.equal(can([bob]).resign, 'blue');
		assert.equal(can([alice, bob], game('4')).resign, 'blue');
		assert.equal(can([alice], won()).resign, null);
	});

	test('are to offer a draw in a signed game alone, after the own move', () => {
		assert.equal(can([alice, bob], game('4')).offer, null);
		assert.equal(can([], signed(game('4'), ['blue'])).offer, null);
		assert.equal(can([], signed(game('4'), ['red'])).offer, 'red');
	});

	test('are to accept or decline what the other offers', () => {
		const offered = (...here) => signed(game('44'), here, { drawOffer: 'blue' });
		assert.equal(can([], offered('red')).accept, 'red');
		assert.equal(can([], offered('blue')).accept, null);
		assert.equal(can([], offered('red')).offer, null);
	});

	test('after the end are the review, and the same again for who has the keys of all', () => {
		assert.equal(can([alice, bob], won()).next, true);
		assert.equal(can([alice], won()).next, false);
		assert.equal(can([], won()).review, true);
	});

	test('are a rematch of a signed game, unless we have offered it or there is one', () => {
		const over = (series) => can([], signed(won(), ['red'], series)).next;
		assert.equal(over(), true);
		assert.equal(over({ rematchOffer: 'red' }), false);
		assert.equal(over({ rematchOffer: 'blue' }), true);
		assert.equal(over({ next: '0x6' }), false);
		assert.equal(can([], signed(won(), [])).next, false);
	});

	test('are to have the deposit back after the end, for who has paid it', () => {
		const paid = (by, ...change) => can([by], won({ payer: ALICE }), ...change).free;
		assert.equal(paid(alice), ALICE);
		assert.equal(paid(bob), null);
		assert.equal(can([alice], game('4', { payer: ALICE })).free, null);
		assert.equal(can([alice], won({ payer: ALICE, freed: true })).free, null);
	});

	test('wait while something is under way or away', () => {
		assert.equal(can([alice], game(), sending(1)).busy, true);
		assert.equal(can([alice], game(), chain(false)).busy, true);
	});
});

describe('the same game again', () => {
	const accounts = (...args) => again(...args)[0].seats.map(({ account }) => account);

	test('is begun by the loser, and after a draw by player two', () => {
		assert.deepEqual(accounts(won()), [BOB, ALICE]);
		assert.deepEqual(accounts(won({ winner: 'blue' })), [ALICE, BOB]);
		assert.deepEqual(accounts(won({ winner: null, end: 'full board' })), [BOB, ALICE]);
	});

	test('is played by the same people and computers', () => {
		const [body, mine] = again(won({ computers: { blue: computer() } }));
		assert.deepEqual(body.seats, [
			{ account: BOB, level: 'hard' },
			{ account: ALICE, level: null },
		]);
		assert.deepEqual(mine, [ALICE]);
		assert.deepEqual(again(won())[1], [ALICE, BOB]);
		assert.deepEqual(again(won(), [ALICE])[1], [ALICE], 'a friend plays the other seat');
	});
});

describe('the next game', () => {
	const old = signed(won(), ['red']);
	const told = (...here) => signed(won(), here, { next: '6' });

	test('is gone to when it appears', () => {
		assert.equal(follows(old, playing([], told('red'))), '6');
		assert.equal(follows(old, playing([], told())), '6');
	});

	test('is not gone to when an old game is opened', () => {
		assert.equal(follows(null, playing([], told('red'))), null);
		assert.equal(follows(told('red'), playing([], told('red'))), null);
	});

	test('does not disturb who watches the game again', () => {
		assert.equal(follows(old, playing([], told(), { type: 'show', at: 2 })), null);
		assert.equal(follows(old, playing([], told('red'), { type: 'show', at: 2 })), '6');
	});
});
