// The wire format: every JSON value that the page gets or sends, made of their Rust types.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-wire --all-features declarations`
// writes it again.

/** Results of an account against another one. */
export type AccountAgainst = {
  /** The account. */
  account: Person;
  /** The results against the opponent. */
  series: SeriesAgainst;
  /** Their last games, the newest first. */
  games: Array<IndexedGame>;
  /** How far the index is. */
  index: IndexLag;
};

/** Account of 32 bytes, in the SS58 encoding. */
export type AccountId = string;

/** What an account has played, and what it is owed. */
export type AccountProfile = {
  /** The account. */
  account: Person;
  /** Number of games that it has started, with those that go on. */
  games: number;
  /** Its results and ratings, by league. */
  standings: Array<Ranked>;
  /** Its results by kind, board and colour. */
  results: Array<ResultsOf>;
  /** Its rating after each of its last rated classic games, in their order. */
  points: Array<RatingPoint>;
  /** Its games that go on. */
  open: Array<IndexedGame>;
  /** Its last games, those that go on among them, the newest first. */
  last: Array<IndexedGame>;
  /** The opponents that it has played most. */
  series: Array<SeriesAgainst>;
  /** What it is owed. */
  owed: OwedToAccount;
  /** How far the index is. */
  index: IndexLag;
};

/** What a player can do in a game without naming a bin. */
export type Action = "resign" | "claim_timeout" | "press" | "offer_draw" | "accept_draw" | "decline_draw" | "offer_rematch" | "accept_rematch" | "decline_rematch" | "withdraw" | "free";

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

/** What a contract answered. */
export type Answered = {
  /** The bytes, as `0x` and hexadecimal digits. */
  data: string;
};

/** A block by its number and its hash. */
export type AnsweredBlock = {
  /** Number of the block. */
  block: number;
  /** Hash of the block: `0x` and 64 hexadecimal digits. */
  hash: string;
};

/** Asks a contract something. */
export type Ask = {
  /** The contract. */
  contract: Contract;
  /** Selector and arguments, as `0x` and hexadecimal digits. */
  data: string;
};

/** What the query of a hint has besides the position. */
export type AskHint = {
  /** The game whose position it is, `3` or `f3`; none for a line on no chain. */
  game?: string;
};

/** Asks what is known about terms for a stake. */
export type AskWarnings = {
  /** Number of bins. */
  bins: number;
  /** Number of discs that a bin holds. */
  capacity: number;
  /** Number of discs in a row that win. */
  line: number;
  /** Seconds that each player has for all moves. */
  bank: number;
  /** Seconds that each move adds. */
  increment: number;
};

/** What a move does to the discs. First discs are taken out, then those above them come down. */
export type BoardChange = {
  /** Discs that are put on the board. */
  added: Array<Disc>;
  /** Discs that are taken out. */
  removed: Array<Disc>;
  /** Discs that come down, from the bottom of each bin. */
  fallen: Array<Fall>;
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
  /** Since when it does not answer, in seconds after 1970. */
  since: number | null;
};

/** Facts about the chain. */
export type ChainFacts = {
  /** Name of the chain, if it answers. */
  name: string | null;
  /** Where it is, in words. */
  place: string;
  /** The contract, if it is deployed. */
  contract: Address | null;
  /** The contract of the variants, if it is deployed. */
  variants: Address | null;
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
  /** Last second at which it can be accepted, since 1970; none if it stays open. */
  expires: number | null;
  /** Session key of the challenger; none if the game is not a fast one. */
  key: Address | null;
};

/** Number of a challenge that was made. */
export type ChallengeNumber = {
  /** Number of the challenge. */
  challenge: number;
};

/** Number of a game between two accounts: 3, or `f3` for a fast one. */
export type ClassicId = number | string;

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

/** One of the contracts that wallets call. */
export type Contract = "games" | "matches" | "fast";

/** A player who left a game that had started. */
export type Departure = {
  /** The player. */
  player: VariantColour;
  /** Whether the player was removed for being late. */
  late: boolean;
  /** After how many turns. */
  turns: number;
  /** The transaction. */
  transaction: Transaction;
};

/** Deposit for storage in the token's smallest unit, as a decimal string: it is held, not spent. Negative if one was given back. */
export type Deposit = string;

/** A disc in its cell. */
export type Disc = {
  /** Whose it is. */
  colour: VariantColour;
  /** Bin, from 0 at the left. */
  bin: number;
  /** Row, from 0 at the bottom. */
  row: number;
};

/** A request that was done, about which there is nothing to say. */
export type Done = Record<symbol, never>;

/** Contracts of an earlier version. */
export type EarlierContracts = {
  /** Their version. */
  version: number;
  /** Address of the one by which they are named. */
  contract: Address;
};

/** How a game ended. */
export type End = "line" | "full board" | "resignation" | "agreement" | "timeout" | "abort" | "last left" | "no move" | "turn limit" | "abandoned";

/** What a position is worth. */
export type Evaluation = {
  /** From -1, a win of blue, to 1, a win of red; 0 is a draw. Between them what a search expects. */
  value: number;
  /** The same in words, as `red wins in 21`. */
  words: string;
};

