//! The computer that plays in the page, and what moves are worth.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use connect4_opponent::{Choose, Clock, Level as Strength, Looking, Opponent, Reviewer, Standard};
use connect4_rules::variant::Variant;
use connect4_rules::{Bin, Position, ShapeSpec, notation, variant};
use connect4_wire::{Hint, Level, Line, MoveAsked, Reviewed, Terms, TermsAndMoves};
use serde::Deserialize;

use crate::answer::{json, read, to_json};
use crate::bytes::Hex;
use crate::failure::Failure;

/// What a page asks: an object with one field, whose name is what is asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComputerRequest {
    /// The position after moves on an empty board, with what can be done there.
    Line(LineAndMove),
    /// The same of a line by its address.
    LineOf(LineQuery),
    /// The move that a computer makes; none if the game is over.
    Choose(MoveOfComputer),
    /// The book of the opening of the standard board, which a page loads once it is asked for by `NoBook`.
    Book(Hex),
    /// What each legal move of a position is worth: each time that it is asked, one more of them is known.
    Hint(Drops),
    /// What the last of these moves gave away.
    Review(Drops),
}

/// What a page asks of the computer, by the name of the request.
#[cfg(test)]
#[derive(ts_rs::TS)]
#[allow(dead_code, reason = "declared, not made")]
pub(crate) struct ComputerRequests {
    line: LineAndMove,
    line_of: LineQuery,
    choose: MoveOfComputer,
    book: Hex,
    hint: Drops,
    review: Drops,
}

/// What the computer answers, by the name of the request.
#[cfg(test)]
#[derive(ts_rs::TS)]
#[allow(dead_code, reason = "declared, not made")]
pub(crate) struct ComputerAnswers {
    line: Line,
    line_of: Line,
    choose: Option<MoveAsked>,
    book: (),
    hint: Hint,
    review: Reviewed,
}

/// Moves on an empty board.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineAsked {
    /// Terms of the game.
    pub terms: Terms,
    /// The moves as text.
    pub moves: String,
}

/// A line, and one more move.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineAndMove {
    /// The moves so far.
    #[serde(flatten)]
    pub line: LineAsked,
    /// The move after them; none if it is left out.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub then: Option<MoveAsked>,
}

/// What the address of a line has.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineQuery {
    /// Names and values of its query, in order.
    pub query: Vec<(String, String)>,
}

/// A position in which a computer is to move.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MoveOfComputer {
    /// The moves so far.
    #[serde(flatten)]
    pub line: LineAsked,
    /// How well it plays.
    pub level: Level,
    /// Number from which its choices follow.
    pub seed: u32,
}

/// Moves of a classic game.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Drops {
    /// Shape of the board.
    pub shape: ShapeSpec,
    /// The moves as text.
    pub moves: String,
}

/// What the computer keeps from one request to the next.
pub struct Mind {
    clock: Clock,
    /// What was searched of the standard board makes the next positions of a game quick.
    standard: Option<Standard>,
    /// The position of the last hint.
    looking: Option<Looking>,
}

impl Mind {
    #[must_use]
    pub const fn new(clock: Clock) -> Self {
        Self {
            clock,
            standard: None,
            looking: None,
        }
    }

    /// Answers a request. Both are JSON.
    #[must_use]
    pub fn answer(&mut self, request: &[u8]) -> Vec<u8> {
        to_json(read(request).and_then(|asked| match asked {
            ComputerRequest::Line(asked) => json(&line(&asked)?),
            ComputerRequest::LineOf(asked) => json(&line_of(&asked)?),
            ComputerRequest::Choose(asked) => json(&self.choose(&asked)?),
            ComputerRequest::Book(book) => json(&self.read(&book)?),
            ComputerRequest::Hint(asked) => json(&self.hint(&asked)?),
            ComputerRequest::Review(asked) => json(&self.review(&asked)?),
        }))
    }

    fn choose(&mut self, asked: &MoveOfComputer) -> Result<Option<MoveAsked>, Failure> {
        let terms = terms(&asked.line)?;
        let moves = &asked.line.moves;
        let action = match terms.is_classic() {
            true => {
                let position = Position::from_moves(terms.shape(), moves).map_err(refused)?;
                let bin = self.choose_at(asked, &position)?;
                bin.map(variant::Move::Drop)
            }
            false => {
                let position = variant::Position::from_moves(terms, moves).map_err(refused)?;
                self.choose_at(asked, &position)?
            }
        };
        Ok(action.map(MoveAsked::from))
    }

