// Texts of players: their profiles, games, standings and live games.

import { counted, form, listed, listedElements, mixed, number } from './forms.js';

/** @param {string} boards */
const ratingsFrom = (boards) =>
	`Ratings are Elo’s, from games on ${boards}, at most five a day between the same two. They are no proof against one person with many accounts.`;

export const texts = {
	// Times.
	justNow: 'just now',
	ago: (/** @type {string} */ time) => `${time} ago`,
	seconds: (/** @type {number} */ count) => `${count} s`,
	minutes: (/** @type {number} */ count) => `${count} min`,
	hours: (/** @type {number} */ count) => `${count} h`,
	days: (/** @type {number} */ count) => counted(count, 'day'),
	outOfTime: 'out of time',
	since: (/** @type {string} */ time) => `since ${time}`,

	// What an index lacks.
	notKeptUp: (/** @type {string} */ trouble) =>
		`The list is not kept up at the moment: ${trouble}.`,
	nothingRead: 'Nothing of the chain has been read yet.',
	behind: (/** @type {number} */ blocks) =>
		`The list is ${counted(blocks, 'block')} behind the chain.`,
	behindBy: (/** @type {number} */ blocks, /** @type {string} */ time) =>
		`The list is ${counted(blocks, 'block')}, ${time} behind the chain.`,
	blocksMissing: (/** @type {number} */ first, /** @type {number} */ last) =>
		`What happened in blocks ${first} to ${last} is not known: the node had discarded them.`,

	// How a game stands.
	nobody: 'nobody',
	goesOn: 'goes on',
	isToMove: (/** @type {string} */ player) => `${player} to move`,
	drawnHow: (/** @type {string} */ how) => `drawn ${how}`,
	playerWon: (/** @type {string} */ player, /** @type {string} */ how) => `${player} won ${how}`,
	wonHow: (/** @type {string} */ how) => `won ${how}`,
	lostHow: (/** @type {string} */ how) => `lost ${how}`,
	board: (/** @type {string} */ board, /** @type {number} */ line) => `${board}, ${line} in a row`,
	moves: (/** @type {number} */ count) => counted(count, 'move'),

	// Games that are rated together.
	leagueTwo: 'Variants of two',
	leagueMore: 'Variants of more',
	poolAny: 'any board',
	poolStandard: 'standard',
	poolPie: 'standard, pie rule',
	poolLarge: 'large boards, pie rule',
	poolPrograms: 'programs',
	pool: (/** @type {string} */ pool) => `pool ${pool}`,
	witnessedPool: (/** @type {string} */ pool) => `With a witness: ${pool}`,
	begunOffChain: 'begun off the chain',

	// Ratings.
	noRatedGame: 'No rated game yet.',
	ratingAfter: (
		/** @type {number} */ games,
		/** @type {number} */ now,
		/** @type {number} */ most,
		/** @type {number} */ least,
	) =>
		`After ${form(games, 'one game', `${number(games)} games`)} the rating is ${now}. It was ${most} at most and ${least} at least.`,
	ratingsOfStandard: ratingsFrom('the standard board'),
	ratingsOfPool: ratingsFrom('the boards of the pool'),
	ratingOf: (/** @type {string} */ league) => `Rating: ${league}`,
	placeOf: (/** @type {number} */ place) => `place ${number(place)}`,

	// Numbers of things.
	tally: (/** @type {number} */ wins, /** @type {number} */ draws, /** @type {number} */ losses) =>
		listed([counted(wins, 'win'), counted(draws, 'draw'), counted(losses, 'loss', 'losses')]),
	playersCount: (/** @type {number} */ count) => counted(count, 'player'),
	gamesCount: (/** @type {number} */ count) => counted(count, 'game'),
	foundCount: (/** @type {number} */ count) => `${number(count)} found`,
	onlyGame: 'The only game',
	allGames: (/** @type {number} */ count) => `All ${number(count)} games`,
	percent: (/** @type {number} */ share) => `${share} %`,
	of: (/** @type {number} */ part, /** @type {number} */ all) =>
		`${number(part)} of ${number(all)}`,
	toMove: 'to move',
	waits: 'waits',
	againstPlayers: (/** @type {Node[]} */ players) => mixed`against ${listedElements(players)}`,
	gamesNewest: (/** @type {number} */ count) => `${counted(count, 'game')}, the newest first`,
	results: 'Results',
	allResults: 'All results',
	won: 'Won',
	drawn: 'Drawn',
	lost: 'Lost',
	noResult: 'Without a result',
	underWay: 'Under way',
	kinds: 'Kinds of games',
	allKinds: 'All kinds',
	variants: 'Variants',
	offChain: 'Off the chain',
	noSuchGame: 'There is no such game.',
	noGame: 'No game yet.',
	noneFits: 'None of these games fits; older ones may.',
	gamesOf: (/** @type {string} */ account) => `Games of ${account}`,
	newestFirst: 'The newest first',
	profileOf: (/** @type {string} */ account) => `Profile of ${account}`,
	games: 'Games',
	newestGames: 'Newest games',
	olderGames: 'Older games',
	pages: 'Pages',
	live: 'Live games',
	nobodyPlays: 'Nobody plays at the moment.',
	watchGame: (/** @type {string} */ game) => `Watch game ${game}`,
	watch: 'Watch',
	loading: 'Loading',
	players: 'Players',
	aProgram: '(a program)',
	timeLeft: 'Time left for this move',
	place: 'Place',
	player: 'Player',
	rating: 'Rating',
	classic: 'Classic',
	against: (/** @type {string} */ player) => `Against ${player}`,
	gameOf: (/** @type {string} */ game) => `Game ${game}`,
	wonDrawnLost: 'Won – drawn – lost',
	standings: 'Standings',
	nobodyRated: 'Nobody has finished a game of this kind yet.',
	before: 'Before',
	next: 'Next',
	ratingsOffChain:
		'An account that plays off the chain costs nothing, so these ratings are apart from the others. A game counts once somebody has recorded it on the chain.',
	byKindOfGame: 'By kind of game',
	againstOthers: 'Against others',
	gamesUnderWay: 'Games under way',
	lastGames: 'Last games',
	noEndedGame: 'No game has ended yet.',
	noRated: 'no rated game',
	underWayCount: (/** @type {number} */ count) => `${number(count)} under way`,
	noRatedHelp: 'No rated game yet. Games with a witness are rated, on the boards of their pool.',
	ratingOverTime: 'Rating over time',
	asTable: 'As a table',
	ratingAfterEach: 'Rating after each game',
	game: 'Game',
	ended: 'Ended',
	notKnown: 'not known',
	byColour: 'By colour',
	byBoard: 'By board',
	byKind: 'By kind',
	ratings: 'Ratings',
	noGameOfTwo: 'No game of two has ended yet.',
	gamesAgainst: (/** @type {string} */ name) => `Games against ${name}`,
	searchField: 'Player or game',
	search: 'Search for a player or a game',
	found: 'Found',
	nothingFound: 'Nothing found',
};