/** An event, and where it is on the chain. */
export type Event = {
  /** Number of the game. Left out of events of challenges and accounts. */
  game?: GameId;
  /** Number of the block. */
  block: number;
  /** Hash of the block. */
  block_hash: Hash;
  /** Place of its transaction in the block, from 0. */
  index: number;
} & ({
  "event": "taken_back";
  /** Name of the event. */
  what: string;
} | {
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
  /** Account that had made it, and is owed the stake. */
  challenger: Address;
  /** Amount that the challenger had paid in. */
  stake: Amount;
} | {
  "event": "match";
  /** Number of the challenge that was accepted; none for a rematch. */
  challenge: number | null;
  /** Number of the game of which this is the rematch. */
  previous: ClassicId | null;
  /** The clock; none if the game has none. */
  clock: Clock | null;
  /** Amount that each player has paid in. */
  stake: Amount;
} | {
  "event": "session_keys";
  /** Session key of player one. */
  red: Address;
  /** Session key of player two. */
  blue: Address;
} | {
  "event": "advanced";
  /** Bins of the moves, from 0 at the left. */
  moves: Array<number>;
} | {
  "event": "clock_pressed";
  /** The player who waits. */
  by: Colour | null;
  /** Last second at which the opponent may answer, since 1970. */
  deadline: number;
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
  /** The player who had made it, and is owed the stake. */
  offered_by: Colour | null;
  /** Amount that this player had paid in. */
  stake: Amount;
} | {
  "event": "settled";
  /** Amount that player one is owed. */
  red: Amount;
  /** Amount that player two is owed. */
  blue: Amount;
} | {
  "event": "credited";
  /** The account. */
  account: Address;
  /** Amount by which it is owed more than before. */
  amount: Amount;
} | {
  "event": "withdrawn";
  /** The account. */
  account: Address;
  /** Account to which the amount went. */
  receiver: Address;
  /** Amount that was paid. */
  amount: Amount;
} | {
  "event": "freed";
  /** Account that got the deposit back. */
  payer: Address;
} | {
  "event": "table_opened";
  /** Account that opened it, which has joined. */
  opener: Address;
  /** The only accounts that may join, in turn order; empty if anyone may. */
  players: Array<Address>;
  /** Terms of the game. */
  terms: VariantTerms;
} | {
  "event": "joined";
  /** Account that joined. */
  account: Address;
  /** Seat of the player, from 0 in turn order. */
  seat: number;
} | {
  "event": "left";
  /** Account that left. */
  account: Address;
  /** The player; none at a table. */
  player: VariantColour | null;
  /** Whether the player was removed for being late. */
  late: boolean;
  /** Last second at which the player who is now to move may move, since 1970; none without a limit, before the start and after the end. */
  deadline: number | null;
} | {
  "event": "table_closed";
  /** Account that opened it. */
  opener: Address;
} | {
  "event": "variant_started";
  /** Its players in turn order: red, blue, green, yellow. */
  players: Array<Address>;
  /** Terms of the game. */
  terms: VariantTerms;
  /** Last second at which the first player may move, since 1970; none without a limit. */
  deadline: number | null;
} | {
  "event": "moved";
  /** Account that moved. */
  account: Address;
  /** The player; of a swap, the colour before it. */
  player: VariantColour | null;
  /** The move as text. */
  text: string;
  /** Turn of the game, from 0. */
  turn: number;
  /** Last second at which the next player may move, since 1970; none without a limit and after the end. */
  deadline: number | null;
} & ({
  "kind": "drop";
  /** The bin. */
  bin: number;
} | {
  "kind": "pop";
  /** The bin. */
  bin: number;
} | {
  "kind": "take";
  /** The bin of the cell. */
  bin: number;
  /** The row of the cell. */
  row: number;
} | {
  "kind": "clear";
  /** The row. */
  row: number;
} | {
  "kind": "float";
  /** The bin of the cell. */
  bin: number;
  /** The row of the cell. */
  row: number;
} | {
  "kind": "swap"
}) | {
  "event": "variant_ended";
  /** Account of the winner; none after a draw, and if the game was abandoned. */
  account: Address | null;
  /** The winner. */
  winner: VariantColour | null;
  /** How it ended. */
  end: End;
  /** The cells of every line of the winner; none if the game is not known. */
  winning_cells: Array<Cell> | null;
} | {
  "event": "variant_freed";
  /** Account that got the deposit back. */
  payer: Address;
});

/** A disc that comes down. */
export type Fall = {
  /** Whose it is. */
  colour: VariantColour;
  /** Where it lay. */
  from: Cell;
  /** Where it comes to lie. */
  to: Cell;
};

/** What is known of a fast game beyond the chain. Its position is the latest that is known. */
export type Fast = {
  /** Number of the moves that the chain knows, from the first on. */
  on_chain: number;
  /** Number of the moves that both players have signed, from the first on. */
  signed: number;
  /** Whether the chain knows how the game has ended. */
  settled: boolean;
  /** The players who can act in this program: those whose session keys it has, and all once the game is settled. */
  here: Array<Colour>;
  /** Last second, by the chain's clock and since 1970, at which the player to move there has to have answered, or at which a line there can be contested; none if no such time runs, or no seat is played in this program. */
  deadline: number | null;
  /** Whether a line has ended the game on the chain that can still be contested, by making another move. */
  contested: boolean;
  /** The player who may start the opponent's clock. */
  press: Colour | null;
  /** Why the relay is not there; none if it is. */
  relay_missing: string | null;
  /** Whether the opponent is at the relay, as that says; none if it is not told. */
  opponent: boolean | null;
};

