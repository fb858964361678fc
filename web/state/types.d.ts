// Types of what the page knows and of what happens to it. For the type check alone.

import type { LobbyCounts, PlayerAwaited, PlayerStage, TermsRules } from '../ask.d.ts';
import type {
	Act,
	Address,
	Cell,
	Chain,
	ChainFacts,
	Colour,
	GameId,
	View as GameView,
	Hello,
	Hint,
	Level,
	Line,
	Live,
	Move,
	MoveAsked,
	OpenTable,
	Reviewed,
	Shape,
	StartGame,
	Terms,
} from '../wire.d.ts';

/** A game as the page shows it. */
export type ViewedGame = GameView & {
	/** Of a game of this page, or by signed terms. */
	series?: Series;
	/** What this page knows of a game by signed terms, which no host has told. */
	byTerms?: ByTerms;
};

/** Results of a series, by the colours of one of its games. */
export type Score = { red: number; blue: number; draws: number };

/** The series that a game is in, and what its players offer each other. */
export type Series = {
	/** The colour of the player whose offer of a draw stands. */
	drawOffer: Colour | null;
	/** The colour of the player who offers a rematch. */
	rematchOffer: Colour | null;
	/** The game of which this is the next one. */
	previous: GameId | null;
	next: GameId | null;
	/** With this game, if it has ended. */
	score: Score;
};

/** What a player can have done in a game besides moves. Draws are offered in games by signed terms. */
export type GameAct = Act | 'offer_draw' | 'accept_draw' | 'decline_draw';

/** A game by signed terms, beyond its position. */
export type ByTerms = Pick<
	TableSeen,
	'role' | 'stage' | 'relay' | 'opponent' | 'watchers' | 'note' | 'taken' | 'stake'
> & {
	/** The colours that are played in this tab. */
	here: Colour[];
	/** What is waited for before a move can be signed, in a few words; empty if nothing is. */
	waits: string;
	/** What each move cost of its player's time, in milliseconds; null of one of which that is not known. */
	spent: (number | null)[];
	/** Players who are guests, and those of whom a program plays, as they say. */
	guests: Colour[];
	programs: Colour[];
	/** The player whose clock runs. */
	runs: Colour | null;
	hasClock: boolean;
	/** Whether the witness has ended it. */
	isOver: boolean;
	/** Whether the witness has contradicted itself. */
	isContradicted: boolean;
	/** What is agreed on besides the board and who begins, in words. */
	terms: string;
	/** What the index of the host says of a game of which this page knows nothing else. */
	found: string;
};

/** How a game by signed terms stands in this tab, besides what its module shows. */
export type TableSeen = {
	/** `elsewhere` while another tab plays it, `waiting` until that is known. */
	role: 'waiting' | 'player' | 'elsewhere' | 'watcher';
	/** How far it has come; of a watcher `playing` or `over`. */
	stage: PlayerStage;
	/** Why there is no relay; null if there is one. */
	relay: string | null;
	/** Whether the opponent is in the room, as the relay says; null if it has not said so. */
	opponent: boolean | null;
	watchers: number;
	/** What the player should know. */
	note: string;
	/** By how many milliseconds the witness's clock is ahead of this machine's. */
	ahead: number;
	/** By how many milliseconds the witness has taken more off the player's clock for the newest move than was used; null if it has not. */
	taken: number | null;
	/** The series before this game. */
	series: { score: Score; previous: GameId | null };
	/** The next game of the series, once both have signed it. */
	next: GameId | null;
	/** The colour of the player who offers a rematch. */
	rematch: Colour | null;
	/** What a player sees of the stake; null without one, and of a watcher. */
	stake: StakeSeen | null;
};

/** What a player sees of the stake of a game. */
export type StakeSeen = {
	/** What each player pays, in words. */
	each: string;
	/** What the contract owes the player's account, in words; empty if nothing. */
	owed: string;
	stage: PlayerStage;
	awaited: PlayerAwaited | null;
	/** Whether moves are made on the chain, and not by signatures. */
	isOnChain: boolean;
	/** Whether something has to be done that the wallet was asked for in vain. */
	isDue: boolean;
	/** What keeps it from being done, or the chain from being seen; empty if nothing does. */
	trouble: string;
};

