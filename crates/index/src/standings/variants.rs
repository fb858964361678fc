//! Standings of games of variants.

use std::collections::BTreeMap;

use connect4_client::Address;
use connect4_protocol::Event;
use connect4_protocol::variants::event::{MoveMade, PlayerLeft, VariantEnded, VariantStarted};
use connect4_protocol::variants::{End, Game};
use connect4_rules::variant::{Move, Powers, VariantSpec};
use connect4_rules::{Bin, Cells, Shape};

use super::{Recorded, Standing, Standings, testing};
use crate::league::League;

const PEOPLE: [Address; 4] = [
    Address([1; 20]),
    Address([2; 20]),
    Address([3; 20]),
    Address([4; 20]),
];

/// The events of a game of so many players and turns on the standard board.
fn game(
    number: u32,
    players: usize,
    turns: u8,
    left: &[Address],
    winner: Option<Address>,
    end: End,
) -> Vec<Event> {
    let players = PEOPLE[..players].to_vec();
    let variant = VariantSpec {
        players: u8::try_from(players.len()).unwrap(),
        powers: Powers {
            take: 1,
            ..Powers::NONE
        },
        ..VariantSpec::classic(Shape::STANDARD)
    };
    let started = Event::VariantStarted(VariantStarted {
        game: number,
        players: players.clone(),
        variant,
        limit: None,
        deadline: None,
    });
    let moves = (0..turns).map(|turn| {
        Event::MoveMade(MoveMade {
            game: number,
            player: players[usize::from(turn) % players.len()],
            action: Move::Drop(Bin::new(0)),
            turn,
            deadline: None,
        })
    });
    let leavers = left.iter().map(|&player| {
        Event::PlayerLeft(PlayerLeft {
            game: number,
            player,
            late: false,
            deadline: None,
        })
    });
    let ended = Event::VariantEnded(VariantEnded {
        game: number,
        winner,
        end,
        winning_cells: Cells::EMPTY,
    });
    [started]
        .into_iter()
        .chain(moves)
        .chain(leavers)
        .chain([ended])
        .collect()
}

/// Wins, draws, losses and rating of each account, in the order of [`PEOPLE`].
fn rows(table: &[Standing]) -> Vec<(u32, u32, u32, i64)> {
    let mut table = table.to_vec();
    table.sort_by_key(|row| row.account);
    let row = |row: &Standing| {
        #[allow(clippy::cast_possible_truncation, reason = "ratings are small")]
        let rating = row.rating.round() as i64;
        (row.wins, row.draws, row.losses, rating)
    };
    table.iter().map(row).collect()
}

/// Standings of games of two players, and of games of more.
struct VariantStandings {
    two: Standings,
    more: Standings,
}

fn variant_standings(events: &[Event]) -> VariantStandings {
    with_records(events, &BTreeMap::new())
}

fn with_records(events: &[Event], records: &BTreeMap<u32, Game>) -> VariantStandings {
    let recorded = Recorded {
        variants: records.clone(),
    };
    let of = |league| testing::standings(league, events, &recorded);
    VariantStandings {
        two: of(League::Two),
        more: of(League::More),
    }
}

#[test]
fn games_of_two_and_of_more_count_apart() {
    let mut events = game(0, 2, 7, &[], Some(PEOPLE[0]), End::Line);
    events.extend(game(1, 4, 13, &[], Some(PEOPLE[1]), End::Line));
    let VariantStandings { two, more } = variant_standings(&events);
    assert_eq!(rows(&two.rows), [(1, 0, 0, 1516), (0, 0, 1, 1484)]);
    // The winner has won three duels of equals, each other player has lost one of three.
    let lost = (0, 0, 1, 1495);
    assert_eq!(rows(&more.rows), [lost, (1, 0, 0, 1516), lost, lost]);
    assert_eq!(more.rows[0].account, PEOPLE[1], "the highest rating first");
}

#[test]
fn a_draw_of_three_is_lost_by_who_left() {
    let events = game(0, 3, 42, &[PEOPLE[2]], None, End::NoMove);
    let drawn = (0, 1, 0, 1508);
    let more = variant_standings(&events).more;
    assert_eq!(rows(&more.rows), [drawn, drawn, (0, 0, 1, 1484)]);
}

#[test]
fn leaving_before_a_line_is_possible_gains_nobody_anything() {
    let left = [PEOPLE[1], PEOPLE[2]];
    // Three players have nine turns before the first of them can have four discs.
    let early = game(0, 3, 9, &left, Some(PEOPLE[0]), End::LastLeft);
    let lost = (0, 0, 1, 1492);
    assert_eq!(
        rows(&variant_standings(&early).more.rows),
        [(0, 0, 0, 1500), lost, lost]
    );
    let late = game(0, 3, 10, &left, Some(PEOPLE[0]), End::LastLeft);
    assert_eq!(
        rows(&variant_standings(&late).more.rows),
        [(1, 0, 0, 1516), lost, lost]
    );
}

#[test]
fn a_record_stands_for_events_that_are_missing() {
    let variant = VariantSpec {
        players: 2,
        ..VariantSpec::classic(Shape::STANDARD)
    };
    let mut played = Game::start(&PEOPLE[..2], variant, PEOPLE[0], 0).unwrap();
    for turn in 0..7_u8 {
        let drop = Move::Drop(Bin::new(turn % 2));
        played.play(PEOPLE[usize::from(turn % 2)], drop, 0).unwrap();
    }
    assert_eq!(played.winner(), Some(PEOPLE[0]));
    let records = BTreeMap::from([(0, played)]);
    let won = [(1, 0, 0, 1516), (0, 0, 1, 1484)];
    // All of its events are missing, or only its start and some moves.
    assert_eq!(rows(&with_records(&[], &records).two.rows), won);
    let events = game(0, 2, 7, &[], Some(PEOPLE[0]), End::Line);
    let last = with_records(&events[3..], &records);
    assert_eq!(rows(&last.two.rows), won);
    assert_eq!(rows(&variant_standings(&events[3..]).two.rows), []);

    let mut left = Game::start(&PEOPLE[..2], variant, PEOPLE[0], 0).unwrap();
    left.leave(PEOPLE[1], 0).unwrap();
    let records = BTreeMap::from([(0, left)]);
    let table = with_records(&[], &records);
    assert_eq!(rows(&table.two.rows), [(0, 0, 0, 1500), (0, 0, 1, 1484)]);
}

#[test]
fn a_game_under_way_counts_for_nothing() {
    let mut events = game(0, 2, 7, &[], Some(PEOPLE[0]), End::Line);
    events.pop();
    assert_eq!(variant_standings(&events).two, Standings::default());
}

#[test]
fn an_abandoned_game_counts_for_nothing() {
    let events = game(0, 2, 9, &[], None, End::Abandoned);
    let VariantStandings { two, more } = variant_standings(&events);
    assert_eq!((two.rows, two.unrated.aborted), (Vec::new(), 1));
    assert_eq!(more, Standings::default());
}
