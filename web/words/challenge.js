// Texts of the terms of a challenge.

import { spelt } from './forms.js';

export const texts = {
	opponent: 'Opponent',
	board: 'Board',
	boardOf: (/** @type {string} */ board, /** @type {number} */ line) =>
		`${board}, ${spelt(line)} in a row`,
	begins: 'Begins',
	you: (/** @type {string} */ name) => `${name} (you)`,
	clock: 'Clock',
	stake: 'Stake',
};
