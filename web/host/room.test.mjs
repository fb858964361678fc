import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';

import { askAgain } from '../floods.js';
import { framed } from './fakes.mjs';
import { openRoom, originOf } from './room.js';

/** Bytes of a frame, at most. */
const LONGEST = 460;

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
		this.onmessage({ data: framed(Uint8Array.from(bytes)) });
	}
}

/** Frames that were said are read. */
const read = async () => {
	for (let step = 0; step < 2_000; step += 1) await null;
};

function room(url = 'wss://relay.example/signed/0x01') {
	/** @type {FakeSocket[]} */
	const sockets = [];
	/** @type {string[]} */
	const frames = [];
	/** @type {string[]} */
	const told = [];
	const open = openRoom(url, {
		frame: (frame) => frames.push(frame),
		changed: (isThere, why) => told.push(isThere ? 'there' : why),
		longest: LONGEST,
		socket: () => {
			const made = new FakeSocket();
			sockets.push(made);
			return /** @type {any} */ (made);
		},
	});
	const last = () => /** @type {FakeSocket} */ (sockets.at(-1));
	return { open, sockets, frames, told, last };
}

describe('a room of a relay', () => {
	beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
	afterEach(() => mock.timers.reset());

	test('passes frames on', async () => {
		const { open, frames, last, told } = room();
		open.send('0x0102');
		last().open();
		open.send('0x00ff');
		last().say([1, 255]);
		await read();
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
		assert.equal(told.at(-1), 'it sends what no message can be');
		// What the old socket says later is not heard.
		const before = told.length;
		first.onclose();
		assert.equal(told.length, before);
		open.close();
	});

	test('is left if the relay says more than a game has to say', async () => {
		const { open, frames, last, told } = room();
		last().open();
		for (let frame = 0; frame < 200; frame += 1) last().say([1]);
		await read();
		assert.deepEqual([frames.length, told.at(-1)], [200, 'there']);
		mock.timers.tick(1_000);
		for (let frame = 0; frame < 50; frame += 1) last().say([1]);
		await read();
		assert.deepEqual([frames.length, told.at(-1)], [250, 'there']);
		const flooding = last();
		flooding.say([1]);
		await read();
		assert.deepEqual([frames.length, flooding.isClosed], [250, true]);
		assert.equal(told.at(-1), 'it sends more than a game has to say');
		// What was under way from it is not taken either.
		mock.timers.tick(5_000);
		flooding.say([1]);
		await read();
		assert.equal(frames.length, 250);
		open.close();
	});

	test('is left by a frame that no message can be, which is never read, and for good after three', async () => {
		const url = 'wss://floods.example/signed/0x01';
		const { open, sockets, frames, last, told } = room(url);
		let isRead = false;
		const huge = Object.assign(new Blob([new Uint8Array(LONGEST + 1)]), {
			arrayBuffer: async () => {
				isRead = true;
				return new ArrayBuffer(0);
			},
		});
		last().open();
		last().say(Array(LONGEST).fill(1));
		await read();
		assert.equal(frames.length, 1);
		for (const data of [huge, 'text', huge]) {
			const before = sockets.length;
			last().onmessage({ data });
			assert.equal(sockets.at(-1)?.isClosed, true);
			assert.equal(told.at(-1), 'it sends what no message can be');
			mock.timers.tick(5_000);
			if (sockets.length > before) last().open();
		}
		await read();
		const GIVEN_UP = /so it is connected no more until you load the page again$/;
		assert.match(told.at(-1) ?? '', GIVEN_UP);
		mock.timers.tick(600_000);
		assert.deepEqual([sockets.length, frames.length, isRead], [3, 1, false]);
		// Nor is anything else at that relay, until the player wants it.
		const other = room('wss://floods.example/signed/lobby');
		await read();
		assert.match(other.told.at(-1) ?? '', GIVEN_UP);
		assert.equal(other.sockets.length, 0);
		assert.equal(askAgain(originOf(url)), true);
		assert.equal(askAgain(originOf(url)), false);
		const again = room('wss://floods.example/signed/lobby');
		assert.equal(again.sockets.length, 1);
		for (const one of [open, other.open, again.open]) one.close();
	});

	test('passes frames on in their order, whatever the browser reads first', async () => {
		const { open, frames, last } = room();
		last().open();
		const late = Object.assign(framed(Uint8Array.of(1)), {
			async arrayBuffer() {
				for (let step = 0; step < 20; step += 1) await null;
				return Uint8Array.of(1).buffer;
			},
		});
		last().onmessage({ data: late });
		last().say([2]);
		await read();
		assert.deepEqual(frames, ['0x01', '0x02']);
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