/** What a player wants to play: a board, rules, and which player to be. */
export type Wish = TermsRules & {
	shape: Shape;
	side: 'random' | 'first' | 'second';
	/** What each player pays, as it was typed in; none for a game without a stake. */
	stake?: string | null;
};

/** An offer that somebody else makes in the lobby. */
export type ListedSeek = {
	id: number;
	/** The offer, as text. */
	offer: string;
	/** The account of the player who offers. */
	account: Address;
	guest: boolean;
	program: boolean;
	wish: Wish;
	/** Whether the host counts games with this witness. */
	rated: boolean;
	/** What each player pays, in words; null without a stake. */
	stake: string | null;
};

/** A game by signed terms that was begun in this browser, as it is listed. */
export type KeptSigned = {
	/** The name of its record. */
	name: string;
	/** The opponent, in words. */
	opponent: string;
	/** Address of this player's key. */
	key: Address;
	turns: number;
	over: boolean;
	/** When its terms were made, in seconds since 1970. */
	time: number;
	/** The results of the series before it. */
	score: Score;
	previous: GameId | null;
};

/** A game by terms, as a page of version 0.2 has kept it; and whether this page has saved it as text. */
export type KeptEarlier = {
	/** The terms with what was signed of them. */
	terms: string;
	chain_id: number;
	contract: Address;
	/** The opponent, in words. */
	opponent: string;
	/** Address of this player's key. */
	key: Address;
	turns: number;
	over: boolean;
	saved?: boolean;
};

/** A game that this page seeks at a relay. */
export type Seek = {
	phase:
		| 'connecting'
		| 'waiting'
		| 'looking'
		| 'asking'
		| 'pairing'
		/** With a stake: somebody has taken the own offer, and has not paid. */
		| 'unpaid'
		| 'paired'
		| 'away'
		/** The invite is of this player, who has it on another device. */
		| 'own'
		| 'failed';
	/** The offer of the link by which a friend plays; null in the open lobby. */
	invite: string | null;
	/** What the player agrees to besides, each with its name. */
	facts?: [string, string][];
	/** Why it failed or ended, or the relay is away, or what the player is asked; empty if nothing is wrong. */
	note: string;
	/** The game that has come of it, before it is opened. */
	game: GameId | null;
	/** Whether it is for a stake. */
	staked: boolean;
	/** Since when anybody is looked for, in milliseconds of the browser's clock; null of a friend's game. */
	since: number | null;
};

/** What is shown on a board: a game of any kind, its table, or a line of moves on no chain. */
export type View = ViewedGame | Line;

/** A kind of move that is picked before its target. */
export type PickedKind = 'pop' | 'take' | 'clear' | 'float';

/** A kind of move, apart from drops. */
export type MoveKind = PickedKind | 'swap';

/** What a player has picked. */
export type Picked = {
	kind: PickedKind;
	/** The bin of the target, once it is named. */
	bin: number | null;
	/** What to do now. */
	prompt: string;
	/** The cells that can be chosen. */
	targets: Cell[];
	/** What is done there, in words. */
	does: string;
};

/** What the lobby lists. */
export type Lists = Omit<Extract<Live, { type: 'games' }>, 'type'>;

/** What an address of the page names. */
export type Route =
	| {
			page: 'loading' | 'lobby' | 'unknown';
			game?: undefined;
			query?: undefined;
			move?: undefined;
	  }
	| { page: 'game'; game: GameId; query?: undefined; move: number | null }
	| { page: 'line'; query: string; game?: undefined; move: number | null }
	| { page: 'puzzles'; of: string; game?: undefined; query?: undefined; move?: undefined }
	| PeopleRoute;

/** A view of players or of games that go on; `of` is the account, and the query of the address. */
export type PeopleRoute = {
	page: 'people';
	view: 'player' | 'games' | 'players' | 'live';
	of: string;
	game?: undefined;
	query?: undefined;
	move?: undefined;
};

