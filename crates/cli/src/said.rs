//! What commands and games at a terminal say.
//!
//! Each of them makes values of [`Said`] and gives them to the [`Output`](crate::output::Output). Two
//! functions read them: [`json::line`](crate::json::line) and [`people::words`](crate::people::words).

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use connect4_client::GameId;
use connect4_client::signed::{Call, GameOffer};
use connect4_client::{
    Address, Deployment, Gap, Occurrence, Receipt, Signer, StoredVariants, Transaction,
};
use connect4_index::{GameRow, League, Standing, Unrated};
use connect4_opponent::{Evaluation, Level, Verdict};
use connect4_protocol::signed::lobby::Counts;
use connect4_protocol::signed::{GameNumber, Terms};
use connect4_protocol::{AnyGame, GameName};
use connect4_record::{Block, Fault, Proof, Record};
use connect4_rules::variant::{self, Colour, Move};
use connect4_rules::{Bin, Outcome, Player};
use connect4_server::Witnessed;
use connect4_wire::{PuzzleReport, StandingsOf};

use crate::game::{GameAt, Numbering, Position};

/// What `sponsor` spends and has done, in the token's smallest unit.
#[derive(Clone, Copy, Debug)]
pub struct Sponsored {
    pub account: Address,
    /// What it may spend in 24 hours.
    pub budget: u128,
    /// What it has spent in the last 24 hours.
    pub spent: u128,
    /// What it has spent since its folder was made.
    pub spent_in_all: u128,
    /// Games that it has recorded since then.
    pub games: u64,
    /// Games whose transaction is on its way.
    pub sending: usize,
    pub waiting: usize,
}

#[derive(Clone, Debug)]
pub struct BotReady {
    pub account: Address,
    /// What its account is called on this machine.
    pub name: String,
    pub level: Level,
    pub relay: String,
    pub sought: Terms,
}

#[derive(Clone, Copy, Debug)]
pub struct BotGame {
    pub number: GameNumber,
    pub opponent: Address,
    /// Whether the opponent is a program.
    pub is_program: bool,
    /// The player that the bot is.
    pub seat: Player,
    pub game: connect4_protocol::Game,
}

impl BotGame {
    /// Whether the bot has won the game, which is over; none if it is a draw.
    pub fn has_won(&self) -> Option<bool> {
        self.game.winner().map(|winner| winner == self.seat)
    }
}

#[derive(Clone, Debug)]
pub enum BotNews {
    /// It seeks games from now on.
    Ready(BotReady),
    Began(BotGame),
    /// A game goes on that was begun before.
    Resumed(BotGame),
    /// A game waits for its opponent, and others are played meanwhile.
    Waits(BotGame),
    /// A game is left, as too many wait.
    Left(BotGame),
    /// A game is forgotten, as its opponent has agreed to it and then not come.
    NotBegun(BotGame),
    Ended(BotGame),
    /// A game is not over when the bot ends.
    Unfinished(BotGame),
    /// Something does not work.
    Trouble(String),
}

/// How a search for an opponent at a relay stands.
#[derive(Clone, Debug)]
pub struct Seeking {
    /// How many wait and play there, by the relay's word; none before it has said so.
    pub counts: Option<Counts>,
    /// For how long it goes on.
    pub waited: Duration,
    pub news: SeekingNews,
}

/// What is new in a search for an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeekingNews {
    /// It is known how many wait and play.
    Counted,
    /// Others wait or play than before.
    Changed,
    /// Nobody has come for long, and this program can be played.
    Program(Box<GameOffer>),
    /// Nobody has come for long, and no program is there.
    Computer,
}

/// A game in a file, and what proves it.
#[derive(Debug)]
pub struct Verified<'a> {
    pub file: &'a Path,
    /// The line in which it begins, from 1.
    pub line: u32,
    pub record: &'a Record,
    /// What it proves by itself, or why it is refused.
    pub proof: Result<Proof, Fault>,
    /// What a chain has of it; none if no chain was looked at.
    pub looked: Option<Looked>,
}

/// What a chain has of a game in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Looked {
    /// The same game, in these blocks.
    There {
        started: Block,
        ended: Option<Block>,
    },
    /// Nothing, or less than the record.
    NotThere,
    /// Another game or result: this.
    Differs(String),
}

