//! By what a game without a stake ends.

use connect4_rules::Player;

use super::{Refused, Terms, WitnessedEnd};
use crate::{End, Game};

/// By what a game ended.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    codec::Encode,
    codec::Decode,
    codec::MaxEncodedLen,
    scale_info::TypeInfo,
)]
pub enum Ending {
    /// By the position on the board.
    #[codec(index = 0)]
    Board,
    /// This player resigned. In a game without a witness the loser of a line agrees to it so.
    #[codec(index = 1)]
    Resignation(Player),
    /// Both players agreed on a draw.
    #[codec(index = 2)]
    Draw,
    /// The time of this player lapsed.
    #[codec(index = 3)]
    Lapse(Player),
}

impl Ending {
    /// As a witness says it.
    #[must_use]
    pub const fn witnessed(self) -> WitnessedEnd {
        match self {
            Self::Board => WitnessedEnd::Board,
            Self::Resignation(by) => WitnessedEnd::Resignation(by),
            Self::Draw => WitnessedEnd::Draw,
            Self::Lapse(of) => WitnessedEnd::Lapse(of),
        }
    }

    /// As a witness has said it; none of a void game, which has no end.
    #[must_use]
    pub const fn of_witnessed(end: WitnessedEnd) -> Option<Self> {
        match end {
            WitnessedEnd::Void => None,
            WitnessedEnd::Board => Some(Self::Board),
            WitnessedEnd::Draw => Some(Self::Draw),
            WitnessedEnd::Resignation(by) => Some(Self::Resignation(by)),
            WitnessedEnd::Lapse(of) => Some(Self::Lapse(of)),
        }
    }

    /// How this game by these terms ends by this, if that is its end; `is_witnessed` if a witness says so.
    #[inline(never)]
    pub(super) fn of_game(
        self,
        terms: &Terms,
        game: &Game,
        is_witnessed: bool,
    ) -> Result<(End, Option<Player>), Refused> {
        // Without a witness the loser agrees to a line by resigning at it.
        let agreed = match self {
            Self::Resignation(by) if terms.witness.is_none() => {
                game.winner() == Some(by.opponent())
            }
            _ => false,
        };
        let on_board = matches!(self, Self::Board) || agreed;
        match game.end() {
            Some(_) if !on_board => return Err(Refused::EndedBefore),
            None if on_board => return Err(Refused::NotOver),
            _ => {}
        }
        match (terms.witness, is_witnessed, self) {
            (None, true, _) | (None, _, Self::Lapse(_)) => return Err(Refused::NoWitness),
            (Some(_), false, _) => return Err(Refused::Unwitnessed),
            _ => {}
        }
        let (end, winner) = match (game.end(), self) {
            (Some(end), _) => (end, game.winner()),
            (None, Self::Resignation(by)) => (End::Resignation, Some(by.opponent())),
            (None, Self::Lapse(_)) if terms.clock.is_none() => return Err(Refused::NoClock),
            (None, Self::Lapse(of)) if game.to_move() != Some(of) => {
                return Err(Refused::NotToMove);
            }
            (None, Self::Lapse(of)) => (End::Timeout, Some(of.opponent())),
            (None, Self::Board | Self::Draw) => (End::Agreement, None),
        };
        if end == End::Line && terms.witness.is_none() && !agreed {
            return Err(Refused::Unagreed);
        }
        Ok((end, winner))
    }
}
