import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';

import '../host/page-fakes.mjs';

import { useContracts } from '../host/contracts.js';
import { Disk, KEYS, Locks, Relay, SECRETS, started, until } from '../host/fakes.mjs';
import { toHex } from '../host/hex.js';
import { JournalError } from '../host/journal.js';
import { ask } from '../host/wasm.js';
import { agreed, NOW, PLACE } from './fakes.mjs';
import { beginTable, bookName, openTable, TableError } from './table.js';

/** @type {any[]} */
const open = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((table) => table.close()));
});

/** @param {any} of */
function page({ signed, relay, disk, locks = new Locks(), own = null }) {
	/** @type {any[]} */
	const rematches = [];
	const table = openTable({
		game: signed.game,
		place: PLACE,
		relay: 'wss://relay.example',
		terms: signed.terms,
		own,
		journal: disk,
		changed: () => {},
		rematch: async (next, who) => {
			rematches.push({ next, who });
		},
		locks,
		socket: relay.socket,
		time: () => NOW,
	});
	open.push(table);
	return { table, rematches };
}

/** The guest's disk, with the game that was begun there. @param {any} signed @param {number} who */
async function begun(signed, who) {
	const key = KEYS[who] ?? '';
	const secret = SECRETS[who] ?? '';
	const disk = new Disk(key, secret);
	const of = { ...signed, place: PLACE, secret, key, journal: disk, time: () => NOW };
	const state = await beginTable(of);
	return { disk, state, again: () => beginTable(of) };
}

/** Two pages in a game that has just begun. @param {object} [how] */
async function played(how) {
	const signed = await agreed(how);
	const relay = new Relay();
	const disks = [(await begun(signed, 0)).disk, (await begun(signed, 1)).disk];
	const pages = disks.map((disk) => page({ signed, relay, disk }));
	await ready(...pages);
	return { signed, relay, disks, pages };
}

/** @param {...any} pages */
const ready = (...pages) =>
	until(
		() => pages.every(({ table }) => table.shown.role === 'player' && table.shown.relay === null),
		'both play',
	);

/** @param {any[]} pages @param {(number | 'swap')[]} moves @param {number} [before] */
async function play(pages, moves, before = 0) {
	for (const [index, move] of moves.entries()) {
		const turn = before + index;
		const { table } = pages[turn % 2];
		await (move === 'swap' ? table.swap() : table.drop(move));
		await until(
			() => pages.every((one) => one.table.shown.state.moves?.length === turn + 1),
			`move ${turn + 1} has arrived`,
		);
	}
}