/** Who moves first. */
export type First = "me" | "them" | "random";

/** An account that was found. */
export type FoundAccount = {
  /** The account. */
  account: Person;
  /** Number of games that it has started. */
  games: number;
};

/** A game of the lobby whose storage was freed. */
export type FreedGame = {
  /** Number of the game. */
  game: ClassicId;
  /** How it stands, in words. */
  standing: string;
  /** Always true. */
  freed: true;
};

/** A game of the lobby whose storage was freed, or a table that was closed. */
export type FreedVariant = {
  /** Number of the game. */
  game: VariantId;
  /** How it stands, in words. */
  standing: string;
  /** Always true. */
  freed: true;
};

/** Asks for open challenges. */
export type FromChallenge = {
  /** Number of the newest that is wanted. */
  from: number;
};

/** Name of a game: 3, `f3` for a fast one, `v3` for a variant. */
export type GameId = number | string;

/** Number of a game that was started. */
export type GameNumber = {
  /** Number of the game. */
  game: ClassicId;
};

/** Games that go on. */
export type GamesNow = {
  /** The games, those with the newest moves first, with their boards. */
  games: Array<IndexedGame>;
  /** Time of the chain's best block in seconds since 1970; null if it is not known. */
  time: number | null;
  /** How far the index is. */
  index: IndexLag;
};

/** A page of games. */
export type GamesPage = {
  /** The games, the newest first. */
  games: Array<IndexedGame>;
  /** What to ask for as `before` to get the next page; null if this is the last one. */
  next: string | null;
  /** How far the index is. */
  index: IndexLag;
};

/** Blocks whose states the node has discarded, and with them their events. */
export type Gap = {
  /** Number of the first block. */
  first: number;
  /** Number of the last block. */
  last: number;
  /** Time of the first block; null if it is not known. */
  since: number | null;
  /** Time of the last block; null if it is not known. */
  until: number | null;
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
  /** What wallets need to play here; none if the server signs by itself. */
  public: Public | null;
  /** The contracts of which these requests are answered, and others. */
  contracts: Versions;
  /** Whether there is an index, which knows profiles and standings. */
  index: boolean;
  /** The accounts that the keys open. */
  accounts: Array<OpenAccount>;
  /** Names of the development accounts by address. */
  names: Record<Address, string>;
  /** Levels of computer opponents, the weakest first. */
  levels: Array<Level>;
  /** Which shapes a board can have. */
  shape: ShapeBounds;
  /** Which terms a variant can have. */
  variant: VariantBounds;
};

/** What each legal move of a position is worth, and the position. */
export type Hint = {
  /** The player to move; none if the game is over on the board. */
  to_move: Colour | null;
  /** The legal bins, from the left. */
  bins: Array<HintedBin>;
  /** The best of them. */
  best_bins: Array<number>;
  /** What the position is worth. */
  evaluation: Evaluation;
};

/** What a drop into a bin is worth. */
export type HintedBin = {
  /** The bin. */
  bin: number;
  /** Worth of the drop for the player to move. */
  worth: Worth;
  /** The same in words. */
  words: string;
};

/** What an account is and has. */
export type Holder = {
  /** Its address as contracts see it. */
  address: Address;
  /** The account on the chain. */
  account: AccountId;
  /** What it can spend. */
  balance: Amount;
  /** What it is owed. */
  owed: Amount;
};

/** How far the index is. */
export type IndexLag = {
  /** Number of the newest block that is in the index; null before the first one. */
  block: number | null;
  /** Number of blocks by which it is behind the best one; null if that is not known. */
  behind: number | null;
  /** The same behind the newest final block. */
  behind_final: number | null;
  /** Seconds of the chain's time by which it is behind; null if that is not known. */
  seconds: number | null;
  /** Blocks whose events are missing. */
  missing: Array<Gap>;
  /** Why it is not filled at the moment; null if it is. */
  trouble: string | null;
};

/** A game as the index has it. */
export type IndexedGame = {
  /** Its number: `3`, `f3` for a fast one, `v3` for a variant. */
  game: string;
  /** Version of its contracts, below whose path it is shown; null if they are the newest. */
  earlier: number | null;
  /** Its kind: `classic`, `fast` or `variant`. */
  kind: string;
  /** The board. */
  shape: Shape;
  /** Terms of a variant in words; null for others. */
  variant: string | null;
  /** The players in turn order: red, blue, green, yellow. */
  players: Array<Person>;
  /** Stake of each player; null if nothing is at stake. */
  stake: Amount | null;
  /** Clock; null if it has none. */
  clock: Clock | null;
  /** Game of which it is the rematch; null if it is not one. */
  previous: string | null;
  /** Its rematch; null if there was none. */
  next: string | null;
  /** Time of its start in seconds since 1970; null if it is not known. */
  started: number | null;
  /** Time of the last move, or of the start, in seconds since 1970; null if it is not known. */
  moved: number | null;
  /** Number of moves that the chain knows. */
  plies: number;
  /** The moves as solvers write them, bins from 1. */
  moves: string;
  /** Last second at which the player to move may move; null if there is none. */
  deadline: number | null;
  /** Seat of the player to move, from 0; null if the game has ended. */
  to_move: number | null;
  /** Time of its end in seconds since 1970; null if it goes on or if that is not known. */
  ended: number | null;
  /** How it ended, such as "by a line"; null if it goes on. */
  how: string | null;
  /** Seat of the winner, from 0; null if there is none. */
  winner: number | null;
  /** The board: rows from the top, each by its bins from the left, with a slash between them. A dot is an empty cell, discs are `r`, `b`, `g` and `y`. Null if it was not asked for. */
  position: string | null;
  /** Cell of the last disc; null if that is not known. */
  last: Cell | null;
};

