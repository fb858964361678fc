// Texts of the sheet of wallets, guests and nodes.

import { form, mixed, number } from './forms.js';

export const texts = {
	gamesLost: (/** @type {number} */ games) =>
		`${form(games, 'A game that goes on here is', `${number(games)} games that go on here are`)} lost: you can make no move there any more, also if you restore the guest.`,
	nodeAsked: (/** @type {string} */ node) => `the node ${node}, which is being asked`,
	youAreGuest: 'You play as a guest',
	account: 'Account',
	guestHelp:
		'This browser has made its key, and keeps it. It is no place for money: anyone who serves this page could read it.',
	otherGuests: 'Other guests of this browser',
	playAsIt: 'Play as it',
	showPhrase: 'Show its phrase',
	forget: 'Forget it …',
	hide: 'Hide',
	withoutPhrase: 'Without its phrase nobody can play as this guest again.',
	forgetNow: 'Forget it',
	keep: 'Keep it',
	restoreHelp: 'It plays in place of the present guest, who stays in the list of this browser.',
	restore: 'Restore',
	phraseField: 'Its phrase, of 12 words',
	phraseNotShown:
		'The phrase of the present guest was never shown: only this browser can play as it. Show the phrase first, or restore all the same.',
	restoreAnyway: 'Restore all the same',
	restoreByPhrase: 'Restore a guest by its phrase',
	close: 'Close',
	connect: 'Connect a wallet',
	walletHelp:
		'It signs what you do. The host never sees a key: it can neither take a stake nor make a move.',
	itsAccounts: 'its accounts',
	ethereum: 'Ethereum',
	polkadot: 'Polkadot',
	beGuest: 'Play as a guest',
	useProgram: 'Play with an account',
	programHelp:
		'The program that serves this page signs with its own accounts what its owner does here.',
	noOwner:
		'This browser has no key of the program’s owner, so it plays as a guest. Open the link that the program printed in its terminal to play with its accounts.',
	disconnect: 'Disconnect',
	asContracts: 'As contracts know it',
	balance: 'Balance',
	noWallet:
		'No wallet is in this browser. Install one, such as MetaMask, Talisman, SubWallet or polkadot{.js}, then load the page again.',
	trust: (/** @type {Node} */ command) =>
		mixed`The server of this page could serve a changed one. The same page can come from another place: ${command} writes it as files with their hashes, and it works with any host.`,
	checkedBy: (/** @type {Node} */ node) => mixed`This host is checked by ${node}`,
	useIt: 'Use it',
	nodeAddress: 'Address of a node',
	nodeHelp:
		'The page compares each board with the chain by this node, before you sign and while you watch. Take your own, or one of somebody else than this host; it has to speak Ethereum’s JSON-RPC, and learns which games you look at. Its address stays in this browser.',
	asking: 'Asking…',
	remove: 'Remove',
	noNode: 'no node',
};
