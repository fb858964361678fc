// The wire format: every JSON value that the program writes or reads, made of its Rust types.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server declarations`
// writes it again.

/** Account of 32 bytes, in the SS58 encoding. */
export type AccountId = string;

/** What a player can do in a game without naming a bin. */
export type Action = "resign" | "claim_timeout" | "offer_draw" | "accept_draw" | "decline_draw" | "offer_rematch" | "accept_rematch" | "decline_rematch" | "withdraw" | "free";

/** Address of a contract or an account as contracts see it: `0x` and 40 hexadecimal digits. */
export type Address = string;

/** Amount in the token's smallest unit, as a decimal string: it may be beyond the numbers that JavaScript knows exactly. */
export type Amount = string;

/** Answer to a challenge. */
export type Answer = "accept" | "decline" | "cancel";

/** Answers a challenge. */
export type AnswerChallenge = {
  /** The answer. */
  act: Answer;
  /** Name or address of the account that answers. */
  account: string;
  /** Stake that an acceptor agrees to pay; none for nothing. */
  stake?: Amount | null;
};

/** A cell of the board. */
export type Cell = {
  /** Bin, from 0 at the left. */
  bin: number;
  /** Row, from 0 at the bottom. */
  row: number;
};

/** Whether the chain is there. */
export type Chain = {
  /** Whether the chain answers. */
  up: boolean;
  /** Number of its best block, if it answers. */
  block: number | null;
  /** Why it does not answer. */
  why: string | null;
};

/** Facts about the chain. */
export type ChainFacts = {
  /** Name of the chain, if it answers. */
  name: string | null;
  /** Where it is, in words. */
  place: string;
  /** The contract, if it is deployed. */
  contract: Address | null;
  /** Symbol of the token, as `DOT`. */
  symbol: string | null;
  /** Decimals of the token: one token is ten to the power of this many of its smallest unit. */
  decimals: number | null;
};

/** A challenge to a match. */
export type Challenge = {
  /** Number of the challenge. */
  challenge: number;
  /** Account that made it. */
  challenger: Address;
  /** Account that is challenged; none if anyone may accept. */
  opponent: Address | null;
  /** Whether the challenger moves first. */
  challenger_first: boolean;
  /** Shape of the board. */
  shape: Shape;
  /** The clock; none if the game has none. */
  clock: Clock | null;
  /** Amount that each of the two pays in. */
  stake: Amount;
};

/** Number of a challenge that was made. */
export type ChallengeNumber = {
  /** Number of the challenge. */
  challenge: number;
};

/** A clock that players agree on. */
export type Clock = {
  /** Seconds that each player has for all moves. */
  bank: number;
  /** Seconds that each move adds. */
  increment: number;
};

/** A player, by the colour of the discs. Red moves first. */
export type Colour = "red" | "blue";

/** A computer at a seat. */
export type Computer = {
  /** How well it plays. */
  level: Level;
  /** Why it does not move. */
  error: string | null;
};

/** The contract was deployed, or is there already. */
export type Deployed = {
  /** The contract. */
  contract: Address;
  /** The contract of the games, which it calls. */
  games: Address;
  /** Account that was to deploy it. */
  deployer: Address;
  /** Transaction that uploaded the code of the games; none if it was there. */
  upload: Receipt | null;
  /** Transaction that deployed the contract; none if it was there. */
  transaction: Receipt | null;
};

/** Deposit for storage in the token's smallest unit, as a decimal string: it is held, not spent. Negative if one was given back. */
export type Deposit = string;

/** A development account, as `connect4 accounts` lists it. */
export type DevelopmentAccount = {
  /** Whether the chain knows it by its address. */
  mapped: boolean;
  /** Name of a development account; none for any other. */
  name: string | null;
  /** The account on the chain. */
  account: AccountId;
  /** Its address as contracts see it. */
  address: Address;
  /** Amount that it can spend; none if the chain did not tell. */
  balance: Amount | null;
};

/** A request that was done, about which there is nothing to say. */
export type Done = Record<symbol, never>;

