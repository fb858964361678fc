// What the page asks its module of WebAssembly, and what that answers, made of its Rust types.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser declarations`
// writes it again.

import type {
  Address,
  Cell,
  Clock,
  Colour,
  End,
  GameName,
  Hint,
  Level,
  Line,
  Move,
  MoveAsked,
  Powers,
  Refusals,
  Reviewed,
  Shape,
  Targets,
  Terms,
} from './wire.d.ts';

export type AcceptedInLobby = {
  offer: number;
  letter: Hex;
};

/** An account, as contracts know it. */
export type AccountOf = {
  /** Its address. */
  address: Address;
  /** The account of 32 bytes; that of an address ends with twelve bytes `ee`. */
  account: Hex;
  /** Whether the account stands for the address of an Ethereum key. Any other has to be mapped. */
  is_ethereum: boolean;
  /** Number of the network in SS58; none if the account was given otherwise. */
  network: number | null;
};

/** Terms that both agree to, or that one has agreed to. */
export type AgreedTerms = {
  players: Sides<TermsPlayer>;
  rules: TermsRules;
  witness: Address | null;
  /** Number of the game before in a series; none if there is none. */
  previous: string | null;
  /** When they were made, in seconds since 1970. */
  time: number;
};

/** Amount in the token's smallest unit, as a decimal string: it may be beyond the numbers that JavaScript knows exactly. */
export type Amount = string;

/** An answer to a taker. */
export type AnswerTo = {
  /** What the own offer is called. */
  offer: number;
  /** What its taking is called. */
  take: number;
  /** The message, as a player sends it; empty of one that declines. */
  letter: Hex;
  /** Whether the offer stays on the list for others, who may pay the stake before this taker; not looked at of one that declines. */
  stays: boolean;
};

/** What is answered, by the name of the request. */
export type Answers = {
  call: Called;
  read: Called;
  decode: Decoded;
  account: AccountOf;
  session: SessionOf;
  session_to_sign: SessionToSign;
  signed_session: Hex;
  qr: QrDrawing;
  position: Played;
  substrate_call: SubstrateCall;
  extrinsic: ExtrinsicHash;
  deployed: Deployed;
};

/** Of whom something is awaited. */
export type AwaitedOf = "you" | "program" | "opponent" | "chain" | "witness";

/** What is awaited. */
export type AwaitedWhat = "taker" | "agreement" | "receipt" | "end" | "payment" | "refund" | "begin" | "move" | "contest" | "bring" | "claim";

/** What a block shows. */
export type BlockSeen = {
  /** In seconds since 1970. */
  time: number;
  /** Whether the block can't be replaced any more. */
  is_final: boolean;
  /** Number of the game that was read. */
  number: string;
  /** Answer of the contract to what is read of the game; none if a node says only that the contract refuses, which it does of a game that it does not have. */
  game: Hex | null;
  /** Answer of the contract to what is read of the account. */
  owed: Hex;
};

/** A message by which a player calls a contract: an object with one field, whose name is that of the message. */
export type Call = {
  "start_game": NewGame
} | {
  "drop_disc": GameAndBin
} | {
  "resign": OfGame
} | {
  "free": OfGame
} | {
  "open_table": NewTable
} | {
  "join": OfVariant
} | {
  "leave": OfVariant
} | {
  "make_move": VariantAndMove
} | {
  "remove_late": OfVariant
} | {
  "free_variant": OfVariant
};

/** Bytes for a contract. */
export type Called = {
  /** Which of the contracts: `games`, `variants` or `stakes`. */
  contract: string;
  /** Name of the message there. */
  message: string;
  /** Input of the call: the selector of the message, and its arguments. */
  input: Hex;
};

/** A game or a table, as a contract has it. */
export type ChainGame = {
  /** The players, in the order of play. */
  players: Array<Seat>;
  /** Whether only named accounts play, so that nobody else may join the table. */
  named: boolean;
  /** Account that has paid the deposit for the game's storage, and gets it back. */
  payer: Address;
  /** Last second at which the player to move may move, since 1970; none without a limit, before the start and after the end. */
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
};

/** Number of a game between two accounts: `3`. */
export type ClassicNumber = string;

