// Texts of games by signed terms.

import { form, mixed, number } from './forms.js';

export const texts = {
	// What is agreed on.
	pie: 'pie rule',
	clock: (/** @type {string} */ bank) => `clock ${bank}`,
	clockMore: (/** @type {string} */ bank, /** @type {string} */ increment) =>
		`clock ${bank} + ${increment}`,
	pool: (/** @type {string} */ name) => `pool ${name}`,
	eitherBegins: 'either begins',
	youMoveSecond: 'you move second',
	youBegin: 'you begin',
	friendWants: (/** @type {string} */ terms, /** @type {string} */ begins) =>
		`Your friend wants to play ${terms}, ${begins}. With a clock each of you can take the game to the chain, where a wallet pays: a player who does not move there in time loses.`,

	// How a game stands between its players.
	gameEnded: 'the game has ended',
	binFull: 'the bin is full',
	otherTab: 'This game is played in another tab of this browser: close it to go on here.',
	relayAway: (/** @type {string} */ why) =>
		`The relay is not there: ${why}. Trying again; what you play is sent once it is back.`,
	opponentAway:
		'Your opponent is not connected. What you play waits at the relay for a quarter of an hour; this page may be closed meanwhile, and the game goes on at this address.',
	watch: (/** @type {number} */ count) => `${number(count)} ${form(count, 'watches', 'watch')}.`,
	bothSign: 'Both players sign each move.',
	bothSigned: 'Both players have signed this result.',
	moveUnsigned: 'The opponent has not signed the last move yet.',
	resultUnsigned: 'The opponent has not agreed to the result yet.',
	onNoChain: 'No chain has this game.',
	endedAtOnce: 'The game ended before the first move. No chain has it.',
	recordedNowhere: 'It is on no chain, unless somebody records it there.',

	// How an opponent is found.
	connecting: 'Connecting to the lobby…',
	waitingForFriend: 'Waiting for your friend…',
	waitingForAnyone: 'Waiting for an opponent…',
	lookingForInvite: 'Looking for the invite…',
	agreeing: 'An opponent is there: agreeing on the game…',
	opponentHere: 'Your opponent is here.',
	lobbyAway: (/** @type {string} */ why) => `The lobby cannot be reached: ${why}. Trying again…`,
	close: 'Close',
	notNow: 'Not now',
	cancel: 'Cancel',
	guest: (/** @type {string} */ account) => `Guest ${account}`,
	playGuest: (/** @type {string} */ account) => `Play guest ${account}`,
	playAccount: (/** @type {string} */ account) => `Play ${account}`,

	// A game on the chain.
	tooLate: 'A game can be taken to the chain within a day after it began, which is over.',
	walletPays:
		'A wallet pays the fees, yours or anybody’s: connect it here. It works within a day after the game began.',
	resultStands:
		'Your opponent has not agreed to the result yet. On the chain it stands, unless your opponent shows there that the game went on.',
	noClock:
		'This game has no clock: nothing makes your opponent move, on the chain neither. You can close the page and go on here once your opponent is back.',
	canPress: (/** @type {string} */ bank) =>
		`On the chain you can start your opponent’s clock: a player who does not move there within ${bank} loses.`,
	timeOver: 'the time is over',
	timeLeft: (/** @type {string} */ time) => `${time} left`,
	contested: (/** @type {string} */ time) =>
		`The end on the chain can still be contested by later moves (${time}).`,
	yourClock: (/** @type {string} */ time) =>
		`Your clock runs on the chain: make your move (${time}).`,
	yourOpponent: 'your opponent',
	clockRuns: (/** @type {string} */ whose, /** @type {string} */ time) =>
		`The clock of ${whose} runs on the chain (${time}).`,
	recordReplaced: 'The block with its record was replaced: the chain does not have this end now.',
	otherRecord:
		'The chain has another record of this game now, which counts if both have signed more moves there than here. If they have not, record this end again.',
	disputeEnded: (/** @type {string} */ game) =>
		`The dispute has ended on the chain, as game ${game}.`,
	disputed: (/** @type {string} */ game) =>
		`The game is on the chain for a dispute, as game ${game}: signed moves go on here, and count there.`,
	recorded: 'It is recorded on the chain.',
	due: 'The chain has to be told of what was signed: sign it in a wallet, yours or anybody’s that is connected here.',
	endedOtherwise:
		'The dispute has ended otherwise than by what both of you have signed: record the game, and that counts.',

	/** Said to a player who opens the own link, where the same account seeks on another device. */
	ownLink:
		'This is your own link. Send it to a friend: the game begins on the device that made it, while its page is open there.',
	otherContracts:
		'This game was signed for other contracts than those of this host: open it at one of its own.',
	sendLatest: 'Send the latest signed moves to the chain',
	chainUnreadable: (/** @type {string} */ error) => `The chain can’t be read: ${error}`,
	toChain: 'Take the game to the chain',
	press: 'Start the opponent’s clock',
	nothingToRecord: 'There is nothing to record yet.',
	recordGame: 'Record the game',
	doesNotBegin: (/** @type {string} */ error) => `The game does not begin here: ${error}`,
	lobbyRefuses: (/** @type {string} */ text) => `The lobby refuses: ${text}.`,
	soughtElsewhere: 'A game is sought in another tab of this browser.',
	relayOfOtherChain: 'The relay is one of another chain than this host.',
	tooSlow: 'Somebody else was faster.',
	seekGone: 'It is not there any more.',
	declined: 'The other player’s page declined.',
	noAnswer: 'The other player’s page does not answer.',
	relayFull: 'it is full at the moment',
	ownSeek: 'You seek this game yourself, on another device.',
	relayConnecting: 'it is being connected',
	unknownGame: (/** @type {string} */ why) =>
		`This game is not known here, and the relay does not show it: ${why}. A relay keeps a game for a quarter of an hour while nobody is there.`,
	opening: 'The game is being opened: try again in a moment.',
	onlyDiscs: 'Only discs are dropped here.',
	notDone: 'That is not done in such a game.',
	signInWallet: 'Sign it in the wallet',
	recordIt: 'Record it on the chain',
	save: 'Save the game',
	anybodyRecords: (/** @type {Node} */ command) =>
		mixed`Anybody can record it for 30 days, with the file: ${command}`,
	stuck: 'Your opponent does not go on?',
	connectWallet: 'Connect a wallet',
	cannotLock:
		'This browser cannot keep other tabs from playing the same game, as the page does not come by https: so the game is watched here.',
	keyGone:
		'You play this game, but its key is gone from this browser, whose data was deleted: nothing can be signed here any more. What both have signed until now is at the relay as long as it keeps the room.',
	isElsewhere: 'This game is played in another tab of this browser.',
	notPlayedHere: 'This game is not played here.',
	relaySendsUnsigned: (/** @type {string} */ text) =>
		`The relay sends what the players have not signed: ${text}.`,
	playNow: 'Play now',
	playComputer: 'Play the computer',
	aProgram: 'a program',
	play: 'Play',
};
