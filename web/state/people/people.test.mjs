import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import '../../names.js';

import { apart } from '../apart.js';
import { routeOf } from '../route.js';
import { boardText, discsOf } from './board.js';
import { plot, plotText } from './plot.js';
import {
	ago,
	inLine,
	isOfProgram,
	isSwapped,
	isWitnessed,
	kindName,
	lagText,
	leagueName,
	leagueOf,
	leftText,
	personText,
	resultFor,
	standing,
	summed,
} from './words.js';

const alice = { address: '0xaa', name: 'alice' };
const other = { address: `0x${'b'.repeat(40)}`, name: null };

/** A game between the two that goes on, with these differences. */
const game = (differs = {}) => ({
	players: [alice, other],
	how: null,
	winner: null,
	to_move: 0,
	...differs,
});

describe('accounts of a list', () => {
	const address = (/** @type {string} */ first) => `0x${first}${'0'.repeat(30)}123456`;
	const list = [
		{ address: address('7a31'), name: null },
		{ address: address('04ff'), name: null },
		{ address: address('04ff'), name: null },
		{ address: address('9999'), name: 'alice' },
		other,
	];
	test('have four digits of the address where two have one name', () => {
		const digits = apart(list, (one) => one.address, personText);
		assert.equal(personText(list[0]), personText(list[1]));
		assert.deepEqual(list.map(digits), ['7a31', '04ff', '04ff', '', '']);
		// One account that is there twice has none.
		const twice = [list[1], list[2]];
		assert.deepEqual(twice.map(apart(twice, (one) => one.address, personText)), ['', '']);
	});
});

describe('addresses', () => {
	test('name players, the standings and the games that go on', () => {
		assert.deepEqual(routeOf('/player/alice'), { page: 'people', view: 'player', of: 'alice' });
		assert.deepEqual(routeOf('/player/0xaa', '?against=bob'), {
			page: 'people',
			view: 'player',
			of: '0xaa?against=bob',
		});
		assert.deepEqual(routeOf('/player/0xaa/games', '?result=won'), {
			page: 'people',
			view: 'games',
			of: '0xaa?result=won',
		});
		assert.deepEqual(routeOf('/players', '?before=50'), {
			page: 'people',
			view: 'players',
			of: '?before=50',
		});
		assert.deepEqual(routeOf('/live'), { page: 'people', view: 'live', of: '' });
		assert.equal(routeOf('/player/').page, 'unknown');
		assert.equal(routeOf('/player/a/b').page, 'unknown');
	});
});

describe('a program', () => {
	const said = (programs) => game({ signed: { programs } });
	const profile = { account: alice, standings: [], open: [], last: [] };

	test('has said so in a game that counts', () => {
		const standings = [{ program: false }, { program: true }];
		assert.equal(isOfProgram({ ...profile, standings }), true);
		assert.equal(isOfProgram({ ...profile, standings: standings.slice(0, 1) }), false);
	});

	test('has said so at its own seat of a game that is shown', () => {
		assert.equal(isOfProgram({ ...profile, open: [said([true, false])] }), true);
		assert.equal(isOfProgram({ ...profile, last: [game(), said([false, true])] }), false);
	});
});

describe('a small board', () => {
	test('has its discs by bins from the left and rows from the top', () => {
		assert.deepEqual(discsOf('...../.r.../gbry.'), {
			bins: 5,
			rows: 3,
			discs: [
				{ x: 1, y: 1, colour: 'red' },
				{ x: 0, y: 2, colour: 'green' },
				{ x: 1, y: 2, colour: 'blue' },
				{ x: 2, y: 2, colour: 'red' },
				{ x: 3, y: 2, colour: 'yellow' },
			],
		});
	});

	test('is told in words', () => {
		assert.equal(boardText('.r/br'), 'Board with 2 red and 1 blue');
		assert.equal(boardText('../..'), 'Empty board');
	});
});

describe('a plot', () => {
	const box = { width: 120, height: 60, left: 10, right: 10, top: 5, bottom: 5 };
	const points = [1500, 1516, 1500, 1540].map((rating, index) => ({
		game: String(index),
		time: null,
		rating,
	}));

	test('goes from the left to the right, and higher is higher', () => {
		const { places, lines, line } = plot(points, box);
		assert.deepEqual(
			places.map(({ x }) => Math.round(x)),
			[10, 43, 77, 110],
		);
		const [first, second, third, last] = places.map(({ y }) => y);
		assert.ok(second < first && first === third && last < second);
		for (const { y } of places) assert.ok(y >= box.top && y <= box.height - box.bottom);
		assert.ok(line.startsWith('M10 '));
		assert.deepEqual(
			lines.map(({ rating }) => rating),
			[1500, 1510, 1520, 1530, 1540],
		);
	});

	test('of one game, or of many with one rating, has a height', () => {
		for (const some of [points.slice(0, 1), [points[0], points[2]]]) {
			const { places, lines } = plot(some, box);
			assert.ok(lines.length > 1);
			for (const { x, y } of places) assert.ok(Number.isFinite(x) && Number.isFinite(y));
		}
	});

	test('is told in words', () => {
		assert.equal(
			plotText(points),
			'After 4 games the rating is 1540. It was 1540 at most and 1500 at least.',
		);
		assert.equal(plotText([]), 'No rated game yet.');
	});
});