/** What the page knows of the servers that it has tried, as far as that says why none answers. */
export type Reach = {
	/** The servers as `games.example:8000`, in the order in which they were tried. */
	names: string[];
	/** Whether the page names hosts other than what serves it. */
	isNamed: boolean;
	/** Whether the browser keeps the files of the page, which it does for pages of public hosts alone. */
	isKept: boolean;
	/** Whether it is on this device. */
	isLocal: boolean;
	/** Whether the browser is sure that the device has no network; it is not sure of the contrary. */
	isOffline: boolean;
	/** Whether it is not connected any more, as it has sent again and again what no message can be. */
	isGivenUp: boolean;
};

export type State = {
	route: Route;
	/** What the program said of itself, and the accounts that this browser's keys open. */
	hello: Hello | null;
	/** Why what it said of itself is of no use, in words; null if nothing is wrong. */
	unread: string | null;
	/** The socket to the program. */
	link: 'opening' | 'open' | 'lost';
	/** What was known of the server when the link broke. */
	reach: Reach;
	chain: Chain | null;
	/** What the lobby lists. */
	games: Lists | null;
	/** What the player has picked; null for a drop. */
	picked: Picked | null;
	/** The bin into which a disc is dropped as soon as the player is to move, if that is legal then; null for none. */
	premove: number | null;
	/** The bin that was tapped once, by a player who confirms each move; null for none. */
	tapped: number | null;
	/** The game or line shown, as last told. */
	view: View | null;
	/** When the view was told, in milliseconds of the browser's clock. */
	told: number;
	/** Why there is nothing to show. */
	missing: string | null;
	/** The position shown, in moves from the start; null for the newest. */
	at: number | null;
	/** Whether the moves are being played back. */
	film: boolean;
	pending: Pending | null;
	error: Complaint | null;
	/** The bin under the mouse or the focus, from 0. */
	aim: number | null;
	/** The chain to which `plays` belongs. */
	place: string | null;
	/** By game, the addresses of the accounts that this browser plays there. */
	plays: Record<GameId, Address[]>;
	/** The game and key of an invite link whose account is not known yet. */
	invite: { game: GameId; key: string } | null;
	/** The game that is sought at a relay. */
	seek: Seek | null;
	/** What others seek there, the oldest first; null while the lobby is not known. */
	seeks: ListedSeek[] | null;
	/** How many wait and play there, by the relay's word; null while it has not said so. */
	counts: LobbyCounts | null;
	review: Review | null;
	/** Whether the page asks if the player really resigns. */
	asking: boolean;
	/** The last sentence of the live region. An object, so that the same sentence can be said twice. */
	says: { text: string };
};

/** A state with a game or a line to show. */
export type Shown = State & { view: View };

/** A state with a game to show. */
export type Playing = State & { view: ViewedGame };

/** A request under way. */
export type Pending = {
	id: number;
	what: Request;
	move: MoveAsked | null;
	/** The turns that were taken when it was sent. */
	turns: number | undefined;
};

export type Request = 'move' | 'act' | 'next' | 'computer' | 'start';

/** An error that is shown until it is dismissed or something else is tried. */
export type Complaint = {
	text: string;
	/** The bin that it is about, from 0. */
	bin: number | null;
	/** Whether the next move makes it untrue. */
	soft: boolean;
};

export type Review = {
	/** By turn, from 0. */
	moves: Record<number, Reviewed>;
	running: boolean;
	error: string | null;
};

/** What `reduce` takes in, by its `type`. */
type Events = {
	route: { route: Route };
	invite: { game: GameId; key: string };
	seek: { seek: Seek | null };
	seeks: { seeks: ListedSeek[] | null };
	counts: { counts: LobbyCounts | null };
	hello: { hello: Hello };
	unread: { why: string };
	link: { up: boolean; reach?: Reach };
	chain: Chain;
	games: Lists;
	missing: { error: string };
	view: { view: View; now: number };
	pick: { picked: Picked | null };
	premove: { bin: number | null };
	tap: { bin: number };
	aim: { bin: number | null };
	sending: { id: number; what: Request; move?: MoveAsked | null };
	sent: { id: number };
	settle: { id: number };
	failed: { id: number; text: string; bin?: number | null };
	refuse: { text: string; bin?: number | null; soft?: boolean };
	dismiss: unknown;
	show: { at: number };
	film: { on: boolean };
	frame: unknown;
	ask: { on: boolean };
	plays: { game: GameId; accounts: Address[] };
	say: { text: string };
	reviewing: unknown;
	reviewed: { move: Reviewed };
	'review over': { error?: string | null };
};

