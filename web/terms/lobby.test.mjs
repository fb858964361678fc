import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';

import '../host/page-fakes.mjs';

import { forget, restore } from '../guest/account.js';
import { useContracts } from '../host/contracts.js';
import { CHAIN_ID, CONTRACT, Database, framed } from '../host/fakes.mjs';
import { session } from '../host/session.js';
import { hello } from '../state/fixtures.mjs';
import { current, dispatch } from '../store.js';

const CODE = '00112233445566778899aabbccddeeff';
/** Kinds of messages to the lobby. */
const SEEK = 0;
const LOOK = 2;
const ANSWER = 3;
const LIST = 6;
/** Why there is no game. */
const TAKEN = 0;
const GONE = 1;

/** Little-endian bytes. @param {bigint | number} value @param {number} length */
const little = (value, length) =>
	Uint8Array.from({ length }, (_, at) => Number((BigInt(value) >> BigInt(8 * at)) & 0xffn));
const contract = Uint8Array.from(Buffer.from(CONTRACT.slice(2), 'hex'));
const now = () => Math.floor(Date.now() / 1000);
/** What the relay says first. @param {number} [time] that of its clock */
const welcome = (time = now()) =>
	Buffer.concat(
		[[0], new Uint8Array(32).fill(7), little(CHAIN_ID, 8), contract, little(time, 8)].map((part) =>
			Uint8Array.from(part),
		),
	);

/** The sockets that the page has opened. @type {Socket[]} */
const sockets = [];
class Socket {
	readyState = 1;
	/** @type {Buffer[]} */
	sent = [];
	/** @type {any} */ onopen = null;
	/** @type {any} */ onmessage = null;
	/** @type {any} */ onclose = null;
	constructor() {
		sockets.push(this);
	}

	/** @param {ArrayBuffer | Uint8Array} data */
	send(data) {
		this.sent.push(Buffer.from(/** @type {Uint8Array} */ (data)));
	}

	/** @param {Buffer} frame */
	hear(frame) {
		this.onmessage?.({ data: framed(frame) });
	}

	/** @param {number} kind */
	of(kind) {
		return this.sent.filter(([first]) => first === kind);
	}

	close() {
		this.readyState = 3;
	}
}
/** Waits until something is so. @param {() => unknown} isSo */
async function until(isSo) {
	const end = Date.now() + 20_000;
	while (!isSo()) {
		assert.ok(Date.now() < end, `it did not come to ${isSo}`);
		await new Promise((resolve) => setTimeout(resolve));
	}
}

let pages = 0;
/** The disks of these pages, of which one is used. @type {Database[]} */
const disks = [];
/** A page of its own, whose host has a lobby. */
const page = async () => {
	pages += 1;
	const said = hello();
	/** @type {any} */
	const facts = { chain_id: CHAIN_ID, fast: CONTRACT, relay: null };
	dispatch({ ...said, hello: { ...said.hello, public: facts } });
	Object.assign(session, { chain: { name: 'test', chainId: CHAIN_ID, relay: null } });
	useContracts({ fast: CONTRACT });
	const disk = new Database();
	disks.push(disk);
	Object.assign(globalThis, { indexedDB: disk, WebSocket: Socket });
	const lobby = await import(`./lobby.js?page=${pages}`);
	return /** @type {typeof import('./lobby.js')} */ (lobby);
};
/** The socket that is opened by something. @param {() => unknown} act @param {number} [time] of the relay */
const openedBy = async (act, time) => {
	const before = sockets.length;
	await act();
	await until(() => sockets.length > before);
	const socket = /** @type {Socket} */ (sockets.at(-1));
	socket.onopen?.();
	socket.hear(welcome(time));
	return socket;
};

/** Makes a page seek a game, or a friend; what it has sent when all of it is done. @param {string | null} [invite] */
const sought = async (invite = CODE) => {
	const lobby = await page();
	const socket = await openedBy(() => lobby.seek({ invite }));
	await until(() => socket.of(LIST).length);
	// It follows what is under way.
	await lobby.withdraw();
	return socket.of(SEEK);
};

test('what is sought is said once to a lobby that welcomes', async () => {
	assert.equal((await sought()).length, 1);
});

