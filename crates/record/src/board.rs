//! A game that is played again by the rules.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use connect4_protocol::End;
use connect4_rules::variant::{Colour, Move, Outcome, Position};

use crate::error::Fault;
use crate::record::{Record, Step};

/// A position of a game, with the seats of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    position: Position,
    is_variant: bool,
    is_swapped: bool,
}

impl Board {
    /// The start of a game.
    #[must_use]
    pub fn start(record: &Record) -> Self {
        Self {
            position: Position::new(record.terms),
            is_variant: record.is_variant(),
            is_swapped: false,
        }
    }

    /// The game after all of its steps.
    ///
    /// # Errors
    ///
    /// [`Fault::BadMove`] for the first one that the rules refuse.
    pub fn after(record: &Record) -> Result<Self, Fault> {
        let mut board = Self::start(record);
        for (number, step) in (1..).zip(&record.steps) {
            board.take(*step).map_err(|why| Fault::BadMove {
                number,
                text: step.to_string(),
                why,
            })?;
        }
        Ok(board)
    }

    /// The position by the rules.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Takes a step; or says why it is refused, and stays as it is.
    pub(crate) fn take(&mut self, step: Step) -> Result<(), String> {
        match step {
            Step::Move(action) => {
                let played = self.position.play(action);
                played.map_err(|error| error.to_string())?;
                self.is_swapped |= action == Move::Swap;
                Ok(())
            }
            Step::Left(_) if !self.is_variant => Err("nobody leaves such a game".into()),
            Step::Left(seat) => {
                let colour = Colour::from_index(self.swapped(seat)).ok_or("no such player")?;
                let left = self.position.leave(colour);
                left.map(drop).map_err(|error| error.to_string())
            }
        }
    }

    /// How the board has ended the game, and the winner's seat.
    pub(crate) fn outcome(&self) -> Option<(End, Option<u8>)> {
        let outcome = self.position.outcome()?;
        let end = match outcome {
            Outcome::NoMove if !self.is_variant => End::FullBoard,
            outcome => outcome.into(),
        };
        Some((end, outcome.winner().map(|colour| self.seat_of(colour))))
    }

    /// Whether the player of a seat has left.
    pub(crate) fn has_left(&self, seat: u8) -> bool {
        Colour::from_index(self.swapped(seat)).is_some_and(|colour| self.position.has_left(colour))
    }

    /// The result as the end of the moves tells it: what each seat gets, or `*`.
    pub(crate) fn result(&self, end: Option<End>, winner: Option<u8>) -> String {
        if !end.is_some_and(End::has_result) {
            return "*".into();
        }
        let score = |seat| match winner {
            Some(winner) if winner == seat => "1",
            Some(_) => "0",
            None if self.has_left(seat) => "0",
            None => "1/2",
        };
        let scores: Vec<&str> = (0..self.position.variant().players()).map(score).collect();
        scores.join("-")
    }

    fn seat_of(&self, colour: Colour) -> u8 {
        self.swapped(colour.index() as u8)
    }

    /// The colour of a seat, or the seat of a colour.
    const fn swapped(&self, seat: u8) -> u8 {
        match seat {
            0 | 1 if self.is_swapped => 1 - seat,
            _ => seat,
        }
    }

    /// Whether the game can have ended as the record says.
    pub(crate) fn check_end(&self, record: &Record) -> Result<(), Fault> {
        let outcome = self.outcome();
        let says = (record.end, record.winner);
        let has_winner = says.1.is_some();
        // Variants and plain games of a chain have neither a clock nor a draw by agreement.
        let is_other = !self.is_variant && !record.is_plain();
        let agrees = match (outcome, says.0) {
            (Some((end, winner)), Some(says_end)) if end == says_end => winner == says.1,
            // In games of an earlier version a player who has resigned has lost, though it has made a line since.
            (Some(_), Some(End::Resignation)) => has_winner && record.earlier.is_some(),
            (Some(_), Some(End::Agreement)) => !has_winner && record.earlier.is_some(),
            (Some(_), _) => false,
            (None, None) => !has_winner,
            (None, Some(End::Resignation)) => has_winner && !self.is_variant,
            // The player to move is late.
            (None, Some(End::Timeout)) => {
                let to_move = self.position.to_move().map(|colour| self.seat_of(colour));
                has_winner && to_move != says.1 && is_other
            }
            (None, Some(End::Agreement | End::Abort)) => !has_winner && is_other,
            (None, Some(End::Abandoned)) => !has_winner && self.is_variant,
            (None, Some(_)) => false,
        };
        if agrees {
            return Ok(());
        }
        let (end, winner) = outcome.map_or((None, None), |(end, winner)| (Some(end), winner));
        let words = |end, winner| in_words(self.result(end, winner), end);
        Err(Fault::OtherResult {
            says: words(says.0, says.1),
            by: "moves",
            gives: words(end, winner),
        })
    }
}

impl Record {
    /// The result as it stands behind the moves: `1-0`, `1/2-1/2`, or `*` for none.
    #[must_use]
    pub fn result(&self) -> String {
        let board = Board::after(self).unwrap_or_else(|_| Board::start(self));
        board.result(self.end, self.winner)
    }

    /// Checks the game by the rules: the moves are legal, and the result can be one of them.
    ///
    /// # Errors
    ///
    /// [`Fault::BadMove`], then [`Fault::OtherResult`].
    pub fn check(&self) -> Result<Board, Fault> {
        let board = Board::after(self)?;
        board.check_end(self)?;
        Ok(board)
    }
}

/// A result with its reason.
pub(crate) fn in_words(result: String, end: Option<End>) -> String {
    match end {
        Some(end) => format!("{result} {end}"),
        None => format!("{result} without an end"),
    }
}
