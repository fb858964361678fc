import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';

import { Disk, KEYS, Locks, Relay, SECRETS, started, until } from './fakes.mjs';
import { NAME, open, page, play, ready, table } from './seat-pages.mjs';

const COLUMN = [3, 4, 3, 4, 3, 4, 3];

describe('a fast game in two browsers', () => {
	test('is played by signatures alone, and the winner tells the chain', async () => {
		const { pages } = await table();
		await play(pages, COLUMN);
		const [one, two] = pages;
		assert.equal(one.seat.shown.state.position.winner, 'red');
		// The loser agrees by itself, so the end is told at once.
		await until(() => one.calls.length === 1, 'the winner tells the chain');
		assert.equal(one.calls[0]?.why, 'duty');
		assert.equal(one.calls[0]?.call.message, 'advance');
		assert.equal(two.calls.length, 0);
		await assert.rejects(two.seat.drop(0), { name: 'GameOver' });
	});

	test('goes on after the page was closed between the disk and the relay', async () => {
		const { relay, disks, pages } = await table();
		await play(pages, [3, 4]);
		// The move is on the disk, and the page ends before it is sent.
		const books = disks[0].sessions.get(KEYS[0])?.books ?? {};
		const before = books[NAME];
		disks[0].gate = new Promise(() => {});
		pages[0].seat.drop(3);
		await until(() => books[NAME] !== before, 'it is on disk');
		open.splice(open.indexOf(pages[0].seat), 1);
		pages[0].seat.close();
		assert.equal(pages[1].seat.shown.state.moves.length, 2, 'nothing was sent');
		disks[0].gate = Promise.resolve();

		const again = page({ relay, disk: disks[0], key: KEYS[0] });
		await ready(again);
		await until(() => pages[1].seat.shown.state.moves.length === 3, 'it is sent now');
		assert.deepEqual(pages[1].seat.shown.state.moves, [3, 4, 3]);
		await assert.rejects(again.seat.drop(5), { name: 'NotYourTurn' });
		await play([again, pages[1]], [4, 3], 3);
	});

	test('signs nothing that is not on the disk', async () => {
		const { disks, pages } = await table();
		disks[0].isFull = true;
		await assert.rejects(pages[0].seat.drop(3), /the disk is full/);
		assert.equal(pages[1].seat.shown.state.moves.length, 0);
		assert.equal(pages[0].seat.shown.state.moves.length, 0);
		disks[0].isFull = false;
		await play(pages, [2]);
		assert.deepEqual(pages[1].seat.shown.state.moves, [2]);
	});

	test('signs one of two moves that are made at once', async () => {
		const { disks, pages } = await table();
		let release = () => {};
		disks[0].gate = new Promise((resolve) => {
			release = () => resolve(undefined);
		});
		const both = Promise.allSettled([3, 4].map((bin) => pages[0].seat.drop(bin)));
		release();
		const made = (await both).map(({ status }) => status);
		assert.deepEqual(made, ['fulfilled', 'rejected']);
		await until(() => pages[1].seat.shown.state.moves.length === 1, 'the first one has arrived');
		assert.deepEqual(pages[1].seat.shown.state.moves, [3]);
	});

	test('takes neither forged nor illegal moves, and says so', async () => {
		const { relay, pages } = await table();
		await play(pages, [3]);
		// Another move, under the signatures of the position before.
		const good = [.../** @type {Uint8Array} */ (relay.latest)];
		const forged = Uint8Array.of(...good.slice(0, -2), 2 << 2, 3, 4);
		relay.tell(forged);
		await until(() => pages[1].seat.shown.trouble !== '', 'it is told');
		assert.match(pages[1].seat.shown.trouble, /^The relay sends what the opponent has not signed/);
		assert.deepEqual(pages[1].seat.shown.state.moves, [3]);
		await assert.rejects(pages[1].seat.drop(7), { name: 'NoSuchBin' });
		await assert.rejects(pages[0].seat.drop(3), { name: 'NotYourTurn' });
		await play(pages, [4], 1);
		assert.equal(pages[1].seat.shown.trouble, '');
	});

	test('is not signed for other keys than those with which it began', async () => {
		const { pages } = await table();
		await play(pages, [3, 4]);
		const host = started([KEYS[0] ?? '', `0x${'99'.repeat(20)}`]);
		await pages[0].seat.see(host, 1_800_000_000);
		await assert.rejects(pages[0].seat.drop(3), { name: 'OtherGame' });
		await pages[0].seat.see(started(), 1_800_000_000);
		await play(pages, [3], 2);
	});

	test('goes on when the truth is back, if nothing was signed on what was false', async () => {
		const disk = new Disk(KEYS[0] ?? '', SECRETS[0] ?? '');
		const relay = new Relay();
		const untrue = started([KEYS[0] ?? '', `0x${'99'.repeat(20)}`]);
		const one = page({ relay, disk, key: KEYS[0], chain: untrue });
		const two = page({ relay, disk: new Disk(KEYS[1] ?? '', SECRETS[1] ?? ''), key: KEYS[1] });
		await ready(one, two);
		assert.deepEqual(disk.sessions.get(KEYS[0] ?? '')?.books, {}, 'nothing is bound by a look');
		await one.seat.see(started(), 1_800_000_000);
		await play([one, two], [3, 4]);
		// From now on it is bound: what differs is told for as long as it does.
		await one.seat.see(untrue, 1_800_000_000);
		assert.match(one.seat.shown.trouble, /other players, session keys or another board/);
		await one.seat.see(started(), 1_800_000_000);
		assert.equal(one.seat.shown.trouble, '');
	});

	test('is resigned and drawn by signatures', async () => {
		const drawn = await table();
		await play(drawn.pages, [3, 4]);
		await assert.rejects(drawn.pages[0].seat.offerDraw(), { name: 'YourTurn' });
		await drawn.pages[1].seat.offerDraw();
		await until(
			() => drawn.pages[0].seat.shown.state.draw_offer === 'blue',
			'the offer has arrived',
		);
		await drawn.pages[0].seat.acceptDraw();
		await until(
			() => drawn.pages[1].seat.shown.state.position.end === 'agreement',
			'the draw has arrived',
		);
		const { pages } = await table();
		await play(pages, [3]);
		await pages[0].seat.resign();
		await until(() => pages[1].calls.length === 1, 'the winner tells the chain');
		assert.equal(pages[1].seat.shown.state.position.winner, 'blue');
	});

	test('a draw that was declined is not offered again by the same offer', async () => {
		const { relay, pages } = await table();
		const [red, blue] = pages;
		await play(pages, [3, 4]);
		await blue.seat.offerDraw();
		await until(() => red.seat.shown.state.draw_offer === 'blue', 'the offer has arrived');
		await red.seat.declineDraw();
		assert.equal(red.seat.shown.state.draw_offer, null);
		// A player who comes back to the room says again what was offered.
		relay.tell(/** @type {Uint8Array} */ (relay.offer));
		await new Promise((resolve) => setTimeout(resolve));
		await red.seat.see(started(), 1_800_000_000);
		assert.equal(red.seat.shown.state.draw_offer, null);
		await assert.rejects(red.seat.acceptDraw(), { name: 'NoOffer' });
		// Another turn is another matter.
		await play(pages, [3, 4], 2);
		await blue.seat.offerDraw();
		await until(() => red.seat.shown.state.draw_offer === 'blue', 'the next offer has arrived');
	});

	test('is not drawn by a clock that is a day ahead', async () => {
		const { relay, disks, pages } = await table();
		await play(pages, [3, 4]);
		open.splice(open.indexOf(pages[1].seat), 1);
		await pages[1].seat.close();
		const ahead = page({
			relay,
			disk: disks[1],
			key: KEYS[1],
			time: () => 1_800_086_400,
		});
		await ready(ahead);
		await until(() => ahead.seat.shown.role === 'player', 'it plays');
		await assert.rejects(ahead.seat.offerDraw(), { name: 'ClocksDiffer' });
	});

	test('is said again to a relay that has forgotten it', async () => {
		mock.timers.enable({ apis: ['setInterval'] });
		const { relay, pages } = await table();
		await play(pages, [3]);
		relay.latest = null;
		mock.timers.tick(10_000);
		await until(() => relay.latest !== null, 'it is told again');
		assert.deepEqual(pages[1].seat.shown.state.moves, [3]);
	});

	test('is looked for elsewhere by a player who is alone in the room', async () => {
		const { relay, pages } = await table();
		mock.timers.enable({ apis: ['setTimeout'] });
		/** Lets what was said arrive. */
		const arrive = async () => {
			mock.timers.tick(1);
			for (let turn = 0; turn < 20; turn += 1) {
				await new Promise((resolve) => setImmediate(resolve));
			}
		};
		relay.tell(Uint8Array.of(3, 1, 0, 2, 0));
		await arrive();
		assert.deepEqual([pages[0].seat.shown.opponent, pages[0].seat.shown.watchers], [false, 2]);
		const before = [...relay.sockets];
		mock.timers.tick(5_000);
		await arrive();
		// Blue is told that red is there.
		assert.equal(before.filter((socket) => !relay.sockets.has(socket)).length, 1);
	});

	test('says why a relay closes the room', async () => {
		const { relay, pages } = await table();
		// It is full.
		relay.tell(Uint8Array.of(4, 2));
		await until(() => pages[0].seat.shown.relay !== null, 'it is told');
		assert.equal(pages[0].seat.shown.relay, 'it has no place for more');
	});

	test('goes on when the relay is back', async () => {
		const { relay, pages } = await table();
		relay.isDown = true;
		relay.drop();
		await until(() => pages[0].seat.shown.relay !== null, 'it is told');
		await pages[0].seat.drop(3);
		assert.equal(pages[1].seat.shown.state.moves.length, 0);
		relay.isDown = false;
		await until(() => pages[1].seat.shown.state.moves.length === 1, 'it arrives');
	});

	test('goes on on the chain without a relay', async () => {
		const disk = new Disk(KEYS[0] ?? '', SECRETS[0] ?? '');
		const { seat, calls } = page({ relay: null, disk, key: KEYS[0] });
		await until(() => seat.shown.role === 'player' && seat.shown.state !== null, 'it plays');
		await seat.drop(3);
		assert.deepEqual(calls, []);
		await seat.bring();
		assert.equal(calls[0]?.call.message, 'advance');
		assert.equal(calls[0]?.why, 'bring');
	});
});

