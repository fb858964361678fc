import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

import './page-fakes.mjs';

import { hello } from '../state/fixtures.mjs';
import { lost } from '../state/reach.js';
import { dispatch } from '../store.js';
import { listen, tell } from '../transport.js';
import { asked, host } from './page-fakes.mjs';

/** How long was waited, in milliseconds. @type {number[]} */
const waits = [];
const { setTimeout } = globalThis;
beforeEach(() => {
	asked.length = 0;
	waits.length = 0;
	took = 0;
	const atOnce = (/** @type {() => void} */ act, /** @type {number} */ time) => {
		// That of a whole answer goes by in no test.
		if (time >= 30_000) return;
		waits.push(time);
		setImmediate(act);
	};
	Object.assign(globalThis, { setTimeout: atOnce });
	mock.method(performance, 'now', () => waited() + took);
});
afterEach(() => {
	mock.restoreAll();
	Object.assign(globalThis, { setTimeout });
});

const waited = () => waits.reduce((sum, wait) => sum + wait, 0);
/** How long the answers took, in milliseconds. */
let took = 0;

/** Answers of a proxy whose host comes back. @param {(number | object)[]} answers */
const proxy = (...answers) => {
	host['/api/ask'] = () => answers.shift() ?? { data: '0x01' };
};

test('what may be asked twice is asked again while a proxy does not reach the host', async () => {
	proxy(502, 503, 503, 503);
	assert.deepEqual(await tell('/api/ask', {}, { isIdempotent: true }), { data: '0x01' });
	assert.equal(asked.length, 5);
	assert.ok(waited() < 5_000);
});

test('a host that stays away is told after some seconds', async () => {
	proxy(...Array(100).fill(503));
	await assert.rejects(tell('/api/ask', {}, { isIdempotent: true }), /\(503\): try again/);
	assert.ok(waited() >= 5_000 && waited() < 8_000, `${waited()} ms`);
	assert.ok(asked.length < 10);

	// Not later, where the proxy waits itself for each answer.
	asked.length = 0;
	host['/api/ask'] = () => {
		took += 5_001;
		return 502;
	};
	await assert.rejects(tell('/api/ask', {}, { isIdempotent: true }), /\(502\): try again/);
	assert.equal(asked.length, 1);
});

test('a host that is too slow for its proxy is not asked again', async () => {
	proxy(504);
	await assert.rejects(tell('/api/ask', {}, { isIdempotent: true }), /\(504\): try again/);
	assert.equal(asked.length, 1);
});

test('a move that the program signs is not made a second time', async () => {
	proxy(502);
	await assert.rejects(tell('/api/ask', {}), /\(502\): try again/);
	assert.equal(asked.length, 1);
});

test('what a host refuses is not asked again', async () => {
	host['/api/ask'] = () => new Error('the bin is full');
	await assert.rejects(tell('/api/ask', {}, { isIdempotent: true }), /the bin is full/);
	assert.equal(asked.length, 1);
});

test('what does not answer is told by what the page knows of it, never as a program of the visitor', async () => {
	host['/api/ask'] = () => Promise.reject(new TypeError('Failed to fetch'));
	/** @param {RegExp} message */
	const says = (message) => assert.rejects(tell('/api/ask', {}), { message });
	await says(/^The server of this page, games\.example, does not answer/);
	dispatch({ type: 'hello', hello: { ...hello().hello, public: true } });
	await says(/^The host games\.example does not answer\. If no other site opens/);
	host['/api/ask'] = () => 502;
	await says(/^The host games\.example is not reached by the proxy before it \(502\)/);
});

/** A socket to the host. */
class Socket {
	static OPEN = 1;
	readyState = 1;
	/** @type {(() => void) | null} */ onopen = null;
	/** @type {((event: { data: string }) => void) | null} */ onmessage = null;
	/** @type {(() => void) | null} */ onclose = null;
	constructor() {
		sockets.push(this);
	}
	close() {
		this.readyState = 3;
		this.onclose?.();
	}
}
/** Those that were opened. @type {Socket[]} */
const sockets = [];

test('a host that sends too much at once is left, and for good after three times', async () => {
	Object.assign(globalThis, { WebSocket: Socket });
	Object.assign(globalThis.document, { addEventListener() {}, removeEventListener() {} });
	/** @type {import('../state/types.d.ts').Reach[]} */
	const downs = [];
	/** @type {unknown[]} */
	const said = [];
	const on = {
		message: (/** @type {unknown} */ one) => said.push(one),
		up: () => {},
		down: (/** @type {import('../state/types.d.ts').Reach} */ reach) => downs.push(reach),
	};
	const passed = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
	const stop = listen('/api/live', on);
	// What can be read changes nothing about it.
	sockets.at(-1)?.onmessage?.({ data: '{"type":"chain"}' });
	for (let time = 1; time <= 3; time += 1) {
		assert.equal(sockets.length, time);
		sockets.at(-1)?.onmessage?.({ data: `"${'x'.repeat(4_000_000)}"` });
		assert.equal(sockets.at(-1)?.readyState, 3);
		await passed();
	}
	await passed();
	assert.deepEqual([sockets.length, said.length], [3, 1]);
	const reach = /** @type {NonNullable<typeof downs[0]>} */ (downs.at(-1));
	assert.match(
		lost(reach, hello().hello),
		/has sent more than this page reads: load the page again, or use another host\.$/,
	);
	stop();

	// Nor for what else is shown.
	listen('/api/live?game=1', on)();
	await passed();
	assert.equal(sockets.length, 3);
});