/** Who has which colour. Red moves first. */
export type Colours = "red" | "blue" | "taker" | "coin";

/** What a taker agrees to by its payment. */
export type CompletedOffer = {
  /** The message to the player who offers. */
  letter: Hex;
  /** Number of the game. */
  number: string;
  /** Which player the taker is. */
  side: Colour;
  terms: AgreedTerms;
};

/** What the computer answers, by the name of the request. */
export type ComputerAnswers = {
  line: Line;
  line_of: Line;
  choose: MoveAsked | null;
  book: null;
  hint: Hint;
  review: Reviewed;
};

/** What a page asks of the computer, by the name of the request. */
export type ComputerRequests = {
  line: LineAndMove;
  line_of: LineQuery;
  choose: MoveOfComputer;
  book: Hex;
  hint: Drops;
  review: Drops;
};

/** An answer to a read, and to which. */
export type Decode = {
  /** What was read. */
  read: Read;
  /** Output of the contract. */
  output: Hex;
};

/** Answer of a contract to a read. */
export type Decoded = {
  "game": ChainGame
} | {
  "domain": SignedPlace
};

/** Addresses of the contracts. */
export type Deployed = {
  /** Contract of the games. */
  games: Address;
  /** Contract of the variants. */
  variants: Address;
  /** Contract of the stakes, whose games are signed for this chain and no other one. */
  stakes: Address;
};

/** Who has deployed the contracts that wallets call, and what. */
export type Deployment = {
  /** Address of the account. */
  deployer: Address;
  /** Keccak-256 hash of the code of the games and the input of their constructor. */
  games: Hex;
  /** The same of the variants. */
  variants: Hex;
  /** The same of the stakes, begun: the state of Keccak-256 after the last whole block of their code and the selector of their constructor, 200 bytes, then the bytes after that block. The chain's first block follows. */
  stakes: Hex;
  /** Hash of the chain's first block. */
  genesis: Hex;
};

/** A disc in its cell. */
export type Disc = {
  /** Whose it is. */
  colour: Colour;
  /** The bin, from 0 at the left. */
  bin: number;
  /** The height in the bin, from 0 at the bottom. */
  row: number;
};

/** Moves of a classic game. */
export type Drops = {
  /** Shape of the board. */
  shape: Shape;
  /** The moves as text. */
  moves: string;
};

/** A game that two guests had begun when pages of version 0.2 were closed, as such a page has kept it. */
export type EarlierGame = {
  /** Its number. */
  game: GameName;
  /** EIP-155 number of the chain for which it was signed. */
  chain_id: number;
  /** The contract for which it was signed. */
  contract: Address;
  /** The terms, with what was signed of them. */
  terms: Hex;
  /** What was kept of the moves. */
  book: Hex;
};

/** A signed transaction, of which the host has told the bytes around the signature. */
export type Extrinsic = {
  /** The bytes before the signature. */
  head: Hex;
  /** The signature, with the byte of its kind. */
  signature: Hex;
  /** The bytes behind it. */
  tail: Hex;
};

/** By what a chain knows a transaction. */
export type ExtrinsicHash = {
  /** BLAKE2b-256 of all of its bytes, the length included. */
  hash: Hex;
};

/** Why a request is not answered. */
export type Failure = {
  /** Name of the reason, for programs: that of an error of the contracts, such as `NotYourTurn`, or * - `BadRequest`: the request is not one of those that there are, or its values are out of bounds, - `BadAnswer`: these bytes are no answer to the message, - `BadPhrase`: these words are not the phrase of an account, - `OtherForm`: what is signed with a call is not in the order of all chains, or the call is one of another pallet, - `OtherTerms`, `NotSigned` and the like: what the player of a signed game says, - `AlreadyOpen`, `NotOpen`: the module plays a game, or none, - `DamagedRecord`: the record is not as it was written, so that nobody knows what was signed, - `NoBook`: the position is one of the book of the opening, which the page has not handed in, - `NotKept`: the page could not write the record, - `Unwritten`: the page has not said yet what has become of the record that it was to write. */
  name: string;
  /** The reason, for people. */
  text: string;
};

