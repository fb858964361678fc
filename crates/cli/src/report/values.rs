//! What is reported, as values.

use std::net::SocketAddr;

use connect4_client::fast::{FastPlayer, RelayState};
use connect4_client::{
    Address, Contract, Deployment, GameId, Gap, Owed, Receipt, Records, Signer, Token, Transaction,
};
use connect4_protocol::{Challenge, Game};
use connect4_rules::{Bin, Player, ShapeSpec};
use connect4_wire::warnings::Warning;

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

/// A game, and where it is.
#[derive(Clone, Copy, Debug)]
pub struct GameAt<'a> {
    pub contract: Address,
    pub number: u32,
    pub game: &'a Game,
}

impl<'a> GameAt<'a> {
    /// A game of this contract.
    pub fn of(contract: &Contract, number: u32, game: &'a Game) -> Self {
        Self {
            contract: contract.address(),
            number,
            game,
        }
    }

    /// The game, as people name it.
    pub const fn id(&self) -> GameId {
        GameId::of_two(self.number)
    }
}

/// What is signed in a fast game, what the chain knows, and who is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FastState {
    /// How many moves both have signed.
    pub signed: u8,
    /// How many moves the chain knows.
    pub on_chain: u8,
    /// Whether the relay is connected.
    pub relay: bool,
    /// Whether the opponent is connected to it, as it says.
    pub opponent: bool,
}

impl FastState {
    /// The state of this player's game.
    pub fn of(player: &FastPlayer) -> Self {
        Self {
            signed: player.evidence().moves.turns(),
            on_chain: player.chain().game.turns(),
            relay: matches!(player.relay(), RelayState::Connected { .. }),
            opponent: *player.relay() == RelayState::Connected { opponent: true },
        }
    }
}

/// What `deploy` did.
#[derive(Debug)]
pub struct Deployed<'a> {
    pub contract: Address,
    /// The contract of the games, which the other one deployed.
    pub games: Address,
    /// The contract of the fast games, which it deployed as well; none if it is of a version without
    /// them.
    pub fast: Option<Address>,
    pub deployer: &'a Signer,
    pub deployment: &'a Deployment,
    /// How the contract of the variants was deployed.
    pub variants: &'a Deployment,
}

/// Games whose results a standing counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandingOf {
    /// Classic games.
    Classic,
    /// Variants of two players.
    Two,
    /// Variants of three or four players.
    More,
}

/// Contract whose games standings count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandingsOf {
    Classic,
    Variants,
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
    pub fn of<G>(of: StandingsOf, gaps: Vec<Gap>, records: &Records<G>) -> Option<Self> {
        (!gaps.is_empty()).then(|| Self {
            of,
            gaps,
            recorded: u32::try_from(records.games.len()).unwrap_or(u32::MAX),
            lost: records.lost,
        })
    }
}

/// What `start` did.
#[derive(Debug)]
pub struct Started<'a> {
    pub contract: Address,
    pub red: Address,
    pub blue: Address,
    pub shape: ShapeSpec,
    /// How the contract was deployed before; none if it was there.
    pub deployment: Option<&'a Deployment>,
    pub number: u32,
    pub sent: Sent<'a>,
}

/// What `drop` did.
#[derive(Debug)]
pub struct Dropped<'a> {
    pub bin: Bin,
    /// From 0 at the bottom.
    pub row: u8,
    /// The game after the drop.
    pub after: GameAt<'a>,
    pub sent: Sent<'a>,
}

/// Moves of a game that the chain took back.
#[derive(Debug)]
pub struct TakenBack<G> {
    /// What was taken back, in words.
    pub text: String,
    /// Number of moves.
    pub count: u16,
    /// The game without them.
    pub after: G,
}

/// A move at the table, by who sits here or elsewhere.
#[derive(Debug)]
pub struct Moved<'a> {
    pub player: Player,
    pub bin: Bin,
    /// From 0 at the bottom.
    pub row: u8,
    /// The game after the move.
    pub after: GameAt<'a>,
    /// None if another program sent it.
    pub sent: Option<Sent<'a>>,
}

/// A move of a game that is reviewed.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// From 0.
    pub number: u8,
    pub player: Player,
    pub bin: Bin,
}

