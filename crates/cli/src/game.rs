//! Positions of games of any kind, and where a game is.

use connect4_client::{Address, Contracts, GameId};
use connect4_protocol::{AnyGame, Clock, GameName};
use connect4_rules as rules;
use connect4_rules::variant::{self, Colour};

/// From where people count the bins and rows of a board of discs, at this terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbering {
    /// From 0, as the classroom's game and plain games.
    #[default]
    Zero,
    /// From 1, as notation, variants and the page.
    One,
}

impl Numbering {
    /// The number of a bin or row that has this one from 0.
    pub fn of(self, index: u8) -> u16 {
        match self {
            Self::Zero => index.into(),
            Self::One => u16::from(index) + 1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    Classic(rules::Position),
    Variant(variant::Position),
}

impl Position {
    /// The position in which this game began.
    pub fn first_of(game: &AnyGame) -> Self {
        match game {
            AnyGame::Two(game) => Self::Classic(rules::Position::new(game.shape())),
            AnyGame::Variant(game) => Self::Variant(variant::Position::new(game.variant())),
        }
    }

    /// How many bins the board has.
    pub const fn bins(&self) -> u8 {
        match self {
            Self::Classic(position) => position.shape().bins(),
            Self::Variant(position) => position.shape().bins(),
        }
    }

    /// The colour to move; none after the end.
    pub fn to_move(self) -> Option<Colour> {
        match self {
            Self::Classic(position) => match position.outcome() {
                None => Some(position.to_move().into()),
                Some(_) => None,
            },
            Self::Variant(position) => position.to_move(),
        }
    }
}

impl From<&AnyGame> for Position {
    fn from(game: &AnyGame) -> Self {
        match game {
            AnyGame::Two(game) => Self::Classic(game.position()),
            AnyGame::Variant(game) => Self::Variant(*game.position()),
        }
    }
}

impl From<rules::Position> for Position {
    fn from(position: rules::Position) -> Self {
        Self::Classic(position)
    }
}

impl From<variant::Position> for Position {
    fn from(position: variant::Position) -> Self {
        Self::Variant(position)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameAt {
    pub contract: Address,
    /// The game as people name it.
    pub id: GameName,
    pub game: AnyGame,
    /// Clock that runs for a signed game on the chain.
    pub clock: Option<Clock>,
}

impl GameAt {
    pub fn of(contract: &Contracts, id: GameId, game: impl Into<AnyGame>) -> Self {
        Self {
            contract: contract.address(),
            id: id.into(),
            game: game.into(),
            clock: None,
        }
    }
}