/** A game, and a bin from 0 at the left. */
export type GameAndBin = {
  game: ClassicNumber;
  bin: number;
};

/** A game as a page shows it. */
export type GameShown = {
  /** Its number on the chain; none if no chain has it. */
  game: GameName | null;
  /** The contract that has it. */
  contract: Address | null;
  /** Accounts of the players by seats; empty if they are not known. */
  players: Array<Address>;
  /** Terms. */
  terms: Terms;
  /** The moves as text. */
  moves: string;
  /** Seats that were left, each after so many moves. */
  left: Array<[number, number]>;
  /** How it ended; none if it goes on. */
  end: End | null;
  /** The seat of the winner. */
  winner: number | null;
};

/** The account of a guest. */
export type GuestAccount = {
  /** The words of its phrase, with a space between two. */
  phrase: string;
  /** The path of BIP-32 at which wallets derive its key from the phrase. */
  path: string;
  /** Secret of the key, of 32 bytes. */
  secret: Hex;
  /** Its address. */
  address: Address;
};

/** What a guest's account is made of. */
export type GuestSource = {
  "random": Hex
} | {
  "words": string
};

/** Hash of a block or a transaction: `0x` and 64 hexadecimal digits. */
export type Hash = string;

/** What the lobby says. */
export type HeardInLobby = {
  "welcome": LobbyWelcome
} | {
  "listed": ListedOffer
} | {
  "gone": number
} | {
  "taken": TakenInLobby
} | {
  "refused": Refusal
} | {
  "accepted": AcceptedInLobby
} | {
  "not_paired": NotPairedInLobby
} | "cleared" | "complete" | {
  "counts": LobbyCounts
};

/** Bytes: `0x` and two hexadecimal digits for each. */
export type Hex = string;

/** A letter to the player who offers. */
export type LetterTo = {
  /** What the offer is called. */
  offer: number;
  /** The message, as a player sends it. */
  letter: Hex;
};

/** A line, and one more move. */
export type LineAndMove = {
  /** The move after them; none if it is left out. */
  then?: MoveAsked;
  /** Terms of the game. */
  terms: Terms;
  /** The moves as text. */
  moves: string;
};

/** What the address of a line has. */
export type LineQuery = {
  /** Names and values of its query, in order. */
  query: Array<[string, string]>;
};

/** An offer that is listed. */
export type ListedOffer = {
  /** What it is called. */
  id: number;
  /** Whether it is seen by an invite alone. */
  invited: boolean;
  /** The offer as text, and what it says; none if it is junk, or no game of the pool that it names. */
  offer: string | null;
  game: OfferedGame | null;
};

/** How many wait and play at a relay, by its own word. */
export type LobbyCounts = {
  waiting: number;
  playing: number;
};

export type LobbyWelcome = {
  /** The relay's time, in milliseconds since 1970. */
  time: number;
  /** The witness that the relay is; none if it is none. */
  witness: LobbyWitness | null;
};

export type LobbyWitness = {
  key: Address;
  /** Where its games are signed. */
  place: SignedPlace;
};

/** A position in which a computer is to move. */
export type MoveOfComputer = {
  /** How well it plays. */
  level: Level;
  /** Number from which its choices follow. */
  seed: number;
  /** Terms of the game. */
  terms: Terms;
  /** The moves as text. */
  moves: string;
};

/** Who has signed, and what. */
export type NamedBy = {
  "secret": Hex
} | {
  "ethereum": Hex
} | {
  "sr25519": [string, Hex]
};

/** A session key that an account names, for signed games of a chain without a stake. */
export type NamedKey = {
  /** The account. */
  account: Address;
  /** Address of the session key. */
  key: Address;
  /** Last second of the time of terms for which it is, since 1970. */
  until: number;
  /** Where the games are signed. */
  place: SignedPlace;
};

/** Two accounts, and the board on which they play. */
export type NewGame = {
  player_one: Address;
  player_two: Address;
  shape: Shape;
};

/** A table for anyone, or for these players in the order of play. */
export type NewTable = {
  players: Array<Address>;
  variant: VariantSpec;
  limit: number | null;
};