export type Event = { [Type in keyof Events]: { type: Type } & Events[Type] }[keyof Events];

/** The state after each kind of event. */
export type Transitions = {
	[Type in keyof Events]: (state: State, event: Events[Type]) => State;
};

/** A disc in its cell. The key tells it from others, wherever it comes to lie. */
export type Placed = { key: string; bin: number; row: number; player: Colour };

/** A disc as it is to be drawn. */
export type Disc = Placed & {
	winning: boolean;
	/** Whether it is the newest disc of a game that nobody has won. */
	last: boolean;
};

/** The board as it is to be drawn. */
export type Board = {
	game: GameId | null;
	shape: Shape;
	discs: Disc[];
	turns: number;
	at: 'live' | number;
	ghost: Ghost | null;
	/** Whether a disc may be dropped. */
	may: boolean;
	/** By cell, as in `3 0`, what a player would do there who has picked that. */
	targets: Map<string, string>;
	/** How discs go that the newest move has taken out. */
	leaving: Move['kind'] | null;
};

/** The disc above the board: where the next one would fall, or the one that is being sent. */
export type Ghost = {
	bin: number;
	player: Colour;
	pulsing: boolean;
	refused: boolean;
	/** Whether it waits for the opponent's move. */
	waits: boolean;
};

/** The seat for which each can be done; null if it cannot. */
export type Actions = {
	resign: Colour | null;
	offer: Colour | null;
	accept: Colour | null;
	/** The account that can free the storage of the game, as it has paid the deposit. */
	free: Address | null;
	review: boolean;
	/** Whether the next game can be started or asked for. */
	next: boolean;
	/** Whether all of it has to wait. */
	busy: boolean;
};

/** The sentence above a board. */
export type Status = {
	text: string;
	/** The disc in front of it. */
	colour: Colour | null;
	/** Whether something is under way. */
	busy: boolean;
};

/** What to do with a move: send it, or show an error. */
export type Plan = {
	send?: MoveAsked;
	/** The bin of a move that is made once the opponent has moved. */
	premove?: number;
	error?: string;
	bin?: number;
	soft?: boolean;
};

/** Where the focus is when a key is pressed. */
export type Focus = 'page' | 'grid' | 'control' | 'range' | 'field';

/** What a key press means. */
export type Means =
	| { do: 'nothing' | 'choose here' | 'next' | 'enter' | 'dismiss' | 'cancel' | 'sound' }
	| { do: 'number'; number: number }
	| { do: 'pick'; kind: MoveKind }
	| { do: 'step'; by: number }
	| { do: 'walk'; key: string };

/** What counts of a key press. */
export type KeyPress = Pick<KeyboardEvent, 'code' | 'key'> &
	Partial<Pick<KeyboardEvent, 'repeat' | 'ctrlKey' | 'altKey' | 'metaKey'>>;

/** What the player switches on and off. */
export type HintSwitch = 'hints' | 'evaluation';

/** What is known of hints, and whether they are shown. */
export type Hints = Record<HintSwitch, boolean> & {
	/** What is being asked. */
	asked: string | null;
	/** Answers by what was asked, the oldest first. */
	told: Record<string, Hint>;
	/** What was asked without an answer, and why there is none. */
	failed: { query: string; text: string } | null;
};

export type HintEvent =
	| { type: 'switch'; what: HintSwitch; on: boolean }
	| { type: 'ask'; query: string }
	| { type: 'told'; query: string; hint: Hint }
	| { type: 'done' }
	| { type: 'failed'; query: string; text: string }
	| { type: 'again' };

/** The mark above a bin. */
export type HintMark = {
	bin: number;
	best: boolean;
	/** All of it in words. */
	text: string;
	/** `win`, `draw`, `loss` or `chance`. */
	kind: string;
	word: string;
	/** In place of the word where there is little room. */
	sign: string;
	/** Discs until then, or percent of a chance. */
	number: string;
};

