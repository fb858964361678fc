// Texts of games by signed terms.

import { form, number } from './forms.js';

export const texts = {
	// What is agreed on.
	pie: 'pie rule',
	clock: (/** @type {string} */ bank) => `clock ${bank}`,
	clockMore: (/** @type {string} */ bank, /** @type {string} */ increment) =>
		`clock ${bank} + ${increment}`,
	noClock: 'no clock, unrated',
	pool: (/** @type {string} */ name) => `pool ${name}`,
	eitherBegins: 'either begins',
	youMoveSecond: 'you move second',
	youBegin: 'you begin',
	friendWants: (/** @type {string} */ terms, /** @type {string} */ begins) =>
		`Your friend wants to play ${terms}, ${begins}.`,
	opponentWants: (/** @type {string} */ terms, /** @type {string} */ begins) =>
		`Your opponent wants to play ${terms}, ${begins}.`,
	forStake: (/** @type {string} */ stake) => `for ${stake} each`,
	timeLoses: 'The relay keeps the clock: a player whose time is over loses.',
	stakedTime:
		'The clock runs on the chain, once a player is pressed. You pay first, and can have your stake back as long as your opponent has not paid.',

	// How a game stands between its players.
	gameEnded: 'the game has ended',
	binFull: 'the bin is full',
	otherTab: 'This game is played in another tab of this browser: close it to go on here.',
	relayAway: (/** @type {string} */ why) =>
		`The relay is not there: ${why}. Trying again; what you play is sent once it is back.`,
	opponentAway:
		'Your opponent is not connected. What you play waits at the relay; this page may be closed meanwhile, and the game goes on at this address.',
	opponentAwayTimed: 'Your opponent is not connected. The clock runs all the same.',
	endIsAwaited: 'Waiting for the relay’s word on how the game has ended.',
	noResult: 'The relay does not have this game any more, so that it has no result.',
	contradicted:
		'The relay has signed two things about this game that cannot both be true. It counts nowhere, and this browser keeps both.',
	roomRefuses: (/** @type {string} */ why) => `The relay takes nothing at the moment: ${why}.`,
	unfair: (/** @type {number} */ seconds) =>
		`The relay took ${seconds.toFixed(1)} s more off your clock for this move than this page measured. The line or this device was slow for a moment, or the relay is unfair.`,
	watch: (/** @type {number} */ count) => `${number(count)} ${form(count, 'watches', 'watch')}.`,
	bothSign: 'Both players sign each move, and the relay that it has come in time.',
	firstMoves: 'Each first move has 30 seconds, else there is no game.',
	witnessed: 'The relay has signed this result as the game’s witness.',
	isVoid: 'The game ended before both had moved, so that it does not count.',

	// How an opponent is found.
	connecting: 'Connecting to the lobby…',
	waitingForFriend: 'Waiting for your friend…',
	waitingForAnyone: 'Waiting for an opponent…',
	waited: (/** @type {string} */ time) => `You have waited ${time}`,
	counts: (/** @type {{ waiting: number, playing: number }} */ { waiting, playing }) =>
		`${number(waiting)} ${form(waiting, 'waits', 'wait')} and ${number(playing)} ${form(playing, 'plays', 'play')} here, as the relay says`,
	programHere: (/** @type {string} */ name, /** @type {string} */ terms) =>
		`Nobody has come for a minute. The program ${name} is connected: ${terms}, rated there.`,
	noProgram:
		'Nobody has come for a minute, and no program is connected. The computer of this page can be played meanwhile; that is unrated.',
	playProgram: 'Play the program',
	lookingForInvite: 'Looking for the invite…',
	agreeing: 'An opponent is there: agreeing on the game…',
	unpaid: 'Your offer is taken: waiting for the payment of its taker, who pays first.',
	opponentHere: 'Your opponent is here.',
	lobbyAway: (/** @type {string} */ why) => `The lobby cannot be reached: ${why}. Trying again…`,
	close: 'Close',
	notNow: 'Not now',
	cancel: 'Cancel',
	guest: (/** @type {string} */ account) => `Guest ${account}`,
	playGuest: (/** @type {string} */ account) => `Play guest ${account}`,
	playAccount: (/** @type {string} */ account) => `Play ${account}`,

	/** Said to a player who opens the own link, where the same account seeks on another device. */
	ownLink:
		'This is your own link. Send it to a friend: the game begins on the device that made it, while its page is open there.',
	noChain: 'This host has not said on which chain games are signed.',
	noWitness: 'the relay of this host is no witness of games',
	wrongClock: (/** @type {number} */ minutes) =>
		`Your device’s clock and the relay’s are ${number(minutes)} ${form(minutes, 'minute', 'minutes')} apart: set it right to play.`,
	offerOfOtherChain: 'This game would be signed for another chain than that of this host.',
	offerNotHere: 'Such a game is not played in this page.',
	offerOver: 'This link has expired.',
	noStakes: 'This host has no contract of stakes.',
	stakeNeedsClock: 'A game for a stake needs a clock of five minutes at least.',
	atOtherRelay: (/** @type {string} */ relay) =>
		`The game is played at another relay, ${relay}, which learns your address.`,
	unrated: 'unrated here',
	noGame: 'No game has come of this: not both players have signed its terms in time.',
	otherAccount: 'You play with another account now than in this game.',
	lobbyRefuses: (/** @type {string} */ text) => `The lobby refuses: ${text}.`,
	relayOfOtherChain: 'The relay is one of another chain than this host.',
	tooSlow: 'Somebody else was faster.',
	seekGone: 'It is not there any more.',
	declined: 'The other player’s page declined.',
	notAccepted:
		'The relay alone says that this offer is accepted, and its player has not signed that: nothing was paid.',
	noAnswer: 'The other player’s page does not answer.',
	relayFull: 'it is full at the moment',
	ownSeek: 'You seek this game yourself, on another device.',
	relayConnecting: 'it is being connected',
	unknownGame: (/** @type {string} */ why) =>
		`This game is not known here, and the relay does not show it: ${why}. A relay keeps the end of a game for a month.`,
	opening: 'The game is being opened: try again in a moment.',
	onlyDiscs: 'Only discs are dropped here.',
	notDone: 'That is not done in such a game.',
	playNow: 'Play now',
	playComputer: 'Play the computer',
	aProgram: 'a program',
	play: 'Play',
};
