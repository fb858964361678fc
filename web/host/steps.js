// Steps that follow each other.

/** Runs each step when the ones before are over, also if these fail. */
export function inOrder() {
	/** @type {Promise<unknown>} */
	let last = Promise.resolve();
	/**
	 * @template Result
	 * @param {() => Promise<Result>} act
	 * @returns {Promise<Result>}
	 */
	return (act) => {
		const result = last.then(act);
		last = result.then(
			() => {},
			() => {},
		);
		return result;
	};
}