/// Something that a command or a player did, or that is to be told.
#[derive(Debug)]
pub enum Said<'a> {
    // Commands on the chain.
    /// The contracts were deployed, or were there already.
    Deployed(Deployed<'a>),
    /// `start` has started a game.
    Started {
        at: GameAt,
        /// How the contract was deployed before; none if it was there.
        deployment: Option<&'a Deployment>,
        sent: Sent<'a>,
    },
    /// A table was opened, which others join by a command with the options `reach`.
    TableOpened {
        at: GameAt,
        /// How the contract was deployed before; none if it was there.
        deployment: Option<&'a Deployment>,
        sent: Sent<'a>,
        reach: &'a str,
    },
    /// What a command is about to send.
    Sending(&'a str),
    /// A command has made a move.
    Made(Made<'a>),
    /// A game or table as it stands.
    Shown(GameAt),
    /// An entry of the list of games; no game if its storage was freed or its table closed.
    Listed {
        contract: Address,
        id: GameId,
        game: Option<AnyGame>,
    },
    /// There are no games, because there is no contract at an address or because nobody has started
    /// one.
    NoGames { missing: Option<Address> },
    /// `hidden` of all `count` games are older than those that are listed.
    OlderGames { hidden: u32, count: u32 },
    /// The list of variants begins.
    VariantsFollow,
    /// There are no open tables.
    NoTables,
    /// All games of a contract are followed from now on.
    Following { contract: Address },
    /// A game or table is followed from now on, from this state.
    Watching(GameAt),
    /// An event, of this game as far as it is known. `before` is the position before a move of a variant.
    Event {
        at: &'a Occurrence,
        game: Option<AnyGame>,
        before: Option<&'a variant::Position>,
    },
    /// The block of an event that was told was replaced.
    EventUndone {
        at: &'a Occurrence,
        game: Option<AnyGame>,
    },
    /// The board after the last event.
    Board(Position),
    /// A player is to move in the game that is followed.
    ToMove(Colour),
    /// All moves of a game were shown again: these, in the notation.
    Replayed { game: AnyGame, moves: String },
    /// All moves of a signed game were shown again, whose end is on the chain.
    ReplayedByTerms(&'a GameRow),
    /// Verdict on a move of a classic game.
    Reviewed {
        /// Turn of the game, from 0.
        turn: u8,
        player: Player,
        bin: Bin,
        verdict: &'a Verdict,
        /// What the move cost of the player's time, in milliseconds; none if that is not known.
        spent: Option<u64>,
    },
    /// What a position of the standard board, given as moves, holds.
    Evaluated {
        moves: &'a str,
        evaluated: &'a Evaluated,
    },
    /// What `puzzle` asks, and what came of it.
    Puzzle(&'a PuzzleReport),
    /// A transaction did this.
    Done(Done, Sent<'a>),
    /// A game has ended: by this transaction; none if a move that was told has ended it.
    Ended { at: GameAt, sent: Option<Sent<'a>> },
    /// An account joined a table, which may have started the game.
    Joined {
        account: Address,
        at: GameAt,
        /// None if another program sent it.
        sent: Option<Sent<'a>>,
    },
    /// A command has taken a player out of a table or a game.
    Left(Left<'a>),
    /// An account was paid all that the contract of the stakes owed it.
    Paid {
        signer: &'a Signer,
        /// In the unit in which a contract sees amounts.
        amount: u128,
        sent: Sent<'a>,
    },
    /// A transaction of a player was made in a signed game with a stake.
    Staked {
        game: Option<GameNumber>,
        call: &'a Call,
        sent: Sent<'a>,
    },
    /// A signed game with a stake is over, and the contract owes its player this, in the unit in which it sees amounts.
    StakeOwed { game: GameName, owed: u128 },
    /// What it costs to record games that both players have signed: fees at most, and the deposit, in the token's smallest unit.
    RecordCost {
        games: usize,
        transactions: usize,
        fee: u128,
        deposit: i128,
    },
    /// A game that both players have signed, or its file, is not recorded.
    NotRecorded { game: &'a str, why: &'a str },
    /// Games that both players have signed were recorded.
    Recorded {
        games: &'a [GameNumber],
        sent: Sent<'a>,
    },
    /// A game as text.
    Exported(&'a Record),
    /// Games were written to a file as text.
    ExportedTo { path: &'a Path, games: usize },
    /// A game of a file is passed over: one that is wrong in this line, from 1; none if it is the whole file.
    PassedOver {
        file: &'a Path,
        line: Option<u32>,
        why: &'a str,
    },
    /// What a record in a file proves.
    Verified(&'a Verified<'a>),
    /// The moves of a game in a file are looked at from here on; `line` is that of the game, from 1.
    Reviewing { file: &'a Path, line: u32 },
    /// What `sponsor` spends and has done.
    Sponsored(Sponsored),
    /// What has happened to a bot.
    Bot(&'a BotNews),
    /// A row of the standings of these games.
    Standing {
        of: League,
        first: bool,
        standing: &'a Standing,
        /// Whether all events of these games are known.
        complete: bool,
    },
    /// Some games among these changed no rating, or only their loser's.
    Unrated { of: League, unrated: Unrated },
    /// Ratings do not show that their accounts belong to different people.
    RatingsAreNoProof,
    /// The standings lack something.
    Incomplete(&'a Incomplete),
    /// No game has ended that counts.
    NoStandings,
    /// A development account.
    Account {
        signer: &'a Signer,
        /// In the token's smallest unit.
        balance: u128,
        /// Whether contracts know it.
        is_mapped: bool,
    },

    // Programs that serve.
    /// The page is served from now on.
    Serving {
        addr: SocketAddr,
        /// Key that opens every account.
        key: &'a str,
        /// The chain, in words.
        place: &'a str,
        /// The witness that its relay is; none if it is none.
        witness: Option<&'a Witnessed>,
        /// Whether the log of the witness outlives the program.
        is_kept: bool,
    },
    /// The page was written as files.
    PageWritten {
        folder: &'a Path,
        /// How many files, without the list of checksums.
        files: usize,
        /// SHA-256 of `index.html`, in hexadecimal digits.
        sha256: &'a str,
    },
    /// The public host serves from now on.
    Hosting {
        addr: SocketAddr,
        /// The chain, in words.
        place: &'a str,
        /// The witness that its relay is; none if it is none, or has to wait for its chain.
        witness: Option<&'a Witnessed>,
    },
    /// The relay serves from now on.
    Relaying {
        addr: SocketAddr,
        /// The chain, in words.
        place: &'a str,
        /// The witness that it is; none if it is none.
        witness: Option<&'a Witnessed>,
    },
    /// The node at this URL is unreachable. It is waited for.
    Away { url: &'a str },
    /// The node, which was away for so long, is reachable again at this URL.
    Back { url: &'a str, lasted: Duration },

    // Games at a terminal.
    /// A bound of the board was raised to the least one.
    Raised(&'a str),
    /// `play` has started a game.
    Opened {
        id: GameName,
        /// How the contract was deployed before; none if it was there.
        deployment: Option<&'a Deployment>,
        sent: Sent<'a>,
    },
    /// A game or table is played from now on.
    Greeting(&'a Greeting),
    /// An opponent is looked for at a relay.
    Seeking(&'a Seeking),
    /// A table waits for players.
    WaitingForPlayers(&'a str),
    /// A player is to move, in this turn of the game, from 1.
    Ask {
        game: GameName,
        turn: u16,
        colour: Colour,
    },
    /// A player elsewhere is to move. These words can be typed meanwhile; none if lines
    /// are not read.
    Waiting {
        colour: Colour,
        words: Option<&'a str>,
    },
    /// An answer of a player makes no sense.
    Invalid {
        game: GameName,
        colour: Colour,
        reason: &'a str,
    },
    /// The contract refused what a player wanted. Nothing was changed.
    Refused {
        game: GameName,
        colour: Colour,
        reason: &'a str,
    },
    /// A move was not made because the game had changed; the board shows how.
    Overtaken(&'a str),
    /// Something is said with the next board.
    Note(Note<'a>),
    /// A text is said now.
    Notice(&'a str),
    /// A player at this terminal or elsewhere has moved.
    Moved(Made<'a>),
    /// A player of the game at this terminal has left it, or was removed.
    PlayerLeft(Left<'a>),
    /// The blocks of the last moves were replaced; the next board shows the game without them.
    Undone {
        /// What was undone, in words.
        text: String,
        /// Number of moves.
        count: u16,
        /// The game without them.
        after: GameAt,
    },
    /// The opponent has declined the rematch.
    RematchDeclined,
}

/// A transaction that was sent, without what it returned.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    pub transaction: &'a Transaction,
    /// Deposit for storage in the token's smallest unit; negative if it was given back.
    pub deposit: i128,
    /// The transaction before it that made the account known to contracts, if that was needed.
    pub mapped: Option<&'a Transaction>,
}

impl<'a, T> From<&'a Receipt<T>> for Sent<'a> {
    fn from(receipt: &'a Receipt<T>) -> Self {
        Self {
            transaction: &receipt.transaction,
            deposit: receipt.deposit,
            mapped: receipt.mapped.as_ref(),
        }
    }
}

/// What a position holds if both play perfectly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluated {
    Open(Evaluation),
    Over(Outcome),
}

#[derive(Debug)]
pub struct Deployed<'a> {
    pub deployer: &'a Signer,
    /// That of the games, the records and the stakes.
    pub deployment: &'a Deployment,
    pub variants: &'a Deployment,
}

#[derive(Debug)]
pub struct Made<'a> {
    /// Of a swap, the colour before it.
    pub colour: Colour,
    pub step: Step<'a>,
    /// The game after the move.
    pub after: GameAt,
    /// None if another program sent it.
    pub sent: Option<Sent<'a>>,
}

/// What was done in a move.
#[derive(Debug)]
pub enum Step<'a> {
    /// A disc of a classic game was dropped.
    Drop {
        bin: Bin,
        /// From 0 at the bottom.
        row: u8,
        /// How both are told in words.
        numbering: Numbering,
    },
    /// A move of a variant.
    Move {
        action: Move,
        before: &'a variant::Position,
    },
}

/// A player who left a table or a variant.
#[derive(Debug)]
pub struct Left<'a> {
    pub account: Address,
    /// None at a table.
    pub colour: Option<Colour>,
    /// Whether the player was removed for being late.
    pub late: bool,
    /// The table or the game without the player.
    pub after: GameAt,
    /// None if another program sent it.
    pub sent: Option<Sent<'a>>,
}

/// What a transaction did, if it neither ended nor started a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// Closed this table, as its opener has left it.
    TableClosed(GameId),
    /// Freed the storage of this game.
    Freed(GameId),
}

/// What standings lack.
#[derive(Debug)]
pub struct Incomplete {
    pub of: StandingsOf,
    /// The blocks whose events are missing.
    pub gaps: Vec<Gap>,
    /// Number of games that are counted by their records in the contract's storage, as their starts
    /// are missing.
    pub recorded: u32,
    /// Number of games of which nothing is known.
    pub lost: u32,
}

impl Incomplete {
    /// What is missing in these gaps but for these records; none if there are no gaps.
    pub fn of(of: StandingsOf, gaps: Vec<Gap>, records: &StoredVariants) -> Option<Self> {
        (!gaps.is_empty()).then(|| Self {
            of,
            gaps,
            recorded: u32::try_from(records.games.len()).unwrap_or(u32::MAX),
            lost: records.lost,
        })
    }
}

/// What is said when a game is opened.
#[derive(Debug)]
pub struct Greeting {
    pub at: GameAt,
    /// The chain, in words.
    pub place: String,
    /// Colours that people play here; empty if they play all.
    pub people: Vec<Colour>,
    /// The commands by which others play from elsewhere, by colour.
    pub invitations: Vec<(Colour, String)>,
    pub computers: Vec<(Colour, Level)>,
}

/// Something that is said with the next board.
#[derive(Debug)]
pub enum Note<'a> {
    /// A text, which needs no amounts.
    Text(&'a str),
    /// A player has given a classic game up.
    Resigned(Colour, Sent<'a>),
}

/// The address by which this machine reaches what listens on an address.
pub fn from_here(addr: SocketAddr) -> SocketAddr {
    match addr.ip().is_unspecified() {
        true => ([127, 0, 0, 1], addr.port()).into(),
        false => addr,
    }
}
