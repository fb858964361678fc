// One tab plays a fast game: each move is signed once for each turn, and two tabs would not know of each
// other's.

/**
 * Waits until this tab has the game to itself.
 * @param {string} name of the game
 * @param {{
 *   held: () => void,
 *   elsewhere: () => void,
 *   locks: Pick<LockManager, 'request'>,
 * }} on `held` is called once it has, also when another tab has let go; `elsewhere` if another one has it
 * @returns {() => void} lets go
 */
export function hold(name, { held, elsewhere, locks }) {
	const gone = new AbortController();
	const { signal } = gone;
	/** Keeps the lock until the tab lets go. */
	const keep = () =>
		new Promise((resolve) => {
			if (signal.aborted) return resolve(undefined);
			signal.addEventListener('abort', resolve);
			held();
		});
	const wait = async () => {
		let isFree = true;
		await locks.request(name, { ifAvailable: true }, async (lock) => {
			isFree = lock !== null;
			if (lock) await keep();
		});
		if (isFree || signal.aborted) return;
		elsewhere();
		// Rejects if the tab lets go before.
		await locks.request(name, { signal }, keep).catch(() => {});
	};
	wait();
	return () => gone.abort();
}