/** A disc was dropped by `connect4 drop`. */
export type Dropped = {
  /** Bin, from 0 at the left. */
  bin: number;
  /** Row in which it lies, from 0 at the bottom. */
  row: number;
  /** The game after the move. */
  game: Game;
  /** The transaction. */
  transaction: Receipt;
};

/** How a game ended. */
export type End = "line" | "full board" | "resignation" | "agreement" | "timeout" | "abort";

/** An event, and where it is on the chain. */
export type Event = {
  /** Number of the game. Left out of events of challenges and accounts. */
  game?: number;
  /** Number of the block. */
  block: number;
  /** Hash of the block. */
  block_hash: Hash;
  /** Place of its transaction in the block, from 0. */
  index: number;
} & ({
  "event": "started";
  /** Account of player one. */
  red: Address;
  /** Account of player two. */
  blue: Address;
  /** Shape of the board. */
  shape: Shape;
} | {
  "event": "dropped";
  /** The player who dropped it. */
  player: Colour | null;
  /** Bin, from 0 at the left. */
  bin: number;
  /** Row in which it lies, from 0 at the bottom. */
  row: number;
  /** Turn of the game, from 0. */
  turn: number;
  /** Last second at which the opponent may move, since 1970; none without a clock or after the end. */
  deadline: number | null;
} | {
  "event": "ended";
  /** The winner; none after a draw. */
  winner: Colour | null;
  /** How it ended. */
  end: End;
  /** The cells of every line that the last disc completed; none if the game is not known. */
  winning_cells: Array<Cell> | null;
} | {
  "event": "challenge"
} & Challenge | {
  "event": "challenge_withdrawn";
  /** Number of the challenge. */
  challenge: number;
  /** Account that declined or cancelled it. */
  by: Address;
} | {
  "event": "match";
  /** Number of the challenge that was accepted; none for a rematch. */
  challenge: number | null;
  /** Number of the game of which this is the rematch. */
  previous: number | null;
  /** The clock; none if the game has none. */
  clock: Clock | null;
  /** Amount that each player has paid in. */
  stake: Amount;
} | {
  "event": "draw_offered";
  /** The player. */
  by: Colour | null;
} | {
  "event": "draw_declined";
  /** The player. */
  by: Colour | null;
} | {
  "event": "rematch_offered";
  /** The player. */
  by: Colour | null;
} | {
  "event": "rematch_declined";
  /** The player. */
  by: Colour | null;
} | {
  "event": "settled";
  /** Amount that player one is owed. */
  red: Amount;
  /** Amount that player two is owed. */
  blue: Amount;
} | {
  "event": "withdrawn";
  /** The account. */
  account: Address;
  /** Amount that was paid. */
  amount: Amount;
} | {
  "event": "freed";
  /** Account that got the deposit back. */
  payer: Address;
});

/** A command failed; on standard error. */
export type Failed = {
  /** Why, in words. */
  error: string;
  /** Exit status. */
  status: number;
};

/** Who moves first. */
export type First = "me" | "them" | "random";

/** A game of the lobby whose storage was freed. */
export type FreedGame = {
  /** Number of the game. */
  game: number;
  /** How it stands, in words. */
  standing: string;
  /** Always true. */
  freed: true;
};

/** A game in a contract. */
export type Game = {
  /** Number of the game. */
  game: number;
  /** The contract through which it is played. */
  contract: Address;
  /** Account of player one. */
  red: Address;
  /** Account of player two. */
  blue: Address;
  /** Account that has paid the deposit for the game's storage, and gets it back. */
  payer: Address;
  /** The clock; none if the game has none. */
  clock: RunningClock | null;
  /** Shape of the board. */
  shape: Shape;
  /** Number of discs that were dropped. */
  turns: number;
  /** The player to move; none if the game is over. */
  to_move: Colour | null;
  /** Whether the game has ended. */
  over: boolean;
  /** How it ended. */
  end: End | null;
  /** The winner; none after a draw. */
  winner: Colour | null;
  /** The cells of every line that the last disc completed. */
  winning_cells: Array<Cell>;
  /** The discs: bins from the left, in each the discs from the bottom. */
  board: Array<Array<Colour>>;
};