describe('a game by signed terms in two browsers', () => {
	test('is played to the end, to which the loser agrees by itself; a rematch takes both', async () => {
		const { pages } = await played();
		const [one, two] = pages;
		assert.equal(one?.table.shown.state?.player, 'red');
		await play(pages, [3, 0, 3, 0, 3, 0, 3]);
		await until(() => pages.every(({ table }) => table.shown.state?.agreed), 'both agree');
		assert.equal(two?.table.shown.state?.position.winner, 'red');
		assert.ok(one?.table.shown.state?.record, 'anybody can record it');
		await one?.table.rematch();
		await until(() => two?.table.shown.state?.rematch_offer === 'red', 'the offer has arrived');
		await two?.table.rematch();
		await until(() => pages.every(({ rematches }) => rematches.length === 1), 'both go on');
		const [next] = one?.rematches ?? [];
		assert.equal(next.who.key, KEYS[0]);
		assert.equal(next.next.game, two?.rematches[0].next.game);
	});

	test('has a swap in place of the second move under the pie rule', async () => {
		const { pages } = await played({ pie_rule: true });
		await play(pages, [3, 'swap', 2]);
		const { state } = pages[0]?.table.shown ?? {};
		assert.equal(state?.notation, '4s3');
		assert.equal(state?.position.swapped, true);
		await assert.rejects(async () => pages[1]?.table.swap(), { name: 'NoSuchBin' });
	});

	test('goes on from the disk, and is on it before anything is sent', async () => {
		const { signed, relay, disks, pages } = await played();
		await play(pages, [3, 4]);
		const book = disks[0]?.sessions.get(KEYS[0] ?? '')?.books[bookName(PLACE, signed.game)];
		assert.match(book ?? '', /^0x/);
		if (disks[0]) disks[0].isFull = true;
		const before = relay.latest;
		await assert.rejects(async () => pages[0]?.table.drop(3), /the disk is full/);
		assert.equal(relay.latest, before, 'nothing was sent');
		if (disks[0]) disks[0].isFull = false;
		await pages[0]?.table.close();
		const again = page({ signed, relay, disk: disks[0] });
		await ready(again);
		assert.equal(again.table.shown.state?.moves?.length, 2);
		await play([again, pages[1]], [5], 2);
	});

	test('is not signed on while the player is asked about the host, and goes on then', async () => {
		const { relay, pages } = await played();
		await play(pages, [3]);
		const [one, two] = pages;
		const why =
			'This host names another contract. Nothing is signed until you say that you know why.';
		const { latest } = relay;
		useContracts({}, { why });
		await assert.rejects(async () => two?.table.drop(4), { message: why });
		await assert.rejects(async () => one?.table.resign(), { message: why });
		assert.equal(relay.latest, latest, 'nothing was sent');
		// What comes meanwhile is not answered.
		relay.tell(/** @type {Uint8Array} */ (latest));
		await until(() => two?.table.shown.trouble === why, 'it is told');
		useContracts({ fast: PLACE.contract });
		await play(pages, [4], 1);
	});

	test('shows a move of the opponent that cannot be kept, and signs nothing on top of it', async () => {
		const { relay, disks, pages } = await played();
		const [one, two] = pages;
		if (disks[1]) disks[1].isFull = true;
		await one?.table.drop(3);
		await until(() => two?.table.shown.trouble, 'it is told that the disk is full');
		assert.match(two?.table.shown.trouble ?? '', /the disk is full/);
		assert.equal(two?.table.shown.state?.moves?.length, 1);
		const { latest } = relay;
		await assert.rejects(async () => two?.table.drop(4), /not your turn/);
		assert.equal(relay.latest, latest, 'nothing was sent');
	});

	test('is played by one of two tabs', async () => {
		const signed = await agreed();
		const relay = new Relay();
		const { disk } = await begun(signed, 0);
		const locks = new Locks();
		const first = page({ signed, relay, disk, locks });
		await ready(first);
		const second = page({ signed, relay, disk, locks });
		await until(() => second.table.shown.role === 'elsewhere', 'it is played elsewhere');
		await assert.rejects(async () => second.table.drop(3), TableError);
		await first.table.close();
		await until(() => second.table.shown.role === 'player', 'the other tab goes on');
		await second.table.drop(3);
	});

	test('has one move for each turn, also if a tab is closed while the disk writes its move', async () => {
		const signed = await agreed();
		const relay = new Relay();
		/** @type {string[]} */
		const sent = [];
		const { tell } = relay;
		relay.tell = (frame) => {
			sent.push(toHex(frame));
			tell.call(relay, frame);
		};
		const { disk } = await begun(signed, 0);
		const { keep } = disk;
		/** @type {() => void} */
		let write = () => {};
		const written = new Promise((resolve) => {
			write = () => resolve(undefined);
		});
		disk.keep = async (...of) => {
			await written;
			await keep.apply(disk, of);
		};
		const locks = new Locks();
		const tabs = [1, 2, 3].map(() => page({ signed, relay, disk, locks }));
		const roles = () => tabs.map(({ table }) => table.shown.role).join();
		await until(() => roles() === 'player,elsewhere,elsewhere', 'one tab plays');
		const drops = tabs.map(({ table }, bin) =>
			table.drop(bin).then(
				() => bin,
				() => null,
			),
		);
		const closing = tabs[0]?.table.close();
		// Whoever would go on at once has time to.
		for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
		write();
		await closing;
		await until(() => roles().includes(',player,'), 'another tab goes on');
		await assert.rejects(async () => tabs[1]?.table.drop(4), /not your turn/);
		assert.deepEqual(await Promise.all(drops), [0, null, null]);
		await until(() => relay.latest, 'the relay is told');
		// Whatever it was sent of the game has the same first move.
		const { game, terms } = signed;
		const positions = await Promise.all(
			sent.map(async (frame) => {
				const watched = { place: PLACE, game, terms, book: null, frame };
				const seen = await ask({ terms_watch: watched });
				return seen.state?.notation ?? '';
			}),
		);
		assert.deepEqual([...new Set(positions.filter(Boolean))], ['1']);
	});

	test('is watched where it was not begun, by the terms that the room tells', async () => {
		const { signed, relay, pages } = await played();
		await play(pages, [3]);
		const disk = new Disk(KEYS[0] ?? '', SECRETS[0] ?? '');
		const watcher = page({ signed: { ...signed, terms: null }, relay, disk });
		await until(() => watcher.table.shown.state?.moves?.length === 1, 'the move is seen');
		assert.equal(watcher.table.shown.role, 'watcher');
		await assert.rejects(async () => watcher.table.drop(3), TableError);
		// Another game's terms are not taken.
		const other = await agreed({ random: 4 });
		assert.notEqual(other.game, signed.game);
		const stranger = page({ signed: { ...other, terms: null }, relay, disk });
		await until(() => stranger.table.shown.trouble !== '', 'it is told');
		assert.match(stranger.table.shown.trouble, /not those of this game/);
	});

	test('does not begin twice by the same terms', async () => {
		const { again } = await begun(await agreed(), 0);
		await assert.rejects(again(), { name: 'TermsUsed' });
	});

	test('goes on although the host shows another game on the chain', async () => {
		const { pages } = await played();
		await play(pages, [3, 4]);
		const answer = started();
		await assert.rejects(async () => pages[0]?.table.see({ game: 'f3', answer, time: NOW }), {
			name: 'OtherGame',
		});
		assert.equal(pages[0]?.table.shown.state?.dispute, null);
		await play(pages, [3], 2);
	});
});

test('a player whose key was deleted with what the browser keeps is told so, also after the next move', async () => {
	const { signed, relay, pages } = await played();
	await play(pages, [3]);
	const empty = new Disk('', '');
	empty.read = () => Promise.reject(new JournalError('missing', 'there is no key'));
	const own = KEYS[0] ?? '';
	const { table } = page({ signed, relay, disk: empty, own });
	await until(() => table.shown.role === 'watcher', 'it watches');
	assert.match(table.shown.trouble, /^You play this game, but its key is gone/);
	await play(pages, [4], 1);
	await until(() => table.shown.state?.moves?.length === 2, 'the move has come');
	assert.match(table.shown.trouble, /its key is gone/);
	// Whoever has not begun it watches.
	const { table: other } = page({ signed, relay, disk: empty });
	await until(() => other.shown.role === 'watcher', 'it watches');
	assert.equal(other.shown.trouble, '');
});
