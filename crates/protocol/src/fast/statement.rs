//! What players sign.

use connect4_rules::Player;

use super::domain::{hash_of, word};
use super::{Crypto, Digest, Domain, GameNumber};

/// What a statement says about the moves in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// These are the moves of the game so far; the signer made the last of them.
    Position,
    /// The signer gives the game up. It stands for good, whatever else is played.
    Resignation,
    /// The signer agrees to a draw at this position.
    Draw {
        /// Last second at which the contract takes it, since 1970 by the chain's timestamps. Without
        /// it an offer that the opponent left unanswered could be accepted many moves later.
        until: u64,
    },
    /// The signer has made the last of these moves, and starts the clock of the opponent on the chain,
    /// in a game by signed terms.
    Press {
        /// Last second at which the contract takes it, since 1970 by the chain's timestamps.
        until: u64,
    },
}

/// What a player signs: a [`Kind`] about all moves of one game so far. Each kind is a struct of
/// EIP-712 of its own:
///
/// ```text
/// Position(uint256 game,bytes moves)
/// Resignation(uint256 game,bytes moves)
/// Draw(uint256 game,bytes moves,uint64 until)
/// Press(uint256 game,bytes moves,uint64 until)
/// ```
///
/// For a contract of an [earlier version](super::StatementVersion::One) `game` is a `uint32`, and there is
/// no press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Statement<'a> {
    /// Which game.
    pub game: GameNumber,
    /// What is said.
    pub kind: Kind,
    /// Bins of all moves, from 0 at the left.
    pub moves: &'a [u8],
}

const POSITION_TYPE: Digest = hash_of("Position(uint256 game,bytes moves)");
const RESIGNATION_TYPE: Digest = hash_of("Resignation(uint256 game,bytes moves)");
const DRAW_TYPE: Digest = hash_of("Draw(uint256 game,bytes moves,uint64 until)");
const PRESS_TYPE: Digest = hash_of("Press(uint256 game,bytes moves,uint64 until)");

const FIRST_POSITION_TYPE: Digest = hash_of("Position(uint32 game,bytes moves)");
const FIRST_RESIGNATION_TYPE: Digest = hash_of("Resignation(uint32 game,bytes moves)");
const FIRST_DRAW_TYPE: Digest = hash_of("Draw(uint32 game,bytes moves,uint64 until)");

impl Statement<'_> {
    /// The digest that is signed.
    #[must_use]
    pub fn digest(&self, domain: &Domain, crypto: &impl Crypto) -> Digest {
        let until = match self.kind {
            Kind::Position | Kind::Resignation => None,
            Kind::Draw { until } | Kind::Press { until } => Some(until),
        };
        let words = [
            self.of_type(domain),
            self.game.0,
            crypto.keccak256(self.moves),
            word(until.unwrap_or_default()),
        ];
        let len = if until.is_some() { 4 } else { 3 };
        let (encoded, _) = words.split_at(len);
        domain.digest(crypto, &crypto.keccak256(encoded.as_flattened()))
    }

    /// Hash of the type.
    const fn of_type(&self, domain: &Domain) -> Digest {
        if domain.version.is_first() {
            match self.kind {
                Kind::Position => return FIRST_POSITION_TYPE,
                Kind::Resignation => return FIRST_RESIGNATION_TYPE,
                Kind::Draw { .. } => return FIRST_DRAW_TYPE,
                // No such contract takes it.
                Kind::Press { .. } => {}
            }
        }
        match self.kind {
            Kind::Position => POSITION_TYPE,
            Kind::Resignation => RESIGNATION_TYPE,
            Kind::Draw { .. } => DRAW_TYPE,
            Kind::Press { .. } => PRESS_TYPE,
        }
    }
}

/// The player who makes the last of so many moves; none before the first.
#[must_use]
pub const fn last_mover(moves: usize) -> Option<Player> {
    match moves {
        0 => None,
        moves if moves % 2 == 1 => Some(Player::One),
        _ => Some(Player::Two),
    }
}
