import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';

import { openRoom, roomUrl } from './room.js';

class FakeSocket {
	readyState = 0;
	binaryType = '';
	/** @type {Uint8Array[]} */
	sent = [];
	isClosed = false;
	/** @type {any} */ onopen = null;
	/** @type {any} */ onmessage = null;
	/** @type {any} */ onclose = null;
	/** @type {any} */ onerror = null;
	/** @param {Uint8Array} frame */
	send(frame) {
		this.sent.push(frame);
	}
	close() {
		this.isClosed = true;
		this.readyState = 3;
	}
	open() {
		this.readyState = 1;
		this.onopen();
	}
	/** @param {number[]} bytes */
	say(bytes) {
		this.onmessage({ data: Uint8Array.from(bytes).buffer });
	}
}

function room() {
	/** @type {FakeSocket[]} */
	const sockets = [];
	/** @type {string[]} */
	const frames = [];
	/** @type {string[]} */
	const told = [];
	const open = openRoom('wss://relay.example/fast/2147483651', {
		frame: (frame) => frames.push(frame),
		changed: (isThere, why) => told.push(isThere ? 'there' : why),
		socket: () => {
			const made = new FakeSocket();
			sockets.push(made);
			return /** @type {any} */ (made);
		},
	});
	const last = () => /** @type {FakeSocket} */ (sockets.at(-1));
	return { open, sockets, frames, told, last };
}

describe('the room of a fast game', () => {
	beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
	afterEach(() => mock.timers.reset());

	test('is found by the number of the game', () => {
		const url = 'wss://relay.example/fast/2147483651';
		assert.equal(roomUrl('wss://relay.example/', 'f3'), url);
		assert.equal(roomUrl('https://relay.example', 'f3'), url);
	});

	test('passes frames on', () => {
		const { open, frames, last, told } = room();
		open.send('0x0102');
		last().open();
		open.send('0x00ff');
		last().say([1, 255]);
		assert.deepEqual(frames, ['0x01ff']);
		assert.deepEqual(last().sent, [Uint8Array.of(0, 255)]);
		assert.deepEqual(told, ['there']);
		open.close();
	});

	test('is connected again, less and less often', () => {
		const { open, sockets, last, told } = room();
		let waits = 0;
		for (const wait of [200, 400, 800, 1_600, 3_200, 5_000, 5_000]) {
			last().onclose();
			mock.timers.tick(wait - 1);
			assert.equal(sockets.length, waits + 1);
			mock.timers.tick(1);
			waits += 1;
			assert.equal(sockets.length, waits + 1);
		}
		// After a connection that has lasted it is tried at once again.
		last().open();
		mock.timers.tick(5_001);
		last().onclose();
		mock.timers.tick(200);
		assert.equal(sockets.length, waits + 2);
		assert.equal(told.at(-1), 'it has closed the connection');
		open.close();
	});

	test('is closed once it is open if it is left before', () => {
		const { open, last, told } = room();
		open.close();
		assert.equal(last().isClosed, false);
		last().open();
		assert.equal(last().isClosed, true);
		assert.ok(!told.includes('there'));
	});

	test('counts as lost if it does not answer, is silent, or speaks otherwise', () => {
		const { open, last, told } = room();
		const first = last();
		mock.timers.tick(5_000);
		assert.deepEqual([first.isClosed, told.at(-1)], [true, 'it is silent']);
		mock.timers.tick(200);
		last().open();
		mock.timers.tick(24_999);
		last().say([1]);
		mock.timers.tick(24_999);
		assert.equal(told.at(-1), 'there');
		mock.timers.tick(1);
		assert.equal(told.at(-1), 'it is silent');
		mock.timers.tick(200);
		last().open();
		last().onmessage({ data: 'text' });
		assert.equal(told.at(-1), 'it says what nobody understands');
		// What the old socket says later is not heard.
		const before = told.length;
		first.onclose();
		assert.equal(told.length, before);
		open.close();
	});

	test('is entered again by a player who stays alone in it, less and less often', () => {
		const { open, sockets, last, told } = room();
		let entered = 1;
		for (const wait of [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 160_000]) {
			last().open();
			open.meets(false);
			for (let passed = 5_000; passed < wait; passed += 5_000) {
				mock.timers.tick(5_000);
				last().say([1]);
				open.meets(false);
			}
			assert.equal(sockets.length, entered);
			mock.timers.tick(5_000);
			entered += 1;
			assert.equal(sockets.length, entered);
			assert.equal(sockets.at(-2)?.isClosed, true);
		}
		// Who has met the opponent waits as long as at first.
		last().open();
		open.meets(false);
		open.meets(true);
		open.meets(false);
		mock.timers.tick(4_999);
		assert.equal(sockets.length, entered);
		mock.timers.tick(1);
		assert.equal(sockets.length, entered + 1);
		// The relay was there all the time.
		assert.deepEqual(new Set(told), new Set(['there']));
		open.close();
		mock.timers.tick(400_000);
		assert.equal(sockets.length, entered + 1);
	});

	test('is left if the relay says more than a game has to say', () => {
		const { open, frames, last, told } = room();
		last().open();
		for (let frame = 0; frame < 200; frame += 1) last().say([1]);
		assert.deepEqual([frames.length, told.at(-1)], [200, 'there']);
		mock.timers.tick(1_000);
		for (let frame = 0; frame < 50; frame += 1) last().say([1]);
		assert.deepEqual([frames.length, told.at(-1)], [250, 'there']);
		const flooding = last();
		flooding.say([1]);
		assert.deepEqual([frames.length, flooding.isClosed], [250, true]);
		assert.equal(told.at(-1), 'it sends more than a game has to say');
		// What was under way from it is not taken either.
		mock.timers.tick(5_000);
		flooding.say([1]);
		assert.equal(frames.length, 250);
		open.close();
	});

	test('is not connected again once it is left', () => {
		const { open, sockets, last, told } = room();
		last().open();
		open.close();
		last().onclose();
		mock.timers.tick(60_000);
		assert.deepEqual([sockets.length, told], [1, ['there']]);
	});
});