/** A transaction in a block. */
export type Landed = {
  /** The transaction. */
  transaction: Transaction;
  /** Why the call failed; none if it did what it should. */
  failure: string | null;
  /** What the contracts told. */
  events: Array<Event>;
};

/** Level of a computer opponent. */
export type Level = "random" | "easy" | "medium" | "hard" | "perfect";

/** A game in the lobby. */
export type ListedGame = StoredGame | FreedGame;

/** A game in the lobby. */
export type ListedVariant = StoredVariant | FreedVariant;

/** Message of a live socket. The page is told again whenever something has changed. */
export type Live = {
  "type": "chain"
} & Chain | {
  "type": "game"
} & ViewedGame | {
  "type": "variant"
} & ViewedVariant | {
  "type": "missing";
  /** Why. */
  error: string;
} | {
  "type": "games";
  /** Number of games in their contract. */
  count: number;
  /** Number of fast games in their contract. */
  fast_count: number;
  /** The newest games of both kinds: fast ones, then others; of each kind the newest first. */
  games: Array<ListedGame>;
  /** The newest open challenges, the newest first. */
  challenges: Array<OpenChallenge>;
  /** Number of the newest of those that are not listed; none if all are. */
  older_challenges: number | null;
  /** What accounts are owed for which the server signs. */
  owed: Array<Owed>;
  /** Number of games and tables of variants in their contract. */
  variant_count: number;
  /** The newest games of variants, the newest first, without open tables. */
  variants: Array<ListedVariant>;
  /** The newest open tables, the newest first. */
  tables: Array<StoredVariant>;
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
  /** Whether the game is a fast one, whose moves are signed and sent to the opponent. */
  fast?: boolean;
  /** For how many seconds it can be accepted; none until it is withdrawn, and a day if that is not said. */
  expires_in?: number;
};

/** Makes a move of the player to move. */
export type MakeMove = {
  /** The move. */
  move: VariantMove;
  /** Number of turns that the player saw; none if it does not matter. */
  turns?: number;
  /** The board that the player saw, as the page is told it; none if it does not matter. */
  board?: Array<Array<VariantColour | null>>;
};

/** Match state of a game: its terms, its offers and its series. */
export type Match = {
  /** Clock that was agreed on; none if the game has none. */
  clock: Clock | null;
  /** Amount that each player has paid in, and pays for a rematch. */
  stake: Amount;
  /** Amount that the winner gets. */
  prize: Amount;
  /** Whether the stakes were credited to the players. */
  settled: boolean;
  /** The player whose offer of a draw stands. */
  draw_offer: Colour | null;
  /** The player who offers a rematch. */
  rematch_offer: Colour | null;
  /** Number of the game of which this is the rematch. */
  previous: ClassicId | null;
  /** Number of the rematch. */
  next: ClassicId | null;
  /** Results of the series, with this game if it has ended. */
  score: Score;
};

