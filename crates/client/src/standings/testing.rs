//! Events of games for tests.

use connect4_protocol::event::{DiscDropped, GameEnded, GameStarted};
use connect4_protocol::{Address, End, Event};
use connect4_rules::{Cells, Shape, ShapeSpec};
use subxt::utils::H256;

use crate::occurrence::Occurrence;

/// These events, each in a block of its own.
pub(super) fn in_blocks(events: &[Event]) -> Vec<Occurrence> {
    let place = |(block, event): (u32, &Event)| Occurrence {
        event: event.clone(),
        block,
        block_hash: H256::zero(),
        index: 0,
    };
    (0..).zip(events).map(place).collect()
}

/// The events of a game of so many turns on the standard board.
pub(super) fn game(
    number: u32,
    players: [Address; 2],
    turns: u8,
    winner: Option<Address>,
    end: End,
) -> Vec<Event> {
    game_on(Shape::STANDARD.into(), number, players, turns, winner, end)
}

/// The same on another board.
pub(super) fn game_on(
    shape: ShapeSpec,
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
        shape,
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