describe('a clock that is wrong by that of the relay', () => {
	test('is told before a game is sought, and asked about anew once it was set', async () => {
		for (const [off, words] of /** @type {const} */ ([
			[900, '15 minutes fast'],
			[-86_400, '24 hours slow'],
			[365 * 86_400, '365 days fast'],
		])) {
			const lobby = await page();
			const wrong = await openedBy(() => lobby.seek({}), now() - off);
			await until(() => current().seek?.phase === 'failed');
			const note = current().seek?.note ?? '';
			assert.match(note, new RegExp(`^By the clock of the relay.* is ${words}, .* set it right`));
			assert.deepEqual([wrong.readyState, wrong.sent.length], [3, 0]);
			const right = await openedBy(() => lobby.seek({}));
			await until(() => right.of(SEEK).length === 1);
			await lobby.withdraw();
		}
	});

	test('is told to who joins a friend', async () => {
		const lobby = await page();
		const wrong = await openedBy(() => lobby.join(CODE), now() + 7_200);
		await until(() => current().seek?.phase === 'failed');
		assert.match(current().seek?.note ?? '', /is 2 hours slow/);
		assert.equal(wrong.of(LOOK).length, 0);
	});

	test('is told to who only looks, as nothing is listed', async () => {
		const lobby = await page();
		await lobby.withdraw();
		await openedBy(() => lobby.watchSeeks(true), now() - 601);
		await until(() => current().seek?.phase === 'failed');
		assert.match(current().seek?.note ?? '', /is 10 minutes fast/);
		lobby.watchSeeks(false);
		// A seek is valid for ten minutes.
		await lobby.withdraw();
		const right = await openedBy(() => lobby.watchSeeks(true), now() - 590);
		await until(() => right.of(LIST).length === 1);
		assert.equal(current().seek, null);
		lobby.watchSeeks(false);
	});
});

test('what is sought for long is sought anew', async () => {
	mock.timers.enable({ apis: ['setInterval'] });
	const lobby = await page();
	const socket = await openedBy(() => lobby.seek({}));
	await until(() => socket.of(LIST).length);
	mock.timers.tick(300_000);
	await until(() => socket.of(SEEK).length === 2);
	const [first, second] = socket.of(SEEK);
	assert.notDeepEqual(first, second, 'made at another time');
	await lobby.withdraw();
	mock.timers.tick(300_000);
	mock.timers.reset();
	assert.equal(socket.of(SEEK).length, 2);
});

test('a friend whose page was loaded again is answered again', async () => {
	const [seek] = await sought();
	// Another guest.
	await forget();
	// Without the kind of the message and the invite after it.
	const signed = /** @type {Buffer} */ (seek).subarray(1, -17);
	const lobby = await page();
	const socket = await openedBy(() => lobby.join(CODE));
	await until(() => socket.of(LOOK).length === 1);
	const listed = (/** @type {number} */ id) =>
		Buffer.concat([Uint8Array.of(1), little(id, 8), Uint8Array.of(1), signed]);
	const notPaired = (/** @type {number} */ id, /** @type {number} */ why) =>
		Buffer.concat([Uint8Array.of(6), little(id, 8), Uint8Array.of(why)]);
	socket.hear(listed(1));
	await until(() => socket.of(ANSWER).length === 1);
	assert.equal(current().seek?.phase, 'pairing');
	socket.hear(notPaired(1, GONE));
	await until(() => current().seek?.phase === 'looking');
	socket.hear(listed(2));
	await until(() => socket.of(ANSWER).length === 2);
	socket.hear(notPaired(2, TAKEN));
	await until(() => current().seek?.phase === 'failed');
	await lobby.withdraw();
});

test('nobody seeks by terms that the disk would not keep', async (t) => {
	const lobby = await page();
	await forget();
	for (const disk of disks) disk.isFull = true;
	t.after(() => {
		for (const disk of disks) disk.isFull = false;
	});
	const before = sockets.length;
	await assert.rejects(lobby.seek({}), /does not keep what has to be on disk before anything/);
	assert.match(current().seek?.note ?? '', /does not keep what has to be on disk/);
	assert.equal(sockets.length, before);
});

