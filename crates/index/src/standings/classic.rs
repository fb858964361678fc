//! Standings of classic games.

use std::collections::BTreeMap;

use connect4_client::{Address, Event};
use connect4_protocol::{End, Game};
use connect4_rules::{Bin, Shape};

use super::testing::{self, game};
use super::{Recorded, Standing};
use crate::league::League;

const ALICE: Address = Address([1; 20]);
const BOB: Address = Address([2; 20]);
const CHARLIE: Address = Address([3; 20]);

fn standings(events: &[Event]) -> Vec<Standing> {
    with_records(events, &BTreeMap::new())
}

fn with_records(events: &[Event], records: &BTreeMap<u32, Game>) -> Vec<Standing> {
    let recorded = Recorded {
        classic: records.clone(),
        ..Recorded::default()
    };
    testing::standings(League::Classic, events, |_| None, &recorded).rows
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
    let table = standings(&game(0, [ALICE, BOB], 7, Some(ALICE), End::Line));
    assert_eq!(row(&table, ALICE), (1, 0, 0, 1516));
    assert_eq!(row(&table, BOB), (0, 0, 1, 1484));
    assert_eq!(table[0].account, ALICE, "the highest rating first");
}

#[test]
fn a_draw_moves_points_to_the_lower_rating() {
    let mut events = game(0, [ALICE, BOB], 7, Some(ALICE), End::Line);
    events.extend(game(1, [ALICE, BOB], 42, None, End::FullBoard));
    let table = standings(&events);
    // Alice's expected score: 1 / (1 + 10^(-32 / 400)) = 0.546.
    assert_eq!(row(&table, ALICE), (1, 1, 0, 1515));
    assert_eq!(row(&table, BOB), (0, 1, 1, 1485));
}

#[test]
fn ratings_are_neither_made_nor_lost_by_games_that_count() {
    let mut events = Vec::new();
    for number in 0..12 {
        let winner = [Some(ALICE), None, Some(BOB)][number as usize % 3];
        let end = if winner.is_some() {
            End::Timeout
        } else {
            End::Agreement
        };
        let players = [[ALICE, BOB], [BOB, CHARLIE], [BOB, ALICE]][number as usize % 3];
        let winner = winner.filter(|winner| players.contains(winner));
        events.extend(game(number, players, 9, winner, end));
    }
    let sum: f64 = standings(&events).iter().map(|row| row.rating).sum();
    assert!((sum - 3.0 * 1500.0).abs() < 1e-6, "{sum}");
}

#[test]
fn a_series_of_instant_resignations_gains_nothing() {
    let mut events = Vec::new();
    for number in 0..100 {
        // Six turns: nobody can have had a line.
        let turns = u8::try_from(number % 7).unwrap();
        events.extend(game(
            number,
            [ALICE, BOB],
            turns,
            Some(ALICE),
            End::Resignation,
        ));
    }
    let table = standings(&events);
    assert_eq!(row(&table, ALICE), (0, 0, 0, 1500));
    let (wins, draws, losses, rating) = row(&table, BOB);
    assert_eq!((wins, draws, losses), (0, 0, 100));
    assert!(rating < 1500, "a quick resignation is a loss: {rating}");
}

#[test]
fn an_early_agreement_counts_for_nobody() {
    let table = standings(&game(0, [ALICE, BOB], 6, None, End::Agreement));
    assert_eq!(row(&table, ALICE), (0, 0, 0, 1500));
    assert_eq!(row(&table, BOB), (0, 0, 0, 1500));
    let table = standings(&game(0, [ALICE, BOB], 7, None, End::Agreement));
    assert_eq!(row(&table, ALICE), (0, 1, 0, 1500));
}

#[test]
fn an_aborted_game_counts_for_nothing() {
    assert_eq!(standings(&game(0, [ALICE, BOB], 1, None, End::Abort)), []);
}

#[test]
fn a_record_stands_for_events_that_are_missing() {
    let mut played = Game::start(ALICE, BOB, Shape::STANDARD.into()).unwrap();
    for turn in 0..7 {
        let account = [ALICE, BOB][turn % 2];
        let bin = Bin::new([0, 1][turn % 2]);
        played.drop(account, bin, 0).unwrap();
    }
    let records = BTreeMap::from([(0, played)]);
    let events = game(0, [ALICE, BOB], 7, Some(ALICE), End::Line);
    let whole = standings(&events);
    // All of its events are missing, or only its start and some moves.
    assert_eq!(with_records(&[], &records), whole);
    assert_eq!(with_records(&events[3..], &records), whole);
    assert_eq!(standings(&events[3..]), []);
}

#[test]
fn a_game_under_way_counts_for_nothing() {
    let mut events = game(0, [ALICE, BOB], 7, Some(ALICE), End::Line);
    events.pop();
    assert_eq!(standings(&events), []);
}