export type NotPairedInLobby = {
  offer: number;
  why: WhyNoGame;
};

/** No arguments. */
export type Nothing = Record<symbol, never>;

/** Number of a game. */
export type OfGame = {
  game: ClassicNumber;
};

/** Number of a variant, or its table. */
export type OfVariant = {
  game: VariantNumber;
};

/** What the lobby says of an offer for a stake that a player has taken. */
export type OfferAccepted = {
  /** Secret of the key that signs, 32 bytes. */
  secret: Hex;
  taken: TakenOffer;
  /** The letter with which it was accepted. */
  letter: Hex;
};

/** An offer for the lobby. */
export type OfferInLobby = {
  /** The offer, as text. */
  offer: string;
  /** The 16 bytes by which alone it is seen; none if everybody sees it. */
  invite: Hex | null;
};

/** An offer of a game for a stake that a player is about to take. */
export type OfferToComplete = {
  /** Secret of the key that signs, 32 bytes. */
  secret: Hex;
  taken: TakenOffer;
};

/** A game that a player wants to offer. */
export type OfferToMake = {
  place: SignedPlace;
  /** Secret of the key that signs, 32 bytes. */
  secret: Hex;
  /** The account; none of a guest. */
  account: Address | null;
  /** What the account has signed about the key; none of a guest, and of a game with a stake. */
  session: Hex | null;
  /** Whether a program plays. */
  program: boolean;
  shape: Shape;
  rules: TermsRules;
  /** Key of the relay that keeps order and time; none of a game with a stake. */
  witness: Address | null;
  /** What each player pays. */
  stake: Units;
  /** Digest of a tournament's rules; none if there is none. */
  event: Hex | null;
  colours: Colours;
  /** The account that alone can take it; none if anybody can. */
  taker: Address | null;
  /** Address of the relay; none if moves are made on the chain. */
  relay: string | null;
  /** Last second at which the offer is taken, since 1970. */
  until: number;
  /** A random number. */
  nonce: number;
};

/** An offer, for somebody who may take it. */
export type OfferedGame = {
  place: SignedPlace;
  /** The player who offers. */
  by: TermsPlayer;
  shape: Shape;
  rules: TermsRules;
  witness: Address | null;
  stake: Units;
  event: Hex | null;
  /** Number of the game before in a series; none if there is none. */
  previous: string | null;
  colours: Colours;
  /** The account that alone can take it; none if anybody can. */
  taker: Address | null;
  relay: string | null;
  /** Last second at which it is taken, since 1970. */
  until: number;
  /** The 16 bytes by which alone it is seen in a lobby, if only who has its link is to see it there. */
  invite: Hex;
};

/** How a game is begun or resumed. */
export type OpenedGame = {
  "offer": string
} | {
  "take": TakenOffer
} | {
  "record": Hex
};

/** A game that is begun or resumed. */
export type Opening = {
  place: SignedPlace;
  /** Secret of the player's key, 32 bytes, which is on the disk. */
  secret: Hex;
  /** The machine's clock, in seconds since 1970. */
  now: number;
  game: OpenedGame;
};

/** What the disk has, after a record could not be written. */
export type PageDisk = {
  "has": Hex
} | "empty" | "unknown" | {
  "other": string[]
};

/** A position. */
export type Played = {
  /** What the player to move can do. */
  targets: Targets;
  /** Why the player to move cannot do the rest. */
  refusals: Refusals;
  /** The moves, with what they did. */
  moves: Array<Move>;
  /** The players in the order of play. */
  players: Array<PlayerLeft>;
  /** The moves as text. */
  notation: string;
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
};

/** A game that has begun. */
export type PlayedBoard = {
  position: Position;
  /** Bins into which a disc can be dropped, from 0 at the left; none after the end. */
  bins: Array<number>;
  /** Whether the player to move can take the first disc over. */
  may_swap: boolean;
  /** The moves as text; none if the position is that of the chain alone, which does not have them. */
  notation: string | null;
  /** The moves; empty if they are not known. */
  moves: Array<SignedMove>;
  /** What each move cost of its player's time, in milliseconds, as far as this page has seen the receipts. */
  spent: Array<number | null>;
  /** The players, the one with the red discs first. */
  seats: Array<PlayedSeat>;
  /** The discs of the player who looks; none of a watcher. */
  you: Colour | null;
  /** The discs of the player whose offer of a draw stands. */
  draw_offer: Colour | null;
};