describe('a tab that has just opened a game', () => {
	test('is ready once it is known whether it plays', async () => {
		const { relay, disks, pages } = await table();
		await pages[0].seat.close();
		const locks = new Locks();
		/** @type {(_?: unknown) => void} */
		let answer = () => {};
		const asked = new Promise((resolve) => {
			answer = resolve;
		});
		const slow = {
			/** @param {any[]} request */
			request: (...request) =>
				asked.then(() => locks.request(.../** @type {[any, any]} */ (request))),
		};
		const tab = page({ relay, disk: disks[0], key: KEYS[0], locks: /** @type {any} */ (slow) });
		let isReady = false;
		const waiting = tab.seat.ready.then(() => {
			isReady = true;
		});
		await new Promise((resolve) => setImmediate(resolve));
		assert.deepEqual([tab.seat.shown.role, isReady], ['waiting', false]);
		answer();
		await waiting;
		assert.equal(tab.seat.shown.role, 'player');
	});
});

describe('a second tab', () => {
	test('does not sign, and takes over when the first is closed', async () => {
		const { relay, disks, pages } = await table();
		const locks = new Locks();
		await pages[0].seat.close();
		const first = page({ relay, disk: disks[0], key: KEYS[0], locks });
		await ready(first);
		const second = page({ relay, disk: disks[0], key: KEYS[0], locks });
		await until(() => second.seat.shown.role === 'elsewhere', 'it is told');
		await play([first, pages[1]], [3, 4]);
		await until(() => second.seat.shown.state?.moves?.length === 2, 'it watches');
		await assert.rejects(second.seat.drop(3), /another tab/);
		// What is under way is done before another tab signs.
		let release = () => {};
		disks[0].gate = new Promise((resolve) => {
			release = () => resolve(undefined);
		});
		const moved = first.seat.drop(3);
		const closed = first.seat.close();
		await new Promise((resolve) => setTimeout(resolve, 5));
		assert.equal(second.seat.shown.role, 'elsewhere');
		release();
		await Promise.all([moved, closed]);
		await assert.rejects(first.seat.drop(3), /not played here/);
		await until(() => second.seat.shown.role === 'player', 'it takes over');
		await until(
			() => pages[1].seat.shown.state.moves.length === 3,
			'it has the move from the disk',
		);
		await play([second, pages[1]], [4, 5], 3);
		assert.deepEqual(pages[1].seat.shown.state.moves, [3, 4, 3, 4, 5]);
	});

	test('goes on from what it has watched, and need not hear it again', async () => {
		const { relay, disks, pages } = await table();
		await play(pages, [3]);
		await pages[0].seat.close();
		const locks = new Locks();
		let release = () => {};
		const name = `connect4-fast/${KEYS[0]}/${NAME}`;
		locks.request(name, {}, () => new Promise((resolve) => (release = () => resolve(null))));
		const second = page({ relay, disk: disks[0], key: KEYS[0], locks });
		await until(() => second.seat.shown.role === 'elsewhere', 'it is told');
		// The tab that plays ends before it hears of this move.
		await pages[1].seat.drop(4);
		await until(() => second.seat.shown.state?.moves?.length === 2, 'it watches');
		// What is no message takes the place of none.
		relay.tell(Uint8Array.of(9));
		await until(() => second.seat.shown.relay !== null, 'it is told');
		relay.isDown = true;
		release();
		await until(() => second.seat.shown.role === 'player', 'it takes over');
		assert.deepEqual(second.seat.shown.state.moves, [3, 4]);
		await second.seat.drop(3);
		assert.deepEqual(second.seat.shown.state.moves, [3, 4, 3]);
	});
});

