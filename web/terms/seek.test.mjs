// The lobby of a relay as the page hears it: what is said there, and when nothing is. The module is the real one.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterEach, describe, mock, test } from 'node:test';

import '../host/page-fakes.mjs';

import { forget, restore } from '../guest/account.js';
import { useContracts } from '../host/contracts.js';
import { CHAIN_ID, Database, framed } from '../host/fakes.mjs';
import { session } from '../host/session.js';
import { openModule, provide } from '../player/module.js';
import { hello } from '../state/fixtures.mjs';
import { current, dispatch } from '../store.js';

/** @import { ListedSeek } from '../state/types.d.ts' */

provide(await readFile(new URL('../../artifacts/player.wasm', import.meta.url)));
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });

// Also where a test has the timers stand.
const { setTimeout } = globalThis;

/** Kinds of messages to the lobby. */
const OFFER = 0;
const WITHDRAW = 1;
const LOOK = 2;
const TAKE = 3;
const ACCEPT = 4;
const DECLINE = 5;
const LIST = 6;
/** Why there is no game. */
const TAKEN = 0;
const GONE = 1;
const MINUTE = 60_000; // milliseconds

const WITNESS = `0x${'99'.repeat(20)}`;
const GENESIS = `0x${'ab'.repeat(32)}`;

/** Little-endian bytes. @param {bigint | number} value @param {number} length */
const little = (value, length) =>
	Uint8Array.from({ length }, (_, at) => Number((BigInt(value) >> BigInt(8 * at)) & 0xffn));
