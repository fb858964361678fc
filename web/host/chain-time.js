// The time on the chain, by which deadlines are decided. This machine's clock may be wrong; and a chain that
// makes blocks only for transactions has an old newest block.

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
