// Texts of records of games.

export const texts = {
	game: (/** @type {string} */ game) => `Game ${game}`,
	provenSigned: 'Proven: both players have signed it.',
	provenWitnessed: 'Proven: both players have signed their moves, and the witness how it ended.',
	provenChain: 'Its evidence is on the chain: connect4 verify looks there.',
	provenNothing: 'Nobody has signed it.',
	provenEarlier: 'Not checked: it has no signature of a kind that is checked.',
	notThis: (/** @type {string | null} */ why) => `Not this game: ${why}.`,
};
