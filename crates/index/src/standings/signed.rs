//! Standings of signed games.

use connect4_client::Address;
use connect4_protocol::End;

use super::Standing;
use super::testing::{game, signed};
use crate::game::Ending;

const ALICE: Address = Address([1; 20]);
const BOB: Address = Address([2; 20]);
const CHARLIE: Address = Address([3; 20]);

fn standings(games: &[Ending]) -> Vec<Standing> {
    signed(games).rows
}

fn row(table: &[Standing], account: Address) -> (u32, u32, u32, i64) {
    let found = table.iter().find(|row| row.account == account).unwrap();
    let Standing {
        wins,
        draws,
        losses,
        rating,
        ..
    } = *found;
    #[allow(clippy::cast_possible_truncation, reason = "ratings are small")]
    (wins, draws, losses, rating.round() as i64)
}

#[test]
fn a_win_moves_equals_by_sixteen_points() {
    let table = standings(&[game(0, [ALICE, BOB], 7, Some(ALICE), End::Line)]);
    assert_eq!(row(&table, ALICE), (1, 0, 0, 1516));
    assert_eq!(row(&table, BOB), (0, 0, 1, 1484));
    assert_eq!(table[0].account, ALICE, "the highest rating first");
}

#[test]
fn a_draw_moves_points_to_the_lower_rating() {
    let won = game(0, [ALICE, BOB], 7, Some(ALICE), End::Line);
    let drawn = game(1, [ALICE, BOB], 42, None, End::FullBoard);
    let table = standings(&[won, drawn]);
    // Alice's expected score: 1 / (1 + 10^(-32 / 400)) = 0.546.
    assert_eq!(row(&table, ALICE), (1, 1, 0, 1515));
    assert_eq!(row(&table, BOB), (0, 1, 1, 1485));
}

#[test]
fn ratings_are_neither_made_nor_lost_by_games_that_count() {
    let mut games = Vec::new();
    for number in 0..12 {
        let winner = [Some(ALICE), None, Some(BOB)][number as usize % 3];
        let end = if winner.is_some() {
            End::Timeout
        } else {
            End::Agreement
        };
        let players = [[ALICE, BOB], [BOB, CHARLIE], [BOB, ALICE]][number as usize % 3];
        let winner = winner.filter(|winner| players.contains(winner));
        games.push(game(number, players, 9, winner, end));
    }
    let sum: f64 = standings(&games).iter().map(|row| row.rating).sum();
    assert!((sum - 3.0 * 1500.0).abs() < 1e-6, "{sum}");
}

#[test]
fn a_series_of_instant_resignations_gains_nothing() {
    // Six turns at most: nobody can have had a line.
    let resigned = |number| {
        game(
            number,
            [ALICE, BOB],
            number % 7,
            Some(ALICE),
            End::Resignation,
        )
    };
    let games: Vec<_> = (0..100).map(resigned).collect();
    let table = standings(&games);
    assert_eq!(row(&table, ALICE), (0, 0, 0, 1500));
    let (wins, draws, losses, rating) = row(&table, BOB);
    assert_eq!((wins, draws, losses), (0, 0, 100));
    assert!(rating < 1500, "a quick resignation is a loss: {rating}");
}

#[test]
fn an_early_agreement_counts_for_nobody() {
    let agreed = |turns| standings(&[game(0, [ALICE, BOB], turns, None, End::Agreement)]);
    let table = agreed(6);
    assert_eq!(row(&table, ALICE), (0, 0, 0, 1500));
    assert_eq!(row(&table, BOB), (0, 0, 0, 1500));
    assert_eq!(row(&agreed(7), ALICE), (0, 1, 0, 1500));
}

#[test]
fn an_aborted_game_counts_for_nothing() {
    let aborted = game(0, [ALICE, BOB], 1, None, End::Abort);
    assert_eq!(standings(&[aborted]), []);
}
