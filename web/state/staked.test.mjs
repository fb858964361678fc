import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seenBy } from './by-terms.js';
import { stakeActions, stakeNote, stakeSeen, waitsFor } from './staked.js';

/** @import { PlayerShown } from '../ask.d.ts' */
/** @import { StakeSeen } from './types.d.ts' */

/** How a game stands for a player. @param {Partial<PlayerShown>} of @param {{ due: unknown, trouble: string }} [chain] */
const seen = (of, chain) => {
	/** @type {any} */
	const shown = { stage: 'playing', stake: '7', owed: '0', awaited: null, is_on_chain: false };
	const found = stakeSeen({ ...shown, ...of }, chain ?? null, (units) => `${units} DOT`);
	return /** @type {StakeSeen} */ (found);
};
/** @param {any} of @param {any} what @param {number | null} [until] */
const awaits = (of, what, until = null) => ({ of, what, until });
/** What can be done. @param {StakeSeen} of */
const can = (of) => Object.entries(stakeActions(of)).flatMap(([what, is]) => (is ? [what] : []));

test('a game without a stake shows nothing of one', () => {
	assert.equal(seen({ stake: '0' }), null);
	const { each, owed, trouble, isDue } = seen({ owed: '9' });
	assert.deepEqual([each, owed, trouble, isDue], ['7 DOT', '9 DOT', '', false]);
});

test('a player is told whose payment is awaited, and can have the own one back', () => {
	const mine = seen({ stage: 'funding', awaited: awaits('program', 'payment') });
	assert.match(stakeNote(mine), /wallet is asked to pay/);
	const theirs = seen({ stage: 'funding', awaited: awaits('opponent', 'payment', 9) });
	assert.match(stakeNote(theirs), /paid 7 DOT\. Waiting for your opponent/);
	// Only a stake that was paid is paid back.
	assert.deepEqual([can(mine), can(theirs)], [['cancel'], ['refund']]);
	const offered = seen({ stage: 'offered', awaited: awaits('opponent', 'payment', 9) });
	assert.deepEqual(can(offered), ['cancel']);
	const back = seen({ stage: 'refunded', awaited: awaits('program', 'refund') });
	assert.match(stakeNote(back), /asked to have your stake paid back/);
	assert.match(stakeNote(seen({ stage: 'refunded' })), /is paid back/);
});

test('no move is made before a final block has both stakes, and after a reload before it was seen again', () => {
	const stages = /** @type {const} */ (['offered', 'funding', 'refunded', 'playing', 'over']);
	assert.deepEqual(
		stages.map((stage) => waitsFor(seen({ stage }))),
		['Waiting for both stakes', 'Waiting for both stakes', 'No game is played', '', ''],
	);
	const begins = seen({ awaited: awaits('chain', 'begin') });
	assert.equal(waitsFor(begins), 'Waiting for a final block');
	assert.match(stakeNote(begins), /once a final block has both stakes/);
	assert.equal(waitsFor(null), '');
});

test('a silent opponent can be pressed, once', () => {
	const silent = seen({ awaited: awaits('opponent', 'move') });
	assert.deepEqual(can(silent), ['press']);
	assert.equal(stakeNote(silent), '');
	assert.match(stakeNote(silent, true), /not there.*start the clock on the chain/);
	const pressed = seen({ awaited: awaits('opponent', 'move', 99) });
	assert.deepEqual(can(pressed), []);
	assert.match(stakeNote(pressed), /clock on the chain runs for your opponent/);
	const mine = seen({ awaited: awaits('you', 'move', 99) });
	assert.match(stakeNote(mine), /runs for you/);
	const own = seen({ awaited: awaits('you', 'move') });
	assert.deepEqual([can(own), stakeNote(own)], [[], '']);
});

test('who can contest a line is told so', () => {
	const notes = ['you', 'opponent'].map((of) =>
		stakeNote(seen({ awaited: awaits(of, 'contest', 99) })),
	);
	assert.match(notes[0] ?? '', /it counts unless you move before the time is over/);
	assert.match(notes[1] ?? '', /can be contested until/);
	// The clock of that move is shown as that of any other.
	const shown = /** @type {any} */ ({ game: {}, terms: {}, awaited: awaits('you', 'contest', 99) });
	assert.equal(seenBy(shown)?.until, 99);
});

test('what is owed is withdrawn after the end, and what was refused is asked again', () => {
	const over = seen({ stage: 'over', owed: '14' });
	assert.deepEqual(can(over), ['withdraw']);
	assert.match(stakeNote(over), /owes you 14 DOT/);
	assert.deepEqual(can(seen({ stage: 'over' })), []);
	const chain = { due: {}, trouble: 'You refused.' };
	const refused = seen({ stage: 'ending', awaited: awaits('program', 'bring') }, chain);
	assert.deepEqual(can(refused), ['now']);
	assert.equal(stakeNote(refused), 'You refused.');
	assert.deepEqual(can(seen({ stage: 'ending', awaited: awaits('opponent', 'bring') })), [
		'settle',
	]);
});
