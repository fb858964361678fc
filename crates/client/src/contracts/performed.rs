//! What an action has done, as the chain tells it.

use connect4_protocol::event::{DiscDropped, GameEnded, MatchStarted, Withdrawn};
use connect4_protocol::{Event, Game, GameId};
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

    /// The rematch; none if the action has not started one.
    #[must_use]
    pub fn rematch(&self) -> Option<GameId> {
        self.events.iter().find_map(|event| match event {
            Event::MatchStarted(MatchStarted { game, .. }) => Some(GameId::Classic(*game)),
            _ => None,
        })
    }

    /// Amount that the signer was paid, in the unit in which a contract sees amounts; none if the
    /// action was not a withdrawal.
    #[must_use]
    pub fn paid(&self) -> Option<u128> {
        self.events.iter().find_map(|event| match event {
            Event::Withdrawn(Withdrawn { amount, .. }) => Some(*amount),
            _ => None,
        })
    }
}

/// A move as the chain tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The disc that was dropped: its row, its turn, the opponent's deadline.
    pub dropped: DiscDropped,
    /// The end of the game with its winning cells; none if the game goes on.
    pub ended: Option<GameEnded>,
}

impl Played {
    /// The game after the move, made from the game before it; none if it has to be read from the
    /// chain instead.
    ///
    /// That is so if `before` is not the game just before the move, and if the game had a clock and
    /// the move ended it: no event tells at which second the clock stopped.
    #[must_use]
    pub fn game_after(&self, before: &Game) -> Option<Game> {
        let Self { dropped, ended } = self;
        if dropped.turn != before.turns() {
            return None;
        }
        let now = match (before.clock(), dropped.deadline) {
            (None, _) => 0,
            // From the move on the opponent has the time that its bank held.
            (Some(clock), Some(deadline)) => deadline.checked_sub(clock.waiting().into())?,
            (Some(_), None) => return None,
        };
        let mut game = *before;
        // A swap is no drop of a disc: the game is read from the chain.
        let told = game.drop(dropped.player, Bin::new(dropped.bin), now).ok()?;
        let agrees = told.row == dropped.row
            && game.deadline() == dropped.deadline
            && game.is_over() == ended.is_some();
        agrees.then_some(game)
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::{Address, ClockSpec, End};
    use connect4_rules::Shape;

    use super::*;

    const ALICE: Address = Address([1; 20]);
    const BOB: Address = Address([2; 20]);

    fn played(turn: u8, bin: u8, row: u8, deadline: Option<u64>) -> Played {
        Played {
            dropped: DiscDropped {
                game: 7,
                player: if turn.is_multiple_of(2) { ALICE } else { BOB },
                bin,
                row,
                turn,
                deadline,
            },
            ended: None,
        }
    }

    #[test]
    fn a_drop_makes_the_next_game_of_the_one_before() {
        let before = Game::start(ALICE, BOB, Shape::CLASSROOM.into()).unwrap();
        let mut after = before;
        after.drop(ALICE, Bin::new(3), 0).unwrap();
        let told = played(0, 3, 0, None);
        assert_eq!(told.game_after(&before), Some(after));
        assert_eq!(told.game_after(&after), None, "not the game before");
        let other_row = played(0, 3, 1, None);
        assert_eq!(other_row.game_after(&before), None);
    }

    #[test]
    fn a_drop_tells_the_clock() {
        let clock = ClockSpec {
            bank: 60,
            increment: 5,
        };
        let before = Game::start(ALICE, BOB, Shape::CLASSROOM.into())
            .unwrap()
            .timed(clock, 1_000);
        let mut after = before;
        after.drop(ALICE, Bin::new(3), 1_020).unwrap();
        let told = played(0, 3, 0, Some(1_080));
        assert_eq!(told.game_after(&before), Some(after));
        let no_deadline = played(0, 3, 0, None);
        assert_eq!(no_deadline.game_after(&before), None);
    }

    #[test]
    fn a_drop_tells_the_end() {
        let mut before = Game::start(ALICE, BOB, Shape::CLASSROOM.into()).unwrap();
        for (turn, bin) in [0, 1, 0, 1, 0, 1].into_iter().enumerate() {
            before
                .drop([ALICE, BOB][turn % 2], Bin::new(bin), 0)
                .unwrap();
        }
        let mut after = before;
        after.drop(ALICE, Bin::new(0), 0).unwrap();
        let mut told = played(6, 0, 3, None);
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
