import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';

import { WalletError } from './ethereum.js';
import { Disk, KEYS, pressed, Relay, SECRETS, started, until } from './fakes.mjs';
import { page, play, ready, table } from './seat-pages.mjs';

const COLUMN = [3, 4, 3, 4, 3, 4, 3];

describe('what has to be done on the chain', () => {
	/**
	 * Red has won, and what becomes of its transactions is up to `fails`.
	 * @param {(unanswered: (why: string) => void) => unknown} fails
	 */
	async function due(fails) {
		const relay = new Relay();
		const [one, two] = KEYS.map((key, at) =>
			page({ relay, disk: new Disk(key, SECRETS[at] ?? ''), key, fails }),
		);
		await ready(...[one, two].filter((of) => of !== undefined));
		await play([one, two], COLUMN);
		await until(() => one?.calls.length === 1, 'the wallet is asked');
		/** Looks at the chain again, once the clock of the browser is so many seconds further. */
		const later = async (/** @type {number} */ seconds) => {
			mock.timers.tick(seconds * 1_000);
			await one?.seat.see(started(), 1_800_000_000);
		};
		return { seat: one?.seat, calls: one?.calls ?? [], later };
	}

	beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 }));
	afterEach(() => mock.timers.reset());

	test('is due again after an error, not at once, and the error is told', async () => {
		let why = 'the node is away';
		const { seat, calls, later } = await due(() => {
			if (why) throw new Error(why);
		});
		await until(() => seat.shown.trouble === why, 'it is told');
		assert.notEqual(seat.shown.duty, null);
		for (const [pause, before] of [5, 10, 20, 40, 60, 60].entries()) {
			await later(before - 1);
			assert.equal(calls.length, pause + 1);
			await later(1);
			assert.equal(calls.length, pause + 2, `after ${before} seconds`);
		}
		why = '';
		await later(60);
		assert.equal(seat.shown.trouble, '', 'it is in a block');
		// A fork took it back, or the host has said what is not true.
		await later(60);
		assert.equal(calls.length, 9);
	});

	test('is not asked for again by itself once the player has refused', async () => {
		const { seat, calls, later } = await due(() => {
			throw new WalletError('You refused in Purse: nothing was signed.', 'refused');
		});
		await later(3_600);
		assert.equal(calls.length, 1);
		assert.match(seat.shown.trouble, /You refused in Purse/);
		assert.notEqual(seat.shown.duty, null);
		await seat.doDuty();
		assert.equal(calls.length, 2);
	});
});

describe('a wallet that does not answer what is due', () => {
	beforeEach(() => mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 }));
	afterEach(() => mock.timers.reset());

	test('is asked again if the player wants it, or if something else is due', async () => {
		/** What the wallet answers, in order. @type {((error?: Error) => void)[]} */
		const answers = [];
		/** @type {((why: string) => void)[]} */
		const silences = [];
		const relay = new Relay();
		const [one, two] = KEYS.map((key, at) =>
			page({
				relay,
				disk: new Disk(key, SECRETS[at] ?? ''),
				key,
				fails: (/** @type {(why: string) => void} */ unanswered) => {
					silences.push(unanswered);
					return new Promise((resolve, reject) =>
						answers.push((error) => (error ? reject(error) : resolve(null))),
					);
				},
			}),
		);
		assert.ok(one && two);
		await ready(one, two);
		await play([one, two], COLUMN.slice(0, -1));
		// The loser does not hear of the line, so that it does not agree to it yet.
		relay.isDown = true;
		await one.seat.drop(3);
		const { seat, calls } = one;
		const later = async (/** @type {number} */ seconds) => {
			mock.timers.tick(seconds * 1_000);
			await seat.see(started(), 1_800_000_000);
		};
		// The loser is waited for.
		await later(2);
		assert.deepEqual([calls.length, seat.shown.duty], [0, null]);
		await later(1);
		await until(() => calls.length === 1, 'the wallet is asked');
		const clicked = seat.doDuty();
		assert.equal(calls.length, 1, 'it waits for the answer');
		silences[0]?.('Purse has not answered.');
		await clicked;
		assert.equal(seat.shown.trouble, 'Purse has not answered.');
		await later(3_600);
		assert.equal(calls.length, 1, 'not by itself');
		seat.doDuty();
		assert.equal(calls.length, 2);
		silences[1]?.('Purse has not answered.');
		await later(1);

		const [before] = calls;
		relay.isDown = false;
		await until(() => seat.shown.duty?.input !== before?.call.input, 'the loser has agreed');
		await later(60);
		await until(() => calls.length === 3, 'the wallet is asked for what is due now');
		assert.notEqual(calls[2]?.call.input, before?.call.input);
		answers[2]?.();
		await until(() => seat.shown.trouble === '', 'it is in a block');
		// A late answer to what is not due any more changes nothing.
		answers[0]?.();
		await later(1);
		assert.deepEqual([calls.length, seat.shown.trouble], [3, '']);
	});
});

