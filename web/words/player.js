// Texts of signed games.

export const texts = {
	keyGone: 'The key of this game is not in this browser any more, so nothing is signed in it.',
	otherTab: 'This game is played in another tab of this browser: close it to go on here.',
	notHere: 'This game is not kept in this browser.',
	relayNone: 'this game has no relay',
	relayConnecting: 'connecting',
};
