// Texts of hints and the evaluation.

import { form, listed } from './forms.js';

export const texts = {
	bin: (/** @type {number} */ bin, /** @type {string} */ words) => `bin ${bin}: ${words}`,
	bestBin: (/** @type {number} */ bin, /** @type {string} */ words) => `bin ${bin}: ${words}, best`,
	best: (/** @type {number[]} */ bins, /** @type {string} */ words) =>
		`Best: ${form(bins.length, 'bin')} ${listed(bins)}, ${words}.`,
	evaluationIs: 'Evaluation:',
	hints: 'Hints',
	hintsKey: 'hints on and off',
	evaluation: 'Evaluation',
	evaluationKey: 'evaluation on and off',
	noHints: 'No hints: the game is over.',
	notKnown: 'not known now',
};
