import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { clockLeft } from '../state/clock.js';
import { dueText } from '../state/fast.js';
import { game } from '../state/fixtures.mjs';
import { merged } from './merged.js';

/** @import { Colour } from '../wire.d.ts' */

/** The time on the chain in seconds; this machine's is a minute behind. */
const NOW = 1_800_000_000;
const MACHINE = (NOW - 60) * 1000;

/**
 * A fast game after two moves, of which the chain knows one, as its seat has it.
 * @param {{ state?: object, shown?: object, chain?: object, view?: object, mine?: Colour }} [of]
 * @returns {any}
 */
function seated({ state, shown, chain, view, mine = 'red' } = {}) {
	const told = game('44', {
		fast: {
			on_chain: 1,
			signed: 1,
			settled: false,
			here: [],
			press: null,
			relay_missing: null,
			opponent: null,
		},
		...view,
	});
	const { moves, refusals, ...position } = told;
	/** @type {any} */
	const known = {
		player: mine,
		position,
		moves: moves.map(({ bin }) => bin),
		bins: refusals.drop.map((_, bin) => bin),
		on_chain: 1,
		signed: 1,
		settled: false,
		contest: null,
		deadline: null,
		duty: null,
		draw_offer: null,
		...state,
	};
	const role = 'player';
	const seat = {
		state: known,
		role,
		relay: null,
		opponent: true,
		trouble: '',
		duty: null,
		ahead: 0,
	};
	/** @type {any} */
	const onChain = {
		game: { clock: null, over: false, to_move: 'blue', winner: null, swapped: false, ...chain },
	};
	return merged(told, {
		shown: /** @type {any} */ ({ ...seat, ...shown }),
		mine,
		chain: onChain,
		now: NOW,
		machine: MACHINE,
	});
}

const DEADLINE = NOW + 200;
const CLOCK = { waiting: 90, increment: 5 };
/** What the players have left. @param {any} view */
const leftIn = ({ players }) => players.map((/** @type {any} */ { left }) => left);

describe('the deadlines of a fast game that is played here', () => {
	test('are the chain’s, whatever the host says of its clock', () => {
		const lie = { left: { red: 5_000, blue: 5_000 } };
		const stands = seated({ view: lie });
		assert.deepEqual(leftIn(stands), [null, null]);
		for (const left of [lie.left, {}]) {
			const view = seated({
				view: { left },
				state: { deadline: DEADLINE },
				chain: { clock: CLOCK, deadline: DEADLINE, to_move: 'red' },
			});
			assert.deepEqual(leftIn(view), [200, 90]);
			// It is blue's turn by the signed moves, and red's clock runs on the chain.
			const state = /** @type {any} */ ({ view: { ...view, to_move: 'blue' }, told: MACHINE });
			assert.equal(clockLeft(state, 'red', MACHINE + 10_000), 190);
			assert.equal(clockLeft(state, 'blue', MACHINE + 10_000), 90);
		}
	});

	test('are told while the own clock runs, with what stops it', () => {
		const runs = { clock: CLOCK, deadline: DEADLINE, to_move: 'red' };
		const state = { deadline: DEADLINE };
		const { fast } = seated({ state, chain: runs });
		assert.equal(
			dueText(fast, MACHINE),
			'Your clock runs on the chain: make your move (3:20 left to answer).',
		);
		assert.match(dueText(fast, MACHINE + 20_000), /3:00 left to answer/);
		assert.match(dueText(fast, MACHINE + 201_000), /the time is over/);
		const duty = { call: {}, may_be_agreed: false };
		const owes = seated({ state: { ...state, duty }, shown: { duty: {} }, chain: runs }).fast;
		assert.match(dueText(owes, MACHINE), /^Your clock runs on the chain: sign in your wallet/);
		assert.match(owes.note, /sign it in your wallet/);
		const theirs = seated({ state, chain: { ...runs, to_move: 'blue' } }).fast;
		assert.equal(dueText(theirs, MACHINE), '');
	});

	test('are told for a line that can be contested, by whom and how', () => {
		const contest = NOW + 299;
		const line = { over: true, to_move: null, winner: 'blue' };
		const byMove = seated({ state: { contest }, chain: line }).fast;
		assert.equal(dueText(byMove, MACHINE), 'Contest the line by your move (4:59 left to answer).');
		assert.match(byMove.note, /a line to the chain that you can still contest: make your move/);
		const duty = { call: {}, may_be_agreed: false };
		const byWallet = seated({ state: { contest, duty }, chain: line }).fast;
		assert.match(dueText(byWallet, MACHINE), /^Contest the line: sign in your wallet \(4:59/);
		const own = seated({ state: { contest }, chain: { ...line, winner: 'red' } }).fast;
		assert.equal(dueText(own, MACHINE), 'The opponent can contest your line (4:59 left).');
		const lost = { position: { ...game('44'), over: true, to_move: null, winner: 'blue' } };
		assert.equal(dueText(seated({ state: { contest, ...lost }, chain: line }).fast, MACHINE), '');
	});
});

test('a clock that is wrong is told, unless there is more to say', () => {
	assert.match(
		seated({ shown: { ahead: 600 } }).fast.note,
		/clock of this device is 10 minutes ahead/,
	);
	assert.match(seated({ shown: { ahead: 600, duty: {} } }).fast.note, /sign it in your wallet/);
});

describe('what a host says of a fast game that is played here', () => {
	test('is not believed of the clock, offers and moves', () => {
		const { moves, ...told } = game('44');
		const lie = {
			fast: { on_chain: 1, signed: 1, settled: false, here: [], press: 'red' },
			match: { ...told.match, draw_offer: 'blue' },
		};
		const told_of = seated({ view: lie });
		assert.equal(told_of.fast.press, null);
		assert.equal(told_of.match.draw_offer, null);
		const may = seated({ state: { may_press: true, draw_offer: 'red' } });
		assert.deepEqual([may.fast.press, may.match.draw_offer], ['red', 'red']);
		// Of a move that the host shows in another bin it need not know the transaction.
		const known = seated({ state: { moves: [3, 2] } }).moves;
		assert.deepEqual(
			known.map((/** @type {any} */ { bin }) => bin),
			[3, 2],
		);
		assert.deepEqual(known, [
			moves[0],
			{ kind: 'drop', player: 'blue', bin: 2, row: 0, transaction: null },
		]);
	});

	test('is shown where it has heard of more moves than a tab that only watches', () => {
		const fewer = { position: { ...game('4'), turns: 1 }, moves: [4] };
		assert.equal(seated({ state: fewer, shown: { role: 'elsewhere' } }).turns, 2);
		assert.equal(seated({ state: fewer }).turns, 1, 'who plays sees what is signed here');
		assert.deepEqual(seated({ shown: { role: 'elsewhere' } }).fast.here, []);
		assert.deepEqual(seated().fast.here, ['red']);
	});

	test('is all there is once the game is settled', () => {
		const settled = seated({
			view: { fast: { on_chain: 2, settled: true, here: ['red', 'blue'] } },
			state: { position: { ...game('4'), turns: 1 } },
		});
		assert.deepEqual([settled.turns, settled.fast.here], [2, ['red', 'blue']]);
	});
});
