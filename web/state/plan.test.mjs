import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import {
	after,
	alice,
	at,
	bob,
	chain,
	computer,
	drop,
	game,
	hello,
	line,
	link,
	playing,
	sending,
	view,
	won,
} from './fixtures.mjs';
import { keyMeans } from './keys.js';
import { mayMove, plan } from './plan.js';
import { board } from './position.js';
import { reduce } from './reduce.js';
import { note } from './status.js';

/** @param {any} state @returns {any} */
const asShown = (state) => state;

describe('a move that follows the opponent’s', () => {
	const byTerms = { here: ['red'], guests: [], programs: [], runs: 'blue' };
	const signed = (/** @type {string} */ moves, changes = {}) =>
		playing([alice], game(moves, { byTerms, ...changes }));

	test('is said in games by signed terms, shown above its bin, and taken back', () => {
		const waiting = signed('4');
		assert.deepEqual(plan(waiting, drop(2)), { premove: 2 });
		const said = reduce(waiting, { type: 'premove', bin: 2 });
		assert.match(said.says.text, /^Bin 3 follows your opponent’s move/);
		assert.equal(note(asShown(said)), said.says.text);
		const ghost = { bin: 2, player: 'red', pulsing: false, refused: false, waits: true };
		assert.deepEqual(board(asShown(said)).ghost, ghost);
		const esc = { code: 'Escape', key: 'Escape' };
		assert.deepEqual(keyMeans(said, esc, 'page'), { do: 'cancel' });
		assert.equal(reduce(said, { type: 'pick', picked: null }).premove, null);
		// It is made once the opponent has moved, as any other move.
		const moved = reduce(said, view(game('44', { byTerms })));
		assert.equal(moved.premove, 2);
		assert.equal(mayMove(asShown(moved)), true);
		assert.deepEqual(plan(asShown(moved), drop(2)), { send: drop(2) });
		const over = reduce(said, view(won({ byTerms })));
		assert.equal(over.premove, null);
	});

	test('by touch may take a second tap, which anything else makes none', () => {
		const turn = playing([alice], game('44'));
		const tapped = reduce(turn, { type: 'tap', bin: 2 });
		assert.match(tapped.says.text, /^Tap bin 3 again to drop/);
		assert.equal(note(asShown(tapped)), tapped.says.text);
		const ghost = { bin: 2, player: 'red', pulsing: false, refused: false, waits: true };
		assert.deepEqual(board(asShown(tapped)).ghost, ghost);
		const esc = { code: 'Escape', key: 'Escape' };
		assert.deepEqual(keyMeans(tapped, esc, 'page'), { do: 'cancel' });
		for (const event of [
			{ type: 'pick', picked: null },
			{ type: 'sending', id: 1, what: 'move' },
			{ type: 'show', at: 0 },
			view(game('444')),
		]) {
			assert.equal(reduce(tapped, asShown(event)).tapped, null, event.type);
		}
	});

	test('is none in other games, while another position is shown, and for who watches', () => {
		assert.match(plan(playing([alice], game('4')), drop(2)).error ?? '', /wait for bob/);
		const looks = reduce(signed('4'), { type: 'show', at: 0 });
		assert.equal(plan(asShown(looks), drop(2)).premove, undefined);
		const watches = signed('4', { byTerms: { ...byTerms, here: [] } });
		assert.equal(plan(watches, drop(2)).premove, undefined);
	});
});

describe('a drop', () => {
	test('is sent when it is our turn', () => {
		assert.deepEqual(plan(playing([alice]), drop(3)), { send: drop(3) });
		assert.equal(mayMove(playing([alice])), true);
	});

	test('into a bin that is not there is not sent', () => {
		assert.equal(plan(playing([alice]), drop(8)).error, 'There is no bin 9: this board has 7.');
	});

	test('into a bin of which the program says that it is full is not sent, and says why', () => {
		const told = game('444444');
		told.refusals.drop[3] = 'the bin is full';
		assert.deepEqual(plan(playing([alice], told), drop(3)), {
			error: 'Bin 4: the bin is full. Choose another.',
			bin: 3,
		});
	});

	test('is not ours to make when it is the turn of another', () => {
		assert.equal(
			plan(playing([alice], game('4')), drop(3)).error,
			'It is blue’s turn: wait for bob.',
		);
		assert.match(plan(playing([]), drop(3)).error, /watches: to play, open an invite link/);
	});

	test('needs the wallet of a player at a public host', () => {
		const hosted = (...accounts) => {
			const event = hello(...accounts);
			return { ...event, hello: { ...event.hello, public: true } };
		};
		assert.match(
			plan(playing([], game(), hosted()), drop(3)).error,
			/connect the wallet of a player/,
		);
		assert.deepEqual(plan(playing([alice], game(), hosted(alice)), drop(3)), { send: drop(3) });
	});

	test('waits for the computer', () => {
		const told = game('4');
		told.players[1].computer = computer();
		assert.equal(
			plan(playing([alice, bob], told), drop(3)).error,
			'It is blue’s turn: wait for the computer.',
		);
	});

	test('is refused at an older position, after the end, and in a line', () => {
		assert.match(
			plan(playing([alice], game('44'), { type: 'show', at: 1 }), drop(3)).error,
			/position after move 1: go back/,
		);
		assert.equal(
			plan(playing([alice, bob], won()), drop(3)).error,
			'The game is over. Press Enter for the next game.',
		);
		assert.equal(plan(playing([], won()), drop(3)).error, 'The game is over.');
		const state = after(at('/line', '?moves=4'), hello(alice), view(line('4')));
		assert.match(plan(state, drop(3)).error, /not a game/);
	});

	test('is refused while the chain or the program is away', () => {
		assert.match(
			plan(playing([alice], game(), chain(false, 'the node does not answer')), drop(3)).error,
			/No move can be made until the chain is back/,
		);
		assert.match(
			plan(playing([alice], game(), link(false)), drop(3)).error,
			/No move can be made until the program is back/,
		);
		assert.equal(mayMove(playing([alice], game(), chain(false))), false);
	});

	test('is ignored while another is under way', () => {
		assert.deepEqual(plan(playing([alice, bob], game(), sending(3)), drop(4)), {});
	});

	test('is under way until the chain has it, even when its answer comes first', () => {
		const sent = playing([alice, bob], game(), sending(3), { type: 'sent', id: 1 });
		assert.equal(sent.pending.move.bin, 3);
		assert.equal(reduce(sent, view(game('4'))).pending, null);
	});

	test('is over once the chain has it, even when its answer comes later than the next drop', () => {
		const state = playing([alice, bob], game(), sending(3), view(game('4')), {
			type: 'sending',
			id: 2,
			what: 'move',
			move: drop(1),
		});
		assert.equal(reduce(state, { type: 'sent', id: 1 }).pending.id, 2);
	});

	test('of which nothing is seen for long no longer blocks', () => {
		const state = playing(
			[alice],
			game(),
			sending(3),
			{ type: 'sent', id: 1 },
			{ type: 'settle', id: 1 },
		);
		assert.equal(state.pending, null);
	});

	test('that failed says why and leaves the turn', () => {
		const state = playing([alice], game(), sending(3), {
			type: 'failed',
			id: 1,
			text: 'the contract refused: …',
			bin: 3,
		});
		assert.equal(state.pending, null);
		assert.deepEqual(state.error, { text: 'The contract refused: …', bin: 3, soft: false });
		assert.equal(mayMove(state), true);
	});
});
