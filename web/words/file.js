// Texts of files of records.

import { number } from './forms.js';

export const texts = {
	reading: (/** @type {string} */ file) => `${file}: reading …`,
	close: 'Close',
	closed: 'it was closed',
	showMore: (/** @type {number} */ count) => `Show more: ${number(count)} left`,
	tooLarge: 'the file is larger than 4 MB: split it between two games',
	noText: 'it is no text',
	other: 'another one is opened',
	keptElsewhere: 'this browser does not have the moves of that game',
	showMoves: 'Show the moves',
	partFails: 'a part of this page cannot be run',
	pageFault: 'this page has made a mistake: load it again',
};
