// Texts of records of games.

export const texts = {
	game: (/** @type {string} */ game) => `Game ${game}`,
	provenSigned: 'Proven: both players have signed it.',
	provenWitnessed: 'Proven: both players have signed their moves, and the witness how it ended.',
	provenKeys: 'Signed by two keys. Only the chain shows whether they are the players’ keys.',
	provenChain: 'Its evidence is on the chain: connect4 verify looks there.',
	provenNothing: 'Nobody has signed it.',
	notThis: (/** @type {string | null} */ why) => `Not this game: ${why}.`,
};