/** Number of a game that was started. */
export type GameNumber = {
  /** Number of the game. */
  game: number;
};

/** Hash of a block or a transaction: `0x` and 64 hexadecimal digits. */
export type Hash = string;

/** What a page has to know before anything else. */
export type Hello = {
  /** Token of this start of the server, to be sent with each request that changes something. */
  token: string;
  /** Version of the program. */
  version: string;
  /** Whether the browser has the host's key, which opens everything. */
  host: boolean;
  /** Keys of the browser that open nothing. */
  unknown_keys: Array<string>;
  /** The chain. */
  chain: ChainFacts;
  /** The accounts that the keys open. */
  accounts: Array<OpenAccount>;
  /** Names of the development accounts by address. */
  names: Record<Address, string>;
  /** Levels of computer opponents, the weakest first. */
  levels: Array<Level>;
  /** Which shapes a board can have. */
  shape: ShapeBounds;
};

/** Level of a computer opponent. */
export type Level = "random" | "easy" | "medium" | "hard" | "perfect";

/** A game in the lobby. */
export type ListedGame = StoredGame | FreedGame;

/** Message of a live socket. The page is told again whenever something has changed. */
export type Live = {
  "type": "chain"
} & Chain | {
  "type": "game"
} & ViewedGame | {
  "type": "missing";
  /** Why. */
  error: string;
} | {
  "type": "games";
  /** Number of games in the contract. */
  count: number;
  /** The newest games, the newest first. */
  games: Array<ListedGame>;
  /** The newest open challenges. */
  challenges: Array<Challenge>;
};

/** Makes a challenge. */
export type MakeChallenge = {
  /** Name or address of the challenger. */
  account: string;
  /** Name or address of the opponent; none for anyone. */
  opponent: string | null;
  /** Who moves first. */
  first: First;
  /** Shape of the board. */
  shape: Shape;
  /** The clock; none for a game without one. */
  clock: Clock | null;
  /** Stake in tokens, as typed in: `0.5`. None for nothing. */
  stake: string | null;
};

/** Match state of a game: its terms, its offers and its series. */
export type Match = {
  /** Clock that was agreed on; none if the game has none. */
  clock: Clock | null;
  /** Amount that each player has paid in, and pays for a rematch. */
  stake: Amount;
  /** Whether the stakes were credited to the players. */
  settled: boolean;
  /** The player whose offer of a draw stands. */
  draw_offer: Colour | null;
  /** The player who offers a rematch. */
  rematch_offer: Colour | null;
  /** Number of the game of which this is the rematch. */
  previous: number | null;
  /** Number of the rematch. */
  next: number | null;
  /** Results of the series, with this game if it has ended. */
  score: Score;
};

/** Number of a game, if one was started. */
export type MaybeGame = {
  /** Number of the game; none if none was started. */
  game: number | null;
};

/** A move. */
export type Move = {
  /** The player who moved. */
  player: Colour;
  /** Bin, from 0 at the left. */
  bin: number;
  /** Row in which the disc lies, from 0 at the bottom. */
  row: number;
  /** Transaction of the move; none on no chain. */
  transaction: Transaction | null;
};

/** A computer that is to play a seat of a new game. */
export type NewComputer = {
  /** The seat. */
  seat: Colour;
  /** How well it is to play. */
  level: Level;
};

/** Offers the next game of the series for these seats, and for those of computers. */
export type OfferNext = {
  /** The seats. */
  seats: Array<Colour>;
  /** Stake that the player agrees to pay; none for nothing. */
  stake?: Amount | null;
};

/** An account that the keys of a browser open. */
export type OpenAccount = {
  /** The key that opens this account alone. */
  key: string;
  /** Name of a development account; none for any other. */
  name: string | null;
  /** The account on the chain. */
  account: AccountId;
  /** Its address as contracts see it. */
  address: Address;
  /** Amount that it can spend; none if the chain did not tell. */
  balance: Amount | null;
};