describe('a browser without the key', () => {
	test('watches, and says what can still be done', async () => {
		const { relay, pages } = await table();
		const lost = page({ relay, disk: new Disk('0x', SECRETS[0] ?? ''), key: KEYS[0] });
		await ready(lost);
		assert.equal(lost.seat.shown.role, 'watcher');
		assert.match(lost.seat.shown.trouble, /there is no key/);
		await play(pages, [3]);
		await until(() => lost.seat.shown.state.moves?.length === 1, 'it watches');
		await assert.rejects(lost.seat.drop(3), /there is no key/);
	});

	test('sees the newest position that both have signed', async () => {
		const { relay, pages } = await table();
		await play(pages, [3, 4, 3]);
		const { seat } = page({ relay });
		await until(() => seat.shown.state?.moves?.length === 3, 'it has it from the relay');
		assert.equal(seat.shown.state.signed, 2);
	});

	test('watches where tabs cannot keep each other from signing', async () => {
		const { relay, disks, pages } = await table();
		await pages[0].seat.close();
		const { seat } = page({ relay, disk: disks[0], key: KEYS[0], locks: null });
		await ready({ seat });
		assert.equal(seat.shown.role, 'watcher');
		await assert.rejects(seat.drop(3), /by moves on the chain/);
	});

	test('signs nothing on a damaged book', async () => {
		const { relay, disks, pages } = await table();
		await play(pages, [3, 4]);
		await pages[0].seat.close();
		const books = disks[0].sessions.get(KEYS[0])?.books ?? {};
		for (const name of Object.keys(books)) books[name] = `${books[name]?.slice(0, -2)}00`;
		const { seat } = page({ relay, disk: disks[0], key: KEYS[0] });
		await until(() => seat.shown.trouble !== '', 'it is told');
		assert.match(seat.shown.trouble, /damaged/);
		await assert.rejects(seat.drop(3), /is damaged.*by moves on the chain/);
		await until(() => seat.shown.state?.moves?.length === 2, 'it watches');
		assert.equal(seat.shown.role, 'watcher');
	});
});
