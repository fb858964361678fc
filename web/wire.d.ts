// The wire format: the JSON values that the page gets or sends and names, made of their Rust types.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-wire --all-features --test page_types`
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

/** What an account has played. */
export type AccountProfile = {
  /** The account. */
  account: Person;
  /** Number of games that it has started, with those that go on. */
  games: number;
  /** Its results and ratings, by league. */
  standings: Array<Ranked>;
  /** Its results by kind, board and colour. */
  results: Array<ResultsOf>;
  /** Its rating after each of its last rated signed games, in their order, of the pool in which it has played most. */
  points: Array<RatingPoint>;
  /** Its games that go on. */
  open: Array<IndexedGame>;
  /** Its last games, those that go on among them, the newest first. */
  last: Array<IndexedGame>;
  /** The opponents that it has played most. */
  series: Array<SeriesAgainst>;
  /** How far the index is. */
  index: IndexLag;
};

/** What an account can do in a game other than a move. */
export type Act = "resign" | "free" | "join" | "leave" | "remove_late";

/** An address of 20 bytes: a contract's, or an account's as contracts see it. */
export type Address = string;

/** Amount in the token's smallest unit, as a decimal string: it may be beyond the numbers that JavaScript knows exactly. */
export type Amount = string;

/** A block by its number and its hash. */
export type AnsweredBlock = {
  /** Number of the block. */
  block: number;
  /** Hash of the block. */
  hash: Hash;
};

/** Asks what a contract has emitted in final blocks, 64 at most. */
export type AskEvents = {
  /** The contract. */
  contract: Contract;
  /** Number of the first block. */
  from: number;
};

/** What a signed game has besides. It started when its terms were made. */
export type BySignedTerms = {
  /** Number of the pool whose ratings it counts for; 0 for none in particular. */
  pool: number;
  /** Whether player two's first move could be a swap. */
  pie_rule: boolean;
  /** Whether a program plays, by seat, as each player says of itself. */
  programs: [boolean, boolean];
  /** Who has paid for the first record; null if that is not known. */
  recorded_by: Person | null;
  /** Key of the witness that has ended it; null if there is none. */
  witness: Address | null;
  /** Digest of the rules of its tournament; null if it belongs to none. */
  event: string | null;
  /** Number of the game before it in a series, as its terms say; null if there is none. */
  previous: string | null;
  /** Why it counts for nothing: `no witness`, `no clock`, `contradicted` as its witness has contradicted itself, or `other time` as its end is far from the block of its record; null if it counts. */
  uncounted: string | null;
};

/** A cell of a board. */
export type Cell = {
  /** The bin, from 0 at the left. */
  bin: number;
  /** The height in the bin, from 0 at the bottom. */
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

/** A clock as the players agree on it: a time bank for each of them, and an increment per move. */
export type Clock = {
  /** Time with which each player starts, in seconds. */
  bank: number;
  /** Time that a move adds to the bank of the player who made it, in seconds. */
  increment: number;
};

/** The player of a variant, by the colour of the discs. They move in this order. */
export type Colour = "red" | "blue" | "green" | "yellow";

/** A computer that plays. */
export type Computer = {
  /** How well it plays. */
  level: Level;
  /** Why it does not move. */
  error: string | null;
};

/** One of the contracts that wallets call. */
export type Contract = "games" | "variants" | "stakes";

/** Numbers of games by kinds. */
export type Counts = {
  /** Classic games. */
  classic: number;
  /** Games of variants, and tables. */
  variant: number;
};

/** A player who left a game that had started. */
export type Departure = {
  /** The player. */
  player: Colour;
  /** Whether the player was removed for being late. */
  late: boolean;
  /** After how many turns. */
  turns: number;
  /** The transaction. */
  transaction: Sent;
};

/** Deposit for storage in the token's smallest unit, as a decimal string: it is held, not spent. Negative if one was given back. */
export type Deposit = string;

/** A disc in its cell. */
export type Disc = {
  /** Whose it is. */
  colour: Colour;
  /** The bin, from 0 at the left. */
  bin: number;
  /** The height in the bin, from 0 at the bottom. */
  row: number;
};

/** How a game ended: on the board, or otherwise. */
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
  /** Number of the game; left out of an event that is about none. */
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
} | {
  "event": "ended";
  /** The winner; none after a draw. */
  winner: Colour | null;
  /** How it ended. */
  end: End;
  /** The cells of every line that the last disc completed; none if the game is not known. */
  winning_cells: Array<Cell> | null;
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
  terms: Terms;
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
  player: Colour | null;
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
  terms: Terms;
  /** Last second at which the first player may move, since 1970; none without a limit. */
  deadline: number | null;
} | {
  "event": "moved";
  /** Account that moved. */
  account: Address;
  /** The player; of a swap, the colour before it. */
  player: Colour | null;
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
  "kind": "take"
} & Cell | {
  "kind": "clear";
  /** The row. */
  row: number;
} | {
  "kind": "float"
} & Cell | {
  "kind": "swap"
}) | {
  "event": "variant_ended";
  /** Account of the winner; none after a draw, and if the game was abandoned. */
  account: Address | null;
  /** The winner. */
  winner: Colour | null;
  /** How it ended. */
  end: End;
  /** The cells of every line of the winner; none if the game is not known. */
  winning_cells: Array<Cell> | null;
} | {
  "event": "variant_freed";
  /** Account that got the deposit back. */
  payer: Address;
});

