// Texts of games that the index of a host has.

export const texts = {
	chainHasGame: (/** @type {string} */ how) =>
		`The chain has this game, ${how}, as the index of this host says.`,
	chainHasPart: 'The chain has this much of the game, as the index of this host says.',
};
