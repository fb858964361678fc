import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
	chainActions,
	chainNote,
	chainOf,
	mayBeDisputed,
	ON_NO_CHAIN,
	stuckText,
	timeText,
	whereText,
} from './by-terms-chain.js';

const NOW = 1_000_000;
const same = (/** @type {any} */ seat) => seat;
const turned = (/** @type {any} */ seat) => seat && (seat === 'red' ? 'blue' : 'red');

/** A game that goes on, with a clock. @param {object} [changes] */
const state = (changes = {}) =>
	/** @type {any} */ ({
		position: { over: false },
		clock: { bank: 60, increment: 0 },
		time: NOW,
		agreed: false,
		deadline: null,
		contest: null,
		settled: false,
		dispute: null,
		record: null,
		...changes,
	});

/** @param {any} of @param {object} [onChain] @param {any} [shownAs] */
const chain = (of, onChain = {}, shownAs = same) =>
	chainOf(of, { ...ON_NO_CHAIN, ...onChain }, 'player', shownAs);

/** @param {ReturnType<typeof chain>} of */
const byTerms = (of, here = ['red'], agreed = false) =>
	/** @type {any} */ ({ chain: of, here, agreed });

const DAY = 86_400;

test('a game is taken to the chain within a day, if that can lead to an end', () => {
	const at = (/** @type {any} */ of, now = NOW) => chainActions(chain(of), now * 1000).dispute;
	assert.ok(at(state()));
	assert.ok(!at(state(), NOW + DAY));
	assert.ok(!at(state({ clock: null })), 'nothing makes anybody move');
	assert.ok(at(state({ clock: null, position: { over: true } })), 'a line that was not agreed to');
	assert.ok(!at(state({ position: { over: true }, agreed: true })));
	assert.ok(!chainActions(chain(state(), { dispute: 'f3' }), NOW * 1000).dispute);
	const watched = chainOf(state(), ON_NO_CHAIN, 'watcher', same);
	assert.ok(!chainActions(watched, NOW * 1000).dispute);
	assert.ok(mayBeDisputed({ time: NOW }, (NOW + DAY - 1) * 1000));
});

test('what was signed by both is recorded within thirty days, once', () => {
	const record = { call: {}, file: '0x01' };
	const at = (/** @type {object} */ onChain, now = NOW) =>
		chainActions(chain(state({ record }), onChain), now * 1000).record;
	assert.ok(at({}));
	assert.ok(!at({ recorded: '0x01' }));
	assert.ok(at({ recorded: '0x02' }), 'something else was recorded');
	assert.ok(!at({}, NOW + 30 * DAY));
	assert.ok(!chainActions(chain(state()), NOW * 1000).record);
	assert.equal(chain(state({ record })).file, '0x01');
});

test('a player who cannot go on reads what can be done', () => {
	/** @param {any} of @param {boolean} over @param {number} [now] */
	const text = (of, over, now = NOW) =>
		stuckText(/** @type {any} */ ({ over }), byTerms(chain(of)), now * 1000);
	assert.match(text(state(), false), /does not move there within 1 min loses/);
	assert.match(text(state({ clock: null }), false), /no clock/);
	assert.match(text(state({ position: { over: true } }), true), /has not agreed/);
	assert.match(text(state(), false, NOW + DAY), /a day after it began, which is over/);
	const own = /** @type {any} */ ({ over: false, to_move: 'red' });
	assert.equal(stuckText(own, byTerms(chain(state())), NOW * 1000), '');
	assert.ok(stuckText({ ...own, to_move: 'blue' }, byTerms(chain(state())), NOW * 1000));
	const agreed = byTerms(chain(state()), ['red'], true);
	assert.equal(stuckText(/** @type {any} */ ({ over: true }), agreed, NOW * 1000), '');
	assert.equal(stuckText(/** @type {any} */ ({}), byTerms(chain(state()), []), NOW * 1000), '');
});

test('the clock on the chain is that of a colour of the board', () => {
	const dispute = { to_move: 'red', runs: true, winner: null, may_press: false, duty: null };
	const runs = state({ dispute, deadline: NOW + 50 });
	const at = (/** @type {any} */ of, here = ['red']) => timeText(byTerms(of, here), NOW * 1000);
	assert.equal(at(chain(runs)), 'Your clock runs on the chain: make your move (0:50 left).');
	// After a swap player one is blue.
	assert.match(at(chain(runs, {}, turned)), /^The clock of your opponent runs/);
	assert.match(at(chain(runs), []), /^The clock of red runs/);
	assert.match(at(chain({ ...runs, deadline: NOW - 1 })), /the time is over/);
	assert.match(at(chain({ ...runs, contest: NOW + 9 })), /can still be contested/);
	assert.equal(at(chain({ ...runs, settled: true })), '');
	assert.equal(at(chain(state())), '');
});

test('where the game is on the chain, and what is due there, is said', () => {
	assert.equal(whereText(chain(state())), '');
	assert.match(whereText(chain(state(), { dispute: 'f3' })), /for a dispute, as game f3/);
	assert.match(
		whereText(chain(state({ settled: true }), { dispute: 'f3' })),
		/has ended on the chain, as game f3/,
	);
	const record = { call: {}, file: '0x01' };
	assert.match(whereText(chain(state({ record }), { recorded: '0x01' })), /is recorded/);
	assert.equal(whereText(chain(state({ record }), { recorded: '0x02' })), '');
	assert.match(whereText(chain(state({ record }), { lost: 'replaced' })), /block .* was replaced/);
	const other = whereText(chain(state({ record }), { lost: 'other' }));
	assert.match(other, /another record/);
	assert.doesNotMatch(other, /block/, 'nothing was replaced');
	assert.equal(chainNote(chain(state())), '');
	const better = state({ settled: true, record: { call: {}, file: '0x01' } });
	assert.match(chainNote(chain(better, { dispute: 'f3' })), /ended otherwise .* record the game/);
	assert.equal(chainNote(chain(better)), '');
	assert.match(chainNote(chain(state(), { due: true, trouble: 'No.' })), /told of .* No\.$/);
});