/** @param {string} text */
const bytes = (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'));
/** A message. @param {(number[] | Uint8Array)[]} parts */
const frame = (...parts) => Buffer.concat(parts.map((part) => Uint8Array.from(part)));
/** What the relay says first. @param {number} [time] that of its clock, in milliseconds */
const welcome = (time = Date.now()) =>
	frame([0], little(time, 8), [1], bytes(WITNESS), little(CHAIN_ID, 8), bytes(GENESIS));
const complete = frame([8]);

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

	/** @param {Buffer} message */
	hear(message) {
		this.onmessage?.({ data: framed(message) });
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
const disk = new Database();
/** A page with a guest of its own, whose host has a lobby. */
const page = async () => {
	pages += 1;
	const said = hello();
	/** @type {any} */
	const facts = { chain_id: CHAIN_ID, relay: null };
	dispatch({
		...said,
		hello: { ...said.hello, public: true, signing: facts, witnesses: [WITNESS] },
	});
	const chain = { name: 'test', chainId: CHAIN_ID, genesis: GENESIS, relay: null };
	Object.assign(session, { chain });
	useContracts({});
	Object.assign(globalThis, { indexedDB: disk, WebSocket: Socket });
	await forget();
	return /** @type {typeof import('./seek.js')} */ (await import(`./seek.js?page=${pages}`));
};
/** The socket that is opened by something. @param {() => unknown} act @param {number} [time] of the relay */
const openedBy = async (act, time) => {
	const before = sockets.length;
	await act();
	await until(() => sockets.length > before);
	const socket = /** @type {Socket} */ (sockets.at(-1));
	socket.onopen?.();
	socket.hear(welcome(time));
	await new Promise((resolve) => setTimeout(resolve));
	return socket;
};
/** The same, with a lobby in which nobody offers anything. @param {() => unknown} act */
const emptyBy = async (act) => {
	const socket = await openedBy(act);
	await until(() => socket.of(LIST).length === 1);
	socket.hear(complete);
	return socket;
};

/** The offer in a message to the lobby, as it is listed under a number. @param {Buffer | undefined} said @param {number} id @param {{ isOfLink?: boolean, invited?: boolean }} [how] */
const listed = (said, id, { isOfLink = false, invited = isOfLink } = {}) => {
	assert.ok(said);
	// Without the kind, and the invite after it.
	const offer = said.subarray(1, isOfLink ? -17 : -1);
	return frame([1], little(id, 8), [Number(invited)], offer);
};

/** What another guest's page offers. @param {string} [invited] what is made @param {object} [wish] */
const offered = async (invited = '', wish = {}) => {
	const lobby = await page();
	const socket = await emptyBy(() => (invited ? lobby.invite(wish) : lobby.seek({ wish })));
	await until(() => socket.of(OFFER).length === 1);
	const offer = current().seek?.invite ?? '';
	const [said] = socket.of(OFFER);
	await lobby.withdraw();
	return { said, offer };
};

test('a game is offered once to a lobby that welcomes, and has none that suits', async () => {
	const lobby = await page();
	const socket = await emptyBy(() => lobby.seek({}));
	await until(() => socket.of(OFFER).length === 1);
	assert.equal(current().seek?.phase, 'connecting');
	socket.hear(listed(socket.of(OFFER)[0], 7));
	await until(() => current().seek?.phase === 'waiting');
	await lobby.withdraw();
	assert.equal(socket.of(OFFER).length, 1);
});

test('the first offer that suits is taken, and others are listed', async () => {
	const { said } = await offered();
	const lobby = await page();
	const socket = await openedBy(() => lobby.seek({ wish: { pool: 2, pie_rule: true } }));
	socket.hear(listed(said, 4));
	socket.hear(complete);
	await until(() => socket.of(OFFER).length === 1);
	await until(() => current().seeks?.length === 1);
	const [{ wish, rated, guest } = /** @type {ListedSeek} */ ({})] = current().seeks ?? [];
	assert.deepEqual([wish?.pool, wish?.side, rated, guest], [1, 'random', true, true]);
	await lobby.withdraw();
	const other = await page();
	const suiting = await openedBy(() => other.seek({}));
	suiting.hear(listed(said, 4));
	suiting.hear(complete);
	await until(() => suiting.of(TAKE).length === 1);
	assert.equal(suiting.of(OFFER).length, 0);
	assert.equal(current().seek?.phase, 'pairing');
	// Somebody else was faster: the own offer is made.
	suiting.hear(frame([6], little(4, 8), [TAKEN]));
	await until(() => suiting.of(OFFER).length === 1);
	await other.withdraw();
});

test('of two who offer at once the later one takes', async () => {
	const { said } = await offered();
	for (const [theirs, takes] of [
		[3, 1],
		[9, 0],
	]) {
		const lobby = await page();
		const socket = await emptyBy(() => lobby.seek({}));
		await until(() => socket.of(OFFER).length === 1);
		socket.hear(listed(said, theirs ?? 0));
		socket.hear(listed(socket.of(OFFER)[0], 5));
		await until(() => socket.of(TAKE).length === takes && current().seek?.phase !== 'connecting');
		assert.equal(current().seek?.phase, takes ? 'pairing' : 'waiting');
		await lobby.withdraw();
	}
});

test('a later offer is taken whose player cannot take the own one', async () => {
	// Its player wants to begin, which the coin of the own offer does not promise. So both waited.
	const { said } = await offered('', { side: 'first' });
	const lobby = await page();
	const socket = await emptyBy(() => lobby.seek({}));
	await until(() => socket.of(OFFER).length === 1);
	socket.hear(listed(socket.of(OFFER)[0], 5));
	await until(() => current().seek?.phase === 'waiting');
	socket.hear(listed(said, 9));
	await until(() => socket.of(TAKE).length === 1);
	await lobby.withdraw();
});

describe('a clock that is wrong by that of the relay', () => {
	test('is told before a game is offered, and asked about anew once it was set', async () => {
		for (const off of [15 * MINUTE, -3 * MINUTE]) {
			const lobby = await page();
			const wrong = await openedBy(() => lobby.seek({}), Date.now() + off);
			await until(() => current().seek?.phase === 'failed');
			const minutes = Math.abs(off) / MINUTE;
			assert.match(current().seek?.note ?? '', new RegExp(`are ${minutes} minutes apart: set it`));
			assert.deepEqual([wrong.readyState, wrong.sent.length], [3, 0]);
			const right = await emptyBy(() => lobby.seek({}));
			await until(() => right.of(OFFER).length === 1);
			await lobby.withdraw();
		}
	});

	test('is told to who joins a friend, and to who only looks', async () => {
		const { offer } = await offered('link');
		const lobby = await page();
		await lobby.join(offer);
		const wrong = await openedBy(() => lobby.agree(), Date.now() + 120 * MINUTE);
		await until(() => current().seek?.phase === 'failed');
		assert.match(current().seek?.note ?? '', /120 minutes apart/);
		assert.equal(wrong.of(LOOK).length, 0);
		await lobby.withdraw();
		await openedBy(() => lobby.watchSeeks(true), Date.now() - 11 * MINUTE);
		await until(() => current().seek?.phase === 'failed');
		assert.match(current().seek?.note ?? '', /11 minutes apart/);
		lobby.watchSeeks(false);
		await lobby.withdraw();
	});
});

test('what is offered for long is offered anew', async () => {
	mock.timers.enable({ apis: ['setInterval'] });
	const lobby = await page();
	const socket = await emptyBy(() => lobby.seek({}));
	await until(() => socket.of(OFFER).length === 1);
	socket.hear(listed(socket.of(OFFER)[0], 1));
	await until(() => current().seek?.phase === 'waiting');
	mock.timers.tick(300_000);
	await until(() => socket.of(OFFER).length === 2);
	const [first, second] = socket.of(OFFER);
	assert.notDeepEqual(first, second);
	await lobby.withdraw();
	mock.timers.tick(300_000);
	mock.timers.reset();
	assert.equal(socket.of(OFFER).length, 2);
});

test('a friend whose page was loaded again is told the same again', async () => {
	const { said, offer } = await offered('link');
	const lobby = await page();
	await lobby.join(offer);
	const socket = await openedBy(() => lobby.agree());
	await until(() => socket.of(LOOK).length);
	socket.hear(listed(said, 1, { isOfLink: true }));
	await until(() => socket.of(TAKE).length === 1);
	assert.equal(current().seek?.phase, 'pairing');
	socket.hear(frame([6], little(1, 8), [GONE]));
	await until(() => current().seek?.phase === 'looking');
	socket.hear(listed(said, 2, { isOfLink: true }));
	await until(() => socket.of(TAKE).length === 2);
	const [one, other] = socket.of(TAKE).map((take) => take.subarray(9));
	assert.deepEqual(one, other, 'nothing is signed twice');
	socket.hear(frame([6], little(2, 8), [TAKEN]));
	await until(() => current().seek?.phase === 'failed');
	assert.match(current().seek?.note ?? '', /was faster/);
	await lobby.withdraw();
});

test('a player who opens the own link on another device is told so, and takes nothing', async () => {
	const WORDS = 'test test test test test test test test test test test junk';
	const lobby = await page();
	await restore(WORDS);
	const socket = await emptyBy(() => lobby.invite({}));
	await until(() => socket.of(OFFER).length === 1);
	const offer = current().seek?.invite ?? '';
	const [said] = socket.of(OFFER);
	await lobby.withdraw();
	const other = await page();
	await restore(WORDS);
	await other.join(offer);
	assert.equal(current().seek?.phase, 'own');
	await other.withdraw();
	// Nor is it listed for the same player, who seeks on two devices.
	const third = await page();
	await restore(WORDS);
	const seeking = await openedBy(() => third.seek({}));
	seeking.hear(listed(said, 3, { isOfLink: true, invited: false }));
	seeking.hear(complete);
	await until(() => seeking.of(OFFER).length === 1);
	assert.equal(seeking.of(TAKE).length, 0);
	assert.deepEqual(current().seeks, []);
	await third.withdraw();
});

test('a link with a clock is asked about first, and so is one to another relay', async () => {
	const lobby = await page();
	// What is asked. Only the answer leads to the lobby.
	const asked = async (/** @type {object} */ wish) => {
		const made = await emptyBy(() => lobby.invite(wish));
		await until(() => made.of(OFFER).length === 1);
		const offer = current().seek?.invite ?? '';
		await lobby.withdraw();
		const friend = await page();
		const before = sockets.length;
		await friend.join(offer);
		assert.equal(current().seek?.phase, 'asking');
		assert.equal(sockets.length, before, 'nothing is asked unasked');
		const note = current().seek?.note ?? '';
		const agreed = await openedBy(() => friend.agree());
		await until(() => agreed.of(LOOK).length);
		await friend.withdraw();
		return note;
	};
	assert.match(await asked({}), /clock 3 min \+ 2 s.*, either begins\. The relay keeps the clock/);
	Object.assign(session.chain ?? {}, { relay: 'wss://other.example' });
	const elsewhere = await asked({ clock: null });
	assert.match(elsewhere, /another relay, wss:\/\/other\.example/);
	assert.doesNotMatch(elsewhere, /keeps the clock/);
});

describe('a link with a stake', () => {
	const STAKES = `0x${'55'.repeat(20)}`;
	const [OWN, ...TAKERS] = ['0a', '0b', '0c'].map((byte) => `0x${byte.repeat(20)}`);
	const PAYMENT = 45_000;
	const wish = { stake: '0.5', pool: 0, side: 'first', clock: { bank: 300, increment: 5 } };
	/** Waits until what the relay has said is heard. @param {Socket} socket */
	const heard = async (socket) => {
		const waiting = (current().counts?.waiting ?? 0) + 1;
		socket.hear(frame([9], little(waiting, 4), little(0, 4)));
		await until(() => current().counts?.waiting === waiting);
	};
	/** Has time pass, in which the relay is not silent. @param {Socket} socket @param {number} time in milliseconds */
	const pass = async (socket, time) => {
		await heard(socket);
		for (let left = time; left > 0; left -= 20_000) {
			mock.timers.tick(Math.min(left, 20_000));
			await heard(socket);
		}
	};
	/** What somebody who takes an offer writes. @param {string} offer @param {string | undefined} account */
	const letterOf = async (offer, account = '') => {
		const ask = await openModule();
		const time = Math.floor(Date.now() / 1000);
		const of = { account, session: null, program: false, colour: null, time, nonce: 1 };
		const secret = `0x${account.slice(2, 4).repeat(32)}`;
		return bytes(ask({ complete: { secret, taken: { ...of, offer } } }).letter);
	};
	/** The taking of an offer, each under its number. @param {number} offer @param {number} take @param {Uint8Array} letter */
	const taken = (offer, take, letter) =>
		frame([3], little(offer, 8), little(take, 8), little(4 * letter.length + 1, 2), letter);
	/** @param {number} offer */
	const accepted = (offer) => frame([5], little(offer, 8), [0]);
	/** Whether the offer stays on the list, by the last answer to a taker. @param {Socket} socket */
	const stays = (socket) => socket.of(ACCEPT).at(-1)?.at(-1) === 1;

	/** A page whose wallet has this account. */
	const paying = async (account = OWN) => {
		const lobby = await page();
		Object.assign(session.chain ?? {}, { decimals: 10, symbol: 'DOT', ratio: 10n ** 8n });
		Object.assign(session, {
			wallet: { kind: 'ethereum', name: 'Purse' },
			account: { id: account, name: null },
		});
		useContracts({ stakes: STAKES });
		return lobby;
	};
	/** A page that has invited a friend for a stake, and whose offer is listed under the number 7. */
	const invited = async () => {
		const lobby = await paying();
		const socket = await emptyBy(() => lobby.invite(/** @type {any} */ (wish)));
		await until(() => socket.of(OFFER).length === 1);
		const offer = current().seek?.invite ?? '';
		socket.hear(listed(socket.of(OFFER)[0], 7, { isOfLink: true }));
		await until(() => current().seek?.phase === 'waiting');
		const letters = await Promise.all(TAKERS.map((taker) => letterOf(offer, taker)));
		mock.timers.enable({ apis: ['setTimeout'] });
		return { lobby, socket, letters: /** @type {[Uint8Array, Uint8Array]} */ (letters) };
	};
	afterEach(() => {
		mock.timers.reset();
		Object.assign(session, { wallet: null, account: null });
	});

	test('is not paid for if the relay alone has accepted', async () => {
		const { lobby: maker, socket: offers } = await invited();
		mock.timers.reset();
		const offer = current().seek?.invite ?? '';
		const [said] = offers.of(OFFER);
		await maker.withdraw();
		const lobby = await paying(TAKERS[0]);
		await lobby.join(offer);
		assert.equal(current().seek?.phase, 'asking');
		const begun = () => [...disk.records.values()].filter(({ record }) => record).length;
		const before = begun();
		const socket = await openedBy(() => lobby.agree());
		await until(() => socket.of(LOOK).length);
		socket.hear(listed(said, 7, { isOfLink: true }));
		await until(() => socket.of(TAKE).length);
		socket.hear(accepted(7));
		await until(() => current().seek?.phase === 'failed');
		assert.match(current().seek?.note ?? '', /its player has not signed that: nothing was paid/);
		assert.equal(begun(), before, 'no game is kept');
	});

	/** The message by which another one offers the same stake in the lobby, who wants to move second. */
	const offeredBy = async (/** @type {string | undefined} */ account) => {
		const maker = await paying(account);
		const socket = await emptyBy(() => maker.seek({ wish: { ...wish, side: 'second' } }));
		await until(() => socket.of(OFFER).length === 1);
		await maker.withdraw();
		return socket.of(OFFER)[0];
	};

	test('is sought on if the offer that was taken is accepted by junk, or never answered', async () => {
		const [junk, mute] = [await offeredBy(TAKERS[0]), await offeredBy(TAKERS[1])];
		const lobby = await paying();
		mock.timers.enable({ apis: ['setTimeout'] });
		const opening = openedBy(() => lobby.seek({ wish }));
		for (const _ of [1, 2, 3, 4, 5, 6, 7, 8]) {
			await new Promise(setImmediate);
			mock.timers.tick(0);
		}
		const socket = await opening;
		socket.hear(listed(junk, 3));
		socket.hear(listed(mute, 4));
		socket.hear(complete);
		await until(() => socket.of(TAKE).length === 1);
		socket.hear(accepted(3));
		await until(() => socket.of(TAKE).length === 2);
		await pass(socket, 15_000);
		await until(() => socket.of(OFFER).length === 1);
		mock.timers.reset();
		await lobby.withdraw();
	});

	test('is played by its own number, whoever lists a copy', async () => {
		const { lobby, socket, letters } = await invited();
		socket.hear(listed(socket.of(OFFER)[0], 8, { isOfLink: true }));
		socket.hear(taken(7, 9, letters[0]));
		await until(() => socket.of(ACCEPT).length === 1);
		assert.equal(socket.of(DECLINE).length, 0);
		// What was under way when it was called off says nothing any more.
		mock.timers.reset();
		const gone = lobby.withdraw();
		socket.hear(listed(socket.of(OFFER)[0], 10, { isOfLink: true }));
		await gone;
		for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
		assert.equal(current().seek, null);
	});

	test('is offered again to others if a taker goes away without paying', async () => {
		const { lobby, socket, letters } = await invited();
		socket.hear(taken(7, 8, letters[0]));
		await until(() => socket.of(ACCEPT).length === 1);
		assert.equal(stays(socket), false);
		socket.hear(accepted(7));
		await until(() => current().seek?.phase === 'unpaid');
		// The game has not begun, and nothing leads away from the link.
		assert.notEqual(current().seek?.invite, null);
		await pass(socket, PAYMENT - 1);
		assert.equal(socket.of(OFFER).length, 1, 'some blocks are waited for');
		await pass(socket, 1);
		await until(() => socket.of(OFFER).length === 2);
		const [first, again] = socket.of(OFFER);
		assert.deepEqual(again, first, 'the link is the same');
		socket.hear(listed(again, 9, { isOfLink: true }));
		await until(() => current().seek?.phase === 'unpaid');
		// From now on it stays on the list: another who never pays keeps it from nobody.
		for (const [take, letter] of [
			[10, letters[1]],
			[11, letters[0]],
		]) {
			const before = socket.of(ACCEPT).length;
			socket.hear(taken(9, Number(take), /** @type {Uint8Array} */ (letter)));
			await until(() => socket.of(ACCEPT).length > before);
			assert.equal(stays(socket), true);
			socket.hear(accepted(9));
		}
		await until(() => current().seek?.phase === 'unpaid');
		await pass(socket, 2 * PAYMENT);
		assert.equal(socket.of(OFFER).length, 2);
		// What is no taking is declined, also after one that was.
		socket.hear(taken(9, 12, new Uint8Array(100)));
		await until(() => socket.of(DECLINE).length === 1);
		assert.equal(current().seek?.phase, 'unpaid');
		mock.timers.reset();
		await lobby.withdraw();
		assert.equal(socket.of(WITHDRAW).length, 1);
		assert.equal(current().seek, null);
	});

	test('is offered again on the next connection, if the relay goes away while a payment is awaited', async () => {
		const { lobby, socket, letters } = await invited();
		socket.hear(taken(7, 8, letters[0]));
		await until(() => socket.of(ACCEPT).length === 1);
		socket.hear(accepted(7));
		await until(() => current().seek?.phase === 'unpaid');
		const before = sockets.length;
		socket.onclose?.({});
		await until(() => current().seek?.phase === 'away');
		mock.timers.tick(1_000);
		await until(() => sockets.length > before);
		const next = /** @type {Socket} */ (sockets.at(-1));
		next.onopen?.();
		next.hear(welcome());
		await until(() => next.of(LIST).length === 1);
		next.hear(complete);
		await until(() => next.of(OFFER).length === 1);
		assert.deepEqual(next.of(OFFER)[0], socket.of(OFFER)[0]);
		mock.timers.reset();
		await lobby.withdraw();
	});
});

test('nothing is offered while something is asked about the host', async () => {
	const lobby = await page();
	useContracts({}, { why: 'This host has other contracts.' });
	const before = sockets.length;
	await assert.rejects(lobby.seek({}), /other contracts/);
	assert.equal(current().seek?.phase, 'failed');
	assert.equal(sockets.length, before);
});

test('a lobby that floods is left for good, until the player seeks again', async (t) => {
	const lobby = await page();
	t.after(() => lobby.withdraw());
	const before = sockets.length;
	lobby.watchSeeks(true);
	for (const time of [1, 2, 3]) {
		await until(() => sockets.length === before + time);
		sockets.at(-1)?.onopen?.();
		sockets.at(-1)?.hear(Buffer.alloc(1_300));
		assert.equal(sockets.at(-1)?.readyState, 3);
	}
	lobby.watchSeeks(false);
	lobby.watchSeeks(true);
	await new Promise((resolve) => setTimeout(resolve));
	assert.equal(sockets.length, before + 3);
	const socket = await openedBy(() => lobby.seek({}));
	await until(() => socket.of(LIST).length);
	assert.equal(sockets.length, before + 4);
	lobby.watchSeeks(false);
});
