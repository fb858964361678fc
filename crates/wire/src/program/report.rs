//! Lines that commands of the program print with `--json`.

use connect4_index::League;
use connect4_protocol::{Address, End, GameId, GameName};
use connect4_rules::ShapeSpec;
use connect4_rules::variant::Colour;
use serde::Serialize;

use super::game::Game;
use super::transaction::Receipt;
use crate::play::{Amount, Deposit, Played};

/// What a transaction did in a signed game with a stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum StakedStep {
    /// It paid the stake.
    Stake,
    /// It had the stake paid back, as the opponent had not paid.
    Refund,
    /// It brought what both players have signed.
    Advance,
    /// It brought that, or nothing, and started the opponent's clock.
    Press,
    /// It made a move.
    Move,
    /// It claimed a timeout, or the end of a line that nobody contested.
    Claim,
    /// It had all paid that was owed.
    Withdrawal,
    /// It freed the storage of the game.
    Free,
}

/// A game of `bot`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct BotGame {
    /// Number of the game: the digest of its terms.
    pub game: String,
    /// Account of the opponent.
    pub opponent: Address,
    /// Whether the opponent is a program.
    pub program: bool,
    /// Whether the bot moves first.
    pub first: bool,
    /// How many moves were made.
    pub moves: u8,
}

