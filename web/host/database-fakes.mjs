// A database of a browser, for tests.

/** What no test replaces. */
const { setTimeout } = globalThis;

Object.assign(globalThis, {
	IDBKeyRange: {
		bound: (/** @type {string} */ lower, /** @type {string} */ upper) => ({ lower, upper }),
	},
});

/** As much of IndexedDB as the page needs. What a transaction puts counts once it is complete. */
export class Database {
	/** @type {Map<string, any>} */
	records = new Map();
	/** @type {string[]} */
	durabilities = [];
	/** A disk on which nothing more can be written. */
	isFull = false;
	/** Says once of what it has written that it has not. */
	isWrong = false;
	/** A browser that lets the page keep nothing, as with all cookies blocked. */
	isRefused = false;

	open() {
		/** @type {any} */
		const opening = { result: this };
		setTimeout(() => {
			if (this.isRefused) {
				opening.error = new Error('SecurityError');
				return opening.onerror();
			}
			opening.onupgradeneeded?.();
			opening.onsuccess();
		});
		return opening;
	}

	createObjectStore() {}
	close() {}

	/** @param {string} _store @param {string} [mode] @param {{ durability?: string }} [options] */
	transaction(_store, mode = 'readonly', { durability = 'default' } = {}) {
		if (mode === 'readwrite') this.durabilities.push(durability);
		/** @type {Map<string, any>} */
		const put = new Map();
		/** @type {Set<string>} */
		const gone = new Set();
		let isAborted = false;
		let asked = 0;
		/** @type {any} */
		const transaction = {
			error: null,
			abort: () => {
				isAborted = true;
				setTimeout(() => transaction.onabort?.());
			},
			objectStore: () => ({
				/** @param {string} key */
				get: (key) => {
					/** @type {any} */
					const found = {};
					asked += 1;
					// One transaction after the other.
					setTimeout(() => {
						found.result = structuredClone(this.records.get(key));
						found.onsuccess?.();
						asked -= 1;
						if (isAborted || asked > 0) return;
						if (this.isFull && put.size > 0) {
							transaction.error = new Error('QuotaExceededError');
							transaction.onabort?.();
							return;
						}
						for (const name of gone) this.records.delete(name);
						for (const [name, record] of put) this.records.set(name, record);
						if (this.isWrong && put.size > 0) {
							this.isWrong = false;
							transaction.error = new Error('UnknownError');
							transaction.onabort?.();
							return;
						}
						transaction.oncomplete?.();
					});
					return found;
				},
				/** @param {{ lower: string, upper: string }} range */
				getAll: ({ lower, upper }) => {
					/** @type {any} */
					const found = {};
					setTimeout(() => {
						const all = [...this.records].filter(([key]) => key >= lower && key <= upper);
						found.result = structuredClone(all.map(([, record]) => record));
						found.onsuccess?.();
					});
					return found;
				},
				/** @param {any} record */
				put: (record) => put.set(record.key, structuredClone(record)),
				/** @param {string} key */
				delete: (key) => gone.add(key),
			}),
		};
		return transaction;
	}
}
