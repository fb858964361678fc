//! Sets of cells, compared with the standard library's sets; and the iterators of a shape.

use std::collections::BTreeSet;

use connect4_rules::{Bin, Cell, Cells, Player, Position, Shape};
use proptest::prelude::*;

use crate::common::random::{config, shapes};

/// A shape and two sets of its cells.
fn two_sets() -> impl Strategy<Value = (Shape, BTreeSet<Cell>, BTreeSet<Cell>)> {
    shapes().prop_flat_map(|shape| {
        let all: Vec<Cell> = shape.iter_cells().collect();
        let set =
            prop::sample::subsequence(all.clone(), 0..=all.len()).prop_map(BTreeSet::from_iter);
        (Just(shape), set.clone(), set)
    })
}

fn cells(shape: Shape, set: &BTreeSet<Cell>) -> Cells {
    set.iter().map(|&cell| Cells::of(shape, cell)).collect()
}

#[test]
fn a_shape_walks_its_bins_rows_and_cells() {
    let shape = Shape::CLASSROOM;
    assert!(shape.iter_bins().eq((0..6).map(Bin::new)));
    assert!(shape.iter_rows().rev().eq([3, 2, 1, 0]));
    assert_eq!((shape.iter_bins().len(), shape.iter_rows().len()), (6, 4));
    let cells: Vec<Cell> = shape.iter_cells().collect();
    assert_eq!(cells.len(), 24);
    assert!(cells.is_sorted());
    assert_eq!(cells[4], Cell::new(1, 0));
    assert!(shape.iter_cells().rev().eq(cells.into_iter().rev()));
}

#[test]
fn a_stack_is_the_discs_of_a_bin_from_the_bottom() {
    let position = Position::from_moves(Shape::STANDARD, "44454").unwrap();
    println!("{position}");
    let stack = |bin| position.board().stack(Bin::new(bin)).collect::<Vec<_>>();
    let (red, blue) = (Player::One, Player::Two);
    assert_eq!(stack(3), [red, blue, red, red]);
    assert_eq!(stack(4), [blue]);
    assert_eq!(stack(0), []);
    assert_eq!(stack(7), [], "there is no such bin");
}

#[test]
fn a_cell_that_the_board_does_not_have_changes_no_set() {
    let shape = Shape::STANDARD;
    for cell in [Cell::new(7, 0), Cell::new(0, 6), Cell::new(255, 255)] {
        let mut cells = Cells::all(shape);
        assert_eq!(Cells::of(shape, cell), Cells::EMPTY);
        assert!(!cells.contains(shape, cell));
        assert!(!cells.insert(shape, cell));
        assert!(!cells.remove(shape, cell));
        assert_eq!(cells, Cells::all(shape));
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn operations_are_those_of_sets((shape, one, two) in two_sets()) {
        let (a, b) = (cells(shape, &one), cells(shape, &two));
        prop_assert_eq!(a | b, cells(shape, &(&one | &two)));
        prop_assert_eq!(a & b, cells(shape, &(&one & &two)));
        prop_assert_eq!(a ^ b, cells(shape, &(&one ^ &two)));
        prop_assert_eq!(a - b, cells(shape, &(&one - &two)));

        let assigned = |assign: fn(&mut Cells, Cells)| {
            let mut set = a;
            assign(&mut set, b);
            set
        };
        prop_assert_eq!(assigned(|a, b| *a |= b), a | b);
        prop_assert_eq!(assigned(|a, b| *a &= b), a & b);
        prop_assert_eq!(assigned(|a, b| *a ^= b), a ^ b);
        prop_assert_eq!(assigned(|a, b| *a -= b), a - b);
        prop_assert_eq!(assigned(|a, b| a.extend([b, Cells::EMPTY])), a | b);

        prop_assert_eq!(usize::from(a.len()), one.len());
        prop_assert_eq!(a.is_empty(), one.is_empty());
        prop_assert!(a.iter(shape).eq(one));
    }

    #[test]
    fn cells_are_added_and_removed_one_by_one((shape, one, two) in two_sets()) {
        let mut set = one.clone();
        let mut ours = cells(shape, &one);
        for cell in two {
            prop_assert_eq!(ours.contains(shape, cell), set.contains(&cell));
            prop_assert_eq!(ours.with(shape, cell).without(shape, cell), ours.without(shape, cell));
            let mut more = ours;
            prop_assert_eq!(more.insert(shape, cell), !set.contains(&cell));
            prop_assert_eq!(more, ours.with(shape, cell));
            prop_assert!(more.contains(shape, cell));
            prop_assert_eq!(ours.remove(shape, cell), set.remove(&cell));
            prop_assert_eq!(ours, cells(shape, &set));
        }
    }

    #[test]
    fn all_cells_are_those_of_the_shape(shape in shapes()) {
        let all = Cells::all(shape);
        prop_assert_eq!(all.len(), shape.cells());
        prop_assert!(all.iter(shape).eq(shape.iter_cells()));
        // The bits above the bins and after the last are no cells.
        prop_assert!(Cells::from_bits(u128::MAX).iter(shape).eq(shape.iter_cells()));
    }
}