/** What a contract has emitted in final blocks. */
export type FinalEvents = {
  /** The encoding of the fields of each event in order, as `0x` and hexadecimal digits. */
  events: Array<string>;
  /** Number of the next block to ask from: the one after those that were looked at. */
  next: number;
};

/** An account that was found. */
export type FoundAccount = {
  /** The account. */
  account: Person;
  /** Number of games that it has started. */
  games: number;
};

/** Name of a game on the chain: its kind, and its number among the games of that kind, from 0. */
export type GameId = string;

/** A signed game that is played in a room of the host's relay. */
export type GameInRoom = {
  /** Its number: `0x` and 64 digits, by which its room is found. */
  game: string;
  /** The players; the first one makes the first move. */
  players: [Person, Person];
  /** Whether a program plays, by seat, as each player says of itself. */
  programs: [boolean, boolean];
  /** The board. */
  shape: Shape;
  /** Whether player two's first move can be a swap. */
  pie_rule: boolean;
  /** Number of the pool whose ratings it counts for; 0 for none in particular. */
  pool: number;
  /** Clock; null if it has none. */
  clock: Clock | null;
  /** Number of moves so far. */
  plies: number;
  /** Seat of the player to move, from 0; null if that is not known. */
  to_move: number | null;
  /** The board, as that of a game of the index; null if it is not known. */
  position: string | null;
  /** Cell of the last disc; null before the first one, and if it is not known. */
  last: Cell | null;
  /** Whether the players have exchanged their colours: then the first one has the blue discs. */
  swapped: boolean;
  /** When its room was opened, in seconds since 1970 by the relay's clock. */
  since: number;
};

/** Name of a game on the chain, or of a signed one. */
export type GameName = string;

/** Number of a game that was started, or of a table that was opened. */
export type GameNumber = {
  /** Number of the game. */
  game: GameId;
};

