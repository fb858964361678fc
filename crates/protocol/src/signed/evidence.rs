//! Signed positions of a game with a stake, complete enough to convince its contract.

use connect4_rules::{ByPlayer, Player};

use super::{Crypto, Domain, GameNumber, Kind, Moves, Signature, SignedEnd, Statement};
use crate::{Address, Error};

/// Position that both players have signed, and with a [`SignedEnd`] how they ended the game at it: what anyone brings
/// to the contract of the stakes, to which it needs nothing else.
///
/// | end | who made the last move signs | the other signs |
/// |---|---|---|
/// | none | the position after all moves | the position before the last move |
/// | resignation | the resignation at all moves if it is the one who resigns, else the position after all moves | the same; who does not resign and did not move last, the position before the last move |
/// | draw | the draw at all moves | the draw at all moves |
///
/// Where a player would sign an empty list of moves as a position, nothing is signed and [`Signature::NONE`] stands.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub struct Evidence {
    /// How the game ended; none if it goes on, or ended on the board.
    pub end: Option<SignedEnd>,
    /// Signature of each player.
    pub signatures: ByPlayer<Signature>,
    /// All moves of the game so far.
    pub moves: Moves,
}

impl Evidence {
    /// The start of a game, which nobody has signed.
    #[must_use]
    pub const fn start() -> Self {
        Self {
            end: None,
            signatures: ByPlayer {
                one: Signature::NONE,
                two: Signature::NONE,
            },
            moves: Moves::new(),
        }
    }

    /// What a player has to have signed; none if nothing.
    #[must_use]
    pub fn statement_of(&self, player: Player, game: GameNumber) -> Option<Statement<'_>> {
        let statement = Statement::of_player(player, game, &self.moves, self.end);
        let is_signed = statement.kind != Kind::Position || !statement.moves.is_empty();
        is_signed.then_some(statement)
    }

    /// Checks both signatures. Whether the moves are legal is not looked at.
    ///
    /// # Errors
    ///
    /// [`Error::BadSignature`] if one of them is missing, or not by the player's key on what the player has to have
    /// signed.
    pub fn check(
        &self,
        game: GameNumber,
        keys: &ByPlayer<Address>,
        domain: &Domain,
        crypto: &impl Crypto,
    ) -> Result<(), Error> {
        for player in Player::ALL {
            if let Some(statement) = self.statement_of(player, game) {
                let digest = statement.digest(domain, crypto);
                let signer = crypto.recover(&digest, self.signatures.get(player));
                if signer != Some(*keys.get(player)) {
                    return Err(Error::BadSignature);
                }
            }
        }
        Ok(())
    }

    /// Whether it says more than a position after so many moves: a position with more moves, a draw at no fewer, a
    /// resignation at any.
    #[must_use]
    pub const fn is_news_after(&self, moves: u8) -> bool {
        let own = self.moves.turns();
        match self.end {
            Some(SignedEnd::Resignation(_)) => true,
            Some(SignedEnd::Draw { .. }) => own >= moves,
            None => own > moves,
        }
    }

    /// Whether it takes the place of another of the same game. Of two that say as much, the one that was there first
    /// stays: a player who signs two moves for one turn gains nothing by it.
    #[must_use]
    pub const fn replaces(&self, other: &Self) -> bool {
        other.end.is_none() && self.is_news_after(other.moves.turns())
    }
}