/** Number of a game, if one was started. */
export type MaybeGame = {
  /** Number of the game; none if none was started. */
  game: ClassicId | null;
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

/** A seat of a new game. */
export type NewSeat = {
  /** Name or address of the account. */
  account: string;
  /** How well the computer is to play that has the seat; none for a person. */
  level: Level | null;
};

/** For each kind of move, why it has no target; none if it has one. In words. */
export type Obstacles = {
  /** For each bin, why no disc can be dropped there. */
  drop: Array<string | null>;
  /** Why no bin can be popped. */
  pop: string | null;
  /** Why no disc can be taken. */
  take: string | null;
  /** Why no row can be cleared. */
  clear: string | null;
  /** Why no disc can float. */
  float: string | null;
  /** Why colours cannot be exchanged. */
  swap: string | null;
};

/** Asks for what an account can spend. */
export type OfAccount = {
  /** The account, as in [`Prepare`]. */
  account: string;
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

/** A challenge that can be accepted, with what a player should know before. */
export type OpenChallenge = {
  /** Amount that the winner gets. */
  prize: Amount;
  /** What is known about its terms, in words. */
  warnings: Array<string>;
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
  /** Last second at which it can be accepted, since 1970; none if it stays open. */
  expires: number | null;
  /** Session key of the challenger; none if the game is not a fast one. */
  key: Address | null;
};

/** Some of the open challenges. */
export type OpenChallenges = {
  /** The challenges, the newest first. */
  challenges: Array<OpenChallenge>;
  /** Number of the newest of those that are older; none if there is none. */
  older_challenges: number | null;
};

/** Opens a table. */
export type OpenTable = {
  /** Terms of the game. */
  terms: VariantTerms;
  /** Name or address of the account that opens it, and joins. */
  account: string;
  /** Names or addresses of the only accounts that may join, in turn order; empty if anyone may. */
  players: Array<string>;
};

/** What an account is owed on the contracts of the matches and the fast games. */
export type Owed = {
  /** The account. */
  account: Address;
  /** Amount that withdrawals pay. */
  amount: Amount;
  /** Numbers of the games that it settles for that. */
  games: Array<number>;
};

/** What contracts owe an account. */
export type OwedToAccount = {
  /** All of it. */
  total: Amount;
  /** What was credited to it. */
  credit: Amount;
  /** Shares of games that have ended and wait to be settled. */
  unsettled: Array<UnsettledShare>;
};

/** An account was paid what it was owed. */
export type Paid = {
  /** The transaction of each contract that owed it something. */
  transactions: Array<Receipt>;
};

/** What a wallet of a Polkadot SDK chain signs, as polkadot-js defines it. Numbers are hexadecimal. */
export type Payload = {
  /** The account. */
  address: AccountId;
  /** The block from which on the transaction is valid. */
  blockHash: Hash;
  /** Number of that block. */
  blockNumber: string;
  /** For how many blocks it is valid. */
  era: string;
  /** Hash of the chain's first block. */
  genesisHash: Hash;
  /** The call. */
  method: string;
  /** Whether a hash of the metadata is signed: 0, it is not. */
  mode: number;
  /** Number of the account's transactions before. */
  nonce: string;
  /** Names of the extensions of transactions, in order. */
  signedExtensions: Array<string>;
  /** Version of the runtime. */
  specVersion: string;
  /** What is paid on top: nothing. */
  tip: string;
  /** Version of the format of transactions. */
  transactionVersion: string;
  /** Version of extrinsics. */
  version: number;
};

/** Performs an action of a player. */
export type Perform = {
  /** The action. */
  act: Action;
  /** Seat of the player. */
  seat: Colour;
};

/** An account that plays. */
export type Person = {
  /** Its address as contracts see it. */
  address: Address;
  /** Name of a development account; none for any other. */
  name: string | null;
};

/** How often each power may be used. */
export type Powers = {
  /** How often an opponent's disc may be taken out. */
  take: number;
  /** How often a row may be cleared. */
  clear: number;
  /** How often a disc may be put where it floats. */
  float: number;
};

/** Asks what a call would do and cost, and what a wallet has to sign for it. */
export type Prepare = {
  /** The account: an address for a wallet of Ethereum, SS58 or 64 hexadecimal digits for another. */
  account: string;
  /** The contract that is called. */
  contract: Contract;
  /** Selector and arguments, as `0x` and hexadecimal digits. */
  data: string;
  /** Payment in the token's smallest unit. */
  payment: Amount;
  /** Block of the move that is answered; none if the call answers to nothing. On a branch of the chain without that block, what a wallet of a Polkadot SDK chain signs is void. */
  answers?: AnsweredBlock | null;
};

/** A call that the contract would not refuse. */
export type Prepared = {
  /** Address of the contract. */
  to: Address;
  /** Payment in the token's smallest unit. */
  payment: Amount;
  /** Fee as estimated. */
  fee: Amount;
  /** Deposit that it takes or gives back. */
  deposit: Deposit;
  /** What the account can spend. */
  balance: Amount;
  /** Units of gas for a wallet of Ethereum; none for another. */
  gas: Amount | null;
  /** What another wallet signs; none for one of Ethereum. */
  unsigned: Unsigned | null;
};

/** What a page has to know of a public host's chain to have a wallet sign for it. */
export type Public = {
  /** Hash of the chain's first block, which tells chains apart. */
  genesis: Hash;
  /** Number of the chain by EIP-155; none if it takes no transactions of Ethereum. */
  chain_id: number | null;
  /** URL of a node that a wallet of Ethereum can use, if the operator named one. */
  wallet_rpc: string | null;
  /** URL of the relay of fast games, as `wss://games.example`; none: this host. */
  relay: string | null;
  /** Contract of the games. */
  games: Address | null;
  /** Contract of the matches. */
  matches: Address | null;
  /** Contract of the fast games. */
  fast: Address | null;
  /** Account that has deployed the contracts, from which their addresses follow; none if the host was given their address alone. */
  deployer: Address | null;
  /** How many units of contracts, and of wallets of Ethereum, the token's smallest unit is. */
  ratio: Amount;
  /** Depth, in blocks, at which an opponent's move for a stake is answered. */
  confirmations: number;
};

/** Results and rating of an account. */
export type Ranked = {
  /** The games that are counted: `classic`, `two` for variants of two players, `more` for those of three or four. */
  league: string;
  /** Place among all accounts, from 1. */
  rank: number;
  /** The account. */
  account: Person;
  /** Games won. */
  wins: number;
  /** Games drawn. */
  draws: number;
  /** Games lost. */
  losses: number;
  /** Games that have changed the rating. */
  rated: number;
  /** Elo rating, rounded. */
  rating: number;
};

/** A rating after a game. */
export type RatingPoint = {
  /** Number of the game, as `3` or `f3`. */
  game: string;
  /** Version of its contracts; null if they are the newest. */
  earlier: number | null;
  /** Time at which it ended in seconds since 1970; null if it is not known. */
  time: number | null;
  /** The rating, rounded. */
  rating: number;
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

/** Results in games of a kind, on a board, with a colour. */
export type ResultsOf = {
  /** The kind: `classic`, `fast` or `variant`. */
  kind: string;
  /** The board. */
  shape: Shape;
  /** Seat, from 0: red, blue, green, yellow. */
  seat: number;
  /** The results. */
  results: Tally;
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

/** What was found. */
export type SearchFound = {
  /** Accounts. */
  accounts: Array<FoundAccount>;
  /** A game with that number; null if there is none. */
  game: IndexedGame | null;
  /** How far the index is. */
  index: IndexLag;
};

/** Where to look for a transaction. */
export type SearchFrom = {
  /** Number of the first block to look at. */
  from: number;
};

/** What was found of a transaction. */
export type Searched = {
  /** The transaction, if it is in a block that was looked at. */
  found: Landed | null;
  /** The first block that was not looked at. */
  next: number;
  /** Number of the best block. */
  best: number;
  /** Number of the newest final block. */
  last_final: number;
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

/** Has a computer play a seat, or a person again. */
export type SeatVariantComputer = {
  /** The player at the seat. */
  seat: VariantColour;
  /** How well the computer is to play; none for a person. */
  level: Level | null;
};

/** Results against an opponent in games of two. */
export type SeriesAgainst = {
  /** The opponent. */
  opponent: Person;
  /** The results. */
  results: Tally;
};

/** Brings to the chain what both players of a fast game have signed. */
export type Settle = {
  /** The player who pays for it. */
  seat: Colour;
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

/** Query of a line, of a review and, with [`AskHint`], of a hint. */
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

/** A page of the standings. */
export type StandingsPage = {
  /** Number of accounts. */
  accounts: number;
  /** Number of accounts before the page. */
  before: number;
  /** The accounts, the highest rating first. */
  rows: Array<Ranked>;
  /** How far the index is. */
  index: IndexLag;
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

/** Starts a game. With a limit a table for these accounts is opened, at which those join that the server signs for: it starts when all have joined. */
export type StartVariant = {
  /** Terms of the game. */
  terms: VariantTerms;
  /** The players, in turn order. */
  seats: Array<NewSeat>;
};

/** A game of the lobby that is in the contract's storage. */
export type StoredGame = {
  /** How it stands, in words. */
  standing: string;
  /** Always false. */
  freed: false;
  /** Number of the game. */
  game: ClassicId;
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

/** A game or a table of the lobby that is in the contract's storage. */
export type StoredVariant = {
  /** How it stands, in words. */
  standing: string;
  /** Its terms, in words. */
  terms_words: string;
  /** Always false. */
  freed: false;
  /** Number of the game. */
  game: VariantId;
  /** The contract through which it is played. */
  contract: Address;
  /** Whether the game has started. Before, it is a table that waits for players. */
  started: boolean;
  /** Whether only the accounts of the seats may join the table. */
  named: boolean;
  /** The seats, by the colours that are played there now: after a swap the account that was red has the seat of blue. */
  seats: Array<VariantSeat>;
  /** Account that has paid the deposit for the game's storage, and gets it back: who started the game or opened the table. None if the game is known from its events alone. */
  payer: Address | null;
  /** Last second at which the player to move may move, since 1970; none without a limit, before the start and after the end. */
  deadline: number | null;
  /** Terms of the game. */
  terms: VariantTerms;
  /** Number of turns that were taken. */
  turns: number;
  /** The player to move; none before the start and after the end. */
  to_move: VariantColour | null;
  /** Whether the game has ended. */
  over: boolean;
  /** How it ended. */
  end: End | null;
  /** The winner; none after a draw. */
  winner: VariantColour | null;
  /** The cells of every line of the winner. */
  winning_cells: Array<Cell>;
  /** The cells: bins from the left, in each the cells from the bottom up to the highest disc, with null for the gaps under discs that float. */
  board: Array<Array<VariantColour | null>>;
  /** The players in turn order. */
  players: Array<VariantPlayer>;
  /** Whether the first two players have exchanged their colours. */
  swapped: boolean;
};

/** Passes a signed extrinsic on. */
export type Submit = {
  /** The bytes before the signature, as they were prepared. */
  head: string;
  /** The signature with the byte of its kind, as wallets give it. */
  signature: string;
  /** The bytes behind it, as they were prepared. */
  tail: string;
};

/** A transaction that was passed on. */
export type Submitted = {
  /** Hash of the transaction. */
  hash: Hash;
  /** Number of the best block when it was passed on: the transaction is in none up to there. */
  after: number;
};

/** Drops a disc of the player to move. */
export type TakeTurn = {
  /** Bin, from 0 at the left. */
  bin: number;
  /** The board that the player saw, as the page is told it; none if it does not matter. */
  board?: Array<Array<Colour>>;
};

/** A disc that was dropped. */
export type TakenTurn = {
  /** Row in which it lies, from 0 at the bottom. */
  row: number;
  /** The transaction; none if the move was signed and sent to the opponent. */
  transaction: Receipt | null;
};

/** Numbers of games by their results. */
export type Tally = {
  /** Games won. */
  wins: number;
  /** Games drawn. */
  draws: number;
  /** Games lost. */
  losses: number;
};

/** What the player to move can do. Everything is empty if nobody is to move. */
export type Targets = {
  /** For each bin, the row in which a dropped disc would lie; none if none can be dropped there. */
  drop: Array<number | null>;
  /** Bins that can be popped. */
  pop: Array<number>;
  /** Cells whose discs can be taken. */
  take: Array<Cell>;
  /** Rows that can be cleared. */
  clear: Array<number>;
  /** Cells into which a disc can be put where it floats. */
  float: Array<Cell>;
  /** Whether colours can be exchanged. */
  swap: boolean;
};

/** An action that was performed. */
export type Transacted = {
  /** The transaction; none if it was signed and sent to the opponent. */
  transaction: Receipt | null;
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

/** A share of a game that waits to be settled. */
export type UnsettledShare = {
  /** Number of the game. */
  game: string;
  /** Version of its contracts; null if they are the newest. */
  earlier: number | null;
  /** The share. */
  amount: Amount;
};

/** An extrinsic without its signature. */
export type Unsigned = {
  /** Whether it only maps the account to its address, which has to come first. */
  maps: boolean;
  /** What is signed. */
  payload: Payload;
  /** The bytes before the signature. */
  head: string;
  /** The bytes behind it. */
  tail: string;
};

/** Has an account do something other than a move. */
export type VariantAct = {
  /** What it does. */
  act: VariantAction;
  /** Name or address of the account. */
  account: string;
  /** If the account joins, the computer that is to play for it; none for a person. */
  level?: Level | null;
};

/** What an account can do in a game of a variant, or at its table, other than a move. */
export type VariantAction = "join" | "leave" | "remove_late" | "free";

/** Query of a line: terms, and moves as text. */
export type VariantAndMoves = {
  /** Number of bins. */
  bins: number;
  /** Number of discs that a bin holds. */
  capacity: number;
  /** Number of discs in a row that win. */
  line: number;
  /** How many play; 2 if it is left out. */
  players?: number;
  /** Whether discs pop out; not if it is left out. */
  pop_out?: boolean;
  /** Whether the pie rule holds; not if it is left out. */
  pie_rule?: boolean;
  /** How often each player may take a disc; 0 if it is left out. */
  take?: number;
  /** How often each player may clear a row; 0 if it is left out. */
  clear?: number;
  /** How often each player may have a disc float; 0 if it is left out. */
  float?: number;
  /** The moves as text. */
  moves: string;
};

/** Bounds of the terms of variants. Shapes have bounds of their own. */
export type VariantBounds = {
  /** The fewest players. */
  least_players: number;
  /** The most players. The pie rule is for the fewest. */
  most_players: number;
  /** How often a player can use a power in a game, at most. */
  most_power: number;
  /** The shortest limit, in seconds. */
  least_limit: number;
  /** The longest limit, in seconds. */
  most_limit: number;
  /** Levels of computer opponents, the weakest first. */
  levels: Array<Level>;
};

/** A player of a variant, by the colour of the discs. They move in this order. */
export type VariantColour = "red" | "blue" | "green" | "yellow";

/** Number of a game of a variant, or of its table: `v3`. */
export type VariantId = string;

/** A move. Bins count from 0 at the left, rows from 0 at the bottom. */
export type VariantMove = {
  "kind": "drop";
  /** The bin. */
  bin: number;
} | {
  "kind": "pop";
  /** The bin. */
  bin: number;
} | {
  "kind": "take";
  /** The bin of the cell. */
  bin: number;
  /** The row of the cell. */
  row: number;
} | {
  "kind": "clear";
  /** The row. */
  row: number;
} | {
  "kind": "float";
  /** The bin of the cell. */
  bin: number;
  /** The row of the cell. */
  row: number;
} | {
  "kind": "swap"
};

/** Number of a game that was started, or of a table that was opened. */
export type VariantNumber = {
  /** Number of the game. */
  game: VariantId;
};

/** What a player has left. */
export type VariantPlayer = {
  /** The player. */
  colour: VariantColour;
  /** How often the player may still use each power. */
  powers: Powers;
  /** Whether the player has left the game, or was removed for being late. */
  left: boolean;
};

/** A seat of a table or a game. */
export type VariantSeat = {
  /** The player. */
  colour: VariantColour;
  /** The account that plays here, or for which the seat is kept; none if anyone may take it. */
  account: Address | null;
  /** Name of the account, if it is a development account. */
  name: string | null;
  /** Whether the account has joined. */
  joined: boolean;
};

/** Terms of a game. */
export type VariantTerms = {
  /** Shape of the board. */
  shape: Shape;
  /** How many play. */
  players: number;
  /** Whether a player may take an own disc out of the bottom of a bin. */
  pop_out: boolean;
  /** Whether the second player may exchange colours with the first. */
  pie_rule: boolean;
  /** How often each player may use each power in a game. */
  powers: Powers;
  /** Seconds for each move; none if there is no limit. */
  limit: number | null;
};

/** The versions of the contracts. */
export type Versions = {
  /** Version of those of which these requests are answered; null if they are not there yet, or their code is not known. */
  version: number | null;
  /** Whether these are of an earlier version: games go on there, and none begins. */
  is_earlier: boolean;
  /** Those of earlier versions that are there, the newest first. What they have is below `/earlier/` and their version. None among what is below. */
  earlier: Array<EarlierContracts>;
};

/** A game as the page shows it. */
export type ViewedGame = {
  /** The computers at the seats. */
  seats: Sides<Seat>;
  /** Seconds that each player had left when this was told; none without a clock or after the end. */
  left: Sides<number> | null;
  /** Amount that each player may withdraw after the end, by this game or by others. */
  owed: Sides<Amount>;
  /** Whether the storage of the game was freed, so that it is known from its events alone. */
  freed: boolean;
  /** What is known of a fast game beyond the chain; none of other games and of freed ones. */
  fast: Fast | null;
  /** Its match state. */
  match: Match;
  /** Number of the game. */
  game: ClassicId;
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

/** A move that was made. */
export type ViewedMove = {
  /** The player who moved; of a swap, the colour before it. */
  player: VariantColour;
  /** The move as text. */
  text: string;
  /** What it did to the discs. */
  change: BoardChange;
  /** What each player has left of the powers after it, in turn order. */
  powers: Array<Powers>;
  /** Transaction of the move; none on no chain. */
  transaction: Transaction | null;
} & ({
  "kind": "drop";
  /** The bin. */
  bin: number;
} | {
  "kind": "pop";
  /** The bin. */
  bin: number;
} | {
  "kind": "take";
  /** The bin of the cell. */
  bin: number;
  /** The row of the cell. */
  row: number;
} | {
  "kind": "clear";
  /** The row. */
  row: number;
} | {
  "kind": "float";
  /** The bin of the cell. */
  bin: number;
  /** The row of the cell. */
  row: number;
} | {
  "kind": "swap"
});

/** A game or a table as the page shows it. */
export type ViewedVariant = {
  /** The players who have left, in that order, if the moves are known. */
  departures: Array<Departure>;
  /** The computers, by the colours that they play; none where a person plays. */
  computers: Array<Computer | null>;
  /** Seconds that the player to move had left when this was told; none without a limit, before the start and after the end. */
  left: number | null;
  /** Whether the storage of the game was freed, so that it is known from its events alone. */
  freed: boolean;
  /** Number of the game. */
  game: VariantId;
  /** The contract through which it is played. */
  contract: Address;
  /** Whether the game has started. Before, it is a table that waits for players. */
  started: boolean;
  /** Whether only the accounts of the seats may join the table. */
  named: boolean;
  /** The seats, by the colours that are played there now: after a swap the account that was red has the seat of blue. */
  seats: Array<VariantSeat>;
  /** Account that has paid the deposit for the game's storage, and gets it back: who started the game or opened the table. None if the game is known from its events alone. */
  payer: Address | null;
  /** Last second at which the player to move may move, since 1970; none without a limit, before the start and after the end. */
  deadline: number | null;
  /** Terms of the game. */
  terms: VariantTerms;
  /** Number of turns that were taken. */
  turns: number;
  /** The player to move; none before the start and after the end. */
  to_move: VariantColour | null;
  /** Whether the game has ended. */
  over: boolean;
  /** How it ended. */
  end: End | null;
  /** The winner; none after a draw. */
  winner: VariantColour | null;
  /** The cells of every line of the winner. */
  winning_cells: Array<Cell>;
  /** The cells: bins from the left, in each the cells from the bottom up to the highest disc, with null for the gaps under discs that float. */
  board: Array<Array<VariantColour | null>>;
  /** The players in turn order. */
  players: Array<VariantPlayer>;
  /** Whether the first two players have exchanged their colours. */
  swapped: boolean;
  /** What the player to move can do. */
  targets: Targets;
  /** Why the player to move cannot do the rest. */
  obstacles: Obstacles;
  /** How the game stands, in words. */
  standing: string;
  /** The terms, in words. */
  terms_words: string;
  /** The moves, if they are known. */
  moves: Array<ViewedMove>;
  /** Why the moves are not known. */
  moves_missing: string | null;
  /** The moves as text. */
  notation: string;
};

/** A position that a line of moves leads to, on no chain. */
export type ViewedVariantLine = {
  /** There is no game: always none. */
  game: null;
  /** Terms of the game. */
  terms: VariantTerms;
  /** Number of turns that were taken. */
  turns: number;
  /** The player to move; none before the start and after the end. */
  to_move: VariantColour | null;
  /** Whether the game has ended. */
  over: boolean;
  /** How it ended. */
  end: End | null;
  /** The winner; none after a draw. */
  winner: VariantColour | null;
  /** The cells of every line of the winner. */
  winning_cells: Array<Cell>;
  /** The cells: bins from the left, in each the cells from the bottom up to the highest disc, with null for the gaps under discs that float. */
  board: Array<Array<VariantColour | null>>;
  /** The players in turn order. */
  players: Array<VariantPlayer>;
  /** Whether the first two players have exchanged their colours. */
  swapped: boolean;
  /** What the player to move can do. */
  targets: Targets;
  /** Why the player to move cannot do the rest. */
  obstacles: Obstacles;
  /** How the game stands, in words. */
  standing: string;
  /** The terms, in words. */
  terms_words: string;
  /** The moves, if they are known. */
  moves: Array<ViewedMove>;
  /** Why the moves are not known. */
  moves_missing: string | null;
  /** The moves as text. */
  notation: string;
};

/** What is known about terms for a stake. */
export type Warnings = {
  /** What a player should know, in words. */
  warnings: Array<string>;
};

/** Query of a live socket. */
export type Watched = {
  /** The game to watch, as a person may have typed it: `3`, or `v3` for one of a variant. None for the lobby. */
  game?: string;
  /** The contract by which the page plays, once it knows: a host that has changed over to others has another game of the same number. */
  contract?: Address;
};

/** Pays an account what it is owed. */
export type Withdraw = {
  /** Name or address of the account. */
  account: string;
  /** Numbers of games to settle before; those that are gone are skipped. */
  games: Array<number>;
};

/** What a position is worth to the player who has just moved. */
export type Worth = {
  "wins_in": number
} | "draw" | {
  "loses_in": number
} | {
  "chance": number
};
