// Texts of a guest’s phrase, and where it is kept.

export const texts = {
	keepGuest: 'Keep your guest',
	keepWhy:
		'You play as a guest, whose key is in this browser alone. Its phrase of 12 words restores it, here and elsewhere.',
	showPhrase: 'Show the phrase',
	notNow: 'Not now',
	done: 'Done',
	copy: 'Copy',
	copied: 'Copied',
	copyByHand: 'Copy it by hand',
	phrase: 'Phrase',
	phraseHelp: (/** @type {string} */ path) =>
		`These words are the account: anyone who has them plays as you. Write them down. They restore it in another browser, in the program, and in wallets of Ethereum, at the path ${path}.`,
	forgets:
		'This browser may delete the guest: when its disk is nearly full, or after some days without a visit. Write the phrase down.',
};