describe('words', () => {
	test('say how long ago something was', () => {
		assert.equal(ago(null, 100), '');
		assert.equal(ago(100, 103), 'just now');
		assert.equal(ago(100, 90), 'just now');
		assert.equal(ago(0, 42), '42 s ago');
		assert.equal(ago(0, 61), '1 min ago');
		assert.equal(ago(0, 7300), '2 h ago');
		assert.equal(ago(0, 86_400), '1 day ago');
	});

	test('say how long somebody has to move', () => {
		assert.equal(leftText(null, 5), '');
		assert.equal(leftText(70, 5), '1:05');
		assert.equal(leftText(5, 6), 'out of time');
		assert.equal(leftText(7205, 5), '2 h');
		assert.equal(leftText(3 * 86_400, 0), '3 days');
	});

	test('stay together where a line breaks', () => {
		assert.equal(inLine(['4 moves', null, '12 s ago']), '4\u00a0moves · 12\u00a0s\u00a0ago');
	});

	test('say whose the discs are after a swap', () => {
		/** @param {string} kind @param {string} moves */
		const swapped = (kind, moves) => isSwapped({ kind, moves });
		assert.deepEqual(
			[swapped('signed', '4s1'), swapped('signed', '41s'), swapped('classic', '')],
			[true, false, false],
		);
		// The players of a variant are told by their colours.
		assert.equal(swapped('variant', '4s1'), false);
	});

	test('say how a game stands, and for whom', () => {
		assert.equal(standing(game()), 'alice to move');
		assert.equal(standing(game({ to_move: 1 })), 'Upon Jazz to move');
		const won = game({ how: 'by a line', winner: 0, to_move: null });
		assert.equal(standing(won), 'alice won by a line');
		assert.equal(standing(won, alice), 'won by a line');
		assert.equal(standing(won, other), 'lost by a line');
		assert.equal(standing(game({ how: 'by agreement' })), 'drawn by agreement');
		assert.equal(standing(game({ how: 'aborted' })), 'aborted');
		assert.equal(resultFor(won, alice), 'won');
		assert.equal(resultFor(won, other), 'lost');
		assert.equal(resultFor(game({ how: 'aborted' }), alice), null);
		assert.equal(resultFor(game(), alice), null);
	});

	test('say what is late or missing', () => {
		const lag = { block: 9, behind: 0, seconds: 0, missing: [], trouble: null };
		assert.equal(lagText(lag), null);
		assert.equal(
			lagText({ ...lag, behind: 30, seconds: 180 }),
			'The list is 30 blocks, 3 min behind the chain.',
		);
		assert.match(lagText({ ...lag, missing: [{ first: 1, last: 4 }] }) ?? '', /blocks 1 to 4/);
		assert.match(lagText({ ...lag, block: null }) ?? '', /Nothing/);
		assert.match(lagText({ ...lag, trouble: 'it is full' }) ?? '', /it is full/);
	});

	test('add up results', () => {
		const row = (seat, wins) => ({ seat, results: { wins, draws: 1, losses: 0 } });
		assert.deepEqual(
			summed([row(0, 1), row(1, 5), row(0, 2)], ({ seat }) => String(seat)),
			[
				['1', { wins: 5, draws: 1, losses: 0 }],
				['0', { wins: 3, draws: 2, losses: 0 }],
			],
		);
	});

	test('name games with a witness, which are rated apart', () => {
		assert.deepEqual([0, 1, 3, 7].map(leagueOf), [
			'witnessed',
			'witnessed-standard',
			'witnessed-large',
			'witnessed-7',
		]);
		assert.equal(leagueName('two'), 'Variants of two');
		assert.equal(leagueName('witnessed'), 'With a witness: any board');
		assert.equal(leagueName('witnessed-large'), 'With a witness: large boards, pie rule');
		assert.equal(leagueName('witnessed-7'), 'With a witness: pool 7');
		assert.deepEqual(['two', 'witnessed', 'witnessed-7'].map(isWitnessed), [false, true, true]);
		assert.deepEqual(['classic', 'signed'].map(kindName), ['classic', 'begun off the chain']);
	});
});