/** Performs an action of a player. */
export type Perform = {
  /** The action. */
  act: Action;
  /** Seat of the player. */
  seat: Colour;
};

/** A transaction that was sent from here. */
export type Receipt = {
  /** Deposit that it took or gave back. */
  deposit: Deposit;
  /** Number of its block. */
  block: number;
  /** Hash of its block. */
  block_hash: Hash;
  /** Its own hash. */
  hash: Hash;
  /** Its place among the transactions of the block, from 0. */
  index: number;
  /** Fee that was paid. */
  fee: Amount;
};

/** Why a request was refused. */
export type Refusal = {
  /** What was wrong and what to do, in words. */
  error: string;
  /** What kind of reason it is. */
  kind: RefusalKind;
};

/** Kind of a refusal. */
export type RefusalKind = "input" | "origin" | "token" | "key" | "refused" | "funds" | "gone" | "chain" | "other";

/** What a command or a player did, by `event`. */
export type Report = {
  "event": "serving";
  /** Address of the page. */
  url: string;
  /** The key that opens every account. */
  key: string;
} | {
  "event": "raised";
  /** What was raised, in words. */
  what: string;
} | {
  "event": "game";
  /** The game. */
  game: Game;
} | {
  "event": "note";
  /** What, in words. */
  text: string;
} | {
  "event": "refused";
  /** The player. */
  player: Colour;
  /** Why, in words. */
  reason: string;
} | {
  "event": "dropped";
  /** The player. */
  player: Colour;
  /** Bin, from 0 at the left. */
  bin: number;
  /** Row in which it lies, from 0 at the bottom. */
  row: number;
  /** The game after the move. */
  game: Game;
  /** The transaction; none if it was sent from elsewhere. */
  transaction: Receipt | null;
} | {
  "event": "ended";
  /** The winner; none after a draw. */
  winner: Colour | null;
  /** The game. */
  game: Game;
  /** The transaction that ended it; none if a move did, or if it was sent from elsewhere. */
  transaction: Receipt | null;
} | {
  "event": "challenge";
  /** Number of the challenge. */
  challenge: number;
  /** The contract. */
  contract: Address;
  /** The challenge; none if it is not open any more. */
  terms: Challenge | null;
  /** The transaction. */
  transaction: Receipt;
} | {
  "event": "accepted";
  /** Number of the challenge. */
  challenge: number;
  /** The game that started. */
  game: Game;
  /** The transaction. */
  transaction: Receipt;
} | {
  "event": "declined";
  /** The transaction. */
  transaction: Receipt;
} | {
  "event": "cancelled";
  /** The transaction. */
  transaction: Receipt;
} | {
  "event": "draw_offered";
  /** The transaction. */
  transaction: Receipt;
} | {
  "event": "draw_declined";
  /** The transaction. */
  transaction: Receipt;
} | {
  "event": "rematch_offered";
  /** The transaction. */
  transaction: Receipt;
} | {
  "event": "rematch_declined";
  /** The transaction. */
  transaction: Receipt;
} | {
  "event": "rematch";
  /** The game that started. */
  game: Game;
  /** The transaction. */
  transaction: Receipt;
} | {
  "event": "withdrawn";
  /** The account. */
  account: Address;
  /** Amount that was paid. */
  amount: Amount;
  /** The transaction. */
  transaction: Receipt;
} | {
  "event": "freed";
  /** The transaction. */
  transaction: Receipt;
};

/** Message of a review: a verdict for each move, then [`ReviewMessage::Done`] or [`ReviewMessage::Failed`]. */
export type ReviewMessage = {
  "type": "move"
} & Reviewed | {
  "type": "done"
} | {
  "type": "failed";
  /** Why. */
  error: string;
};