/** Moves on an empty board. */
export type PlayedMoves = {
  /** Terms of the game. */
  terms: Terms;
  /** The moves in order. */
  moves: Array<MoveAsked>;
  /** The players who have left between them, in order. */
  departures?: Array<PlayerGone>;
  /** Why nobody is to move, whatever the board is; none if somebody may be. */
  halted?: string;
};

/** A player at a board. */
export type PlayedSeat = {
  /** The colour of the discs, which a swap has changed. */
  colour: Colour;
  player: TermsPlayer;
  /** What was left to the player when the witness took the last move, in milliseconds; none without a witness. */
  left: number | null;
};

/** What is answered, by the name of the request. */
export type PlayerAnswers = {
  offer: string;
  read_offer: OfferedGame;
  complete: CompletedOffer;
  is_accepted: boolean;
  open: PlayerStepped;
  step: PlayerStepped;
  kept: PlayerStepped;
  failed: PlayerStepped;
  rematch: string;
  is_rematch: boolean;
  suits: boolean;
  watch: string;
  seen: RoomSeen;
  guest: GuestAccount;
  say_in_lobby: Hex;
  hear_lobby: HeardInLobby | null;
};

/** What is awaited, and until when. */
export type PlayerAwaited = {
  of: AwaitedOf;
  what: AwaitedWhat;
  /** Last second, since 1970, by the time of the chain or of the witness; none if no time runs. */
  until: number | null;
};

/** A call of the contract of the stakes. */
export type PlayerCall = {
  /** What is paid with the call, in the unit that contracts see. */
  payment: Units;
  /** Which of the contracts: `games`, `variants` or `stakes`. */
  contract: string;
  /** Name of the message there. */
  message: string;
  /** Input of the call: the selector of the message, and its arguments. */
  input: Hex;
};

/** What the person wants. */
export type PlayerCommand = {
  "move": number
} | "swap" | {
  "move_on_chain": number
} | "swap_on_chain" | "press" | "resign" | "offer_draw" | "accept_draw" | "decline_draw" | "settle" | "refund" | "withdraw" | "free";

/** A player who has left. */
export type PlayerGone = {
  /** The player. */
  player: Colour;
  /** After how many turns. */
  turns: number;
};

/** What a player is told. */
export type PlayerInput = {
  "message": Hex
} | {
  "room": RoomFrame
} | "closed" | "connected" | {
  "block": BlockSeen
} | {
  "event": Hex
} | {
  "time": number
} | {
  "command": PlayerCommand
};

/** What a player has left. */
export type PlayerLeft = {
  /** How often the player may still use each power. */
  powers: Powers;
  /** Whether the player has left the game. */
  out: boolean;
};

/** What the page does for a player, in this order. */
export type PlayerOutput = {
  "send": Hex
} | {
  "call": PlayerCall
} | {
  "enter": string
} | {
  "say": Hex
} | "leave";

/** What is read from the contract of the stakes in each block. */
export type PlayerReads = {
  /** Number of the game that is read. */
  number: string;
  game: Called;
  owed: Called;
};

/** What a page asks of a player, by the name of the request. */
export type PlayerRequests = {
  offer: OfferToMake;
  read_offer: string;
  complete: OfferToComplete;
  is_accepted: OfferAccepted;
  open: Opening;
  step: PlayerInput;
  kept: null;
  failed: PageDisk;
  rematch: RematchAsked;
  is_rematch: string;
  suits: SuitsAsked;
  watch: ToWatch;
  seen: Hex;
  guest: GuestSource;
  say_in_lobby: SaidInLobby;
  hear_lobby: Hex;
};

