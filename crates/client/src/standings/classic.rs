//! Standings of the classic games.

use std::collections::{BTreeMap, BTreeSet};

use connect4_protocol::event::{Advanced, DiscDropped, GameEnded, GameStarted};
use connect4_protocol::{End, Game};
use connect4_rules::ShapeSpec;

use super::finished::Finished;
use super::results::Results;
use crate::occurrence::Occurrence;
use crate::seen::BlockRef;
use crate::{Address, Event};

/// A game that has not ended yet.
struct Playing {
    one: Address,
    two: Address,
    shape: ShapeSpec,
    turns: u32,
    /// Whether the turns are those of the whole game, so that moves do not add to them.
    from_record: bool,
}

impl Playing {
    fn of_record(game: &Game) -> Self {
        Self {
            one: game.player_one(),
            two: game.player_two(),
            shape: game.shape().into(),
            turns: game.turns().into(),
            from_record: true,
        }
    }
}

/// The classic games that have ended, by events in their order and by the records of the games whose
/// starts are missing there, by their numbers.
pub(super) fn results(events: &[Occurrence], records: &BTreeMap<u32, Game>) -> Results {
    let has_end: BTreeSet<u32> = events
        .iter()
        .filter_map(|at| match at.event {
            Event::GameEnded(GameEnded { game, .. }) => Some(game),
            _ => None,
        })
        .collect();
    let mut playing: BTreeMap<u32, Playing> = BTreeMap::new();
    let mut results = Results::default();
    for (number, game) in records {
        let played = Playing::of_record(game);
        match game.end() {
            Some(end) if !has_end.contains(number) => {
                let winner = game.winner().map(|winner| game.account_of(winner));
                add(&mut results, &played, winner, end, None);
            }
            _ => {
                playing.insert(*number, played);
            }
        }
    }
    for at in events {
        match at.event {
            Event::GameStarted(GameStarted {
                game,
                player_one,
                player_two,
                shape,
            }) => {
                let started = Playing {
                    one: player_one,
                    two: player_two,
                    shape,
                    turns: 0,
                    from_record: false,
                };
                playing.insert(game, started);
            }
            Event::DiscDropped(DiscDropped { game, .. }) => {
                if let Some(playing) = playing.get_mut(&game)
                    && !playing.from_record
                {
                    playing.turns += 1;
                }
            }
            Event::Advanced(Advanced { game, moves }) => {
                if let Some(playing) = playing.get_mut(&game)
                    && !playing.from_record
                {
                    playing.turns = moves.turns().into();
                }
            }
            Event::GameEnded(GameEnded {
                game, winner, end, ..
            }) => {
                if let Some(played) = playing.remove(&game) {
                    add(&mut results, &played, winner, end, Some(at.in_block()));
                }
            }
            _ => {}
        }
    }
    results
}

/// Adds a game that has ended in a block, which may not be known.
fn add(
    results: &mut Results,
    played: &Playing,
    winner: Option<Address>,
    end: End,
    block: Option<BlockRef>,
) {
    let players = [played.one, played.two];
    let game = Finished::classic(players, played.shape, played.turns, winner, end);
    results.end(game, block);
}

#[cfg(test)]
mod tests {
    use connect4_protocol::fast::{FIRST, Moves};
    use connect4_rules::{Bin, Shape};

    use super::super::rating::Standing;
    use super::super::testing::{game, in_blocks};
    use super::*;

    const ALICE: Address = Address([1; 20]);
    const BOB: Address = Address([2; 20]);
    const CHARLIE: Address = Address([3; 20]);

    fn standings(events: &[Event]) -> Vec<Standing> {
        with_records(events, &BTreeMap::new())
    }

    fn with_records(events: &[Event], records: &BTreeMap<u32, Game>) -> Vec<Standing> {
        let results = results(&in_blocks(events), records);
        results.standings(&BTreeMap::new()).rows
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

    /// Six signed moves in place of what was dropped before, then a move on the chain.
    #[test]
    fn a_fast_game_has_the_moves_that_were_signed() {
        let played = |moves: &[u8]| {
            let mut events = game(FIRST, [ALICE, BOB], 2, Some(ALICE), End::Resignation);
            let moves = Moves::from_bins(moves).unwrap();
            let advanced = Advanced { game: FIRST, moves };
            let last = events.len() - 1;
            events.insert(last, advanced.into());
            standings(&events)
        };
        let long = played(&[0, 1, 0, 1, 0, 1, 2]);
        assert_eq!(row(&long, ALICE), (1, 0, 0, 1516));
        let short = played(&[0, 1, 0, 1, 0, 1]);
        assert_eq!(row(&short, ALICE), (0, 0, 0, 1500), "no line was possible");
        assert_eq!(row(&short, BOB).2, 1);
    }

    #[test]
    fn a_game_under_way_counts_for_nothing() {
        let mut events = game(0, [ALICE, BOB], 7, Some(ALICE), End::Line);
        events.pop();
        assert_eq!(standings(&events), []);
    }
}
