import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { addressOf, connectTo, NodeError } from './rpc.js';

/**
 * A server that answers what it is sent.
 * @param {import('node:test').TestContext} t
 * @param {(asked: any) => { status?: number, body: string } | null} reply null for no answer at all
 */
async function server(t, reply) {
	const made = createServer(async (asked, answer) => {
		let text = '';
		for await (const part of asked) text += part;
		const said = reply(JSON.parse(text));
		if (said) answer.writeHead(said.status ?? 200).end(said.body);
	});
	await new Promise((resolve) => made.listen(0, '127.0.0.1', () => resolve(null)));
	t.after(() => {
		made.closeAllConnections();
		made.close();
	});
	return new URL(`http://127.0.0.1:${/** @type {any} */ (made.address()).port}`);
}

/** @param {string} kind */
const ofKind = (kind) => (/** @type {unknown} */ error) =>
	error instanceof NodeError && error.kind === kind;

test('an address is one that a page can ask', () => {
	for (const text of ['https://rpc.example', ' wss://rpc.example/key ', 'http://127.0.0.1:9944']) {
		assert.ok(addressOf(text, 'http:').href.startsWith(text.trim()));
	}
	for (const text of ['', 'rpc.example', '127.0.0.1:9944', 'ftp://rpc.example', 'https://a:b@c']) {
		assert.throws(() => addressOf(text, 'http:'), ofKind('address'), text);
	}
	// A page that came encrypted asks this machine alone without encryption.
	for (const text of ['http://127.0.0.1:9944', 'ws://localhost:9944', 'ws://[::1]:9944']) {
		addressOf(text, 'https:');
	}
	for (const text of ['http://rpc.example', 'ws://192.168.0.2:9944', 'http://127.0.0.1.example']) {
		assert.throws(() => addressOf(text, 'https:'), /without encryption/, text);
	}
});

test('a node answers over HTTP, and says why it does not', async (t) => {
	/** @type {Record<string, { status?: number, body: string } | null>} */
	const replies = {
		eth_blockNumber: { body: '{"jsonrpc":"2.0","id":1,"result":"0x7"}' },
		nothing: { body: '{"jsonrpc":"2.0","id":1,"result":null}' },
		unknown: { body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Not found"}}' },
		page: { body: '<html></html>' },
		number: { body: '7' },
		barred: { status: 403, body: '{}' },
		busy: { status: 429, body: '{}' },
		broken: { status: 502, body: '<html></html>' },
		silent: null,
	};
	const url = await server(t, ({ method }) => replies[method] ?? null);
	const { request } = connectTo(url);
	assert.equal(await request('eth_blockNumber'), '0x7');
	assert.equal(await request('nothing'), null);
	await assert.rejects(request('unknown'), ofKind('refused'));
	for (const method of ['page', 'number']) await assert.rejects(request(method), ofKind('strange'));
	await assert.rejects(request('barred'), /status 403/);
	for (const method of ['busy', 'broken']) await assert.rejects(request(method), ofKind('away'));
	await assert.rejects(connectTo(url, { patience: 1 }).request('silent'), ofKind('away'));
	// It is asked again after it was given up.
	assert.equal(await request('eth_blockNumber'), '0x7');
	const nobody = connectTo(new URL('http://127.0.0.1:9'));
	await assert.rejects(nobody.request('eth_blockNumber'), ofKind('away'));
});

/** A socket to a node that answers as it is told. */
class Socket {
	/** @type {Socket[]} */
	static all = [];
	/** @type {{ id: number, method: string }[]} */
	asked = [];
	/** @type {Record<string, ((event?: any) => void) | undefined>} */
	on = {};

	constructor() {
		Socket.all.push(this);
		setTimeout(() => this.on.open?.());
	}

	set onopen(/** @type {() => void} */ heard) {
		this.on.open = heard;
	}

	set onmessage(/** @type {() => void} */ heard) {
		this.on.message = heard;
	}

	set onclose(/** @type {() => void} */ heard) {
		this.on.close = heard;
	}

	/** @param {string} text */
	send(text) {
		this.asked.push(JSON.parse(text));
	}

	/** @param {unknown} said */
	say(said) {
		this.on.message?.({ data: JSON.stringify(said) });
	}

	close() {
		this.on.close?.();
	}
}

/** @param {() => boolean} isSo */
const until = async (isSo) => {
	while (!isSo()) await new Promise((resolve) => setTimeout(resolve));
};

test('a node answers over one socket, which is opened again after it broke', async () => {
	const url = new URL('wss://rpc.example');
	const { request, close } = connectTo(url, { socket: () => /** @type {any} */ (new Socket()) });
	const [first, second] = [request('one'), request('two')];
	await until(() => Socket.all[0]?.asked.length === 2);
	const [socket] = Socket.all;
	const [one, two] = socket?.asked ?? [];
	// Answers come in any order, among other things.
	socket?.on.message?.({ data: 'noise' });
	socket?.say({ method: 'eth_subscription' });
	socket?.say({ id: two?.id, result: 2 });
	socket?.say({ id: one?.id, result: 1 });
	assert.deepEqual(await Promise.all([first, second]), [1, 2]);

	const broken = request('three');
	await until(() => socket?.asked.length === 3);
	socket?.close();
	await assert.rejects(broken, ofKind('away'));

	const again = request('four');
	await until(() => Socket.all[1]?.asked.length === 1);
	// What the first socket does has nothing to do with the second one.
	socket?.close();
	Socket.all[1]?.say({ id: Socket.all[1]?.asked[0]?.id, result: 4 });
	assert.equal(await again, 4);
	const given = request('five');
	await until(() => Socket.all[1]?.asked.length === 2);
	close();
	await assert.rejects(given, ofKind('away'));

	// One that is silent for too long is given up, with its socket.
	const silent = connectTo(url, {
		patience: 5,
		socket: () => /** @type {any} */ (new Socket()),
	});
	await assert.rejects(silent.request('six'), ofKind('away'));
	assert.equal(Socket.all.length, 3);
});

/** Longer than anything that is asked for. */
const FLOOD = 'x'.repeat((1 << 20) + 1);

test('an answer that is too long is not read, and after three the node is asked no more', async (t) => {
	let asked = 0;
	const url = await server(t, () => {
		asked += 1;
		return { body: JSON.stringify({ id: 1, result: FLOOD }) };
	});
	const { request } = connectTo(url);
	for (let time = 0; time < 3; time += 1) {
		await assert.rejects(request('flood'), ofKind('strange'));
	}
	await assert.rejects(request('flood'), ofKind('unfit'));
	assert.equal(asked, 3);
	// Who names it again asks it again.
	await assert.rejects(connectTo(url).request('flood'), ofKind('strange'));
});

test('a socket is left by an answer that is too long, and after three not opened again', async () => {
	Socket.all.length = 0;
	const url = new URL('wss://rpc.example');
	const { request } = connectTo(url, { socket: () => /** @type {any} */ (new Socket()) });
	for (let time = 0; time < 3; time += 1) {
		const flooded = request('flood');
		await until(() => Socket.all[time]?.asked.length === 1);
		let isClosed = false;
		const socket = /** @type {Socket} */ (Socket.all[time]);
		socket.close = () => {
			isClosed = true;
		};
		socket.on.message?.({ data: time === 1 ? new Blob([FLOOD]) : FLOOD });
		assert.ok(isClosed);
		await assert.rejects(flooded, ofKind('strange'));
	}
	await assert.rejects(request('flood'), ofKind('unfit'));
	assert.equal(Socket.all.length, 3);
});