describe('contracts of a host about which the player is asked', () => {
	const why =
		'This host names another contract. Nothing is signed until you say that you know why.';

	test('have no guest seek, join or be listed there', async () => {
		const lobby = await page();
		useContracts({}, { why });
		const before = sockets.length;
		await assert.rejects(lobby.seek({}), { message: why });
		assert.deepEqual([current().seek?.phase, current().seek?.note], ['failed', why]);
		await assert.rejects(lobby.join(CODE), { message: why });
		lobby.watchSeeks(true);
		lobby.watchSeeks(false);
		assert.equal(sockets.length, before);
	});

	test('end what is sought for the ones before, and no answer is signed', async () => {
		const [other] = await sought();
		const signed = /** @type {Buffer} */ (other).subarray(1, -17);
		await forget();
		const lobby = await page();
		const socket = await openedBy(() => lobby.join(CODE));
		await until(() => socket.of(LOOK).length === 1);
		useContracts({}, { why });
		socket.hear(Buffer.concat([Uint8Array.of(1), little(1, 8), Uint8Array.of(1), signed]));
		await until(() => current().seek?.phase === 'failed');
		assert.equal(current().seek?.note, why);
		assert.deepEqual([socket.of(ANSWER), socket.readyState], [[], 3]);
	});
});

test('a player who opens the own link on another device is told so, and answers nothing', async (t) => {
	const words = 'test test test test test test test test test test test junk';
	Object.assign(session, { chain: { name: 'test', chainId: CHAIN_ID, relay: null } });
	useContracts({ fast: CONTRACT });
	await forget();
	await restore(words);
	const [seek] = await sought();
	await forget();
	await restore(words);
	const lobby = await page();
	t.after(() => lobby.withdraw());
	const socket = await openedBy(() => lobby.join(CODE));
	await until(() => socket.of(LOOK).length === 1);
	const signed = /** @type {Buffer} */ (seek).subarray(1, -17);
	socket.hear(Buffer.concat([Uint8Array.of(1), little(1, 8), Uint8Array.of(1), signed]));
	await until(() => !['connecting', 'looking'].includes(current().seek?.phase ?? ''));
	assert.equal(current().seek?.phase, 'own');
	assert.match(current().seek?.note ?? '', /your own link.*Send it to a friend/);
	assert.deepEqual(socket.of(ANSWER), []);
	assert.equal(socket.readyState, 3, 'it has nothing to wait for');
});

test('a player who seeks on two devices is not paired with itself', async (t) => {
	const words = 'test test test test test test test test test test test junk';
	Object.assign(session, { chain: { name: 'test', chainId: CHAIN_ID, relay: null } });
	useContracts({ fast: CONTRACT });
	// Two devices on which the same guest was restored, and somebody else.
	/** @param {Buffer} seek without the kind of the message and that there is no invite */
	const signed = (seek) => seek.subarray(1, -1);
	/** @type {Buffer[]} */
	const others = [];
	for (const guest of [words, null]) {
		await forget();
		if (guest) await restore(guest);
		others.push(signed(/** @type {Buffer} */ ((await sought(null))[0])));
	}
	await forget();
	await restore(words);
	const lobby = await page();
	t.after(() => lobby.withdraw());
	const socket = await openedBy(() => lobby.seek({}));
	await until(() => socket.of(LIST).length);
	const own = signed(/** @type {Buffer} */ (socket.of(SEEK)[0]));
	/** @param {number} id @param {Uint8Array} seek */
	const list = (id, seek) =>
		socket.hear(Buffer.concat([Uint8Array.of(1), little(id, 8), Uint8Array.of(0), seek]));
	list(1, /** @type {Buffer} */ (others[0]));
	list(3, own);
	await until(() => current().seek?.phase === 'waiting');
	list(2, /** @type {Buffer} */ (others[1]));
	await until(() => socket.of(ANSWER).length);
	assert.deepEqual(
		socket.of(ANSWER).map((frame) => frame.readBigUInt64LE(1)),
		[2n],
	);
	assert.deepEqual(
		current().seeks?.map(({ id }) => id),
		[2],
	);
});

test('a lobby that floods is left for good, until the player seeks again', async (t) => {
	const lobby = await page();
	t.after(() => lobby.withdraw());
	const before = sockets.length;
	lobby.watchSeeks(true);
	for (const time of [1, 2, 3]) {
		await until(() => sockets.length === before + time);
		sockets.at(-1)?.onopen?.();
		sockets.at(-1)?.hear(Buffer.alloc(500));
		assert.equal(sockets.at(-1)?.readyState, 3);
	}
	lobby.watchSeeks(false);
	lobby.watchSeeks(true);
	assert.equal(sockets.length, before + 3);
	const socket = await openedBy(() => lobby.seek({}));
	await until(() => socket.of(LIST).length);
	assert.equal(sockets.length, before + 4);
	lobby.watchSeeks(false);
});
