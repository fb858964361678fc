// One tab plays a signed game: each move is signed once for each turn, and two tabs would not know of each
// other's. One tab at a time pays a stake.

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

/** Why something is not done: another tab does the like. */
export class ElsewhereError extends Error {}

/**
 * Does something that one tab of this browser does at a time. Browsers have no locks for pages that do not come by
 * https: then nothing keeps another tab from it.
 * @template Done
 * @param {string} name @param {() => Promise<Done>} does @param {Pick<LockManager, 'request'> | undefined} [locks]
 * @returns {Promise<Done>}
 * @throws {ElsewhereError} if another tab does it now
 */
export async function alone(name, does, locks = globalThis.navigator?.locks) {
	if (!locks) return does();
	return locks.request(name, { ifAvailable: true }, (lock) => {
		if (!lock) throw new ElsewhereError(name);
		return does();
	});
}
