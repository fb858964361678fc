//! Attempts to get a high rating without playing well, with what they yield.

use connect4_client::Address;
use connect4_protocol::End;
use connect4_rules::{Shape, ShapeSpec};

use super::testing::{self, game, game_on};
use super::{Standings, Unrated};
use crate::game::Ending;

const ATTACKER: Address = Address([0xff; 20]);
const HOUR: u64 = 60 * 60;

/// Throw-away accounts.
fn losers(count: u8) -> impl Iterator<Item = Address> {
    (0..count).map(|account| Address([account; 20]))
}

/// The standings after these games, of which each ends so many seconds after the one before.
fn played(games: &[Ending], seconds: u64) -> Standings {
    let mut games = games.to_vec();
    for (game, number) in games.iter_mut().zip(0..) {
        game.time = Some(seconds * number);
    }
    testing::signed(&games)
}

/// The attacker's rating, rounded, and the games that were not rated.
fn attacker(standings: &Standings) -> (i64, Unrated) {
    let row = standings.rows.iter().find(|row| row.account == ATTACKER);
    #[allow(clippy::cast_possible_truncation, reason = "ratings are small")]
    (row.unwrap().rating.round() as i64, standings.unrated)
}

/// Each of a hundred accounts loses the shortest game on the smallest board. It was 1990.
#[test]
fn a_hundred_accounts_that_lose_on_another_board_yield_nothing() {
    let shape = ShapeSpec {
        bins: Shape::MIN_BINS,
        capacity: Shape::MIN_CAPACITY,
        line: Shape::MIN_LINE,
    };
    let lost = |(number, loser)| {
        let players = [ATTACKER, loser];
        game_on(shape, number, players, 5, Some(ATTACKER), End::Line)
    };
    let games: Vec<_> = (0..).zip(losers(100)).map(lost).collect();
    let unrated = Unrated {
        other_board: 100,
        ..Unrated::default()
    };
    assert_eq!(attacker(&played(&games, 60)), (1500, unrated));
}

/// Each of a hundred accounts gives up a game at once. It was 1500 before, too.
#[test]
fn a_hundred_accounts_that_resign_at_once_yield_nothing() {
    let lost = |(number, loser)| {
        let players = [ATTACKER, loser];
        game(number, players, 6, Some(ATTACKER), End::Resignation)
    };
    let games: Vec<_> = (0..).zip(losers(100)).map(lost).collect();
    let unrated = Unrated {
        short: 100,
        ..Unrated::default()
    };
    assert_eq!(attacker(&played(&games, 60)), (1500, unrated));
}

/// Each of a hundred accounts loses the shortest game there is, by as many moves as an honest one. Ratings are no proof
/// against it, as the program says.
#[test]
fn a_hundred_accounts_that_lose_whole_games_yield_what_they_did() {
    let lost = |(number, loser)| game(number, [ATTACKER, loser], 7, Some(ATTACKER), End::Line);
    let games: Vec<_> = (0..).zip(losers(100)).map(lost).collect();
    assert_eq!(attacker(&played(&games, 60)), (1990, Unrated::default()));
}

/// One account loses a hundred games within a day. It was 1808.
#[test]
fn one_account_that_loses_a_hundred_times_a_day_yields_five_wins() {
    let games: Vec<_> = (0..100)
        .map(|number| {
            game(
                number,
                [ATTACKER, Address([1; 20])],
                7,
                Some(ATTACKER),
                End::Line,
            )
        })
        .collect();
    let unrated = Unrated {
        frequent: 95,
        ..Unrated::default()
    };
    let standings = played(&games, 600);
    assert_eq!(attacker(&standings), (1567, unrated));
    // The results are as they are.
    assert_eq!((standings.rows[0].wins, standings.rows[0].rated), (100, 5));
}

/// Each of a hundred accounts loses a hundred games. It was 2800.
#[test]
fn many_accounts_that_lose_all_day() {
    let mut games = Vec::new();
    for loser in losers(100) {
        for _ in 0..100 {
            let number = u32::try_from(games.len()).unwrap();
            games.push(game(
                number,
                [loser, ATTACKER],
                8,
                Some(ATTACKER),
                End::Line,
            ));
        }
    }
    let unrated = Unrated {
        frequent: 9500,
        ..Unrated::default()
    };
    assert_eq!(attacker(&played(&games, 8)), (2277, unrated));
}

#[test]
fn a_pair_counts_again_a_day_later() {
    let lost = |number| {
        game(
            number,
            [ATTACKER, Address([1; 20])],
            7,
            Some(ATTACKER),
            End::Line,
        )
    };
    let games: Vec<_> = (0..10).map(lost).collect();
    let frequent = |seconds| played(&games, seconds).unrated.frequent;
    // The sixth game ends 24 hours after the first one.
    assert_eq!(frequent(24 * HOUR / 5), 0);
    assert_eq!(frequent(24 * HOUR / 5 - 1), 1);
    assert_eq!(frequent(4 * HOUR), 1);
    assert_eq!(frequent(HOUR), 5);
}
