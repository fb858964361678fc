//! What a seat signs, presses and has recorded in games by signed terms.

use connect4_protocol::Error;
use connect4_protocol::fast::{Ending, Evidence, Kind, Moves, Piece, Results, Signature, Signing};
use connect4_rules::Bin;

use super::Seat;
use crate::acts::{Moved, Press};
use crate::journal::{Dropped, Journal};
use crate::keep::{Keep, SeatError};
use crate::plan;

impl<K: Keep, S: Signing> Seat<K, S> {
    /// Signs a move on top of a position that the chain knows and the opponent may not have shown to anybody:
    /// this signature alone is asked for there. No turn is signed twice, whatever the chain shows later.
    pub(super) fn move_alone(
        &mut self,
        dropped: Dropped,
        bound: Option<Dropped>,
    ) -> Result<Moved, SeatError<K::Error>> {
        match bound {
            Some(bound) if bound.turns > dropped.turns => return Err(SeatError::OnChainAlone),
            Some(bound) if bound != dropped => return Err(SeatError::Bound(bound.bin)),
            _ => {}
        }
        let mut moves = self.moves_on_chain().ok_or(SeatError::OnChainAlone)?;
        moves.push(Bin::new(dropped.bin));
        let mut alone = Evidence {
            moves,
            ..Evidence::start()
        };
        alone.signatures[self.player] = self.subject.sign(&self.key, Kind::Position, &moves);
        let journal = Journal {
            dropped: Some(dropped),
            alone: Some(alone),
            ..self.journal.clone()
        };
        if let Err(error) = self.keep.keep(&journal) {
            if self.keep.may_have(&journal) {
                self.journal.dropped = Some(dropped);
            }
            return Err(SeatError::Keep(error));
        }
        self.journal = journal;
        self.offer = None;
        Ok(Moved::ForChain(alone))
    }

    /// All moves of the game as the chain knows it; none if they don't follow from what this seat holds, by at
    /// most one move of the opponent.
    #[must_use]
    pub fn moves_on_chain(&self) -> Option<Moves> {
        let Journal {
            position, alone, ..
        } = &self.journal;
        let mut known = alone.iter().chain([position]);
        let chain = &self.chain.game;
        known.find_map(|evidence| self.subject.moves_to(chain, &evidence.moves))
    }

    /// The signed statement that starts the opponent's clock on the chain, with the latest position if the chain
    /// does not know it: anyone may bring it until this second of the chain's time. It ends nothing, and is not
    /// kept: the player has signed these moves before.
    ///
    /// # Errors
    ///
    /// As [`Self::press`]; [`Error::NoOffer`] if the game began on the chain, where an account presses.
    pub fn sign_press(&self, until: u64) -> Result<Evidence, Error> {
        let press = self.press()?;
        if !self.subject.is_by_terms() {
            return Err(Error::NoOffer);
        }
        let before = match press {
            Press::With(position) => position,
            Press::Alone => Evidence {
                moves: self.moves_on_chain().ok_or(Error::NotNewer)?,
                signatures: Evidence::start().signatures,
                ending: None,
            },
        };
        let mut pressed = Evidence {
            ending: Some(Ending::Press { until }),
            ..before
        };
        let unsigned = pressed;
        let number = self.subject.number();
        pressed.signatures[self.player] = match unsigned.statement_of(self.player, number) {
            Some(statement) => self
                .subject
                .sign(&self.key, statement.kind, statement.moves),
            // At the start nobody has signed anything.
            None => Signature::NONE,
        };
        Ok(pressed)
    }

    /// What the chain knows of a game by signed terms by its dispute, for its [`Results`].
    #[must_use]
    pub fn piece_on_chain(&self) -> Piece {
        let game = &self.chain.game;
        let zeros = [0; Moves::MAX];
        let unknown = zeros.get(..game.moves().into()).and_then(Moves::from_bins);
        let is_final = self.chain.is_final();
        Piece {
            // Only how many they are decides.
            moves: self.moves_on_chain().or(unknown).unwrap_or_default(),
            end: game.end().filter(|_| is_final),
            winner: game.winner().filter(|_| is_final),
        }
    }

    /// What has to be recorded for this player, as it makes the result of a game by signed terms better than by
    /// all that is on the chain now; none if nothing does. A timeout at an old position, or a win to which the
    /// opponent has gone back, is answered this way when the dispute has ended.
    #[must_use]
    pub fn to_record(&self, on_chain: &Results) -> Option<Evidence> {
        plan::to_record(self.player, &self.subject, &self.journal, on_chain)
    }
}
