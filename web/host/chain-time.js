// The time on the chain, by which deadlines are decided. This machine's clock may be wrong; and a chain that
// makes blocks only for transactions has an old newest block.

import { texts } from '../words/host.js';

/** Seconds by which the machine's clock may differ from the chain before that is told, and allowed for. */
const MUCH = 30;
/** Seconds between two looks within which a block that is new to the page is new. */
const SOON = 15;

/** Seconds after a look for which its block is the newest one that is known. */
const KNOWN = 60;

/** @typedef {ReturnType<typeof chainTime>} ChainTime */

/** @param {() => number} machine this machine's time, in seconds since 1970 */
export function chainTime(machine) {
	/** Time of the newest block. */
	let newest = 0;
	/** When the chain was looked at last. */
	let looked = Number.NEGATIVE_INFINITY;
	/** How many seconds the machine is ahead of the chain, as far as that is known. */
	let ahead = 0;
	/** The same by the newest block, when that was seen first: it may have been old then. */
	let first = 0;

	return {
		/** Takes the time of the newest block, which was looked at just now. @param {number} time */
		see(time) {
			const now = machine();
			const age = now - time;
			const isNew = time > newest && now - looked < SOON && newest > 0;
			if (time !== newest) first = age;
			// A block of the future shows that the machine is behind; one that is old may just be the last.
			if (isNew || age < 0) ahead = age;
			else if (ahead < 0) ahead = 0;
			// Not the latest of all: a node that was wrong once would keep answers back for good.
			newest = time;
			looked = now;
		},
		/**
		 * The time of the newest block, in seconds since 1970; 0 if it is not known, or not any more: by the time
		 * of an old block a draw that has lapsed would be brought again and again.
		 */
		block: () => (machine() - looked > KNOWN ? 0 : newest),
		/** The time on the chain, in seconds since 1970. */
		now() {
			const now = machine();
			return Math.abs(ahead) > MUCH ? Math.max(now - ahead, newest) : Math.max(now, newest);
		},
		/** How many seconds the machine was ahead of the newest block when that was seen first; null without one. */
		first: () => (newest ? first : null),
		/** How many seconds the machine's clock is ahead of the chain's, if that is much; else 0. */
		get ahead() {
			return Math.abs(ahead) > MUCH ? Math.round(ahead) : 0;
		},
	};
}

/** What a player is told of a clock that is wrong; empty if it is not. @param {number} ahead in seconds */
export function clockWarning(ahead) {
	if (!ahead) return '';
	const minutes = Math.round(Math.abs(ahead) / 60);
	const some = minutes ? texts.aMinute : texts.seconds(Math.abs(ahead));
	const much = minutes > 1 ? texts.minutes(minutes) : some;
	return ahead > 0 ? texts.clockAhead(much) : texts.clockBehind(much);
}

/** Seconds by which this machine may be ahead of the newest block before a new one is waited for. */
const OLD = 600;
/** How often a new block is looked for, and the milliseconds between. */
const LOOKS = 8;
const LOOK = 2_000;

/**
 * The time on the chain once, in seconds since 1970. If the newest block is old, the clock of this machine may
 * be fast, or nobody has sent a transaction: the next block decides.
 * @param {() => Promise<number | null>} timeOfBlock of the newest one; null if the page can't read it
 */
export async function timeOfChain(timeOfBlock) {
	const machine = () => Math.floor(Date.now() / 1000);
	const time = () => timeOfBlock().catch(() => null);
	const first = await time();
	if (first === null || machine() - first <= OLD) return Math.max(machine(), first ?? 0);
	for (let looks = 0; looks < LOOKS; looks += 1) {
		await new Promise((resolve) => setTimeout(resolve, LOOK));
		const now = await time();
		if (now !== null && now > first) return now;
	}
	return machine();
}
