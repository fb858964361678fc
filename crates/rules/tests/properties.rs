//! Random games on random boards, compared with the rules written out plainly.

mod common;

use connect4_rules::{Bin, Cell, Position, Shape, notation};
use proptest::prelude::*;

use common::random::{config, games};
use common::{Naive, winning};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_game_is_played_as_the_plain_rules_play_it((shape, bins) in games()) {
        let mut position = Position::new(shape);
        let mut naive = Naive::new(shape);
        for bin in bins {
            let before = position;
            let taken = position.drop(Bin::new(bin));
            prop_assert_eq!(taken.is_ok(), naive.drop(bin));
            match taken {
                Err(_) => prop_assert_eq!(position, before),
                Ok(dropped) => {
                    prop_assert_eq!(dropped.row, before.height(Bin::new(bin)));
                    prop_assert_eq!(dropped.outcome, naive.outcome());
                    prop_assert_eq!(position.plies(), before.plies() + 1);
                    let cell = Cell::new(bin, dropped.row);
                    prop_assert_eq!(position.disc(cell), Some(before.to_move()));
                }
            }
            prop_assert_eq!(position.outcome(), naive.outcome());
            prop_assert_eq!(position.to_move(), naive.to_move);
            prop_assert_eq!(winning(&position), naive.winning(), "\n{}", position);
        }
        for cell in shape.iter_cells() {
            let disc = naive.disc(cell.bin.index().into(), cell.row.into());
            prop_assert_eq!(position.disc(cell), disc);
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
    fn a_board_reads_back((shape, bins) in games()) {
        let mut position = Position::new(shape);
        for bin in bins {
            let _ = position.drop(Bin::new(bin));
        }
        prop_assert_eq!(Position::read(&position.to_string(), shape.line()), Ok(position));
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
