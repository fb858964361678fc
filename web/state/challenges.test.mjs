import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { answers, challengesShown, challengeText, stakeText } from './challenges.js';
import { ALICE, account, after, alice, at, BOB, bob, EVE, hello } from './fixtures.mjs';
import { initial, reduce } from './reduce.js';
import { allTerms } from './terms.js';

describe('challenges', () => {
	const one = (more = {}) => ({
		challenge: 3,
		challenger: ALICE,
		opponent: null,
		challenger_first: true,
		shape: { bins: 7, capacity: 6, line: 4 },
		clock: { bank: 300, increment: 5 },
		stake: '10000000000',
		prize: '20000000000',
		warnings: ['the clock is short'],
		...more,
	});
	const lists = (challenges, games = [], more = {}) => ({
		type: 'games',
		counts: { classic: 5, variant: 1 },
		tables: [],
		challenges,
		older_challenges: null,
		games,
		...more,
	});
	const players = [BOB, ALICE].map((account) => ({ account }));
	const started = { game: '5', over: false, players };
	const older = [{ ...started, game: '4' }];
	const counts = { classic: 5, variant: 1 };
	const made = { type: 'waits', challenge: 3, account: ALICE, counts };
	const waiting = (...events) => after(at('/'), hello(alice), lists([], older), made, ...events);

	test('show all their terms to who is about to accept', () => {
		const { hello: said } = hello(alice, bob);
		assert.deepEqual(allTerms(one(), said, BOB), [
			['Opponent', `alice, ${ALICE}`],
			['Board', '7 × 6, four in a row'],
			['Begins', 'alice'],
			['Clock', '5:00 + 5 s a move'],
			['Stake', '1 DOT each, the winner gets 2 DOT'],
		]);
		const other = one({ challenger: EVE, challenger_first: false, clock: null });
		const terms = new Map(allTerms(other, said, BOB));
		assert.equal(terms.get('Opponent'), EVE);
		assert.equal(terms.get('Begins'), 'bob (you)');
		assert.equal(terms.get('Clock'), 'no clock');
		assert.equal(stakeText('0', '0', said), 'none');
	});

	test('are asked about until they are gone, or the page is left', () => {
		const asked = (...events) =>
			after(at('/'), hello(bob), lists([one()]), { type: 'consider', challenge: 3 }, ...events);
		assert.equal(asked().considers, 3);
		assert.equal(asked(lists([one()])).considers, 3);
		assert.equal(asked(lists([])).considers, null);
		assert.equal(asked(at('/game/1')).considers, null);
		assert.equal(asked({ type: 'consider', challenge: null }).considers, null);
	});

	test('say what they are played on and for', () => {
		assert.equal(
			challengeText(one(), hello().hello),
			'7 × 6 · 5:00 + 5 s · 1 DOT each · alice begins',
		);
		const friendly = one({
			clock: null,
			stake: '0',
			challenger_first: false,
			shape: { bins: 9, capacity: 7, line: 5 },
		});
		assert.equal(
			challengeText(friendly, hello().hello),
			'9 × 7, line 5 · no clock: only resigning ends a game that stops · alice moves second',
		);
	});

	test('are accepted by anyone else, or by who is challenged, and cancelled by who made them', () => {
		const by = (accounts, challenge) => answers(hello(...accounts).hello, challenge);
		assert.deepEqual(by([alice], one()), { accept: null, decline: null, cancel: ALICE });
		assert.deepEqual(by([bob], one()), { accept: BOB, decline: null, cancel: null });
		assert.deepEqual(by([alice, bob], one()), { accept: BOB, decline: null, cancel: ALICE });
		const toBob = one({ opponent: BOB });
		assert.deepEqual(by([bob], toBob), { accept: BOB, decline: BOB, cancel: null });
		assert.deepEqual(by([account(EVE, 'eve', 'key-e')], toBob), {
			accept: null,
			decline: null,
			cancel: null,
		});
	});

	test('lead into their game once they are accepted', () => {
		assert.equal(waiting().go, null);
		const state = waiting(lists([one()]), lists([], [started]));
		assert.equal(state.go, '5');
		assert.deepEqual(state.plays[5], [ALICE]);
		// It may be accepted before it was ever listed; and older games are none of it.
		assert.equal(waiting(lists([], [started])).go, '5');
		assert.equal(waiting(lists([one()]), lists([one()], [started])).go, null);
		assert.equal(waiting(lists([], [{ ...started, game: '4' }])).go, null);
		assert.equal(waiting(lists([], [{ ...started, game: 'v9' }])).go, null);
		// Who comes back late is led to it, too, if no other goes on.
		const ended = { ...started, over: true };
		assert.equal(waiting(lists([one()]), lists([], [ended])).go, '5');
		assert.equal(waiting(lists([one()]), lists([], [ended, { ...started, game: '6' }])).go, '6');
	});

	test('lead into their game if they were accepted before their maker was told that they stand', () => {
		const listed = lists([], [started, ...older], { counts: { ...counts, classic: 6 } });
		assert.equal(after(at('/'), hello(alice), lists([], older), listed, made).go, '5');
	});

	test('lead into their game after a reload, on the same chain and with the same account', () => {
		const { waits } = waiting(lists([one()]));
		/** A page that was loaded again: what the tab has kept, and what it is told. */
		const again = (...events) => events.reduce(reduce, { ...initial, place: 'here', waits });
		const accepted = lists([], [started]);
		assert.equal(again(at('/'), hello(alice), accepted).go, '5');
		// The host may tell of games first, and a wallet may be connected later.
		assert.equal(again(at('/'), accepted, hello(), hello(alice)).go, '5');
		assert.equal(again(at('/'), hello(bob), accepted).go, null);
		const other = hello(alice);
		other.hello.chain.place = 'elsewhere';
		assert.equal(again(at('/'), other, accepted).go, null);
	});

	/** Those with these numbers. @param {number[]} numbers */
	const some = (...numbers) => numbers.map((challenge) => one({ challenge }));
	/** What is shown, by number. @param {import('./types.d.ts').State} state */
	const shown = (state) => challengesShown(state).map(({ challenge }) => challenge);

	test('stay listed for who made them, and are not declined, because there are many newer ones', () => {
		const many = lists(some(9, 8), [], { older_challenges: 5 });
		const state = waiting(lists([one()]), many);
		assert.equal(state.error, null);
		assert.deepEqual(shown(state), [9, 8, 3]);
		assert.equal(waiting(lists([one()]), many, lists([], [started])).go, '5');
		for (const left of [null, 2]) {
			const declined = lists(some(9), [], { older_challenges: left });
			const after = waiting(lists([one()]), many, declined);
			assert.match(after.error.text, /declined/);
			assert.deepEqual(shown(after), [9]);
		}
	});

	test('that are older are shown below, and stay when newer ones push more of them out', () => {
		const first = lists(some(9, 8), [], { older_challenges: 7 });
		const older = (from, ...numbers) => ({
			type: 'older',
			challenges: some(...numbers),
			older_challenges: from,
		});
		const opened = (...events) => after(at('/'), hello(alice), first, ...events);
		const state = opened(older(5, 7, 6), older(null, 5));
		assert.deepEqual(shown(state), [9, 8, 7, 6, 5]);
		assert.equal(state.older.older_challenges, null);
		assert.equal(state.says.text, '1 older challenge');
		const pushed = lists(some(10, 9), [], { older_challenges: 8 });
		assert.deepEqual(shown(reduce(state, pushed)), [10, 9, 8, 7, 6, 5]);
		// As 9 was answered, the list has room for 7: 8 would be listed if it were open.
		const answered = lists(some(10, 7), [], { older_challenges: 6 });
		assert.deepEqual(shown(reduce(state, answered)), [10, 7, 6, 5]);
		assert.deepEqual(shown(reduce(state, { type: 'closed', challenge: 6 })), [9, 8, 7, 5]);
		assert.deepEqual(shown(reduce(state, lists(some(9)))), [9]);
		assert.deepEqual(shown(opened(older(5, 7, 6), at('/game/1'), at('/'))), [9, 8]);
		// The terms of an older one are asked for, too.
		const asked = opened(older(5, 7, 6), { type: 'consider', challenge: 6 }, first);
		assert.equal(asked.considers, 6);
	});

	test('say so when they are declined, and not when they were cancelled', () => {
		assert.match(waiting(lists([one()]), lists([])).error.text, /declined/);
		assert.equal(waiting(lists([one()]), { type: 'waits no more' }, lists([])).error, null);
		assert.equal(waiting(lists([])).error, null, 'it may not be listed yet');
	});
});