/** A verdict with its words for the page. */
export type Reviewed = {
  /** Sign of the fault, as in chess: `??`, `?` or nothing. */
  mark: string;
  /** Worth of the move, in words. */
  made_words: string;
  /** Worth of the best moves, in words. */
  best_words: string;
  /** Turn of the game, from 0. */
  turn: number;
  /** The player who moved. */
  player: Colour;
  /** Bin of the move. */
  bin: number;
  /** Worth of the move. */
  made: Worth;
  /** Worth of the best moves. */
  best: Worth;
  /** Bins of the best moves. */
  best_bins: Array<number>;
};

/** Clock of a game in progress. */
export type RunningClock = {
  /** Last second at which the player to move may move, since 1970. */
  deadline: number;
  /** Seconds that the opponent has left. */
  waiting: number;
  /** Seconds that each move adds. */
  increment: number;
};

/** Results of a series of games, by the seats of its last one. */
export type Score = {
  /** Wins of player one. */
  red: number;
  /** Wins of player two. */
  blue: number;
  /** Draws. */
  draws: number;
};

/** A seat of a game. */
export type Seat = {
  /** The computer that plays here; none if a person does. */
  computer: Computer | null;
};

/** Has a computer play a seat, or a person again. */
export type SeatComputer = {
  /** The seat. */
  seat: Colour;
  /** How well the computer is to play; none for a person. */
  level: Level | null;
};

/** Size of a board and length of a line. */
export type Shape = {
  /** Number of bins. */
  bins: number;
  /** Number of discs that a bin holds. */
  capacity: number;
  /** Number of discs in a row that win. */
  line: number;
};

/** Query of a line and of a review. */
export type ShapeAndMoves = {
  /** Number of bins. */
  bins: number;
  /** Number of discs that a bin holds. */
  capacity: number;
  /** Number of discs in a row that win. */
  line: number;
  /** The moves as text, with bins from 1. */
  moves: string;
};

/** Bounds of shapes. Each bound of `most` holds alone: the larger one number, the smaller the others have to be. */
export type ShapeBounds = {
  /** The usual shape. */
  standard: Shape;
  /** The least of each number. */
  least: Shape;
  /** The most of each number. */
  most: Shape;
};

/** A value for each player. */
export type Sides<T> = {
  /** Value of player one. */
  red: T;
  /** Value of player two. */
  blue: T;
};

/** Results of an account over all games. */
export type Standing = {
  /** The account. */
  account: Address;
  /** Games won. */
  wins: number;
  /** Games drawn. */
  draws: number;
  /** Games lost. */
  losses: number;
  /** Elo rating, rounded. */
  rating: number;
};

/** Starts a game. */
export type StartGame = {
  /** Shape of the board. */
  shape: Shape;
  /** Name or address of player one. */
  red: string;
  /** Name or address of player two. */
  blue: string;
  /** The computer that plays a seat. */
  computer: NewComputer | null;
};

/** A game was started. */
export type Started = {
  /** Number of the game. */
  game: number;
  /** The contract. */
  contract: Address;
  /** Account of player one. */
  red: Address;
  /** Account of player two. */
  blue: Address;
  /** Shape of the board. */
  shape: Shape;
  /** The transaction. */
  transaction: Receipt;
};

/** A game of the lobby that is in the contract's storage. */
export type StoredGame = {
  /** How it stands, in words. */
  standing: string;
  /** Always false. */
  freed: false;
  /** Number of the game. */
  game: number;
  /** The contract through which it is played. */
  contract: Address;
  /** Account of player one. */
  red: Address;
  /** Account of player two. */
  blue: Address;
  /** Account that has paid the deposit for the game's storage, and gets it back. */
  payer: Address;
  /** The clock; none if the game has none. */
  clock: RunningClock | null;
  /** Shape of the board. */
  shape: Shape;
  /** Number of discs that were dropped. */
  turns: number;
  /** The player to move; none if the game is over. */
  to_move: Colour | null;
  /** Whether the game has ended. */
  over: boolean;
  /** How it ended. */
  end: End | null;
  /** The winner; none after a draw. */
  winner: Colour | null;
  /** The cells of every line that the last disc completed. */
  winning_cells: Array<Cell>;
  /** The discs: bins from the left, in each the discs from the bottom. */
  board: Array<Array<Colour>>;
};

