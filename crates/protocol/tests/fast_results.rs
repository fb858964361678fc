//! The result of a game by signed terms, whatever came first.

use connect4_protocol::End;
use connect4_protocol::fast::{Moves, Piece, Results};
use connect4_rules::Player;

fn piece(moves: &[u8], end: Option<End>, winner: Option<Player>) -> Piece {
    Piece {
        moves: Moves::from_bins(moves).expect("few moves"),
        end,
        winner,
    }
}

/// Calls `visit` with each order of the pieces.
fn every_order(pieces: &mut [Piece], fixed: usize, visit: &mut impl FnMut(&[Piece])) {
    if fixed == pieces.len() {
        return visit(pieces);
    }
    for next in fixed..pieces.len() {
        pieces.swap(fixed, next);
        every_order(pieces, fixed + 1, visit);
        pieces.swap(fixed, next);
    }
}

/// The result of the pieces in each order, each of them brought once or twice.
fn result(pieces: &[Piece]) -> Piece {
    let of = |order: &[Piece], times| {
        let mut results = Results::default();
        for piece in order.iter().cycle().take(times * order.len()) {
            results.add(piece);
        }
        results.result()
    };
    let expected = of(pieces, 1);
    every_order(&mut pieces.to_vec(), 0, &mut |order| {
        assert_eq!(of(order, 1), expected, "{order:?}");
        assert_eq!(of(order, 2), expected, "{order:?}");
    });
    expected
}

const ONE: Option<Player> = Some(Player::One);
const TWO: Option<Player> = Some(Player::Two);

/// Player one has a line after seven moves.
fn line() -> Piece {
    piece(&[3, 4, 3, 4, 3, 4, 3], Some(End::Line), ONE)
}

/// Player two has missed a win at its third move, the game went on, and then it goes back to it.
fn other_line() -> Piece {
    piece(&[3, 4, 3, 4, 2, 4, 3, 4], Some(End::Line), TWO)
}

#[test]
fn nothing_is_no_result() {
    assert_eq!(result(&[]), Piece::START);
}

#[test]
fn who_has_lost_gains_nothing_by_what_it_brings_first() {
    let of_loser = [
        // Its own resignation at the first move.
        piece(&[3, 4], Some(End::Resignation), ONE),
        // An old draw.
        piece(&[3, 4, 3, 4], Some(End::Agreement), None),
        // A timeout at an old position, and at the last one before the line.
        piece(&[3, 4, 3, 4], Some(End::Timeout), TWO),
        piece(&[3, 4, 3, 4, 3, 4], Some(End::Timeout), TWO),
        // A position in which the game goes on.
        piece(&[3, 4, 3, 4, 3, 4], None, None),
    ];
    for early in of_loser {
        assert_eq!(result(&[line(), early]), line(), "{early:?}");
    }
    let mut all = of_loser.to_vec();
    all.push(line());
    assert_eq!(result(&all), line());
}

#[test]
fn a_resignation_stands_whatever_else_was_signed() {
    let resigned = piece(&[3, 4, 3], Some(End::Resignation), TWO);
    let found = result(&[
        line(),
        resigned,
        piece(&[3, 4, 3, 4], Some(End::Agreement), None),
    ]);
    assert_eq!(found, resigned);
}

#[test]
fn if_both_have_resigned_nobody_has_won() {
    let one = piece(&[3, 4, 3], Some(End::Resignation), TWO);
    let two = piece(&[3, 4], Some(End::Resignation), ONE);
    let found = result(&[one, two, line()]);
    assert_eq!(found, piece(&[3, 4, 3], Some(End::Agreement), None));
}

#[test]
fn for_one_winner_the_longest_record_is_shown() {
    let resigned = piece(&[3, 4, 3, 4], Some(End::Resignation), ONE);
    let later = piece(&[3, 4, 3, 4, 3], Some(End::Resignation), ONE);
    assert_eq!(result(&[resigned, later]), later);
    assert_eq!(result(&[resigned, later, line()]), line());
}

