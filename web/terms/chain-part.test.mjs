import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { until } from '../host/fakes.mjs';
import { asked, host } from '../host/page-fakes.mjs';
import { hello } from '../state/fixtures.mjs';
import { dispatch } from '../store.js';
import { openChainPart } from './chain-part.js';
import { PLACE } from './fakes.mjs';

const GAME = `0x${'1'.repeat(64)}`;
const MINUTE = 60_000; // milliseconds
const NOW = 1_800_000_000_000;
const RECORD = 'what was recorded';

afterEach(() => mock.timers.reset());

/** A game that red has won, to which both agree. */
const state = () =>
	/** @type {any} */ ({
		notation: '4141414',
		position: { over: true, end: 'line', winner: 'red', swapped: false },
		agreed: true,
		clock: null,
		time: NOW / 1000,
		record: { call: {}, file: RECORD },
	});

/** The same in the index. */
const indexed = { game: GAME, moves: '4141414', how: 'by a line', winner: 0, signed: {} };

/** What the index has, and how far it is. */
let index = { game: /** @type {object | null} */ (null), block: 9 };
host['/api/search'] = () => ({
	game: index.game,
	index: { block: index.block, behind: 0, trouble: null, missing: [] },
});

/** Opens the finished game. @param {{ recorded: string | null, block: number }} known */
async function opened(known) {
	mock.timers.enable({ apis: ['setInterval', 'Date'], now: NOW });
	const said = hello();
	dispatch({ ...said, hello: { ...said.hello, index: true } });
	const looks = asked.length;
	const table = /** @type {any} */ ({ shown: { state: state(), role: 'player' } });
	/** @type {any[]} */
	const told = [];
	const part = openChainPart({
		game: GAME,
		place: PLACE,
		table,
		known: { dispute: null, ...known },
		changed: (shown) => told.push(shown),
	});
	await until(() => asked.length > looks, 'the index was asked');
	// What it has answered is taken.
	await new Promise((resolve) => setImmediate(resolve));
	return { part, told };
}

test('a game whose record was replaced with its block is none when it is opened again', async () => {
	index = { game: null, block: 9 };
	const { part, told } = await opened({ recorded: RECORD, block: 7 });
	await until(() => told.length === 1, 'it is told');
	assert.deepEqual([part.shown.recorded, part.shown.lost], [null, 'replaced']);
	part.close();
});

test('a record is kept while the index has not got its block', async () => {
	index = { game: null, block: 6 };
	const { part, told } = await opened({ recorded: RECORD, block: 7 });
	assert.deepEqual([part.shown.recorded, told], [RECORD, []]);
	part.close();
});

test('who keeps a finished game open sees that somebody records it, and that the record goes', async () => {
	index = { game: null, block: 9 };
	const { part } = await opened({ recorded: null, block: 0 });
	assert.equal(part.shown.recorded, null);
	index = { game: indexed, block: 10 };
	const looks = asked.length;
	mock.timers.tick(MINUTE / 2);
	assert.equal(asked.length, looks, 'not in a hurry');
	mock.timers.tick(MINUTE / 2);
	await until(() => part.shown.recorded === RECORD, 'the record is seen');
	index = { game: null, block: 11 };
	mock.timers.tick(MINUTE);
	await until(() => part.shown.lost, 'the record is gone');
	assert.equal(part.shown.recorded, null);
	part.close();
});
