// Texts of invitations.

const connecting = 'Connecting to the relay …';
const pairing = 'Your friend is there: the game begins …';

export const texts = {
	/** Of the own invitation, by how far it is. */
	mine: {
		connecting,
		waiting:
			'Send the link to your friend. The game begins by itself once it is opened, while this page is open.',
		pairing,
		unpaid:
			'The link is taken, and its taker pays first. The game begins by itself once the payment is seen, while this page is open; if none comes, the link can be taken again.',
		away: 'The relay can’t be reached at the moment. The link stays as it is.',
	},
	/** Of a friend's. */
	theirs: {
		connecting,
		looking: 'Looking for your friend …',
		pairing,
		away: 'The relay can’t be reached at the moment.',
	},
	absent:
		'Your friend’s page is not open at the moment, or the link was used already. The game begins by itself once your friend is there: keep this page open, or ask for a new link.',
	absentStaked:
		'Your opponent is not in the lobby of the relay at the moment, or its offer is taken. You can pay without waiting: the game begins once your opponent has seen that and paid as well, while the offer stands. Until then you can have your stake back.',
	askForNew: 'Ask your friend for a new link, or try again.',
	linkForFriend: 'Link for your friend',
	share: 'Share …',
	copyLink: 'Copy the link',
	tryAgain: 'Try again',
	play: 'Play',
	payUnasked: 'Pay without waiting',
	shareTitle: 'Play Connect Four with me',
	inviteFriend: 'Invite a friend',
	invitedBy: 'A friend invites you',
	forStake: 'A game for a stake',
	withdraw: 'Withdraw the invitation',
	notNow: 'Not now',
	yours: 'Your invitation',
	linkAsCode: 'The link as a QR code: your friend can open it with a camera.',
};
