//! A game as it is written down.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use connect4_protocol::signed::{Digest, GameNumber, Signature, SignedSession, Witnessed};
use connect4_protocol::{Address, ClockSpec, End, GameId, GameName};
use connect4_rules::ByPlayer;
use connect4_rules::variant::{Move, Variant};

/// A game with all that is known of it, and the evidence for it.
///
/// Players are seats: the place in the order of the first turns, from 0. After a swap a player keeps the seat.
/// Times are in seconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Name of the game; none if no chain and no signed terms have it.
    pub game: Option<GameName>,
    /// Name of a game whose moves its players signed, in a text without what is checked of that: of an earlier version of
    /// this program, or as the page saves a signed game. Nothing that they signed is read. None of other games.
    pub earlier: Option<String>,
    /// EIP-155 number of the chain.
    pub chain: Option<u64>,
    /// Hash of the chain's first block.
    pub genesis: Option<Digest>,
    /// The contract that has the game.
    pub contract: Option<Address>,
    /// The block in which the game started, or in which the chain first tells of it.
    pub started: Option<Block>,
    /// The block in which it ended.
    pub ended: Option<Block>,
    /// Accounts of the players; empty if they are not known.
    pub players: Vec<Address>,
    /// Terms: the board and the rules.
    pub terms: Variant,
    /// Clock of a game of two that did not begin on a chain.
    pub clock: Option<ClockSpec>,
    /// Time for each move of a variant, in seconds.
    pub limit: Option<u32>,
    /// When the terms were made, or the game started.
    pub time: Option<u64>,
    /// Number of the pool for whose ratings it counts; 0 for none in particular.
    pub pool: u16,
    /// Whether a program plays, as each player says of itself.
    pub programs: ByPlayer<bool>,
    /// What tells signed terms from the same ones made in the same second.
    pub nonce: Option<u32>,
    /// What a signed game has besides, which is written in version 2 of the format; none of other games.
    pub signed_game: Option<SignedGame>,
    /// Moves, and players who leave.
    pub steps: Vec<Step>,
    /// How it ended; none if it has not, as far as this record goes.
    pub end: Option<End>,
    /// The winner's seat; none without an end, and after a draw.
    pub winner: Option<u8>,
    /// Other tags, which are kept: names and values.
    pub other: Vec<(String, String)>,
    /// Comments, each with the number of steps before it.
    pub comments: Vec<(usize, String)>,
}

/// What a signed game without a stake has besides other games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedGame {
    /// Address of each player's session key.
    pub keys: ByPlayer<Address>,
    /// Key of the relay that kept time and order; none if the players agreed by themselves.
    pub witness: Option<Address>,
    /// Digest of the rules of the tournament; none if it belongs to none.
    pub event: Option<Digest>,
    /// Number of the game before in a series; none if there is none.
    pub previous: Option<GameNumber>,
    /// What shows how it ended; none if only a chain does, or it has not ended.
    pub evidence: Option<EndEvidence>,
}

/// What shows how a signed game ended, besides its terms, its moves and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndEvidence {
    /// For each account that is not its own key, what it has signed about its session key.
    pub sessions: ByPlayer<Option<SignedSession>>,
    /// Signature of each player.
    pub signatures: ByPlayer<Signature>,
    /// What the witness has said; none in a game without one.
    pub witnessed: Option<Witnessed>,
}

/// A block of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Number of the block.
    pub number: u32,
    /// Its hash.
    pub hash: Digest,
}

/// What happened in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The player to move made this move.
    Move(Move),
    /// The player of this seat left a variant, or was removed for being late.
    Left(u8),
}

impl Record {
    /// A game on these terms at its start, of which nothing else is known.
    #[must_use]
    pub const fn new(terms: Variant) -> Self {
        Self {
            game: None,
            earlier: None,
            chain: None,
            genesis: None,
            contract: None,
            started: None,
            ended: None,
            players: Vec::new(),
            terms,
            clock: None,
            limit: None,
            time: None,
            pool: 0,
            programs: ByPlayer {
                one: false,
                two: false,
            },
            nonce: None,
            signed_game: None,
            steps: Vec::new(),
            end: None,
            winner: None,
            other: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// Name of the game, as the text has it; also that of a game of an [earlier](Self::earlier) version.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        let name = self.game.map(|game| game.to_string());
        name.or_else(|| self.earlier.clone())
    }

    /// Whether the rules of variants apply, in which players leave.
    #[must_use]
    pub fn is_variant(&self) -> bool {
        match self.game {
            Some(GameName::Chain(GameId::Variant(_))) => true,
            Some(GameName::Chain(_) | GameName::Terms(_)) => false,
            None => self.earlier.is_none() && !self.terms.is_classic(),
        }
    }

    /// Whether it is a plain game of a chain: without a clock, and ended by a line, a full board or a resignation alone.
    pub(crate) const fn is_plain(&self) -> bool {
        matches!(self.game, Some(GameName::Chain(GameId::Classic(_))))
    }

    /// The moves, without the players who left.
    pub fn moves(&self) -> impl Iterator<Item = Move> + Clone + '_ {
        self.steps.iter().filter_map(|step| match step {
            Step::Move(action) => Some(*action),
            Step::Left(_) => None,
        })
    }
}
