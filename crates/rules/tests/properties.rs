//! Random games on random boards, compared with the rules written out plainly.

use connect4_rules::variant::{self, Colour, Move, MoveError, VariantSpec};
use connect4_rules::{Bin, Cell, DropError, Outcome, Position, Shape, notation};
use proptest::prelude::*;

use crate::common::plain::Plain;
use crate::common::random::{config, games};
use crate::common::winning;

/// The end of the classic game as that of a variant.
fn of_variant(outcome: Option<Outcome>) -> Option<variant::Outcome> {
    outcome.map(|outcome| match outcome {
        Outcome::Won(player) => variant::Outcome::Line(player.into()),
        Outcome::Draw => variant::Outcome::NoMove,
    })
}

/// Why a drop is refused, from why the move of a variant is.
fn of_drop(error: MoveError) -> DropError {
    match error {
        MoveError::GameOver => DropError::GameOver,
        MoveError::NoSuchBin => DropError::NoSuchBin,
        MoveError::BinFull => DropError::BinFull,
        other => panic!("{other}"),
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_game_is_played_as_the_plain_rules_play_it((shape, bins) in games()) {
        let mut position = Position::new(shape);
        let mut plain = Plain::new(VariantSpec::classic(shape));
        for bin in bins {
            let (before, bin) = (position, Bin::new(bin));
            let taken = position.drop(bin);
            let expected = plain.play(Move::Drop(bin));
            prop_assert_eq!(taken.map(|dropped| of_variant(dropped.outcome)), expected.map_err(of_drop));
            match taken {
                Err(_) => prop_assert_eq!(position, before),
                Ok(dropped) => {
                    prop_assert_eq!(dropped.row, before.height(bin));
                    prop_assert_eq!(position.plies(), before.plies() + 1);
                    let cell = Cell { bin, row: dropped.row };
                    prop_assert_eq!(position.disc(cell), Some(before.to_move()));
                }
            }
            prop_assert_eq!(of_variant(position.outcome()), plain.end);
            if let Some(next) = plain.to_move() {
                prop_assert_eq!(Colour::from(position.to_move()), next);
            }
            prop_assert_eq!(winning(&position), plain.winning(), "\n{}", position);
        }
        for cell in shape.iter_cells() {
            let disc = plain.cells[usize::from(cell.bin.index())][usize::from(cell.row)];
            prop_assert_eq!(position.disc(cell).map(Colour::from), disc);
        }
    }

    #[test]
    fn legal_bins_are_those_that_are_taken((shape, bins) in games()) {
        let mut position = Position::new(shape);
        for bin in bins {
            let _ = position.drop(Bin::new(bin));
        }
        let legal: Vec<Bin> = position.legal_bins().collect();
        let taken: Vec<Bin> = (0..=255)
            .map(Bin::new)
            .filter(|&bin| { position }.drop(bin).is_ok())
            .collect();
        prop_assert_eq!(legal, taken);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ |.XO●⬟◎⬠+0-9\n-]{0,400}", line in any::<u8>()) {
        if let Ok(position) = Position::read(&text, line) {
            prop_assert_eq!(Position::read(&position.to_string(), line), Ok(position));
        }
    }

    #[test]
    fn moves_read_back((shape, bins) in games()) {
        let mut position = Position::new(shape);
        let taken: Vec<Bin> = bins
            .into_iter()
            .map(Bin::new)
            .filter(|&bin| position.drop(bin).is_ok())
            .collect();
        let text = notation::write(taken.iter().copied()).to_string();
        prop_assert_eq!(text.len(), taken.len());
        prop_assert_eq!(notation::parse(&text).collect::<Result<Vec<_>, _>>(), Ok(taken));
        prop_assert_eq!(Position::from_moves(shape, &text), Ok(position));
    }

    #[test]
    fn shapes_are_refused_exactly_out_of_bounds(bins: u8, capacity: u8, line in 0..9_u8) {
        let (b, c, l) = (u32::from(bins), u32::from(capacity), u32::from(line));
        let fits = b >= 5 && c >= 4 && (3..=6).contains(&l) && l <= b.max(c) && b * (c + 1) <= 128;
        prop_assert_eq!(Shape::new(bins, capacity, line).is_ok(), fits);
    }
}