/** A signed game as it stands for a player. Players are named by their seats: player one is red, also after a swap, when the board shows its discs in blue. */
export type PlayerShown = {
  stage: PlayerStage;
  /** What is awaited of whom; none if nothing is. */
  awaited: PlayerAwaited | null;
  /** Number of the game; none while nobody has taken the offer. */
  number: string | null;
  /** Which player this is; none while nobody has taken the offer. */
  side: Colour | null;
  /** The terms; none while nobody has taken the offer. */
  terms: AgreedTerms | null;
  /** The game, on the chain or off it; none before it has begun. With a stake what is signed, from the terms on. */
  game: PlayedBoard | null;
  /** What each player pays. */
  stake: Units;
  /** How much of that comes from what the account is owed. */
  from_owed: Units;
  /** What the account is owed. */
  owed: Units;
  /** Whether the opponent offers a draw that can be accepted. */
  is_draw_offered: boolean;
  /** Whether moves are made on the chain, and not by signatures. */
  is_on_chain: boolean;
  /** What was left to each player when the witness took the last move, in milliseconds; none without a witness. */
  left: Sides<number> | null;
  /** Whether the witness has contradicted itself, so that the game counts nowhere. */
  is_contradicted: boolean;
  /** Why the room takes nothing; none if it does. */
  refusal: Refusal | null;
};

/** How far the game has come. */
export type PlayerStage = "offered" | "funding" | "agreeing" | "refunded" | "playing" | "ending" | "over" | "no_game" | "no_result";

/** What has come of a step. If something has to be kept, that is all, and the rest is answered once it is. */
export type PlayerStepped = {
  /** The name under which the record of the game is kept. */
  name: Hex;
  /** The offer, as text. */
  offer: string;
  /** The record that has to be on the disk first; none if it is as before. */
  keep: ToKeep | null;
  /** What is done then. */
  outputs: Array<PlayerOutput>;
  /** Why the player did not take what it was told; none if it did. */
  refused: Failure | null;
  /** Who is in the room, if the frame has said that. */
  present: Present | null;
  /** Time of the witness, if the frame has said that, in milliseconds since 1970. */
  time: number | null;
  /** By how many milliseconds the witness has taken more off the player's clock for the newest move than the player has used, if that is more than lines vary; none of an opponent's move. */
  taken: number | null;
  /** What is read in each block; none of a game without a stake, and while nobody has taken the offer. */
  reads: PlayerReads | null;
  /** Path of the room of a game with a stake, in which the opponent is met from now on; none without a stake, and before a final block has the game. */
  room: string | null;
  /** What is shown; none while something has to be kept, unless the step is one that was heard. */
  shown: PlayerShown | null;
};

/** A position, and the result if the game is over. */
export type Position = {
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
};

/** A call that a host has prepared for a wallet, by its parts. */
export type PreparedCall = {
  /** Hash of the chain's first block. */
  genesis: Hex;
  /** The call. */
  method: Hex;
  /** Names of the extensions of transactions, in order. */
  extensions: Array<string>;
  /** Whether the hash of the chain's metadata is signed. */
  metadata_hash: boolean;
};

/** Who is in a room, as the relay says. */
export type Present = {
  /** Whether each player is connected. */
  players: Sides<boolean>;
  /** How many are connected besides the players. */
  watchers: number;
};

/** A QR code as a drawing. */
export type QrDrawing = {
  /** Width and height in modules, without a margin. */
  size: number;
  /** The dark modules as a path of SVG, each one unit wide. */
  path: string;
};

/** What is read from a contract: an object with one field, whose name is that of the message. */
export type Read = {
  "read_game": OfGame
} | {
  "read_variant": OfVariant
} | {
  "read_domain": Nothing
};

/** What is answered, by the name of the request. */
export type RecordAnswers = {
  read: WrittenGames;
  shown: string;
  earlier: string;
};

/** What a page asks of records, by the name of the request. */
export type RecordRequests = {
  read: string;
  shown: GameShown;
  earlier: EarlierGame;
};

/** A refusal of the relay. */
export type Refusal = {
  /** What it says, in words that follow the relay's name. */
  text: string;
  /** Whether it closes the connection, or should be left. */
  closes: boolean;
};

/** The next game. */
export type RematchAsked = {
  /** Last second at which it is taken, since 1970. */
  until: number;
  /** A random number. */
  nonce: number;
};