/// What `challenge` did.
#[derive(Debug)]
pub struct ChallengeMade<'a> {
    pub contract: Address,
    pub number: u32,
    /// None if it was closed already.
    pub challenge: Option<&'a Challenge>,
    /// What is known about its terms.
    pub warnings: &'a [Warning],
    /// How the contract was deployed before; none if it was there.
    pub deployment: Option<&'a Deployment>,
    pub sent: Sent<'a>,
    /// Options by which another program reaches the same contract.
    pub reach: &'a str,
}

/// A challenge that was signed, and not sent to the chain.
#[derive(Debug)]
pub struct SignedText<'a> {
    /// The text by which the opponent accepts it.
    pub text: &'a str,
    pub challenge: &'a Challenge,
    /// How the contract was deployed before; none if it was there.
    pub deployment: Option<&'a Deployment>,
    /// Options by which another program reaches the same contract.
    pub reach: &'a str,
}

/// What a transaction did, if it neither ended nor started a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Declined this challenge.
    Declined(u32),
    /// Cancelled this challenge.
    Cancelled(u32),
    /// Offered a draw in this game.
    DrawOffered(u32),
    /// Declined the draw in this game.
    DrawDeclined(u32),
    /// Offered a rematch of this game.
    RematchOffered(u32),
    /// Declined the rematch of this game, or took the offer back.
    RematchDeclined(u32),
    /// Freed the storage of this game.
    Freed(u32),
}

/// A development account.
#[derive(Debug)]
pub struct Account<'a> {
    pub signer: &'a Signer,
    /// In the token's smallest unit.
    pub balance: u128,
    /// Whether contracts know it.
    pub is_mapped: bool,
}

/// What the contract has paid out.
#[derive(Debug)]
pub struct Paid<'a> {
    pub signer: &'a Signer,
    /// The player of the game at this terminal; none if no game is played here.
    pub player: Option<Player>,
    /// In the unit in which a contract sees amounts.
    pub amount: u128,
    pub sent: Sent<'a>,
}

/// What an account is owed, and how it is paid.
#[derive(Debug)]
pub struct OwedTo<'a> {
    pub owed: &'a Owed,
    /// The command that pays it.
    pub command: String,
}

/// The relay that is served.
#[derive(Debug)]
pub struct Relaying<'a> {
    /// Address that it listens on.
    pub addr: SocketAddr,
    /// The chain, in words.
    pub place: &'a str,
}

impl Relaying<'_> {
    /// The URL by which this machine reaches it.
    pub fn url(&self) -> String {
        format!("ws://{}", from_here(self.addr))
    }
}

/// The page that was written as files.
#[derive(Debug)]
pub struct PageFiles<'a> {
    /// Folder of the files.
    pub folder: &'a std::path::Path,
    /// How many files, without the list of hashes.
    pub files: usize,
    /// SHA-256 of `index.html`, in hexadecimal digits.
    pub sha256: &'a str,
}

/// The page that a public host serves.
#[derive(Debug)]
pub struct Hosting<'a> {
    /// Address that it listens on.
    pub addr: SocketAddr,
    /// The chain, in words.
    pub place: &'a str,
}

impl Hosting<'_> {
    /// The URL by which this machine reaches it.
    pub fn url(&self) -> String {
        format!("http://{}", from_here(self.addr))
    }
}

/// The page that is served.
#[derive(Debug)]
pub struct Serving<'a> {
    /// Address that the server listens on.
    pub addr: SocketAddr,
    /// Key that opens every account.
    pub key: String,
    /// The chain, in words.
    pub place: &'a str,
}

impl Serving<'_> {
    /// The URL by which this machine reaches the page.
    pub fn url(&self) -> String {
        format!("http://{}", from_here(self.addr))
    }
}

/// The address by which this machine reaches what listens on an address.
fn from_here(addr: SocketAddr) -> SocketAddr {
    match addr.ip().is_unspecified() {
        true => ([127, 0, 0, 1], addr.port()).into(),
        false => addr,
    }
}

/// A token whose amounts are plain numbers: before a chain is reached.
pub fn unknown_token() -> Token {
    Token {
        symbol: "UNIT".into(),
        decimals: 0,
        ratio: 1,
    }
}
