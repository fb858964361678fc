//! What an action has done, as the chain tells it.

use connect4_protocol::event::{DiscDropped, GameEnded};
use connect4_protocol::{Event, Game};
use connect4_rules::Bin;

/// What an action has done: the events of the contracts that its transaction emitted, in order.
/// There is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Performed {
    /// The events.
    pub events: Vec<Event>,
}

impl Performed {
    /// The move; none if the action was not a drop.
    #[must_use]
    pub fn played(&self) -> Option<Played> {
        let dropped = self.events.iter().find_map(|event| match event {
            Event::DiscDropped(dropped) => Some(dropped.clone()),
            _ => None,
        })?;
        let ended = self.ended().cloned();
        Some(Played { dropped, ended })
    }

    /// The end of the game; none if the action has not ended it.
    #[must_use]
    pub fn ended(&self) -> Option<&GameEnded> {
        self.events.iter().find_map(|event| match event {
            Event::GameEnded(ended) => Some(ended),
            _ => None,
        })
    }
}

/// A move as the chain tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The disc that was dropped: its row and its turn.
    pub dropped: DiscDropped,
    /// The end of the game with its winning cells; none if the game goes on.
    pub ended: Option<GameEnded>,
}

impl Played {
    /// The game after the move, made from the game before it; none if it has to be read from the
    /// chain instead.
    ///
    /// That is so if `before` is not the game just before the move.
    #[must_use]
    pub fn game_after(&self, before: &Game) -> Option<Game> {
        let Self { dropped, ended } = self;
        if dropped.turn != before.turns() {
            return None;
        }
        let mut game = *before;
        let told = game.drop(dropped.player, Bin::new(dropped.bin)).ok()?;
        let agrees = told.row == dropped.row && game.is_over() == ended.is_some();
        agrees.then_some(game)
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::{Address, End};
    use connect4_rules::Shape;

    use super::*;

    const ALICE: Address = Address([1; 20]);
    const BOB: Address = Address([2; 20]);

    fn played(turn: u8, bin: u8, row: u8) -> Played {
        Played {
            dropped: DiscDropped {
                game: 7,
                player: if turn.is_multiple_of(2) { ALICE } else { BOB },
                bin,
                row,
                turn,
            },
            ended: None,
        }
    }

    #[test]
    fn a_drop_makes_the_next_game_of_the_one_before() {
        let before = Game::start(ALICE, BOB, Shape::CLASSROOM.into()).unwrap();
        let mut after = before;
        after.drop(ALICE, Bin::new(3)).unwrap();
        let told = played(0, 3, 0);
        assert_eq!(told.game_after(&before), Some(after));
        assert_eq!(told.game_after(&after), None, "not the game before");
        let other_row = played(0, 3, 1);
        assert_eq!(other_row.game_after(&before), None);
    }

    #[test]
    fn a_drop_tells_the_end() {
        let mut before = Game::start(ALICE, BOB, Shape::CLASSROOM.into()).unwrap();
        for (turn, bin) in [0, 1, 0, 1, 0, 1].into_iter().enumerate() {
            before.drop([ALICE, BOB][turn % 2], Bin::new(bin)).unwrap();
        }
        let mut after = before;
        after.drop(ALICE, Bin::new(0)).unwrap();
        let mut told = played(6, 0, 3);
        assert_eq!(told.game_after(&before), None, "the end is missing");
        told.ended = Some(GameEnded {
            game: 7,
            winner: Some(ALICE),
            end: End::Line,
            winning_cells: after.winning_cells(),
        });
        assert_eq!(told.game_after(&before), Some(after));
        let performed = Performed {
            events: vec![
                Event::DiscDropped(told.dropped.clone()),
                Event::GameEnded(told.ended.clone().unwrap()),
            ],
        };
        assert_eq!(performed.played(), Some(told));
    }
}
