// Texts of the review of a game.

import { counted, form, listed } from './forms.js';

export const texts = {
	better: (/** @type {string} */ made, /** @type {number[]} */ bins, /** @type {string} */ best) =>
		`${made}; best: ${form(bins.length, 'bin')} ${listed(bins)} (${best})`,
	after: (/** @type {string} */ worth, /** @type {number} */ seconds) =>
		`${worth}; ${seconds.toFixed(seconds < 10 ? 1 : 0)} s spent here`,
	blunders: (/** @type {number} */ count) => counted(count, 'blunder'),
	inaccuracies: (/** @type {number} */ count) => counted(count, 'inaccuracy', 'inaccuracies'),
	faultsOf: (/** @type {string} */ colour, /** @type {string[]} */ faults) =>
		`${colour}: ${listed(faults) || 'no mistakes'}`,
	reviewing: (/** @type {string} */ progress) => `Reviewing: ${progress}`,
	progress: (/** @type {number} */ done, /** @type {number} */ all) => `${done} of ${all}`,
	practice: 'Play the mistakes again',
};
