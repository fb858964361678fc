// What is known about the terms of a challenge for a stake. Loaded once they are typed.

import { get } from './transport.js';

/** @import { Clock, Shape } from './wire.d.ts' */

/**
 * What is known about terms for a stake, in words; nothing if it can't be asked.
 * @param {Shape} shape @param {Clock} clock
 * @returns {Promise<string[]>}
 */
export async function warningsAbout({ bins, capacity, line }, { bank, increment }) {
	const asked = { bins, capacity, line, bank, increment };
	const query = Object.entries(asked).map((pair) => pair.join('='));
	try {
		return (await get(`/api/warnings?${query.join('&')}`)).warnings;
	} catch {
		return [];
	}
}
