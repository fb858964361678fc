// Texts of games by signed terms.

export const texts = {
	/** Said to a player who opens the own link, where the same account seeks on another device. */
	ownLink:
		'This is your own link. Send it to a friend: the game begins on the device that made it, while its page is open there.',
};
