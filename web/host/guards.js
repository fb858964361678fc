// What guards money: on disk before the page relies on it, in the database of the session keys. Without it nothing is
// signed. Earlier pages kept it in the browser's storage, which a host can fill.

import { forget, recall } from '../storage.js';
import { openDatabase } from './database.js';

/** @import { Records } from './database.js' */

/** @type {Promise<Records> | null} */
let opening = null;

/**
 * Asks the database; it is opened anew after it has failed.
 * @template Answer
 * @param {(records: Records) => Promise<Answer>} asked
 */
async function database(asked) {
	opening ??= openDatabase();
	try {
		return await asked(await opening);
	} catch (error) {
		opening = null;
		throw error;
	}
}

/**
 * A value that guards money. Reading and changing it fails if the browser does not keep it.
 * @template Kept
 * @param {string} name
 * @param {Kept} none what there is at first
 * @param {(kept: Kept, before: Kept) => Kept} merge what is kept with what an earlier page has kept
 */
export function guard(name, none, merge) {
	const key = `guard ${name}`;
	let isTaken = false;

	/** @param {(kept: Kept) => Kept} how @throws {import('./database.js').JournalError} */
	const write = (how) =>
		database(({ change }) =>
			change(key, (found, records) => {
				records.put({ key, value: how(found ? found.value : none) });
			}),
		);

	/** Takes over what an earlier page has kept. */
	async function takeOver() {
		if (isTaken) return;
		const before = recall(name, /** @type {Kept | null} */ (null));
		const isOne = typeof before === 'object' && Array.isArray(before) === Array.isArray(none);
		if (before !== null && isOne) await write((kept) => merge(kept, before));
		forget(name);
		isTaken = true;
	}

	return {
		/** @returns {Promise<Kept>} */
		async read() {
			await takeOver();
			const found = await database(({ find }) => find(key));
			return found ? found.value : none;
		},

		/** Changes it; it is on disk when this returns. @param {(kept: Kept) => Kept} how may throw, and nothing is changed */
		async change(how) {
			await takeOver();
			await write(how);
		},
	};
}