/** Drops a disc of the player to move. */
export type TakeTurn = {
  /** Bin, from 0 at the left. */
  bin: number;
  /** Number of discs on the board that the player saw; none if it does not matter. */
  turns?: number;
};

/** A disc that was dropped. */
export type TakenTurn = {
  /** Row in which it lies, from 0 at the bottom. */
  row: number;
  /** The transaction. */
  transaction: Receipt;
};

/** An action that was performed. */
export type Transacted = {
  /** The transaction. */
  transaction: Receipt;
};

/** Where a transaction is on the chain, and its fee. */
export type Transaction = {
  /** Number of its block. */
  block: number;
  /** Hash of its block. */
  block_hash: Hash;
  /** Its own hash. */
  hash: Hash;
  /** Its place among the transactions of the block, from 0. */
  index: number;
  /** Fee that was paid. */
  fee: Amount;
};

/** A game as the page shows it. */
export type ViewedGame = {
  /** The computers at the seats. */
  seats: Sides<Seat>;
  /** Seconds that each player had left when this was told; none without a clock or after the end. */
  left: Sides<number> | null;
  /** Amount that each player may withdraw after the end. */
  owed: Sides<Amount>;
  /** Whether the storage of the game was freed, so that it is known from its events alone. */
  freed: boolean;
  /** Its match state. */
  match: Match;
  /** Number of the game. */
  game: number;
  /** The contract through which it is played. */
  contract: Address;
  /** Account of player one. */
  red: Address;
  /** Account of player two. */
  blue: Address;
  /** Account that has paid the deposit for the game's storage, and gets it back. */
  payer: Address;
  /** The clock; none if the game has none. */
  clock: RunningClock | null;
  /** Shape of the board. */
  shape: Shape;
  /** Number of discs that were dropped. */
  turns: number;
  /** The player to move; none if the game is over. */
  to_move: Colour | null;
  /** Whether the game has ended. */
  over: boolean;
  /** How it ended. */
  end: End | null;
  /** The winner; none after a draw. */
  winner: Colour | null;
  /** The cells of every line that the last disc completed. */
  winning_cells: Array<Cell>;
  /** The discs: bins from the left, in each the discs from the bottom. */
  board: Array<Array<Colour>>;
  /** For each bin, why no disc can be dropped there now; none if one can be. */
  refusals: Array<string | null>;
  /** How the game stands, in words. */
  standing: string;
  /** The moves, if they are known. */
  moves: Array<Move>;
  /** Why the moves are not known. */
  moves_missing: string | null;
  /** The moves as text, with bins from 1. */
  notation: string;
};

/** A position that a line of moves leads to, on no chain. */
export type ViewedLine = {
  /** There is no game: always none. */
  game: null;
  /** Shape of the board. */
  shape: Shape;
  /** Number of discs that were dropped. */
  turns: number;
  /** The player to move; none if the game is over. */
  to_move: Colour | null;
  /** Whether the game has ended. */
  over: boolean;
  /** How it ended. */
  end: End | null;
  /** The winner; none after a draw. */
  winner: Colour | null;
  /** The cells of every line that the last disc completed. */
  winning_cells: Array<Cell>;
  /** The discs: bins from the left, in each the discs from the bottom. */
  board: Array<Array<Colour>>;
  /** For each bin, why no disc can be dropped there now; none if one can be. */
  refusals: Array<string | null>;
  /** How the game stands, in words. */
  standing: string;
  /** The moves, if they are known. */
  moves: Array<Move>;
  /** Why the moves are not known. */
  moves_missing: string | null;
  /** The moves as text, with bins from 1. */
  notation: string;
};

/** Query of a live socket. */
export type Watched = {
  /** Number of the game to watch; none for the lobby. Larger than any game's if a person typed it. */
  game?: number;
};

/** What a position is worth to the player who has just moved. */
export type Worth = {
  "wins_in": number
} | "draw" | {
  "loses_in": number
} | {
  "chance": number
};
