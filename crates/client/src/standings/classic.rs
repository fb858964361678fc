//! Standings of the classic games.

use std::collections::{BTreeMap, BTreeSet};

use connect4_protocol::event::{DiscDropped, GameEnded, GameStarted};
use connect4_protocol::{End, Game};
use connect4_rules::ShapeSpec;

use super::rating::{GameResult, Standing, Table};
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

/// The results of all accounts that have finished a classic game, the highest rating first. They follow from
/// the contract's events, in their order, alone.
///
/// Ratings are Elo's (A. Elo, The Rating of Chessplayers, 1978, chapter 1): a player's expected score
/// is 1 / (1 + 10<sup>(opponent's rating - own rating) / 400</sup>), and a game changes the rating by
/// 32 times the difference between the score and the expected one.
///
/// An aborted game does not count. A game that ended by resignation, on time or by agreement before
/// anybody could have had a line (`2 * line - 1` turns) counts as a loss for its loser, and not at
/// all for the other player: so nobody gains by quick losses of friends or of accounts of their own,
/// and nobody escapes a loss by resigning quickly.
///
/// # Examples
///
/// ```
/// use connect4_client::{Address, Event, standings};
/// use connect4_protocol::End;
/// use connect4_protocol::event::{GameEnded, GameStarted};
/// use connect4_rules::{Cells, Shape};
///
/// let (alice, bob) = (Address([1; 20]), Address([2; 20]));
/// let started = Event::GameStarted(GameStarted {
///     game: 0,
///     player_one: alice,
///     player_two: bob,
///     shape: Shape::STANDARD.into(),
/// });
/// let ended = Event::GameEnded(GameEnded {
///     game: 0,
///     winner: Some(alice),
///     end: End::Resignation,
///     winning_cells: Cells::EMPTY,
/// });
/// let table = standings([&started, &ended]);
/// assert_eq!((table[0].account, table[0].wins, table[0].rating), (alice, 0, 1500.0));
/// assert_eq!((table[1].account, table[1].losses, table[1].rating), (bob, 1, 1484.0));
/// ```
pub fn standings<'a>(events: impl IntoIterator<Item = &'a Event>) -> Vec<Standing> {
    standings_with(events, &BTreeMap::new())
}

/// The same if events are missing, with the records of the games whose starts are among the missing
/// ones, by their numbers.
///
/// Records tell who won, so wins, draws and losses are exact for these games. They do not tell when a
/// game ended, on which ratings depend: games whose ends are missing, too, are taken to have ended
/// before all others, in the order of their numbers.
pub fn standings_with<'a>(
    events: impl IntoIterator<Item = &'a Event>,
    records: &BTreeMap<u32, Game>,
) -> Vec<Standing> {
    let events: Vec<&Event> = events.into_iter().collect();
    let has_end: BTreeSet<u32> = events
        .iter()
        .filter_map(|event| match event {
            Event::GameEnded(GameEnded { game, .. }) => Some(*game),
            _ => None,
        })
        .collect();
    let mut playing: BTreeMap<u32, Playing> = BTreeMap::new();
    let mut table = Table::default();
    for (number, game) in records {
        let played = Playing::of_record(game);
        match game.end() {
            Some(end) if !has_end.contains(number) => {
                let winner = game.winner().map(|winner| game.account_of(winner));
                count(&mut table, &played, winner, end);
            }
            _ => {
                playing.insert(*number, played);
            }
        }
    }
    for event in events {
        match *event {
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
            Event::GameEnded(GameEnded {
                game, winner, end, ..
            }) => {
                if let Some(played) = playing.remove(&game) {
                    count(&mut table, &played, winner, end);
                }
            }
            _ => {}
        }
    }
    table.sorted()
}

fn count(table: &mut Table, played: &Playing, winner: Option<Address>, end: End) {
    if end == End::Abort {
        return;
    }
    let result = |player| match winner {
        Some(winner) if winner == player => GameResult::Won,
        Some(_) => GameResult::Lost,
        None => GameResult::Drawn,
    };
    let on_the_board = matches!(end, End::Line | End::FullBoard);
    let in_full = on_the_board || played.turns >= 2 * u32::from(played.shape.line) - 1;
    let players = [played.one, played.two].map(|player| (player, result(player)));
    table.count(&players, in_full);
}

#[cfg(test)]
mod tests {
    use connect4_rules::{Bin, Cells, Shape};

    use super::*;

    const ALICE: Address = Address([1; 20]);
    const BOB: Address = Address([2; 20]);
    const CHARLIE: Address = Address([3; 20]);

    /// The events of a game of so many turns on the standard board.
    fn game(
        number: u32,
        [one, two]: [Address; 2],
        turns: u8,
        winner: Option<Address>,
        end: End,
    ) -> Vec<Event> {
        let started = Event::GameStarted(GameStarted {
            game: number,
            player_one: one,
            player_two: two,
            shape: Shape::STANDARD.into(),
        });
        let moves = (0..turns).map(|turn| {
            Event::DiscDropped(DiscDropped {
                game: number,
                player: if turn % 2 == 0 { one } else { two },
                bin: turn % 2,
                row: 0,
                turn,
                deadline: None,
            })
        });
        let ended = Event::GameEnded(GameEnded {
            game: number,
            winner,
            end,
            winning_cells: Cells::EMPTY,
        });
        [started].into_iter().chain(moves).chain([ended]).collect()
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
        for number in 0..20 {
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
        assert_eq!(standings_with([], &records), whole);
        assert_eq!(standings_with(&events[3..], &records), whole);
        assert_eq!(standings(&events[3..]), []);
    }

    #[test]
    fn a_game_under_way_counts_for_nothing() {
        let mut events = game(0, [ALICE, BOB], 7, Some(ALICE), End::Line);
        events.pop();
        assert_eq!(standings(&events), []);
    }
}
