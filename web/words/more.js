// Texts of what *More* has beside a game.

export const texts = {
	contract: (/** @type {string} */ address) => `contract ${address}`,
	keyDrop: 'drop into that bin',
	keyWalk: 'walk the board; after the end, step through the moves',
	keyEdges: 'to the edges of the board',
	keyHere: 'drop where you are',
	keyNext: 'after the end: next game',
	keySound: 'sound on and off',
	picture: 'Picture',
	film: 'Animated picture',
	embed: 'A line of HTML',
	copyEmbed: 'Copy line to embed',
	asText: 'The game as text',
	save: 'Save the game',
	previous: 'Previous game',
	iPlay: 'I play',
	confirm: 'Confirm each move',
	confirmHelp: 'by touch, a second tap on the same bin drops the disc',
	takeSeat: (/** @type {string} */ colour) => `Take ${colour}’s seat back`,
	giveComputer: (/** @type {string} */ colour) => `Let a computer play ${colour}`,
	levelFor: (/** @type {string} */ colour) => `Level for ${colour}`,
};