/** What is asked, by the name of the request. */
export type Requests = {
  /** The bytes by which a player calls a contract. */
  call: Call;
  /** The bytes by which anybody reads from a contract. */
  read: Read;
  /** Answer of a contract to a read. */
  decode: Decode;
  /** The address by which contracts know an account: given as SS58, as 32 bytes, or as the address. */
  account: string;
  /** The address of the session key with this secret of 32 bytes. */
  session: Hex;
  /** What a wallet signs to name a session key. */
  session_to_sign: NamedKey;
  /** The SCALE encoding of what an account has signed about a session key. */
  signed_session: SignedKey;
  /** A text as a QR code. */
  qr: string;
  /** The position after moves on an empty board. */
  position: PlayedMoves;
  /** What a prepared call of a Substrate chain does. */
  substrate_call: PreparedCall;
  /** The hash of a signed transaction of a Substrate chain. */
  extrinsic: Extrinsic;
  /** Where the contracts are that an account has deployed. */
  deployed: Deployment;
};

/** A frame from the room. */
export type RoomFrame = {
  frame: Hex;
  /** When it came, in milliseconds of a clock of the page that runs evenly. */
  at: number;
  /** When something was said in the room last, by the same clock; none if nothing was. */
  said: number | null;
  /** For how many milliseconds at a time the page was held up at most since the frame before. */
  held_up: number;
};

/** What a watcher sees after a frame of the room. */
export type RoomSeen = {
  /** The game; none before the room has told it. */
  game: WatchedGame | null;
  /** Who is in the room, if the frame has said that. */
  present: Present | null;
  /** Time of the witness, if the frame has said that, in milliseconds since 1970. */
  time: number | null;
  /** Why the room tells nothing, if the frame has said that. */
  refusal: Refusal | null;
  /** Why the frame is not believed; none if it is. */
  wrong: string | null;
};

/** What is said in the lobby. */
export type SaidInLobby = {
  "offer": OfferInLobby
} | "withdraw" | {
  "look": Hex
} | {
  "take": LetterTo
} | {
  "accept": AnswerTo
} | {
  "decline": AnswerTo
} | "list";

