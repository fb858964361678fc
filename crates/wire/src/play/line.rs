//! What the page shows of a position, and lines of moves on no chain.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use connect4_rules::variant::{self, Move as Action, MoveError, Variant};
use connect4_rules::{Bin, notation};
use serde::Serialize;

use super::moves::{Move, Played};
use super::options::{Refusals, Targets, options};
use super::player::Player;
use super::wording;
use crate::Position;

/// What the page shows of a position, as it knows no rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Shown {
    /// What the player to move can do.
    pub targets: Targets,
    /// Why the player to move cannot do the rest.
    pub refusals: Refusals,
    /// How the game stands, in words.
    pub standing: String,
    /// The moves, if they are known.
    pub moves: Vec<Move>,
    /// Why the moves are not known.
    pub moves_missing: Option<String>,
    /// The moves as text, with bins from 1.
    pub notation: String,
}

/// A position that a line of moves leads to, on no chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "declarations", derive(ts_rs::TS))]
pub struct Line {
    /// There is no game: always none.
    pub game: (),
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// The players in the order of play.
    pub players: Vec<Player>,
    /// What is shown of it.
    #[serde(flatten)]
    pub shown: Shown,
}

impl Shown {
    /// What is shown of a position after these moves; `halted` says why nobody is to move, if nobody is.
    #[must_use]
    pub fn new(
        position: &variant::Position,
        halted: Option<&str>,
        standing: String,
        moves: Vec<Move>,
    ) -> Self {
        let (targets, refusals) = options(position, halted);
        let actions = moves.iter().map(|at| Action::from(at.played.made));
        Self {
            targets,
            refusals,
            standing,
            notation: match position.variant().is_classic() {
                true => notation::write(actions.filter_map(bin_of)).to_string(),
                false => notation::write(actions).to_string(),
            },
            moves,
            moves_missing: None,
        }
    }
}

/// The bin of a drop; none of other moves.
const fn bin_of(action: Action) -> Option<Bin> {
    match action {
        Action::Drop(bin) => Some(bin),
        _ => None,
    }
}

impl Line {
    /// The position that moves as text lead to, on no chain.
    ///
    /// # Errors
    ///
    /// The first move that is none, or that the rules refuse.
    pub fn new(terms: Variant, text: &str) -> Result<Self, String> {
        if !terms.is_classic() {
            let position = variant::Position::from_moves(terms, text);
            let position = position.map_err(|error| error.to_string())?;
            let actions: Vec<Action> = notation::parse(text).flatten().collect();
            let is_swapped = actions.contains(&Action::Swap);
            let seen = Position::of_variant(&position, is_swapped);
            let standing = wording::position_standing(&position);
            return Ok(Self::of(seen, &position, standing, &actions));
        }
        let position = connect4_rules::Position::from_moves(terms.shape(), text);
        let position = position.map_err(|error| error.to_string())?;
        let bins = notation::parse::<Bin>(text).flatten();
        let actions: Vec<Action> = bins.map(Action::Drop).collect();
        let standing = match position.outcome() {
            Some(outcome) => outcome.to_string(),
            None => format!("{} to move", position.to_move()),
        };
        let seen = Position::new(&position);
        Ok(Self::of(seen, &position.into(), standing, &actions))
    }

    /// A line of moves that are legal.
    fn of(
        seen: Position,
        position: &variant::Position,
        standing: String,
        actions: &[Action],
    ) -> Self {
        let mut moves = Vec::new();
        let mut before = variant::Position::new(position.variant());
        for &action in actions {
            if let Ok(played) = Played::new(&before, action) {
                moves.push(Move {
                    played,
                    transaction: None,
                });
            }
            // It was played above.
            let _ = before.play(action);
        }
        let halted = position.outcome().map(|_| MoveError::GameOver.to_string());
        Self {
            game: (),
            position: seen,
            players: Player::all_of_line(position),
            shown: Shown::new(position, halted.as_deref(), standing, moves),
        }
    }
}
