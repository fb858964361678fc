//! What has changed between two states of a game.

use connect4_protocol::{self as protocol, AnyGame, variants};
use connect4_rules::Cell;
use connect4_rules::variant::{Colour, Move, Position};

use crate::failure::Failure;
use crate::game::{GameAt, Numbering};
use crate::output::Output;
use crate::said::{Made, Note, Said, Step};
use crate::words::took_over;

/// The only move that leads from one state to the other, and the row in which a disc of a classic game
/// then lies; none if there were more, or none.
pub fn one_move(before: &AnyGame, after: &AnyGame) -> Option<(Move, u8)> {
    match (before, after) {
        (AnyGame::Two(before), AnyGame::Two(after)) => {
            let bin = after
                .shape()
                .iter_bins()
                .find(|&bin| after.board().height(bin) > before.board().height(bin))?;
            let row = after.board().height(bin).checked_sub(1)?;
            Some((Move::Drop(bin), row))
        }
        (AnyGame::Variant(before), AnyGame::Variant(after)) => {
            let mut moves = before.position().legal_moves();
            let found = moves.find(|&action| {
                let mut position = *before.position();
                position.play(action).is_ok() && position == *after.position()
            });
            found.map(|action| (action, 0))
        }
        _ => None,
    }
}

/// Says which move of a signed game was made between two states of it, if it was one. Bins count from 1.
pub fn tell_move(
    before: &protocol::Game,
    after: &protocol::Game,
    at: GameAt,
    out: &mut Output,
) -> Result<(), Failure> {
    if after.is_swapped() && !before.is_swapped() {
        let text = took_over(Colour::Blue.name());
        return out.say(Said::Note(Note::Text(&text)));
    }
    let moved = one_move(&(*before).into(), &(*after).into());
    let moved = moved.filter(|_| after.turns() == before.turns() + 1);
    if let (Some((Move::Drop(bin), row)), Some(colour)) = (moved, AnyGame::from(*before).to_move())
    {
        out.say(Said::Moved(Made {
            colour,
            step: Step::Drop {
                bin,
                row,
                numbering: Numbering::One,
            },
            after: at,
            sent: None,
        }))?;
    }
    Ok(())
}

/// Number of moves that `before` has and `after` has not, as far as they tell: where a column of
/// discs, or a game of a variant, may go on in the other.
pub fn lost_moves(before: &AnyGame, after: &AnyGame) -> u16 {
    match (before, after) {
        (AnyGame::Two(before), AnyGame::Two(after)) => lost_discs(before, after),
        (AnyGame::Variant(before), AnyGame::Variant(after)) => lost_turns(before, after),
        _ => 0,
    }
}

fn lost_discs(before: &protocol::Game, after: &protocol::Game) -> u16 {
    let disc = |game: &protocol::Game, bin, row| game.position().disc(Cell { bin, row });
    let mut lost = 0;
    for bin in before.shape().iter_bins() {
        let height = before.board().height(bin);
        let common = (0..height)
            .take_while(|&row| disc(before, bin, row) == disc(after, bin, row))
            .count();
        lost += usize::from(height) - common;
    }
    u16::try_from(lost).unwrap_or(u16::MAX)
}

fn lost_turns(before: &variants::Game, after: &variants::Game) -> u16 {
    let (was, is) = (before.position(), after.position());
    let left = |position: &Position| Colour::ALL.map(|colour| position.has_left(colour));
    let is_other = left(was) == left(is) && was != is;
    match was.turns().checked_sub(is.turns()) {
        None => 0,
        Some(0) => u16::from(is_other && was.turns() > 0),
        Some(lost) => lost.into(),
    }
}

#[cfg(test)]
mod tests {
    use connect4_rules::Bin;

    use super::*;
    use crate::samples;

    fn classic(moves: &str) -> AnyGame {
        samples::game(moves).into()
    }

    fn variant(moves: &str) -> AnyGame {
        samples::variant(moves).into()
    }

    #[test]
    fn discs_that_were_undone_are_counted() {
        let lost = |before, after| lost_moves(&classic(before), &classic(after));
        assert_eq!(lost("616", "616"), 0);
        assert_eq!(lost("616", "6162"), 0);
        assert_eq!(lost("616", "61"), 1);
        assert_eq!(lost("616", "612"), 1, "another one is in its place");
        assert_eq!(lost("616", ""), 3);
        assert_eq!(lost("6162", "526"), 2, "the game went on otherwise");
    }

    #[test]
    fn moves_of_variants_that_were_undone_are_counted() {
        let lost = |before, after| lost_moves(&variant(before), &variant(after));
        assert_eq!(lost("12", "12"), 0);
        assert_eq!(lost("12", "12t1.1"), 0);
        assert_eq!(lost("12t1.1", "12"), 1);
        assert_eq!(lost("123", ""), 3);
        assert_eq!(lost("12", "13"), 1, "another one is in its place");
    }

    #[test]
    fn the_move_that_is_new_is_found() {
        let found = one_move(&classic("61"), &classic("616"));
        assert_eq!(found, Some((Move::Drop(Bin::new(5)), 1)));
        assert_eq!(one_move(&classic("61"), &classic("61")), None);
        let found = one_move(&variant("12"), &variant("12t1.1"));
        assert_eq!(found, Some(("t1.1".parse().unwrap(), 0)));
    }
}