/** The token in which amounts are paid. */
export type Token = Pick<ChainFacts, 'symbol' | 'decimals'>;

export type Sound = 'land' | 'win' | 'low' | 'refuse';

/** What a game of this page is to be. */
export type StartHere = {
	terms: Terms;
	/** Levels of computers, in the order of play; null for a person. */
	seats: (Level | null)[];
};

/** A game of this page, as the browser keeps it. */
export type HereGame = StartHere & {
	/** Number from which the computer's choices follow. */
	seed: number;
	/** The moves as text. */
	moves: string;
	/** How many moves that are. */
	turns: number;
	/** Whether it has ended. */
	over: boolean;
	/** Who has resigned. */
	gaveUp: Colour | null;
	/** The series before this game, by the colours of this one. */
	score: Score;
	/** The game of which this is the next one. */
	previous: GameId | null;
	next: GameId | null;
};

/** The games of this page, by their numbers. */
export type HereGames = { count: number; games: Record<GameId, HereGame> };

/** A part of a sound. */
export type Tone = {
	/** The pitch at the start, in hertz. */
	from: number;
	/** The pitch at the end, in hertz; without it, that of the start. */
	to?: number;
	/** Seconds from now. */
	start?: number;
	/** Seconds. */
	length: number;
	/** From 0 to 1. */
	loud: number;
	kind?: OscillatorType;
};

/** A kind of move that a player can pick. */
export type Choice = {
	kind: MoveKind;
	/** What it is called. */
	label: string;
	/** How often the player may still use it; null for as often as there is a target. */
	left: number | null;
	/** Whether it can be picked now. */
	can: boolean;
	/** What it does, or why it cannot be picked. */
	title: string;
	picked: boolean;
};

/** Who plays a seat of a new game. */
export type NewSeat = {
	/** Name or address. */
	account: string;
	by: 'here' | 'link' | Level;
};

/** What the form for a new variant says. */
export type NewVariant = {
	terms: Terms;
	seats: NewSeat[];
	/** The account that opens a table; null to start at once. */
	opener: string | null;
	/** Names or addresses of the others who may join the table, in turn order; empty for anyone. */
	invited: string[];
};

/** The request that a form stands for. */
export type Requests = {
	start?: StartGame;
	table?: OpenTable;
	/** The accounts that this browser plays. */
	plays: string[];
};

/** The accounts of this browser that can join a table, and those that can leave it. */
export type TableActions = { join: string[]; leave: string[] };

/** What is to be reached in a puzzle: a win, or a draw. */
export type PuzzleGoal = 'win' | 'hold';

/** A position to solve, and where it is from. */
export type PuzzleTask = {
	moves: string;
	goal: PuzzleGoal;
	name: string;
	/** Of a puzzle: its number and its grade. */
	number?: number;
	grade?: number;
	/** The day whose puzzle it is, counted from 1 January 1970. */
	day?: number | null;
};

/** A puzzle. */
export type Puzzle = {
	/** From 1. */
	number: number;
	/** From 1, the easiest. */
	grade: number;
	goal: PuzzleGoal;
	/** The moves that lead to the position, with bins from 1. */
	moves: string;
	/** The bin, from 0. */
	answer: number;
};

/** Which puzzles were solved. */
export type PuzzlesSolved = {
	/** The edition of the puzzles whose numbers these are. */
	edition: string;
	numbers: number[];
	/** The last day whose puzzle was solved. */
	last: number | null;
	/** Days in succession up to it. */
	streak: number;
	/** The longest streak. */
	best: number;
};

/** What an address of the puzzles names. */
export type PuzzleAsked =
	| { kind: 'daily' }
	| { kind: 'grade'; value: number }
	| { kind: 'number'; value: number }
	/** The mistakes of a player in a game, or of both. */
	| { kind: 'game'; moves: string; colour: string | null }
	| { kind: 'openings'; moves: string; colour: string | null }
	/** Those in the games of an account, or in the games of this page. */
	| { kind: 'mistakes'; account: string | null };
