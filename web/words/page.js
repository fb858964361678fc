// Texts of what every visitor loads: lobby, board, moves, and what is wrong with the connection.

import { capital, counted, form, listed, number, spelt } from './forms.js';

/** What a move did. @param {string} player who made it, empty where that is shown beside @param {string} did */
const done = (player, did) => capital(player ? `${player} ${did}` : did);

/** The same, with the discs that came down. @param {string} player @param {string} did @param {number} fallen */
const doneWith = (player, did, fallen) =>
	done(
		player,
		fallen
			? `${did}; ${spelt(fallen)} ${form(fallen, 'disc comes', 'discs come')} down.`
			: `${did}.`,
	);

export const texts = {
	// Ends of games.
	draw: 'A draw.',
	drawAgreed: 'A draw by agreement.',
	aborted: 'Aborted: nobody won.',
	noMove: 'A draw: no move is possible.',
	turnLimit: 'A draw after 250 turns.',
	abandoned: 'Abandoned: nobody won.',
	wins: (/** @type {string} */ winner) => capital(`${winner} wins!`),
	winsByLine: (/** @type {string} */ winner, /** @type {number} */ line) =>
		capital(`${winner} wins with ${spelt(line)} in a row.`),
	winsAlone: (/** @type {string} */ winner) => capital(`${winner} wins: all others have left.`),
	winsOnTime: (/** @type {string} */ winner, /** @type {string} */ other) =>
		capital(`${winner} won: ${other} ran out of time.`),
	winsByResignation: (/** @type {string} */ winner, /** @type {string} */ other) =>
		capital(`${winner} won: ${other} resigned.`),

	// The status above the board, and the line below it.
	positionAfter: (/** @type {number} */ at) => `Position after move ${at}`,
	beforeFirst: 'Before the first move',
	sendingMove: 'Sending your move…',
	sending: 'Sending…',
	toMove: (/** @type {string} */ colour) => capital(`${colour} to move`),
	youToMove: (/** @type {string} */ colour) => capital(`${colour} to move — you`),
	playerToMove: (/** @type {string} */ colour, /** @type {string} */ player) =>
		capital(`${colour} to move — ${player}`),
	youToMoveAs: (/** @type {string} */ colour, /** @type {string} */ player) =>
		capital(`${colour} to move — ${player} (you)`),
	computerStuck: 'The computer does not move',
	computerThinks: 'The computer thinks…',
	oneComputerThinks: (/** @type {string} */ colour) => capital(`${colour}, a computer, thinks…`),
	premove: (/** @type {number} */ bin) =>
		`Bin ${bin} follows your opponent’s move. Esc, or the bin again, takes it back.`,
	tapAgain: (/** @type {number} */ bin) => `Tap bin ${bin} again to drop, or another one.`,
	noPremove: 'Nothing follows your opponent’s move.',
	waitingFor: (/** @type {string} */ player) => `Waiting for ${player}…`,
	waitingForOne: (/** @type {string} */ player, /** @type {string} */ colour) =>
		`Waiting for ${player}, ${colour}…`,
	tableClosed: 'This table was closed.',
	tableWaits: (/** @type {number} */ there, /** @type {number} */ all) =>
		`Waiting for players: ${there} of ${all} are here`,
	seatsNamed: 'The seats are for named players.',
	seatsFree: 'Anyone may join at this address.',
	youOfferDraw: (/** @type {string} */ other) =>
		`You offer a draw: it stands until ${other} moves or declines.`,
	offersDraw: (/** @type {string} */ player) => `${player} offers a draw.`,
	haveLeft: (/** @type {string[]} */ colours) =>
		capital(`${listed(colours)} ${form(colours.length, 'has', 'have')} left.`),
	youWatch: 'You watch this game.',
	dropOrSwap: 'Drop a disc, or press S to swap colours: then the first disc is yours.',
	howToDrop: (/** @type {number} */ last) => `Press 1–${last}, click or tap a bin.`,
	youWantAnother: (/** @type {string} */ other) => `You want another game: waiting for ${other}.`,
	wantsAnother: (/** @type {string} */ player) => `${player} wants another game: Enter to play.`,
	freed: 'The storage of this game was freed; its moves stay on the chain.',
	youWon: 'You won.',
	youLost: 'You lost.',
	title: 'Connect Four',
	titleOf: (/** @type {string} */ text) => `${text.replace(/\.$/, '')} – Connect Four`,
	computer: 'the computer',
	computerAs: (/** @type {string} */ colour) => `the computer (${colour})`,

	// What is new in a game, for people who do not see the board.
	toMoveNow: (/** @type {string} */ colour) => capital(`${colour} to move.`),
	youToMoveNow: (/** @type {string} */ colour) => capital(`${colour} to move, you.`),
	littleTime: (/** @type {number} */ seconds) => `${number(seconds)} seconds left.`,
	wantsNext: (/** @type {string} */ player) => `${player} wants another game.`,
	isOut: (/** @type {string} */ player) => capital(`${player} was late and is out.`),
	left: (/** @type {string} */ player) => capital(`${player} has left.`),
	joins: (/** @type {string} */ player, /** @type {string} */ colour) =>
		`${player} joins as ${colour}.`,
	seatFree: (/** @type {string} */ colour) => `The seat of ${colour} is free again.`,
	gameStarts: 'The game starts.',
	moveUndone: 'The last move was undone: its block was replaced.',
	movesUndone: (/** @type {number} */ count) =>
		`The last ${count} moves were undone: their blocks were replaced.`,

	// Moves in the list.
	bin: (/** @type {number} */ bin) => `bin ${bin}`,
	pops: (/** @type {number} */ bin) => `pops bin ${bin}`,
	takes: (/** @type {number} */ bin, /** @type {number} */ row) => `takes ${bin}.${row}`,
	clears: (/** @type {number} */ row) => `clears row ${row}`,
	floats: (/** @type {number} */ bin, /** @type {number} */ row) => `floats ${bin}.${row}`,
	swaps: 'swaps colours',

	// The same as sentences, whose player is empty where it is shown beside.
	dropped: (/** @type {string} */ player, /** @type {number} */ bin, /** @type {number} */ row) =>
		player ? capital(`${player}: bin ${bin}, row ${row}.`) : `Bin ${bin}, row ${row}.`,
	popped: (/** @type {string} */ player, /** @type {number} */ bin, /** @type {number} */ fallen) =>
		doneWith(player, `pops a disc out of bin ${bin}`, fallen),
	taken: (
		/** @type {string} */ player,
		/** @type {string | undefined} */ colour,
		/** @type {number} */ bin,
		/** @type {number} */ row,
		/** @type {number} */ fallen,
	) => doneWith(player, `takes the ${colour} disc in bin ${bin}, row ${row}`, fallen),
	cleared: (
		/** @type {string} */ player,
		/** @type {number} */ row,
		/** @type {number} */ discs,
		/** @type {number} */ fallen,
	) => doneWith(player, `clears row ${row} of ${spelt(discs)} ${form(discs, 'disc')}`, fallen),
	floated: (/** @type {string} */ player, /** @type {number} */ bin, /** @type {number} */ row) =>
		done(player, `floats a disc in bin ${bin}, row ${row}.`),
	swapped: (/** @type {string} */ player) =>
		done(player, 'swaps: the two players exchange colours.'),
	showPosition: (/** @type {string} */ move) => `${move} Show this position`,
	noneYet: 'None yet.',
	fee: (/** @type {string} */ fee) => `fee ${fee}`,
	copyTransaction: (/** @type {string} */ hash) => `Copy transaction ${hash}`,

	// Terms in short, each between points.
	line: (/** @type {string} */ board, /** @type {number} */ line) => `${board}, line ${line}`,
	players: (/** @type {number} */ count) => `${count} players`,
	popOut: 'pop out',
	pie: 'pie rule',
	perMove: (/** @type {string} */ time) => `${time} a move`,
	moves: (/** @type {number} */ count) => counted(count, 'move'),
	relayKeepsTime:
		'The relay keeps the clock, which runs once both have moved: a player whose time is over loses. Each first move has 30 seconds.',
	chainKeepsTime: 'The clock runs on the chain, once a player is pressed.',
	noTime: 'Nothing makes your opponent move, and the game is unrated.',

	// Why no move can be made.
	noBin: (/** @type {number} */ bin, /** @type {number} */ bins) =>
		`There is no bin ${bin}: this board has ${bins}.`,
	noRow: (/** @type {number} */ row, /** @type {number} */ rows) =>
		`There is no row ${row}: this board has ${rows}.`,
	isLine: 'This is a line of moves, not a game: start a game to play.',
	isPosition: (/** @type {number} */ at) =>
		`This is the position after move ${at}: go back to the game to play.`,
	startsFull: 'The game starts when all seats are taken.',
	gameOver: 'The game is over.',
	gameOverNext: 'The game is over. Press Enter for the next game.',
	programAway: 'No move can be made until the program is back.',
	chainAway: 'No move can be made until the chain is back.',
	notYourTurn: (/** @type {string} */ colour, /** @type {string} */ player) =>
		`It is ${colour}’s turn: wait for ${player}.`,
	binRefused: (/** @type {number} */ bin, /** @type {string} */ reason) =>
		`Bin ${bin}: ${reason.replace(/\.$/, '')}. Choose another.`,
	watchesInvite: 'This browser only watches: to play, open an invite link.',
	watchesWallet: 'This browser only watches: to play, connect the wallet of a player.',

	// What is wrong with the server or the chain.
	theProgram: 'The program that serves this page',
	theHost: 'The host',
	hostNamed: (/** @type {string} */ name) => `The host ${name}`,
	theServer: 'The server of this page',
	serverNamed: (/** @type {string} */ name) => `The server of this page, ${name},`,
	noHostAnswers: (/** @type {string[]} */ names) => `None of the hosts ${listed(names)} answers`,
	noAnswer: (/** @type {string} */ server) => `${server} does not answer`,
	noAnswerNoNetwork: (/** @type {string} */ what) =>
		`${what}, and this device has no network: try again when it has.`,
	checkProgram: (/** @type {string} */ what) =>
		`${what}: check that it is running, then try again.`,
	checkNetwork: (/** @type {string} */ what) =>
		`${what}. If no other site opens either, this device has no network that reaches it; else try again later.`,
	checkBoth: (/** @type {string} */ what) =>
		`${what}: check that it is running and that this device has a network, then try again.`,
	late: (/** @type {string} */ server, /** @type {number} */ seconds) =>
		`${server} has not answered for ${seconds} seconds. The answer may still come: wait a little, or reload the page.`,
	behindProxy: (/** @type {string} */ server, /** @type {number} */ status) =>
		`${server} is not reached by the proxy before it (${status}): try again.`,
	failed: (/** @type {string} */ server, /** @type {number} */ status) =>
		`${server} has answered with an error (${status}): try again.`,
	unreadable: (/** @type {string} */ server) =>
		`${server} has answered what can’t be read: reload the page, or use another host.`,
	tooLong: (/** @type {string} */ server) =>
		`${server} has sent more than this page reads: load the page again, or use another host.`,
	unknownHello: (/** @type {string} */ server) =>
		`What ${server.replace('The', 'the')} says of itself can’t be read, as it may be of another version than this page: reload the page, or use another host.`,
	programOffline: 'program offline',
	hostOffline: 'host offline',
	serverOffline: 'server offline',
	lost: (/** @type {string} */ what) => `${what}. Trying again.`,
	lostNoNetwork: (/** @type {string} */ what) =>
		`${what}, and this device has no network. Trying again.`,
	stillWorks: 'Games at this screen and against the computer, puzzles and records work without it.',
	chainLost: (/** @type {string} */ since, /** @type {string} */ why) => {
		const what = since
			? `The chain cannot be reached since ${since}`
			: 'The chain cannot be reached';
		return why ? `${what}: ${why}. Trying again.` : `${what}. Trying again.`;
	},

	chainOffline: 'chain offline',
	hostUnknown: 'host unknown',
	inThisPage: 'in this page',
	atRelay: 'at the relay',
	connecting: 'connecting',
	block: (/** @type {number | null | undefined} */ block) => `block ${block}`,
	nothingHere: 'There is nothing at this address.',
	inviteGone: 'This invitation is not valid any more: ask for a new link. You can watch.',
	notProgram: 'This server does not say the same of itself as before: use another host.',
	noChainSaid: 'The host does not say now on which chain it is.',
	noPlayerChosen: 'No player was chosen.',
	serverError: (/** @type {number} */ status) => `the server answers with an error (${status})`,
	partGone:
		'A part of this page could not be loaded. If this device has a network, there is a newer version of the page: load it again.',
	partFails: (/** @type {string} */ why) => `A part of this page cannot be loaded: ${why}`,
	notLoaded: (/** @type {string} */ file) => `${file} was not loaded`,
	noElement: (/** @type {string} */ selector) => `the page has no ${selector}`,
	pageFault: 'This page has made a mistake: load it again.',
	copyByHand: (/** @type {string} */ link) =>
		`The browser does not let the page copy. Copy it from here: ${link}`,
	copied: 'Copied.',
	theme: (/** @type {string} */ theme) => `Theme: ${theme}`,

	// What a player can do.
	leaveGame: 'Leave the game',
	leaveGameAs: (/** @type {string | null} */ colour) => `Leave the game as ${colour}`,
	resign: 'Resign',
	resignFor: (/** @type {string} */ colour) => `Resign for ${colour}`,
	seatsExchanged: 'the seats are exchanged',
	seatsExchangedFor: (/** @type {string} */ stake) => `for ${stake} of each, seats exchanged`,
	loserBegins: 'the loser begins',
	playAgain: 'Play again',
	nextGame: 'Next game',
	rematch: 'Rematch',
	leaveForGood: (/** @type {string | null} */ colour) =>
		`Leave for good as ${colour}? The discs stay.`,
	giveUp: 'Give up the game?',
	giveUpFor: (/** @type {string | null} */ colour) => `Give up the game for ${colour}?`,
	leave: 'Leave',
	localOnly:
		'It works on this machine only: for others, start the program with --addr 0.0.0.0 and open this page by the machine’s address.',
	sendEach: 'Send each player the link to a seat. Anyone who has it can play there.',
	sendOne: (/** @type {string} */ colour, /** @type {string} */ player) =>
		`Send this link to the person who plays ${colour}. Anyone who has it can play for ${player}.`,
	inviteLink: (/** @type {string} */ colour) => `Invite link for ${colour}`,
	copyInvite: (/** @type {string} */ colour) => `Copy invite link for ${colour}`,

	// The host that the page uses.
	hostInUse: 'Host in use',
	useHost: (/** @type {string} */ name) => `Use ${name}?`,
	hostAsked: (/** @type {string} */ name) =>
		`This link has the page use the host ${name} in place of its own. A host tells what happens on the chain, and learns where you are in the network, what you look at, and which accounts you play with. Use it if you know who runs it.`,
	stayWith: (/** @type {string} */ name) => `Stay with ${name}`,
	useInTab: (/** @type {string} */ name) => `Use ${name} in this tab`,
	hostIs: (/** @type {string} */ name) => `Host: ${name}`,
	hostChosen: (/** @type {string} */ name) =>
		`Host: ${name}, which you have chosen in place of those of this page.`,
	hostLinked: (/** @type {string} */ name) =>
		`Host: ${name}, which a link has named in place of those of this page.`,
	useOwnHost: 'Use the page’s own',
	keepHost: 'Always use it',

	// The lobby.
	continueAtScreen: (/** @type {number} */ turns) =>
		`Continue at one screen, ${counted(turns, 'move')}`,
	continueAgainst: (/** @type {string} */ opponent, /** @type {number} */ turns) =>
		`Continue against ${opponent}, ${counted(turns, 'move')}`,
	saveEarlier: (/** @type {string} */ opponent, /** @type {number} */ turns) =>
		`Save the game of an earlier version against ${opponent}, ${counted(turns, 'move')}`,
	newestOf: (/** @type {number} */ shown, /** @type {number} */ count) =>
		`the newest ${number(shown)} of ${number(count)}`,
	gameNumber: (/** @type {string} */ game) => `Game #${game}`,

	freedGame: 'freed',
	free: 'free',
	seatFor: (/** @type {string} */ name) => `for ${name}`,

	// The players.
	here: 'here',
	guest: 'guest',
	program: 'program',
	thisYou: 'you',
	isLate: 'late',
	gamesWon: 'Games won in this series',
	draws: (/** @type {number} */ count) => counted(count, 'draw'),
	you: 'You',
	hasLeft: (/** @type {string} */ colour) => `${colour}, has left`,
	isHere: (/** @type {string} */ colour) => `${colour}, is here`,
	notHere: (/** @type {string} */ colour) => `${colour}, not here yet`,
	noPlayer: (/** @type {string} */ colour) => `${colour}, waits for a player`,
	isComputer: (/** @type {string} */ colour) => `${colour}, computer`,
	computerLevel: (/** @type {string} */ colour, /** @type {string} */ level) =>
		`${colour}, computer (${level})`,

	// The board, for people who do not see it.
	boardOf: (/** @type {number} */ bins, /** @type {number} */ rows) =>
		`Board, ${bins} bins, ${rows} rows`,
	cell: (/** @type {number} */ bin, /** @type {number} */ row, /** @type {string} */ what) =>
		`bin ${bin}, row ${row}: ${what}`,
	cellToUse: (
		/** @type {number} */ bin,
		/** @type {number} */ row,
		/** @type {string} */ what,
		/** @type {string} */ use,
	) => `bin ${bin}, row ${row}: ${what}, ${use}`,
	winning: (/** @type {string} */ colour) => `${colour}, winning`,
	empty: 'empty',
	emptyBoard: 'Empty board',
	boardWith: (/** @type {string[]} */ discs) => `Board with ${listed(discs)}`,
	startOf: (/** @type {number} */ count) => `Start of ${counted(count, 'move')}`,
	moveOf: (/** @type {number} */ shown, /** @type {number} */ count) => `Move ${shown} of ${count}`,

	inPageTitle: 'In this page',
	gameTitle: (/** @type {string} */ game) => `Game ${game}`,
	lineTitle: 'Line',
	pause: 'Pause',
	playMoves: 'Play the moves',

	// The form for a new game.
	start: 'Start',
	starting: 'Starting…',
	connectWallet: 'Connect a wallet',
	connectToPlay: 'To start a game between two accounts, connect a wallet: it signs your moves.',
	play: 'Play',
	makeLink: 'Make the link',
	playComputer: 'Play the computer',
	brokenOffer: 'this is no whole offer: copy all of the line that begins with connect4-offer:.',
	noMoves: 'no moves: type the number of each bin, as in 4453.',
	playsFor: (/** @type {string} */ name) =>
		`This browser plays for ${name}, in the games to which it was invited. To start games, open the link that the program printed in its terminal.`,
	nothingOwned:
		'The accounts of this program have nothing on this chain: give it the secret of another one by --secret-file. Meanwhile you play as a guest.',
	onlyGuest:
		'This browser has no key of the program’s accounts. You play as a guest; to play with them, open the link that the program printed in its terminal, or an invite link.',
	onlyWatches:
		'This browser only watches. To play, open the link that the program printed in its terminal, or an invite link.',
	gameEnded: 'the game has ended',
};