/// What a command or a player did, by `event`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Report {
    /// `serve` has its page ready.
    Serving {
        /// Address of the page.
        url: String,
        /// The key that opens every account.
        key: String,
        /// The key by which its relay is the witness of signed games; null if it is none.
        witness: Option<Address>,
    },
    /// `page` has written the page as files.
    PageWritten {
        /// How many files, without the list of hashes.
        files: usize,
        /// SHA-256 of `index.html`, in hexadecimal digits.
        sha256: String,
    },
    /// `host` has its page ready.
    Hosting {
        /// Address of the page.
        url: String,
        /// The key by which its relay is the witness of signed games; null if it is none, or has to wait for its chain.
        witness: Option<Address>,
    },
    /// `relay` has its rooms ready.
    Relaying {
        /// URL of the relay.
        url: String,
        /// The key by which it is the witness of signed games; null if it is none.
        witness: Option<Address>,
    },
    /// The node is unreachable. `play` and `watch` wait for it.
    Away {
        /// URL of the node.
        url: String,
    },
    /// The node is reachable again.
    Back {
        /// URL of the node.
        url: String,
        /// How long it was away, in seconds.
        seconds: u64,
    },
    /// A number of the board was raised to its least value.
    Raised {
        /// What was raised, in words.
        what: String,
    },
    /// A game is played from here on.
    Game {
        /// The game.
        game: Box<Game>,
    },
    /// A transaction of this player was made in a signed game with a stake.
    Staked {
        /// Number of the game; null of a payment of all that is owed.
        game: Option<GameName>,
        /// What it did.
        what: StakedStep,
        /// The stake that it paid; null if it paid none.
        stake: Option<Amount>,
        /// How much of that came from what the account was owed; null if it paid none.
        from_owed: Option<Amount>,
        /// The transaction.
        transaction: Receipt,
    },
    /// A signed game with a stake is over.
    StakeOwed {
        /// Number of the game.
        game: GameName,
        /// What the contract of the stakes owes the account now, of all its games.
        owed: Amount,
    },
    /// Something that a player should know.
    Note {
        /// What, in words.
        text: String,
    },
    /// An answer of a player was refused.
    Refused {
        /// The player.
        player: Colour,
        /// Why, in words.
        reason: String,
    },
    /// A disc was dropped.
    Dropped {
        /// The player.
        player: Colour,
        /// Bin, from 0 at the left.
        bin: u8,
        /// Row in which it lies, from 0 at the bottom.
        row: u8,
        /// The game after the move.
        game: Box<Game>,
        /// The transaction; none if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// The blocks of the last discs of the game that is played were replaced.
    TakenBack {
        /// Number of discs.
        count: u16,
        /// The game without them.
        game: Box<Game>,
    },
    /// A game ended.
    Ended {
        /// The winner; none after a draw.
        winner: Option<Colour>,
        /// The game.
        game: Box<Game>,
        /// The transaction that ended it; none if a move did, or if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// An account was paid what it was owed.
    Withdrawn {
        /// The account.
        account: Address,
        /// Amount that was paid.
        amount: Amount,
        /// The transaction.
        transaction: Receipt,
    },
    /// What it costs to record games that both players have signed.
    RecordCost {
        /// Number of games.
        games: usize,
        /// Number of transactions.
        transactions: usize,
        /// Fees at most, in all.
        fee: Amount,
        /// Deposit that it takes or gives back.
        deposit: Deposit,
    },
    /// A game is not recorded.
    NotRecorded {
        /// The game, or its file.
        game: String,
        /// Why, in words.
        why: String,
    },
    /// `export`: a game as text.
    Exported {
        /// The game; null if no chain and no signed terms have it.
        game: Option<String>,
        /// Its record, as docs/records.md describes it.
        record: String,
    },
    /// `evaluate`: what a position of the standard board holds if both play perfectly.
    Evaluated {
        /// The moves that lead to it, as they were given; bins count from 1.
        moves: String,
        /// Score for the player to move: 0 for a draw, 1 for a win with the player's last disc, 2 with the one before it,
        /// and so on; negative for a loss, counted in the opponent's discs. Null if the game is over.
        score: Option<i8>,
        /// The bins with that score, from 0.
        best_bins: Vec<u8>,
        /// How many discs are dropped until the game is over.
        discs_left: u8,
        /// How the game ended, in words; null while it goes on.
        outcome: Option<String>,
    },
    /// A game of a file is passed over, as it cannot be read or is not of the kind that the command needs.
    PassedOver {
        /// The file.
        file: String,
        /// Line of the file in which it is wrong, from 1; null if it is the whole file.
        line: Option<u32>,
        /// Why, in words.
        why: String,
    },
    /// `verify`: a game in a file, and whether it is proven.
    Verified {
        /// The file.
        file: String,
        /// The line in which it begins, from 1.
        line: u32,
        /// The game; null if no chain and no signed terms have it.
        game: Option<String>,
        /// The players; empty if they are not known.
        players: Vec<Address>,
        /// Pool of a signed game: its name, or its number if it has none; null for other games.
        pool: Option<String>,
        /// The result: what each player gets, or `*`.
        result: String,
        /// How it ended, in words; null if it has not, as far as it was written down.
        how: Option<String>,
        /// For each of two players the key by which the record is signed; null for a player who has signed nothing.
        keys: Vec<Option<Address>>,
        /// Key of the witness that has signed how a signed game ended; null if its terms name none, and of other games.
        witness: Option<Address>,
        /// Tags of the record that the players have signed.
        signed: Vec<String>,
        /// Tags for which the witness vouches.
        witnessed: Vec<String>,
        /// Of the other tags, those that the chain that was looked at tells, too.
        on_chain: Vec<String>,
        /// The rest, which are not proven: only the file says them.
        unproven: Vec<String>,
        /// Number of the block in which the chain first tells of the game; null if no chain that was looked at has
        /// the same game.
        block: Option<u32>,
        /// Number of the block in which it ended there; null if it has not.
        last_block: Option<u32>,
        /// Whether it is proven.
        proven: bool,
        /// Why it is not, in words; null if it is.
        why: Option<String>,
    },
    /// What `sponsor` spends and has done.
    Sponsored {
        /// The account that pays.
        account: Address,
        /// What it may spend in 24 hours, fees and deposits.
        budget: Amount,
        /// What it has spent in the last 24 hours.
        spent: Amount,
        /// What it has spent since its folder was made.
        spent_in_all: Amount,
        /// Games that it has recorded since then.
        games: u64,
        /// Games whose transaction is on its way.
        sending: usize,
        /// Games that wait.
        waiting: usize,
    },
    /// An opponent is looked for at a relay, and nobody has come yet.
    Seeking {
        /// How many wait there, as the relay says; `null` before it has said so.
        waiting: Option<u32>,
        /// How many play there, as the relay says.
        playing: Option<u32>,
        /// For how long this program has looked, in seconds.
        seconds: u64,
        /// A program that can be played, after a minute: by a line `program` on standard input.
        program: Option<Address>,
        /// Whether nobody has come for a minute, and no program is there: the computer of `connect4 play --against` is.
        alone: bool,
    },
    /// `bot` seeks games from now on.
    BotReady {
        /// Its account.
        account: Address,
        /// What its account is called on this machine.
        name: String,
        /// Its level.
        level: String,
        /// URL of the relay.
        relay: String,
        /// Name of the pool, or its number if it has none.
        pool: String,
        /// The board.
        shape: ShapeSpec,
        /// Whether the second move may be a swap.
        pie_rule: bool,
    },
    /// A game of `bot` has begun.
    BotBegan {
        /// The game.
        #[serde(flatten)]
        game: BotGame,
        /// Whether it was begun before, and is resumed.
        resumed: bool,
    },
    /// A game of `bot` waits for its silent opponent, and others are played meanwhile.
    BotWaits(BotGame),
    /// A game of `bot` is left, as too many wait. It is resumed when the program is started again.
    BotLeft(BotGame),
    /// A game of `bot` is forgotten: the opponent has agreed to it, and has neither entered its room nor signed a move.
    BotNotBegun(BotGame),
    /// A game of `bot` has ended.
    BotEnded {
        /// The game.
        #[serde(flatten)]
        game: BotGame,
        /// Whether the bot has won; `null` if it is a draw.
        won: Option<bool>,
        /// How it has ended.
        end: Option<End>,
    },
    /// A game of `bot` is not over when the program ends.
    BotUnfinished(BotGame),
    /// Games that both players have signed were recorded.
    Recorded {
        /// Numbers of the games: the digests of their terms.
        games: Vec<String>,
        /// The transaction.
        transaction: Receipt,
    },
    /// The storage of a game was freed.
    Freed {
        /// The transaction.
        transaction: Receipt,
    },
    /// A game of a variant started.
    VariantStarted {
        /// The game.
        game: Box<Game>,
        /// The transaction; none if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// A game of a variant or its table is shown, or played from here on.
    Variant {
        /// The game.
        game: Box<Game>,
    },
    /// A table was opened.
    TableOpened {
        /// The table.
        game: Box<Game>,
        /// The transaction.
        transaction: Receipt,
    },
    /// An account joined a table.
    Joined {
        /// The account.
        account: Address,
        /// Its seat, from 0 in turn order.
        seat: u8,
        /// The table, or the game that it has become.
        game: Box<Game>,
        /// The transaction; none if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// An account left a table or a game, or was removed for being late.
    Left {
        /// The account.
        account: Address,
        /// Whether it was removed for being late.
        late: bool,
        /// The table or the game without it.
        game: Box<Game>,
        /// The transaction; none if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// A table was closed before the start.
    TableClosed {
        /// Number of the game, which will not be played.
        game: GameId,
        /// The transaction; none if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// A player of a variant moved.
    Moved {
        /// The move, and what it did to the discs.
        #[serde(flatten)]
        played: Played,
        /// The move as text.
        text: String,
        /// The game after the move.
        game: Box<Game>,
        /// The transaction; none if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// The blocks of the last moves of the variant that is played were replaced.
    VariantTakenBack {
        /// Number of moves.
        count: u16,
        /// The game without them.
        game: Box<Game>,
    },
    /// An answer of a player of a variant was refused.
    MoveRefused {
        /// The player.
        player: Colour,
        /// Why, in words.
        reason: String,
    },
    /// A game of a variant ended.
    VariantEnded {
        /// The winner; none after a draw.
        winner: Option<Colour>,
        /// The game.
        game: Box<Game>,
        /// The transaction that ended it; none if a move did, or if it was sent from elsewhere.
        transaction: Option<Receipt>,
    },
    /// The storage of a game of a variant was freed.
    VariantFreed {
        /// Number of the game.
        game: GameId,
        /// The transaction.
        transaction: Receipt,
    },
}

/// The contracts were deployed, or are there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Deployed {
    /// The contract of the games.
    pub contract: Address,
    /// Account that was to deploy it.
    pub deployer: Address,
    /// Transaction that deployed the contract of the games; none if it was there.
    pub transaction: Option<Receipt>,
    /// The contract of the records of signed games; none if there is none.
    pub signed_records: Option<Address>,
    /// Transaction that deployed the contract of the records of signed games; none if it was there.
    pub signed_records_transaction: Option<Receipt>,
    /// The contract of the stakes of signed games; none if there is none.
    pub stakes: Option<Address>,
    /// Transaction that deployed the contract of the stakes; none if it was there.
    pub stakes_transaction: Option<Receipt>,
    /// The contract of the variants.
    pub variants: Address,
    /// Transaction that deployed the contract of the variants; none if it was there.
    pub variants_transaction: Option<Receipt>,
}

/// A game was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Started {
    /// Number of the game.
    pub game: GameName,
    /// The contract.
    pub contract: Address,
    /// Account of player one.
    pub red: Address,
    /// Account of player two.
    pub blue: Address,
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// The transaction.
    pub transaction: Receipt,
}

/// A disc was dropped by `connect4 drop`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Dropped {
    /// Bin, from 0 at the left.
    pub bin: u8,
    /// Row in which it lies, from 0 at the bottom.
    pub row: u8,
    /// The game after the move.
    pub game: Game,
    /// The transaction.
    pub transaction: Receipt,
}

/// Results of an account over all games.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Standing {
    /// The games that it counts: `two` for variants of two players, `more` for those of three or four;
    /// `witnessed` for signed games that a witness has ended, `witnessed-7` for those of pool 7.
    pub games: String,
    /// The account.
    pub account: Address,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games that have changed the rating.
    pub rated: u32,
    /// Elo rating, rounded.
    pub rating: f64,
    /// Whether the account has said in the signed terms of any of these games that it is a program.
    pub program: bool,
    /// Whether all events of these games are known.
    pub complete: bool,
}

impl Standing {
    /// A standing in these games.
    #[must_use]
    pub fn new(games: League, standing: &connect4_index::Standing, complete: bool) -> Self {
        Self {
            games: games.to_string(),
            account: standing.account,
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            rated: standing.rated,
            rating: standing.rating.round(),
            program: standing.program,
            complete,
        }
    }
}

/// Numbers of games that changed no rating, or only their loser's, by the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Unrated {
    /// The games, as those of [`Standing`].
    pub unrated: String,
    /// On other boards than the standard one.
    pub other_board: u32,
    /// Beyond the most of the same two accounts that are rated within 24 hours.
    pub frequent: u32,
    /// Ended before a line was possible, other than on the board.
    pub short: u32,
    /// Without a result: aborted or abandoned.
    pub aborted: u32,
}

impl Unrated {
    /// The games among these.
    #[must_use]
    pub fn new(of: League, unrated: connect4_index::Unrated) -> Self {
        Self {
            unrated: of.to_string(),
            other_board: unrated.other_board,
            frequent: unrated.frequent,
            short: unrated.short,
            aborted: unrated.aborted,
        }
    }
}

/// Standings lack something, as events are missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Incomplete {
    /// The standings.
    pub incomplete: StandingsOf,
    /// The blocks whose events are missing.
    pub missing: Vec<Gap>,
    /// Number of games that are counted by their records in the contract's storage, as their starts
    /// are missing.
    pub recorded: u32,
    /// Number of games of which nothing is known.
    pub lost: u32,
}

/// Games that standings count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum StandingsOf {
    /// Variants.
    Variants,
    /// Signed games.
    Signed,
}

/// Blocks whose states the node has discarded, and with them their events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Gap {
    /// Number of the first block.
    pub first: u32,
    /// Number of the last block.
    pub last: u32,
    /// Time of the first block; null if it is not known.
    pub since: Option<u64>,
    /// Time of the last block; null if it is not known.
    pub until: Option<u64>,
}

impl From<&connect4_client::Gap> for Gap {
    fn from(gap: &connect4_client::Gap) -> Self {
        Self {
            first: gap.first,
            last: gap.last,
            since: gap.since,
            until: gap.until,
        }
    }
}

/// A command failed; on standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Failed {
    /// Why, in words.
    pub error: String,
    /// Exit status.
    pub status: u8,
}
