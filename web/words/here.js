// Texts of games of this page, and of the computer.

export const texts = {
	noGame: 'There is no such game in this browser.',
	pageFault: 'This page has made a mistake: load it again.',
	partFails: 'A part of this page cannot be run.',
	computerFails: (/** @type {string} */ why) => `The computer cannot be loaded: ${why}`,
};
