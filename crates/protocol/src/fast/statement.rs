//! What players sign.

use connect4_rules::Player;

use super::domain::{hash_of, word};
use super::{Crypto, Digest, Domain};

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
}

/// What a player signs: a [`Kind`] about all moves of one game so far. Each kind is a struct of
/// EIP-712 of its own:
///
/// ```text
/// Position(uint32 game,bytes moves)
/// Resignation(uint32 game,bytes moves)
/// Draw(uint32 game,bytes moves,uint64 until)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Statement<'a> {
    /// Number of the game.
    pub game: u32,
    /// What is said.
    pub kind: Kind,
    /// Bins of all moves, from 0 at the left.
    pub moves: &'a [u8],
}

const POSITION_TYPE: Digest = hash_of("Position(uint32 game,bytes moves)");
const RESIGNATION_TYPE: Digest = hash_of("Resignation(uint32 game,bytes moves)");
const DRAW_TYPE: Digest = hash_of("Draw(uint32 game,bytes moves,uint64 until)");

impl Statement<'_> {
    /// The digest that is signed.
    #[must_use]
    pub fn digest(&self, domain: &Domain, crypto: &impl Crypto) -> Digest {
        let (of_type, until) = match self.kind {
            Kind::Position => (POSITION_TYPE, None),
            Kind::Resignation => (RESIGNATION_TYPE, None),
            Kind::Draw { until } => (DRAW_TYPE, Some(until)),
        };
        let words = [
            of_type,
            word(self.game.into()),
            crypto.keccak256(self.moves),
            word(until.unwrap_or_default()),
        ];
        let len = if until.is_some() { 4 } else { 3 };
        let (encoded, _) = words.split_at(len);
        domain.digest(crypto, &crypto.keccak256(encoded.as_flattened()))
    }
}

/// The player who makes the last of so many moves; none before the first.
pub(super) const fn last_mover(moves: usize) -> Option<Player> {
    match moves {
        0 => None,
        moves if moves % 2 == 1 => Some(Player::One),
        _ => Some(Player::Two),
    }
}
