// Texts of signed games for a stake.

export const texts = {
	// What a wallet is asked to sign.
	paysStake: (/** @type {string} */ stake, /** @type {string} */ game) =>
		`Pay the stake of ${stake} for game ${game}`,
	refunds: (/** @type {string} */ game) => `Ask for the stake back of game ${game}`,
	brings: (/** @type {string} */ game) => `Bring the signed moves of game ${game} to the chain`,
	presses: (/** @type {string} */ game) => `Start your opponent’s clock in game ${game}`,
	drops: (/** @type {string} */ game) => `Make a move on the chain in game ${game}`,
	claims: (/** @type {string} */ game) => `End game ${game}, as its time is over`,
	withdraws: 'Withdraw what the stakes of games owe you',
	frees: (/** @type {string} */ game) => `Free the storage of game ${game}`,
	stake: 'Stake',
	fromOwed: 'From what you are owed',
	opponent: 'Opponent',
	theirKey: 'Their key',
	clock: 'Clock, if pressed',
	clockOf: (/** @type {number} */ bank, /** @type {number} */ increment) =>
		`${bank / 60} min + ${increment} s`,
	agreedAt: 'Agreed on',
	move: 'Move',
	bin: (/** @type {number} */ bin) => `bin ${bin} from the left`,
	swap: 'take the first disc over',

	// What keeps it from being done.
	notSeen: (/** @type {string} */ why) => `The chain can’t be seen at the moment: ${why}`,
	otherContract:
		'This host does not have the contract that holds the stake of this game: use a host of its chain.',
	noAnswer: 'The contract of the stakes did not answer: try again.',
	otherAccount: (/** @type {string} */ account) =>
		`Connect the account ${account} in your wallet: it plays this game.`,
	notDue: 'Nothing was paid or signed: the payment is not due any more.',
	notFinal: 'The newest block is not final yet: the opponent’s clock is started once it is.',
	brokenStake: 'This stake can’t be paid in whole units of the token.',

	// What is agreed to.
	ofEach: (/** @type {string} */ stake) => `${stake} of each player`,
	aProgram: (/** @type {string} */ account) => `${account}, a program`,
	contract: 'Contract',
	until: 'Offered until',

	// How a game stands.
	waitsForStakes: 'Waiting for both stakes',
	waitsForBlock: 'Waiting for a final block',
	noGame: 'No game is played',
	awaits: {
		theyPayFirst: 'Waiting for your opponent, who pays first.',
		youPay: 'Your wallet is asked to pay the stake.',
		looks: 'Looking at the chain for the payments.',
		theyPay: (/** @type {string} */ stake) =>
			`You have paid ${stake}. Waiting for your opponent’s payment.`,
		begins: 'Moves are signed once a final block has both stakes, which takes some seconds.',
		rematch: 'Waiting for your opponent, who pays first for the rematch. You pay after that.',
		refunding: 'Your wallet is asked to have your stake paid back.',
		refunded: 'You have called the game off. A stake that you paid is paid back.',
		bring: 'What both have signed has to be on the chain now: your wallet is asked to bring it.',
		claim: 'The time is over: your wallet is asked to end the game.',
		theyBring: 'Waiting for the end on the chain.',
		contest: 'The end can be contested until its time is over.',
		contestYou:
			'Your opponent has brought a line to the chain to which you have not agreed: it counts unless you move before the time is over.',
		away: 'Your opponent is not there. You can start the clock on the chain: a player who does not answer in time loses.',
		pressed: 'The clock on the chain runs for your opponent.',
		pressedYou: 'The clock on the chain runs for you: move before it is over.',
		onChain: 'Moves are made on the chain by now: your wallet signs each.',
	},
	staked: (/** @type {string} */ stake) => `For a stake of ${stake} of each.`,
	owed: (/** @type {string} */ owed) => `The contract of the stakes owes you ${owed}.`,
	press: 'Start the opponent’s clock',
	refund: 'Have the stake paid back',
	cancel: 'Call the game off',
	settle: 'Bring the end to the chain',
	withdraw: (/** @type {string} */ owed) => `Withdraw ${owed}`,
	now: 'Ask the wallet again',
};
