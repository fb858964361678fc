// The database of this browser in which is kept what has to be on disk before the page relies on it.

import { reason } from '../state/text.js';
import { texts } from '../words/host.js';

const DATABASE = 'connect4-fast';
/** All records, of session keys and of what guards money. */
const RECORDS = 'sessions';

/** Why something that has to be kept is not to be had. Nothing is signed then. */
export class JournalError extends Error {
	/** @param {'missing' | 'refused'} kind @param {string} message */
	constructor(kind, message) {
		super(message);
		this.kind = kind;
	}
}

/** @param {unknown} error */
const refused = (error) => new JournalError('refused', texts.notKept(reason(error)));

/** @typedef {Awaited<ReturnType<typeof openDatabase>>} Records */

/** @param {IDBFactory} [factory] @throws {JournalError} */
export async function openDatabase(factory = globalThis.indexedDB) {
	const database = await open(factory);
	/**
	 * Looks at what is kept under keys, and changes something. What was changed is on disk when this returns.
	 * @param {string[]} keys one at least
	 * @param {(found: any[], records: IDBObjectStore) => void} does may throw, and nothing is changed
	 * @returns {Promise<void>}
	 */
	const changeAll = (keys, does) =>
		new Promise((resolve, reject) => {
			/** @type {unknown} */
			let why = null;
			const failed = () => reject(why instanceof JournalError ? why : refused(why));
			try {
				const transaction = database.transaction(RECORDS, 'readwrite', { durability: 'strict' });
				const records = transaction.objectStore(RECORDS);
				transaction.oncomplete = () => resolve(undefined);
				transaction.onabort = () => {
					why ??= transaction.error;
					failed();
				};
				const found = keys.map((key) => records.get(key));
				// They are answered in order.
				/** @type {IDBRequest} */ (found.at(-1)).onsuccess = () => {
					try {
						does(
							found.map(({ result }) => result),
							records,
						);
						// Else the browser waits until it has told that the change was made.
						transaction.commit?.();
					} catch (error) {
						why = error;
						transaction.abort();
					}
				};
			} catch (error) {
				// The browser has closed the database, or deleted it.
				why = error;
				failed();
			}
		});
	return {
		changeAll,

		/**
		 * The same with what is kept under one key.
		 * @param {string} key
		 * @param {(found: any, records: IDBObjectStore) => void} does may throw, and nothing is changed
		 */
		change: (key, does) => changeAll([key], ([found], records) => does(found, records)),

		/** @param {string} key @returns {Promise<any>} */
		find: (key) =>
			new Promise((resolve, reject) => {
				try {
					const found = database.transaction(RECORDS).objectStore(RECORDS).get(key);
					found.onsuccess = () => resolve(found.result);
					found.onerror = () => reject(refused(found.error));
				} catch (error) {
					reject(refused(error));
				}
			}),

		/** All records whose key begins so. @param {string} beginning @returns {Promise<any[]>} */
		findAll: (beginning) =>
			new Promise((resolve, reject) => {
				try {
					const range = IDBKeyRange.bound(beginning, `${beginning}\uffff`);
					const found = database.transaction(RECORDS).objectStore(RECORDS).getAll(range);
					found.onsuccess = () => resolve(found.result);
					found.onerror = () => reject(refused(found.error));
				} catch (error) {
					reject(refused(error));
				}
			}),

		close: () => database.close(),
	};
}

/** @param {IDBFactory} factory @returns {Promise<IDBDatabase>} */
const open = (factory) =>
	new Promise((resolve, reject) => {
		try {
			const opening = factory.open(DATABASE, 1);
			opening.onupgradeneeded = () => {
				opening.result.createObjectStore(RECORDS, { keyPath: 'key' });
			};
			opening.onsuccess = () => resolve(opening.result);
			opening.onerror = () => reject(refused(opening.error));
		} catch (error) {
			// Some refuse by that.
			reject(refused(error));
		}
	});
