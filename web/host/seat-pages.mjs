// Pages that play a fast game in the tests. Those that are open are left after each test.

import { afterEach, mock } from 'node:test';

import {
	CHAIN_ID,
	CONTRACT,
	Disk,
	GAME,
	KEYS,
	Locks,
	Relay,
	SECRETS,
	started,
	until,
} from './fakes.mjs';
import { openSeat } from './seat.js';

/** The game's name in journals and locks. */
export const NAME = `${CHAIN_ID}/${CONTRACT}/${GAME}`;

/** @type {any[]} */
export const open = [];
afterEach(async () => {
	mock.timers.reset();
	await Promise.all(open.splice(0).map((seat) => seat.close()));
});

/**
 * A page that plays, or watches without a key.
 * @param {any} options
 */
export function page({
	relay,
	disk = null,
	key = null,
	locks = new Locks(),
	chain = started(),
	time = () => 1_800_000_000,
	fails = async () => {},
	terms = null,
}) {
	/** @type {{ call: any, why: string }[]} */
	const calls = [];
	const seat = openSeat({
		game: GAME,
		chainId: CHAIN_ID,
		contract: CONTRACT,
		relay: relay ? 'wss://relay.example' : null,
		terms,
		key,
		journal: disk,
		changed: () => {},
		transact: async (call, why, unanswered) => {
			calls.push({ call, why });
			await fails(unanswered);
		},
		locks,
		socket: relay?.socket,
		time,
	});
	open.push(seat);
	seat.see(chain, 1_800_000_000);
	return { seat, calls };
}

/** Two pages in different browsers. */
export async function table() {
	const relay = new Relay();
	const disks = KEYS.map((key, index) => new Disk(key, SECRETS[index] ?? ''));
	const pages = disks.map((disk, index) => page({ relay, disk, key: KEYS[index] }));
	await ready(...pages);
	return { relay, disks, pages };
}

/** @param {...{ seat: any }} pages */
export const ready = (...pages) =>
	until(
		() => pages.every(({ seat }) => seat.shown.state && seat.shown.relay === null),
		'all are connected',
	);

/** @param {any[]} pages @param {number[]} bins @param {number} [before] */
export async function play(pages, bins, before = 0) {
	for (const [turn, bin] of bins.entries()) {
		const count = before + turn + 1;
		await pages[(before + turn) % 2].seat.drop(bin);
		await until(
			() => pages.every(({ seat }) => seat.shown.state.moves?.length === count),
			`move ${count} has arrived`,
		);
	}
}