/** Games that go on. */
export type GamesNow = {
  /** The games, those with the newest moves first, with their boards. */
  games: Array<IndexedGame>;
  /** Signed games in the rooms of this host, then in those of the relay that it names, the newest first, without those among the others. What both players have signed was checked here. */
  in_rooms: Array<GameInRoom>;
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
  /** Version of this API, [`API`](crate::API). */
  api: number;
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
  /** Whether it is a public host, which signs for nobody; else a program with accounts of its own. */
  public: boolean;
  /** What signed games and wallets need; none while the chain does not answer. */
  signing: Signing | null;
  /** Key of the witness that the relay of this server is, which keeps order and time of signed games without a stake; null if it is none, or its chain has not answered yet. */
  witness: Address | null;
  /** Keys of all witnesses whose games count here: [`witness`](Self::witness), those of its relay before, and those that the operator has named. */
  witnesses: Array<Address>;
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
  terms: TermsBounds;
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
  /** Whether all is known. Before it is, there are some of the bins, and one that keeps the result of the position. */
  is_complete: boolean;
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
  /** Its number: `3`, `v3` for a variant, `0x` and 64 digits for a signed game. */
  game: string;
  /** Its kind: `classic`, `variant` or `signed`. */
  kind: string;
  /** The board. */
  shape: Shape;
  /** Terms of a variant in words; null for others. */
  variant: string | null;
  /** The players in turn order: red, blue, green, yellow. */
  players: Array<Person>;
  /** Clock; null if it has none. */
  clock: Clock | null;
  /** Time of its start in seconds since 1970; null if it is not known. */
  started: number | null;
  /** Time of the last move, or of the start, in seconds since 1970; null if it is not known. */
  moved: number | null;
  /** Number of moves on the chain. */
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
  /** What a signed game has besides; null for others. */
  signed: BySignedTerms | null;
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

/** A position that a line of moves leads to, on no chain. */
export type Line = {
  /** There is no game: always none. */
  game: null;
  /** The players in the order of play. */
  players: Array<Player>;
  /** Terms of the game. */
  terms: Terms;
  /** Number of turns that were taken. */
  turns: number;
  /** The player to move; none before the start and after the end. */
  to_move: Colour | null;
  /** Whether the game has ended. */
  over: boolean;
  /** How it ended. */
  end: End | null;
  /** The winner; none after a draw. */
  winner: Colour | null;
  /** The cells of every line of the winner; in a game without powers those that the last disc completed. */
  winning_cells: Array<Cell>;
  /** The cells: bins from the left, in each the cells from the bottom up to the highest disc, with null for the gaps under discs that float. */
  board: Array<Array<Colour | null>>;
  /** Whether the first two players have exchanged their colours. */
  swapped: boolean;
  /** What the player to move can do. */
  targets: Targets;
  /** Why the player to move cannot do the rest. */
  refusals: Refusals;
  /** How the game stands, in words. */
  standing: string;
  /** The moves, if they are known. */
  moves: Array<Move>;
  /** Why the moves are not known. */
  moves_missing: string | null;
  /** The moves as text, with bins from 1. */
  notation: string;
};

/** A game or a table in a list. */
export type ListedGame = {
  /** Number of the game. */
  game: GameName;
  /** How it stands, in words. */
  standing: string;
  /** Whether its storage was freed, or its table closed: then nothing else is told. */
  freed: boolean;
  /** Terms of the game; none if it was freed. */
  terms: Terms | null;
  /** Number of turns that were taken. */
  turns: number;
  /** The board while the game goes on, as that of a game of the index; none before the start and after the end. */
  position: string | null;
  /** The player to move; none before the start and after the end. */
  to_move: Colour | null;
  /** Whether the game has ended. */
  over: boolean;
  /** Whether the game has started. Before, it is a table that waits for players. */
  started: boolean;
  /** Whether only named accounts play, so that nobody else may join the table. */
  named: boolean;
  /** Account that has paid the deposit for the game's storage. */
  payer: Address | null;
  /** The players in the order of play. */
  players: Array<ListedPlayer>;
};

/** A player of a game in a list. */
export type ListedPlayer = {
  /** The colour that is played now. */
  colour: Colour;
  /** The account that plays here, or for which the place is kept; none if anyone may take it. */
  account: Address | null;
  /** Whether the account has joined. */
  joined: boolean;
};

/** What the lobby lists. */
export type Lists = {
  /** How many games of each kind were numbered. */
  counts: Counts;
  /** The newest games of each kind, without open tables: classic ones, then variants; of each kind the newest first. */
  games: Array<ListedGame>;
  /** The newest open tables, the newest first. */
  tables: Array<ListedGame>;
};

/** Message of a live socket. The page is told again whenever something has changed. */
export type Live = {
  "type": "chain"
} & Chain | {
  "type": "game"
} & View | {
  "type": "missing";
  /** Why. */
  error: string;
} | {
  "type": "games"
} & Lists;

/** Asks a contract in the newest block, and in the newest final one. */
export type Look = {
  /** The contract. */
  contract: Contract;
  /** Selector and arguments of each message, as `0x` and hexadecimal digits; [`Look::MOST`] at most. */
  data: Array<string>;
};

/** What a contract answers in the newest block, and in the newest final one. */
export type Looked = {
  /** The newest block. */
  newest: LookedAt;
  /** The newest final block, which is an ancestor of the newest one or that itself. */
  last_final: LookedAt;
};

/** What a contract answers in a block. */
export type LookedAt = {
  /** Number of the block. */
  block: number;
  /** Hash of the block. */
  hash: Hash;
  /** Time of the block, in seconds since 1970. */
  time: number;
  /** The answers in order, each as `0x` and hexadecimal digits. */
  data: Array<string>;
};

/** Makes a move of the player to move. */
export type MakeMove = {
  /** The move. */
  move: MoveAsked;
  /** Number of turns that the player saw; none if it does not matter. */
  turns?: number;
  /** The board that the player saw, as the page is told it; none if it does not matter. */
  board?: Array<Array<Colour | null>>;
};

/** A move of a game. */
export type Move = {
  /** Transaction of the move; none on no chain. */
  transaction: Sent | null;
  /** The player who moved; of a swap, the colour before it. */
  player: Colour;
  /** Discs that were taken out; left out if there were none. */
  removed?: Array<Disc>;
  /** Where discs lay that then came down by one row, from the bottom of each bin; left out if there were none. */
  fallen?: Array<Cell>;
  /** What each player has left of the powers after it, in the order of play; left out if the terms have no powers. */
  powers?: Array<Powers>;
} & ({
  "kind": "drop"
} & Cell | {
  "kind": "pop";
  /** The bin. */
  bin: number;
} | {
  "kind": "take"
} & Cell | {
  "kind": "clear";
  /** The row. */
  row: number;
} | {
  "kind": "float"
} & Cell | {
  "kind": "swap"
});

/** A move that is asked for. Bins count from 0 at the left, rows from 0 at the bottom. */
export type MoveAsked = {
  "kind": "drop";
  /** The bin. */
  bin: number;
} | {
  "kind": "pop";
  /** The bin. */
  bin: number;
} | {
  "kind": "take"
} & Cell | {
  "kind": "clear";
  /** The row. */
  row: number;
} | {
  "kind": "float"
} & Cell | {
  "kind": "swap"
};

/** A seat of a new game. */
export type NewSeat = {
  /** Name or address of the account. */
  account: string;
  /** How well the computer is to play that has the seat; none for a person. */
  level: Level | null;
};

/** An account that the keys of a browser open. */
export type OpenAccount = {
  /** The key that opens this account alone. */
  key: string;
  /** Whether it is one of Ethereum. The program plays with it, and signs nothing else for its page. */
  ethereum: boolean;
  /** Name of a development account; none for any other. */
  name: string | null;
  /** The account on the chain. */
  account: AccountId;
  /** Its address as contracts see it. */
  address: Address;
  /** Amount that it can spend; none if the chain did not tell. */
  balance: Amount | null;
};

/** Opens a table. */
export type OpenTable = {
  /** Terms of the game. */
  terms: Terms;
  /** Name or address of the account that opens it, and joins. */
  account: string;
  /** Names or addresses of the only accounts that may join, in turn order; empty if anyone may. */
  players: Array<string>;
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
  /** Whether the hash of the metadata is signed: 0, it is not; 1, it is. */
  mode: number;
  /** That hash; none if it is not signed. */
  metadataHash: string | null;
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

/** Has an account do something other than a move. */
export type Perform = {
  /** What it does. */
  act: Act;
  /** Name or address of the account. */
  account: string;
  /** If the account joins a table, the computer that is to play for it; none for a person. */
  level?: Level | null;
};

/** An account that plays. */
export type Person = {
  /** Its address as contracts see it. */
  address: Address;
  /** Name of a development account; none for any other. */
  name: string | null;
};

/** A player of a game, or a place at its table. In a line of moves on no chain nobody plays. */
export type Player = {
  /** The colour that is played now. */
  colour: Colour;
  /** The account that plays here, or for which the place is kept; none if anyone may take it. */
  account: Address | null;
  /** Name of the account, if it is a development account. */
  name: string | null;
  /** Whether the account has joined. */
  joined: boolean;
  /** Whether the player has left the game, or was removed for being late. */
  out: boolean;
  /** How often the player may still use each power. */
  powers: Powers;
  /** Seconds that the player had left when this was written; none without a limit or a clock, for a player of a variant who is not to move, before the start and after the end. */
  left: number | null;
  /** The computer that plays here; none if a person does, or if that is not known. */
  computer: Computer | null;
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

/** Results and rating of an account. */
export type Ranked = {
  /** The games that are counted: `two` for variants of two players, `more` for those of three or four; `witnessed` for signed games that a witness has ended, `witnessed-7` for those of pool 7. */
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
  /** Whether the account has said in the signed terms of any of these games that it is a program. */
  program: boolean;
};

/** A rating after a game. */
export type RatingPoint = {
  /** Number of the game: `0x` and 64 digits. */
  game: string;
  /** Time at which it ended in seconds since 1970; null if it is not known. */
  time: number | null;
  /** The rating, rounded. */
  rating: number;
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

/** Why a kind of move has no target, in words. Other kinds than drops are left out if they have one, and if the terms have no such moves. */
export type Refusals = {
  /** For each bin, why no disc can be dropped there; none if one can be. */
  drop: Array<string | null>;
  /** Why no bin can be popped. */
  pop?: string;
  /** Why no disc can be taken. */
  take?: string;
  /** Why no row can be cleared. */
  clear?: string;
  /** Why no disc can float. */
  float?: string;
  /** Why colours cannot be exchanged. */
  swap?: string;
};

/** Results in games of a kind, on a board, with a colour. */
export type ResultsOf = {
  /** The kind: `classic`, `variant` or `signed`. */
  kind: string;
  /** The board. */
  shape: Shape;
  /** Seat, from 0: red, blue, green, yellow. */
  seat: number;
  /** The results. */
  results: Tally;
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
  /** What the move cost of the player's time, in milliseconds; none if that is not known. */
  spent: number | null;
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

/** Has a computer play a seat, or a person again. */
export type SeatComputer = {
  /** The seat. */
  seat: Colour;
  /** How well the computer is to play; none for a person. */
  level: Level | null;
};

/** A transaction as a list of moves shows it. */
export type Sent = {
  /** Number of its block. */
  block: number;
  /** Its own hash. */
  hash: Hash;
  /** Fee that was paid. */
  fee: Amount;
};

/** Results against an opponent in games of two. */
export type SeriesAgainst = {
  /** The opponent. */
  opponent: Person;
  /** The results. */
  results: Tally;
};

/** A shape that was asked for and is not checked yet. */
export type Shape = {
  /** How many bins. */
  bins: number;
  /** How many discs a bin holds. */
  capacity: number;
  /** How many in a row win. */
  line: number;
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

/** What a page has to know of the chain to sign games there, and to have a wallet sign for it. */
export type Signing = {
  /** Hash of the chain's first block, which tells chains apart. */
  genesis: Hash;
  /** Number of the chain by EIP-155; none if it takes no transactions of Ethereum. */
  chain_id: number | null;
  /** URL of a node that a wallet of Ethereum can use, if the operator named one. */
  wallet_rpc: string | null;
  /** URL of the relay of signed games, as `wss://games.example`; none: this host. */
  relay: string | null;
  /** Contract of the games. */
  games: Address | null;
  /** Contract of the variants; none if it is not there. */
  variants: Address | null;
  /** Contract of the stakes of signed games; none if it is not there. */
  stakes: Address | null;
  /** Account that has deployed the contracts, from which their addresses follow; none if the host was given their address alone. */
  deployer: Address | null;
  /** How many units of contracts, and of wallets of Ethereum, the token's smallest unit is. */
  ratio: Amount;
  /** Whether a deposit comes back whole to who signs the call that removes its storage. Else nobody gets back more than they have paid for that contract. */
  returns_deposits: boolean;
};

/** A page of the standings. */
export type StandingsPage = {
  /** Pools in which there are signed games of the witnesses whose games are rated. */
  witnessed: Array<number>;
  /** Keys of these witnesses. */
  witnesses: Array<Address>;
  /** Number of accounts. */
  accounts: number;
  /** Number of accounts before the page. */
  before: number;
  /** The accounts, the highest rating first. */
  rows: Array<Ranked>;
  /** How far the index is. */
  index: IndexLag;
};

/** Starts a game. For a variant with a limit a table for these accounts is opened, at which those join that the server signs for: it starts when all have joined. */
export type StartGame = {
  /** Kind of the game. */
  kind: StartKind;
  /** Terms of the game. */
  terms: Terms;
  /** The players, in the order of play. */
  seats: Array<NewSeat>;
};

/** Kinds of games. */
export type StartKind = "classic" | "variant";

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

/** Terms of a game. A classic game has the terms of [`Variant::classic`]. */
export type Terms = {
  /** Seconds for each move; none if there is no limit. Games with a clock have none. */
  limit: number | null;
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
};

/** Bounds of the terms of variants. Shapes have bounds of their own. */
export type TermsBounds = {
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

/** A game or a table as the page shows it. */
export type View = {
  /** The players who have left a variant, in that order, if the moves are known. */
  departures: Array<Departure>;
  /** Whether the storage of the game was freed, so that it is known from its events alone. */
  freed: boolean;
  /** The block of the last move, for those who answer it; none if that is on no chain or not known. */
  last_block: AnsweredBlock | null;
  /** Number of the game. */
  game: GameName;
  /** The contract through which it is played. */
  contract: Address;
  /** The players in the order of play: red, blue, green, yellow. After a swap the account that was red is listed as blue. */
  players: Array<Player>;
  /** Whether the game has started. Before, it is a table that waits for players. */
  started: boolean;
  /** Whether only named accounts play, so that nobody else may join the table. */
  named: boolean;
  /** Account that has paid the deposit for the game's storage, and gets it back. None if the game is known from its events alone. */
  payer: Address | null;
  /** Last second at which the player to move may move, since 1970; none without a limit or a clock that runs on the chain, before the start and after the end. */
  deadline: number | null;
  /** Terms of the game. */
  terms: Terms;
  /** Number of turns that were taken. */
  turns: number;
  /** The player to move; none before the start and after the end. */
  to_move: Colour | null;
  /** Whether the game has ended. */
  over: boolean;
  /** How it ended. */
  end: End | null;
  /** The winner; none after a draw. */
  winner: Colour | null;
  /** The cells of every line of the winner; in a game without powers those that the last disc completed. */
  winning_cells: Array<Cell>;
  /** The cells: bins from the left, in each the cells from the bottom up to the highest disc, with null for the gaps under discs that float. */
  board: Array<Array<Colour | null>>;
  /** Whether the first two players have exchanged their colours. */
  swapped: boolean;
  /** What the player to move can do. */
  targets: Targets;
  /** Why the player to move cannot do the rest. */
  refusals: Refusals;
  /** How the game stands, in words. */
  standing: string;
  /** The moves, if they are known. */
  moves: Array<Move>;
  /** Why the moves are not known. */
  moves_missing: string | null;
  /** The moves as text, with bins from 1. */
  notation: string;
};

/** What a position is worth to the player who has just moved. */
export type Worth = {
  "wins_in": number
} | "draw" | {
  "loses_in": number
} | {
  "chance": number
};