describe('a browser whose clock is wrong', () => {
	test('plays by the time of the chain, and says so', async () => {
		let machine = 1_800_000_600;
		const disk = new Disk(KEYS[0] ?? '', SECRETS[0] ?? '');
		const { seat } = page({ relay: null, disk, key: KEYS[0], time: () => machine });
		await until(() => seat.shown.role === 'player' && seat.shown.state !== null, 'it plays');
		machine += 6;
		await seat.see(started(), 1_800_000_006);
		assert.equal(seat.now(), 1_800_000_006);
		assert.equal(seat.shown.ahead, 600);
		// It was set right.
		machine -= 600;
		await seat.see(started(), 1_800_000_006);
		machine += 6;
		await seat.see(started(), 1_800_000_012);
		assert.equal(seat.now(), 1_800_000_012);
		assert.equal(seat.shown.ahead, 0);
	});
});

describe('a browser whose clock is an hour ahead', () => {
	const NOW = 1_800_000_000;
	const time = () => NOW + 3_600;

	test('answers a press by the time of the chain', async () => {
		const { relay, disks, pages } = await table();
		await play(pages, [3, 4, 3, 4]);
		await pages[0].seat.close();
		const ahead = page({ relay, disk: disks[0], key: KEYS[0], time });
		await ready(ahead);
		await until(() => ahead.seat.shown.role === 'player', 'it plays');
		await ahead.seat.see(pressed(NOW + 300), NOW);
		await until(() => ahead.calls.length === 1, 'the wallet is asked');
		assert.deepEqual([ahead.calls[0]?.why, ahead.calls[0]?.call.message], ['duty', 'advance']);
		assert.notEqual(ahead.seat.shown.duty, null);
		// Somebody else has brought it.
		await ahead.seat.see(started(), NOW);
		assert.equal(ahead.seat.shown.duty, null);
	});

	test('is offered a draw, and offers one, once a new block has told the time', async () => {
		const { relay, disks, pages } = await table();
		await play(pages, [3, 4]);
		await pages[0].seat.close();
		const ahead = page({ relay, disk: disks[0], key: KEYS[0], time });
		await ready(ahead);
		await ahead.seat.see(started(), NOW + 6);
		assert.equal(ahead.seat.shown.ahead, 3_594);
		await pages[1].seat.offerDraw();
		await until(() => ahead.seat.shown.state.draw_offer === 'blue', 'the offer has arrived');
	});

	test('goes on by what was read, where the time of a block is not', async () => {
		const { pages } = await table();
		await play(pages, [3]);
		await pages[0].seat.see(started(), 0);
		await pages[0].seat.offerDraw();
		await until(() => pages[1].seat.shown.state.draw_offer === 'red', 'the offer has arrived');
	});
});

test('a first move has a day, however long the bank', async () => {
	const DAY = 86_400;
	const month = { bank: 30 * DAY, increment: 0 };
	const began = 1_800_000_000;
	for (const [terms, deadline] of [
		[null, began + 30 * DAY],
		[month, began + DAY],
	]) {
		const { seat } = page({ chain: pressed(began + 30 * DAY), terms });
		await until(() => seat.shown.state !== null, 'it is shown');
		assert.equal(seat.shown.state.deadline, deadline);
	}
});
