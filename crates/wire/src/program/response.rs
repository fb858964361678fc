//! What the page is answered.

use std::collections::BTreeMap;

use connect4_protocol::{Address, GameId};
use connect4_rules::ShapeSpec;
use serde::Serialize;

use super::account::OpenAccount;
use super::host::Signing;
use super::transaction::Receipt;
use crate::play::Level;

/// What a page has to know before anything else.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Hello {
    /// Version of this API, [`API`](crate::API).
    pub api: u32,
    /// Token of this start of the server, to be sent with each request that changes something.
    pub token: String,
    /// Version of the program.
    pub version: &'static str,
    /// Whether the browser has the host's key, which opens everything.
    pub host: bool,
    /// Keys of the browser that open nothing.
    pub unknown_keys: Vec<String>,
    /// The chain.
    pub chain: ChainFacts,
    /// Whether it is a public host, which signs for nobody; else a program with accounts of its own.
    pub public: bool,
    /// What signed games and wallets need; none while the chain does not answer.
    pub signing: Option<Signing>,
    /// Key of the witness that the relay of this server is, which keeps order and time of signed games without a stake;
    /// null if it is none, or its chain has not answered yet.
    pub witness: Option<Address>,
    /// Keys of all witnesses whose games count here: [`witness`](Self::witness), those of its relay before, and those
    /// that the operator has named.
    pub witnesses: Vec<Address>,
    /// Whether there is an index, which knows profiles and standings.
    pub index: bool,
    /// The accounts that the keys open.
    pub accounts: Vec<OpenAccount>,
    /// Names of the development accounts by address.
    #[cfg_attr(feature = "declarations", ts(type = "Record<Address, string>"))]
    pub names: BTreeMap<String, &'static str>,
    /// Levels of computer opponents, the weakest first.
    pub levels: Vec<Level>,
    /// Which shapes a board can have.
    pub shape: ShapeBounds,
    /// Which terms a variant can have.
    pub terms: TermsBounds,
}

/// Facts about the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct ChainFacts {
    /// Name of the chain, if it answers.
    pub name: Option<String>,
    /// Where it is, in words.
    pub place: String,
    /// The contract, if it is deployed.
    pub contract: Option<Address>,
    /// The contract of the variants, if it is deployed.
    pub variants: Option<Address>,
    /// Symbol of the token, as `DOT`.
    pub symbol: Option<String>,
    /// Decimals of the token: one token is ten to the power of this many of its smallest unit.
    pub decimals: Option<u32>,
}

/// Bounds of shapes. Each bound of `most` holds alone: the larger one number, the smaller the
/// others have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct ShapeBounds {
    /// The usual shape.
    pub standard: ShapeSpec,
    /// The least of each number.
    pub least: ShapeSpec,
    /// The most of each number.
    pub most: ShapeSpec,
}

/// Bounds of the terms of variants. Shapes have bounds of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct TermsBounds {
    /// The fewest players.
    pub least_players: u8,
    /// The most players. The pie rule is for the fewest.
    pub most_players: u8,
    /// How often a player can use a power in a game, at most.
    pub most_power: u8,
    /// The shortest limit, in seconds.
    pub least_limit: u32,
    /// The longest limit, in seconds.
    pub most_limit: u32,
}

/// Number of a game that was started, or of a table that was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct GameNumber {
    /// Number of the game.
    pub game: GameId,
}

/// A move that was made, or an action that was performed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Transacted {
    /// The transaction; none if it was signed and sent to the opponent.
    pub transaction: Option<Receipt>,
}

/// A request that was done, about which there is nothing to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Done {}

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Refusal {
    /// What was wrong and what to do, in words.
    pub error: String,
    /// What kind of reason it is.
    pub kind: RefusalKind,
}

/// Kind of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RefusalKind {
    /// The request makes no sense.
    Input,
    /// It comes from a page of another site, or by a name that is none of this server's.
    Origin,
    /// Its token is not that of this start of the server.
    Token,
    /// It has no key for that.
    Key,
    /// The contract refuses it.
    Refused,
    /// The account cannot pay.
    Funds,
    /// There is no such game.
    Gone,
    /// The chain is away or did not take the transaction.
    Chain,
    /// Anything else.
    Other,
}
