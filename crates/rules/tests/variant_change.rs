//! What a move does to the discs is what the position after it shows.

use std::collections::BTreeMap;

use connect4_rules::Cell;
use connect4_rules::variant::{
    Change, Colour, Move, MoveError, Position, Powers, Variant, VariantSpec,
};
use proptest::prelude::*;

use crate::common::random::config;
use crate::common::shape;

type Discs = BTreeMap<Cell, Colour>;

fn discs(position: &Position) -> Discs {
    let cells = position.shape().iter_cells();
    cells
        .filter_map(|cell| Some((cell, position.disc(cell)?)))
        .collect()
}

/// The discs after a change, moved one by one.
fn changed(position: &Position, change: &Change) -> Discs {
    let shape = position.shape();
    let mut discs = discs(position);
    for cell in change.removed.iter(shape) {
        assert!(discs.remove(&cell).is_some(), "{cell} is empty\n{position}");
    }
    for cell in change.fallen.iter(shape) {
        let disc = discs.remove(&cell).expect("a disc that falls");
        let below = Cell::new(cell.bin.index(), cell.row - 1);
        assert!(
            discs.insert(below, disc).is_none(),
            "{below} is taken\n{position}"
        );
    }
    if let Some(cell) = change.added {
        let mover = position.to_move().expect("somebody who moves");
        assert!(
            discs.insert(cell, mover).is_none(),
            "{cell} is taken\n{position}"
        );
    }
    discs
}

fn all_terms(players: u8) -> Variant {
    let powers = Powers {
        take: 2,
        clear: 2,
        float: 3,
    };
    Variant::try_from(VariantSpec {
        players,
        pop_out: true,
        pie_rule: players == 2,
        powers,
        ..VariantSpec::classic(shape(5, 5, 4))
    })
    .expect("terms within bounds")
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_discs_after_a_move_are_those_that_the_change_tells(
        players in 2_u8..=4,
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..80),
    ) {
        let mut position = Position::new(all_terms(players));
        for choice in choices {
            let moves: Vec<Move> = position.legal_moves().collect();
            if moves.is_empty() {
                break;
            }
            let action = *choice.get(&moves);
            let change = position.change(action).expect("a legal move");
            let told = changed(&position, &change);
            position.play(action).expect("a legal move");
            prop_assert_eq!(told, discs(&position), "after {}\n{}", action, position);
        }
    }
}

#[test]
fn a_refused_move_has_no_change() {
    let position = Position::new(all_terms(2));
    assert_eq!(
        position.change("p1".parse().expect("a move")),
        Err(MoveError::NotYourDisc)
    );
    assert_eq!(
        position.change("s".parse().expect("a move")),
        Err(MoveError::NoSwapNow)
    );
}