#[test]
fn a_draw_that_both_have_signed_for_good_is_undone_by_later_moves_of_both_alone() {
    let draw = piece(&[3, 4, 3, 4, 3, 4], Some(End::Agreement), None);
    // One has moved on after it had agreed.
    assert_eq!(result(&[draw, line()]), draw);
    assert_eq!(
        result(&[draw, piece(&[3, 4, 3, 4, 3, 4, 2], None, None)]),
        draw
    );
    let later = piece(&[3, 4, 3, 4, 3, 4, 2, 4], Some(End::Line), TWO);
    assert_eq!(result(&[draw, later]), later);
    let timeout = |moves| piece(moves, Some(End::Timeout), ONE);
    assert_eq!(result(&[draw, timeout(&[3, 4, 3, 4, 3, 4])]), draw);
    // Who has completed it and left does not lose by a move that the other one makes afterwards.
    assert_eq!(result(&[draw, timeout(&[3, 4, 3, 4, 3, 4, 2])]), draw);
    let late = timeout(&[3, 4, 3, 4, 3, 4, 2, 5]);
    assert_eq!(result(&[draw, late]), late);
}

#[test]
fn who_goes_back_to_a_missed_win_gains_nothing() {
    // Player two could have won at its fourth move, and made another one.
    let on = piece(&[3, 4, 3, 4, 2, 4, 3, 5, 2], None, None);
    let found = result(&[other_line(), on]);
    assert_eq!((found.end, found.moves), (None, on.moves));
    let end = piece(&[3, 4, 3, 4, 2, 4, 3, 5, 2, 5, 3], Some(End::Line), ONE);
    assert_eq!(result(&[other_line(), on, end]), end);
}

#[test]
fn who_was_late_gains_nothing_by_one_more_move() {
    let timeout = piece(&[3, 4, 3, 4, 2], Some(End::Timeout), ONE);
    // Player two could sign it by itself afterwards.
    let alone = piece(&[3, 4, 3, 4, 2, 4], None, None);
    assert_eq!(result(&[timeout, alone]), timeout);
    // This one shows that player one had signed a later move than that at which it was left to wait.
    let both = piece(&[3, 4, 3, 4, 2, 4, 3], None, None);
    assert_eq!(result(&[timeout, alone, both]), both);
}

#[test]
fn an_abort_is_no_result_and_keeps_none_away() {
    let abort = piece(&[3], Some(End::Abort), None);
    assert_eq!(result(&[abort]), abort);
    assert_eq!(result(&[abort, line()]), line());
    assert_eq!(result(&[abort, piece(&[3, 4], None, None)]), abort);
}

/// Three or four pieces of all kinds, in every order.
#[test]
fn the_result_of_any_pieces_is_that_of_every_order() {
    let [a, b] = [[3, 4, 3, 4, 3, 4, 3, 4], [3, 4, 2, 4, 1, 4, 0, 4]];
    let mut kinds = Vec::new();
    for moves in [&a[..4], &a[..5], &a[..6], &b[..5], &b[..6]] {
        kinds.push(piece(moves, None, None));
        kinds.push(piece(moves, Some(End::Agreement), None));
        kinds.push(piece(moves, Some(End::FullBoard), None));
        for winner in [ONE, TWO] {
            for end in [End::Line, End::Resignation, End::Timeout] {
                kinds.push(piece(moves, Some(end), winner));
            }
        }
    }
    // Fixed steps through the lists of three, and every list of two.
    for (place, first) in kinds.iter().enumerate() {
        for second in &kinds {
            result(&[*first, *second]);
            let third = &kinds[(place * 7 + 3) % kinds.len()];
            result(&[*first, *second, *third]);
            let fourth = &kinds[(place * 11 + 5) % kinds.len()];
            result(&[*first, *second, *third, *fourth]);
        }
    }
}