    fn choose_at<P: Choose>(
        &mut self,
        asked: &MoveOfComputer,
        position: &P,
    ) -> Result<Option<P::Move>, Failure> {
        let level = asked.level.0;
        if level == Strength::Perfect
            && let Some(drops) = position.drops()
        {
            self.needs_book(&drops)?;
        }
        let mut opponent = Opponent::with_clock(level, asked.seed.into(), self.clock)
            .with_solver(self.standard.take());
        let action = opponent.choose(position);
        self.standard = opponent.into_solver();
        Ok(action)
    }

    fn hint(&mut self, asked: &Drops) -> Result<Hint, Failure> {
        let position = Position::from_moves(shape(asked)?, &asked.moves).map_err(refused)?;
        self.needs_book(&position)?;
        let known = self.looking.take();
        let mut looking = known
            .filter(|looking| *looking.position() == position)
            .unwrap_or_else(|| Looking::at(position));
        if !looking.is_complete() {
            self.reviewing(|reviewer| reviewer.look_on(&mut looking));
        }
        let hint = Hint::of(&looking);
        self.looking = Some(looking);
        Ok(hint)
    }

    fn read(&mut self, Hex(book): &Hex) -> Result<(), Failure> {
        match self.standard.get_or_insert_default().read_book(book) {
            true => Ok(()),
            false => Err(refused("these bytes are no book")),
        }
    }

    fn needs_book(&self, position: &Position) -> Result<(), Failure> {
        let has_book = self.standard.as_ref().is_some_and(Standard::has_book);
        match has_book || !Standard::is_in_book(position) {
            true => Ok(()),
            false => Err(Failure::new(
                "NoBook",
                "the book of the opening is not loaded",
            )),
        }
    }

    fn review(&mut self, asked: &Drops) -> Result<Reviewed, Failure> {
        let mut bins: Vec<Bin> = notation::parse(&asked.moves)
            .collect::<Result<_, _>>()
            .map_err(refused)?;
        let bin = bins.pop().ok_or_else(|| refused("there is no move"))?;
        let before = notation::write(bins).to_string();
        let position = Position::from_moves(shape(asked)?, &before).map_err(refused)?;
        self.needs_book(&position)?;
        let verdict = self.reviewing(|reviewer| reviewer.look_at(&position, bin));
        let verdict = verdict.ok_or_else(|| refused("the move is not legal"))?;
        Ok(Reviewed::new(
            position.plies(),
            position.to_move(),
            bin,
            &verdict,
        ))
    }

    fn reviewing<T>(&mut self, look: impl FnOnce(&mut Reviewer) -> T) -> T {
        let mut reviewer = Reviewer::with_solver(self.standard.take());
        let seen = look(&mut reviewer);
        self.standard = reviewer.into_solver();
        seen
    }
}

/// A request that the rules refuse.
fn refused(why: impl core::fmt::Display) -> Failure {
    Failure::request(why.to_string())
}

fn terms(asked: &LineAsked) -> Result<Variant, Failure> {
    Variant::try_from(asked.terms.spec).map_err(refused)
}

fn shape(asked: &Drops) -> Result<connect4_rules::Shape, Failure> {
    connect4_rules::Shape::try_from(asked.shape).map_err(refused)
}

fn line(LineAndMove { line, then }: &LineAndMove) -> Result<Line, Failure> {
    let terms = terms(line)?;
    let Some(action) = then else {
        return Line::new(terms, &line.moves).map_err(refused);
    };
    let action = variant::Move::from(*action);
    let next = match (action, terms.is_classic()) {
        (variant::Move::Drop(bin), true) => notation::write([bin]).to_string(),
        (_, true) => return Err(refused("there are drops only in a classic game")),
        (_, false) => notation::write([action]).to_string(),
    };
    // Each move is a text of its own, however many there are.
    Line::new(terms, &(line.moves.clone() + &next)).map_err(refused)
}

/// As a host reads it.
fn line_of(asked: &LineQuery) -> Result<Line, Failure> {
    let asked = TermsAndMoves::from_query(&asked.query).map_err(refused)?;
    asked.line().map_err(refused)
}
