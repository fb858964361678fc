// Texts of a public host's page: wallets, what they sign, and by what the host is checked.

import { capital, mixed } from './forms.js';

/** @import { MoveAsked } from '../wire.d.ts' */

const WORD = 'taken from this host’s word';
const UNTIL = 'Nothing is signed until you say that you know why.';

/** What a move does. @param {MoveAsked} move */
function doing(move) {
	switch (move.kind) {
		case 'drop':
			return `Drop a disc into bin ${move.bin + 1}`;
		case 'pop':
			return `Pop a disc out of bin ${move.bin + 1}`;
		case 'take':
			return `Take the disc of bin ${move.bin + 1}, row ${move.row + 1}`;
		case 'clear':
			return `Clear row ${move.row + 1}`;
		case 'float':
			return `Float a disc in bin ${move.bin + 1}, row ${move.row + 1}`;
		case 'swap':
			return 'Swap colours';
	}
}

export const texts = {
	// By what a board is checked.
	unchecked: `Not checked: ${WORD}.`,
	uncheckedGone: `Not checked: the chain has this game no more, so the board is ${WORD}.`,
	uncheckedUntil: (/** @type {string} */ trouble) =>
		`Not checked: ${trouble}. Until it does, the board is ${WORD}.`,
	uncheckedAs: (/** @type {string} */ trouble) =>
		`Not checked: ${trouble}. So the board is ${WORD}.`,
	withTrouble: (/** @type {string} */ text, /** @type {string} */ trouble) =>
		`${text}. ${capital(trouble)}.`,
	changeNode: 'Change the node',
	checkByNode: 'Check it by a node',
	asking: (/** @type {string} */ node) => `Asking ${node}…`,
	comparedByGiven: (/** @type {string} */ node) => `Compared with no node but ${node}`,
	checkedBy: (/** @type {string} */ by) => `Checked by ${by}`,
	movesCheckedBy: (/** @type {string} */ by) =>
		`Moves checked by ${by}, which has no end of the game yet`,
	hasNone: (/** @type {string} */ by) => `Not checked yet: ${by} has none of these moves`,
	untoldBy: (/** @type {string} */ node, /** @type {string} */ why) =>
		`Not checked: ${node} does not tell this game (${why})`,
	checkedUpTo: (/** @type {string} */ by, /** @type {number} */ turns, /** @type {number} */ of) =>
		`Checked by ${by} up to move ${turns} of ${of}`,
	hasLater: (/** @type {string} */ by) => capital(`${by} has a later move than this host shows`),
	hasOther: (/** @type {string} */ by) => capital(`${by} has another board than this one`),

	// What a host shows is not what the chain has.
	distrust: (/** @type {string} */ why) => `${why} Don’t trust this host: use another one.`,
	hasFewer: (/** @type {string} */ by, /** @type {number} */ turns, /** @type {number} */ of) =>
		capital(
			`${by} has ${turns} of the ${of} moves that this host shows: nothing was signed. Either it is behind, or the host shows a move that is not on the chain. Try again in a moment; if this happens again, use another host or another node.`,
		),
	hasHidden: (/** @type {string} */ by) =>
		capital(`${by} has a move on the chain that this host does not show.`),
	hasOtherBoard: (/** @type {string} */ by) =>
		capital(`${by} has another board on the chain than this host shows.`),

	// Nodes.
	walletNode: 'your wallet’s own node',
	givenNode: 'the node that a host gave your wallet',
	named: (/** @type {string} */ node) => `the node ${node}`,
	namedAway: (/** @type {string} */ node) => `the node ${node} does not answer`,
	dontUseHost: 'don’t use this host',
	unsignedDontUse: 'nothing was signed. Don’t use this host',

	// What this browser knows of a host that says something else now.
	otherGenesis: (
		/** @type {number | null} */ chain,
		/** @type {string} */ now,
		/** @type {string} */ before,
	) =>
		`This host’s chain has the number ${chain} of a chain that this browser has used, and is another one: its first block is ${now}, not ${before}. ${UNTIL}`,
	otherChainId: (/** @type {number | null} */ now, /** @type {number | null} */ before) =>
		`This host says that the chain has the number ${now ?? 'none'} for wallets of Ethereum. This browser has used it with the number ${before ?? 'none'}. ${UNTIL}`,
	otherDecimals: (/** @type {number | null} */ now, /** @type {number | null} */ before) =>
		`This host says that the token has ${now} decimals. This browser has used it with ${before}, so amounts that are shown could be wrong. ${UNTIL}`,
	otherSymbol: (/** @type {string | null} */ now, /** @type {string | null} */ before) =>
		`This host calls the token ${now ?? 'nothing'}. This browser has used it as ${before ?? 'nothing'}. ${UNTIL}`,
	otherContract: (/** @type {string} */ now, /** @type {string} */ before) =>
		`This host names another contract (${now || 'none'}) than this browser has used on this chain (${before || 'none'}). ${UNTIL}`,

	// How far a transaction is.
	wallet: 'the wallet',
	sentSilent: (/** @type {string} */ what, /** @type {string} */ wallet) =>
		`${what}: sent, but ${wallet} does not tell what became of it. Look whether it is unlocked and has its network.`,
	slow: (/** @type {string} */ what, /** @type {string} */ wallet) =>
		`${what}: no block has it yet. If it takes too long, speed it up or cancel it in ${wallet}.`,
	dropped: (/** @type {string} */ what, /** @type {string} */ wallet) =>
		`${what}: no block has it, and the node of ${wallet} does not know it, so it may have been dropped. If ${wallet} still shows it, speed it up or cancel it there. If not, stop waiting and try again: both have the same number, so that only one of them can happen.`,
	overtaken: (/** @type {string} */ what, /** @type {string} */ wallet) =>
		`${what}: no block has it, the node of ${wallet} does not know it, and another transaction of this account is in a block. If ${wallet} still shows it, wait for it or cancel it there. If not, stop waiting, and look at the board before you try again.`,
	untold: (/** @type {string} */ what) =>
		`${what}: sent, but this host does not tell what became of it. Look at the board; you need not wait.`,

	// What a transaction costs, and what else the player agrees to.
	payment: 'You pay now',
	fee: 'Fee',
	about: (/** @type {string} */ amount) => `about ${amount}`,
	deposit: 'Deposit',
	depositHeld: (/** @type {string} */ amount) => `${amount}, returned with the storage`,
	depositHeldYours: (/** @type {string} */ amount) =>
		`${amount}, returned if you remove the storage`,
	depositBack: 'Deposit back',
	depositPaid: (/** @type {string} */ amount) => `up to ${amount}: what you paid of it yourself`,
	signedInVain: (/** @type {string} */ what, /** @type {number} */ nonce) =>
		`What you signed before (“${what}”, number ${nonce}) is in a block and did nothing, says this host. If that is not true both may happen. Look at the board before you sign.`,
	signedOpen: (/** @type {string} */ what, /** @type {number} */ nonce) =>
		`What you signed before (“${what}”, number ${nonce}) is in no block, as far as this host tells. This one has another number, so both may happen. Look at the board before you sign.`,
	contractAgrees: 'The contract has been asked: it does not refuse.',
	stakeLocked: 'The stake is locked in it until the game ends.',
	guest: 'Guest',
	connect: (/** @type {(text: string) => Node} */ rest) => mixed`Connect ${rest('wallet')}`,
	mayStillPayCancel: (
		/** @type {string} */ what,
		/** @type {string | undefined} */ stake,
		/** @type {string | undefined} */ wallet,
	) =>
		`“${what}” (${stake}) may still be paid: no block is known to have it. Nothing more was signed. Wait for its block, or cancel it in ${wallet}.`,
	mayStillPay: (/** @type {string} */ what, /** @type {string | undefined} */ stake) =>
		`“${what}” (${stake}) may still be paid: no block is known to have it. Nothing more was signed. Wait for its block, or until its time is over, which takes some minutes.`,

	// What a player signs.
	freeOf: (/** @type {string} */ game) => `Free the storage of game ${game}`,
	resignIn: (/** @type {string} */ game) => `Resign in game ${game}`,
	chainUnreadable: 'The host says of its chain what can’t be read: use another host.',
	chain: 'the chain',
	noContract: (/** @type {string} */ kind) => `There is no contract of the ${kind} here.`,
	unproven:
		'This host names contracts that are not where it says that they were deployed. Nothing is signed: use another host. If they are those of another version of the game, use the page of that version.',
	unprovenStakes:
		'This host does not say who has deployed its contract of the stakes, by which the page knows it: nothing was signed. Use another host.',
	otherDomain:
		'This host names another chain for games with a stake than the one on which you would pay: nothing was signed. Use another host.',
	domainUnread:
		'The node that was asked about the contract of the stakes did not answer: nothing was signed. Try again.',
	stoppedInBlock:
		'You stopped waiting. No block is known to have the transaction; if one has it after all, the board shows it.',
	refused: (/** @type {string} */ name) => `You refused in ${name}: nothing was signed.`,
	lockedOrBarred: (/** @type {string} */ name) =>
		`${name} is locked, or does not let this page use the account: unlock it, then try again.`,
	walletBusy: (/** @type {string} */ name) => `${name} waits for an answer already: open it.`,
	chainUnknown: (
		/** @type {string} */ name,
		/** @type {string} */ chain,
		/** @type {number | null} */ chainId,
	) =>
		`${name} does not know ${chain}, and this host names no node for it: add the chain with the number ${chainId} in ${name} yourself.`,
	switchChain: (/** @type {string} */ name, /** @type {string} */ chain) =>
		`${name} is on another chain: switch it to ${chain}, then try again.`,
	otherAccount: (/** @type {string} */ name) =>
		`${name} now uses another account: switch back to the one that plays here.`,
	locked: (/** @type {string} */ name) => `${name} is locked: unlock it, then try again.`,
	replaced: (/** @type {string} */ name) =>
		`Another transaction with its number is in a block: it was replaced, cancelled or sped up in ${name}. Look at the board before you try again.`,
	notKept: (/** @type {string} */ why) =>
		`This browser does not keep what has to be on disk before anything is signed, so nothing was (${why}). Let it keep the data of this site, or free some of its disk, then try again.`,
	nodeUnfit: (/** @type {string} */ why) =>
		`${why} Nothing was signed: use another host, or remove the node, which is named where the wallet is chosen.`,
	noNodes: 'This chain has no nodes that a page can ask.',
	nodeSays: (/** @type {string} */ name, /** @type {string} */ why) =>
		`The node ${name} says: ${why}`,
	nodeUnreached: (/** @type {string} */ name) =>
		`The node ${name} does not answer this page. Check that the address is right, that the node runs, and that it lets pages of other sites ask (CORS).`,
	nodeOfOtherChain: (
		/** @type {string} */ name,
		/** @type {number} */ id,
		/** @type {string} */ chain,
		/** @type {number} */ chainId,
	) =>
		`The node ${name} is one of another chain: its chain has the number ${id}, and ${chain} has ${chainId}.`,
	nodeWithoutContract: (/** @type {string} */ name, /** @type {string} */ contract) =>
		`The node ${name} knows no contract at ${contract}, where this host says that the game is played: either its chain is another one, or it is behind, or the host is wrong.`,
	nodeOtherLanguage: (/** @type {string} */ name, /** @type {string} */ why) =>
		`The node ${name} does not speak Ethereum’s JSON-RPC (${why}). Name one that does, such as eth-rpc beside a node of the Polkadot SDK.`,
	otherCode: (
		/** @type {string} */ address,
		/** @type {string} */ by,
		/** @type {string} */ advice,
	) =>
		`The contract at ${address}, by which this host plays, has other code than this page was made for, says ${by}: ${advice}. If it is one of another version of the game, use the page of that version.`,
	nodeAddress: 'The address of a node begins with https:// or wss://, such as https://rpc.example.',
	nodeWithPassword:
		'A page can’t use an address with a name and a password in it: name one without.',
	nodeUnencrypted: `This page came encrypted, so the browser lets it ask no node without encryption: name one by https:// or wss://, or a node on this machine, which is http://127.0.0.1 with its port.`,
	nodeTooLong: (/** @type {string} */ host) =>
		`The node ${host} answers at such a length that it is asked nothing more: name another one.`,
	nodeSilent: 'It does not answer.',
	ownNodeSilent: 'your own node does not answer',
	answerStrange: 'its answer is something else',
	answerStatus: (/** @type {number} */ status) => `it answers with status ${status}`,
	answerTooLong: 'its answer is too long',
	lockedToPlay: (/** @type {string} */ name) => `${name} is locked: unlock it to go on playing.`,
	switchAsked: (/** @type {string} */ name, /** @type {string} */ chain) =>
		`${name} is on another chain: it is asked to switch to ${chain} before you sign.`,
	noAccount: (/** @type {string} */ name) =>
		`${name} shows no account to this page: unlock it, or allow one, then try again.`,
	page: 'Connect Four',
	expired:
		'No block has the transaction in its time, says this host: look at the board, then try again. If both could happen, you are asked before you sign.',
	talisman: 'Talisman',
	ofProgram: 'This program',
	accountBarred: (/** @type {string} */ name) =>
		`${name} does not let this page use the account any more: unlock it, or allow the account, then try again.`,
	pageBarred: (/** @type {string} */ name, /** @type {string} */ why) =>
		`${name} did not let this page in: ${why}`,
	noBytes: (/** @type {string} */ name) => `${name} can't sign bytes.`,
	nothingPrepared: 'The host prepared nothing to sign.',
	noTransactions: (/** @type {string} */ name) => `${name} can't sign transactions.`,
	transactionUnreadable: 'This host tells of a transaction what can’t be read.',
	mayDelete:
		'This browser may delete the keys of your games when its disk is nearly full. Let it keep the data of this site, or play your games to their end soon.',
	relaySendsWrong: 'it sends what no message can be',
	relayGivenUp:
		'it sends what no message can be, so it is connected no more until you load the page again',
	relaySilent: 'it is silent',
	relaySendsMuch: 'it sends more than a game has to say',
	relayUnreadable: 'it cannot be read',
	relayClosed: 'it has closed the connection',
	relayUnreached: 'it cannot be reached',
	slowToLand:
		'It is in no block that is known here yet. If nothing comes of it, ask the wallet again.',
	walletSilent: (/** @type {string | undefined} */ name) =>
		`${name} has not answered: open it, and sign or refuse there. If it shows nothing, do this again.`,
	mayStillPaySign: (/** @type {string} */ paying, /** @type {string | undefined} */ name) =>
		`“${paying}” may still be paid: sign or refuse it in ${name}, or wait for its block. Nothing more was signed.`,
	chooseFirst: 'Choose one of the program’s accounts first: it signs what you do.',
	connectFirst: 'Connect a wallet first: it signs what you do.',
	differsAgain: 'again what you have signed',
	nothingPaid: 'Nothing was paid or signed.',
	otherTab:
		'Another tab of this browser is about to pay a stake by this account: sign or refuse it there first. Nothing was signed here.',
	signedElsewhere:
		'Something else was signed by this account while you were asked, perhaps in another tab: nothing was signed now. Look at the board, then try again.',
	chainRefused:
		'The chain did not do it: something changed meanwhile. Look at the board, then try again.',
	tokenUntrue:
		'This host says of the token what can’t be true (its decimals and its units for contracts do not fit together), so an amount that is shown could be another one than is paid. Nothing is signed: use another host.',
	differs: (/** @type {string} */ what) =>
		`This host prepared something else than you wanted (${what}): nothing was signed. Don't use it any more.`,
	differsContract: 'another contract',
	differsPayment: 'another payment',
	differsKind: 'another kind of transaction',
	differsBranch: 'a branch of the chain without the move that you answer',
	differsPart: 'a call of another part of the chain',
	differsCall: 'another call',
	differsMore: 'more than the call takes',
	differsGas: 'more gas than the fee that it shows',
	differsForm: 'a call in another form',
	differsAccount: 'another account',
	differsTip: 'a tip',
	differsChain: 'another chain',
	differsBytes: 'other bytes than a call has',
	differsEra: 'a transaction that is valid for ever, or for long',
	differsShown: 'other bytes than those it shows',
	differsMetadata: 'another hash of the metadata than there can be',
	signedAfterAll: (/** @type {string} */ what) =>
		`What you signed before (“${what}”) is in a block after all, or another transaction with its number: nothing was signed now. Look at the board, then do what is left to do.`,
	gameEnded: 'the game has ended',
	tableWaits: 'the game has not started: it waits for players',
	gameUnreadable: 'This host tells of a game what can’t be read.',
	boardChanged: 'The board has changed since you chose: nothing was signed.',
	movesAgainstRules: 'This host shows a move that the rules don’t allow.',
	boardOfOthers: 'This host shows another board than its moves lead to.',
	resultOfOthers: 'This host shows another result than the moves have.',
	notCompared: (/** @type {string} */ why) =>
		`The board can’t be compared with the chain (${why}): nothing was signed. Try again. If this happens again, use another host, or another node, which is named where the wallet is chosen.`,
	otherBoardSigned: (/** @type {string} */ by) =>
		`The board on the chain, by ${by}, is another one than this host shows: nothing was signed. If this happens again, use another host.`,
	signKeyIn: (/** @type {string} */ name) =>
		`Sign in ${name}, once a day: a key in this page may play for you. It can move no tokens.`,
	stopWaiting: 'Stop waiting',
	makeKnown: 'Make your account known to contracts, once',
	trying: (/** @type {string} */ what) => `${what}: asking the chain what it costs…`,
	signing: (/** @type {string} */ name, /** @type {string} */ what) => `Sign in ${name}: ${what}`,
	silent: (/** @type {string} */ what, /** @type {string} */ name) =>
		`${what}: ${name} has not answered. Open it, and sign or refuse there. What else is due does not wait for it.`,
	waiting: (/** @type {string} */ what) => `${what}: sent, waiting for its block…`,
	contractUnknown:
		'Nothing shows that this is the contract of the game: the host does not say who has deployed it, and no node of your own was asked. Another one could keep what you pay. Name a node where the wallet is chosen, or sign if you know the address.',
	depositMuch: (/** @type {string} */ limit) =>
		`The host wants that up to ${limit} may be held as a deposit, which is much more than it says that the call takes.`,
	signIn: (/** @type {string | undefined} */ name) => `Sign in ${name}`,
	notNow: 'Not now',
	contract: 'Contract',
	useAllTheSame: 'Use it all the same',
	notOnHost: 'This is not done on a public host.',
	doneUntold:
		'Done: it is in a block. This host does not tell what came of it, so look at the lobby or the board.',
	startGame: 'Start a game',
	openTable: (/** @type {string} */ terms) => `Open a table: ${terms}`,
	joinTable: (/** @type {string} */ game, /** @type {string} */ terms) =>
		`Join table ${game}: ${terms}`,
	leaveTable: (/** @type {string} */ game) => `Leave table ${game}`,
	leaveGame: (/** @type {string} */ game) => `Leave game ${game}`,
	removeLate: (/** @type {string} */ game) => `Remove the player of game ${game} who is late`,
	moveIn: (/** @type {MoveAsked} */ move, /** @type {string} */ game) =>
		`${doing(move)}, in game ${game}`,
	notInGame: 'This is not done in this game.',
	stakeForm: (/** @type {string} */ token) => `A stake is an amount of ${token}, such as 0.5.`,
	nodeAway: (/** @type {string} */ name) =>
		`The node ${name} does not answer: boards are not checked by it.`,
	nodeBack: (/** @type {string} */ name) => `The node ${name} answers again.`,
};