/** A player of a game, or a place at its table. */
export type Seat = {
  /** The colour that is played now. */
  colour: Colour;
  /** The account that plays here, or for which the place is kept; none if anyone may take it. */
  account: Address | null;
  /** Whether the account has joined. */
  joined: boolean;
  /** Whether the player has left the game, or was removed for being late. */
  out: boolean;
  /** How often the player may still use each power. */
  powers: Powers;
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

/** A session key. */
export type SessionOf = {
  /** Its address. */
  address: Address;
};

/** What a wallet signs about a session key. */
export type SessionToSign = {
  /** Typed data of EIP-712, as wallets of Ethereum take it: JSON. */
  typed: string;
  /** The digest, which wallets of Substrate wrap and sign as bytes. */
  digest: Hex;
};

/** A value for each of the two players. */
export type Sides<T> = {
  /** Value of player one. */
  red: T;
  /** Value of player two. */
  blue: T;
};

/** A session key, and what was signed about it. */
export type SignedKey = {
  /** The key. */
  named: NamedKey;
  /** What was signed. */
  by: NamedBy;
};

/** A move of a signed game, in the colours of the board. */
export type SignedMove = {
  "kind": "drop";
  player: Colour;
  bin: number;
  row: number;
} | {
  "kind": "swap";
  player: Colour;
};

/** Where a game is signed. */
export type SignedPlace = {
  /** EIP-155 number of the chain. */
  chain_id: number;
  /** Hash of its first block. */
  genesis: Hex;
  /** The contract of the stakes; none of a game without a stake. */
  stakes: Address | null;
};

/** A call of pallet-revive. The number of the pallet differs between chains. */
export type SubstrateCall = {
  "contract": {
    /** Number of the pallet. */
    pallet: number;
    /** The contract. */
    contract: Address;
    /** Amount that is paid, in the token's smallest unit. */
    value: Units;
    /** Whether it may take no more time and proof than a call of the contracts takes. */
    is_moderate: boolean;
    /** Limit of the deposit for storage, in the token's smallest unit. */
    deposit_limit: Units;
    /** Input of the contract. */
    input: Hex;
  }
} | {
  "map_account": {
    /** Number of the pallet. */
    pallet: number;
  }
};

/** Whether a player takes an offer by itself who would make one. */
export type SuitsAsked = {
  /** The offer that the player would make, as text. */
  own: string;
  /** The offer of another one. */
  other: string;
  /** By the clock of the witness, in seconds since 1970. */
  now: number;
};

export type TakenInLobby = {
  offer: number;
  /** What the taking is called. */
  id: number;
  letter: Hex;
};

/** An offer that a player takes. */
export type TakenOffer = {
  offer: string;
  /** The account; none of a guest. */
  account: Address | null;
  /** What the account has signed about the key; none of a guest, and of a game with a stake. */
  session: Hex | null;
  /** Whether a program plays. */
  program: boolean;
  /** The colour to have, if the offer leaves that to the taker; any else. */
  colour: Colour | null;
  /** Time of the terms, in seconds since 1970: that of the witness, or of the chain. */
  time: number;
  /** A random number, for the coin. */
  nonce: number;
};

/** A player of terms. */
export type TermsPlayer = {
  /** The account. */
  account: Address;
  /** Address of the key that signs. */
  key: Address;
  /** Whether it is a guest. */
  guest: boolean;
  /** Whether a program plays, as the player says. */
  program: boolean;
};

/** By which rules a game is played, beside its board. */
export type TermsRules = {
  /** Whether player two may swap in place of its first move. */
  pie_rule: boolean;
  /** Number of the pool; 0 for none in particular. */
  pool: number;
  /** Clock, in seconds; none for a game without one. */
  clock: Clock | null;
};

/** The record that the page has to write before anything else is done. It takes the place of the one before, in one transaction with the check that no other game is there under one of these numbers. */
export type ToKeep = {
  record: Hex;
  /** Numbers of games which this one is from now on, or may be. */
  games: string[];
};

/** The game that is watched. */
export type ToWatch = {
  /** Number of the game. */
  number: string;
  /** Key of its witness. */
  witness: Address;
};

/** Amount in the unit that contracts see, as a decimal string: it may be beyond the numbers that JavaScript knows exactly. */
export type Units = string;

/** A variant, and a move of the caller. */
export type VariantAndMove = {
  game: VariantNumber;
  action: MoveAsked;
};

/** Number of a variant, or its table: `v3`. */
export type VariantNumber = string;

/** Terms that were asked for and are not checked yet. */
export type VariantSpec = {
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

/** A signed game as it stands for a watcher. */
export type WatchedGame = {
  terms: AgreedTerms;
  game: PlayedBoard;
  /** Last second at which the player to move can do that, since 1970, by the time of the witness; none if no time runs. */
  until: number | null;
  /** Whether the witness has ended it. */
  is_over: boolean;
  /** Whether the witness has contradicted itself, so that the game counts nowhere. */
  is_contradicted: boolean;
};

/** Why there is no game. */
export type WhyNoGame = "taken" | "gone" | "declined" | "silent";

/** A game of a text. */
export type WrittenGame = {
  /** The line in which it begins, from 1. */
  line: number;
  /** Its name; none if no chain and no signed terms have it. */
  game: GameName | null;
  /** The players; empty if they are not known. */
  players: Array<Address>;
  /** Its terms. */
  terms: Terms;
  /** The moves as text; none if players have left between them. */
  moves: string | null;
  /** What each player gets, or `*`. */
  result: string;
  /** How it ended, in words; none if it has not, as far as it was written down. */
  end: string | null;
  /** When its terms were made or it started, in seconds since 1970. */
  time: number | null;
  /** What proves it. */
  proof: WrittenProof;
  /** Why it is not proven by its text; none if it is. */
  why: string | null;
};

/** The games of a text. */
export type WrittenGames = {
  /** Those that can be read. */
  games: Array<WrittenGame>;
  /** What is wrong with the first game that cannot be read, and where; none if all can. */
  error: string | null;
};

/** What proves a game of a text. */
export type WrittenProof = "signed" | "witnessed" | "chain" | "nothing" | "earlier" | "forged";
