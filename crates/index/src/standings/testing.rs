//! Events of games for tests.

use std::collections::BTreeMap;

use codec::Encode as _;
use connect4_client::{Address, Emitted, Event, H256};
use connect4_protocol::event::{DiscDropped, GameEnded, GameStarted};
use connect4_protocol::variants::event::{MoveMade, PlayerLeft, VariantEnded, VariantStarted};
use connect4_protocol::{End, topic};
use connect4_rules::{Cells, Shape, ShapeSpec};

use super::{Recorded, Standings, count, endings};
use crate::game::{Folded, Told};
use crate::league::League;
use crate::slot::Slot;

/// The first topic and the data of an event.
fn encoded(event: &Event) -> ([u8; 32], Vec<u8>) {
    match event {
        Event::GameStarted(event) => (topic(GameStarted::DECLARATION), event.encode()),
        Event::DiscDropped(event) => (topic(DiscDropped::DECLARATION), event.encode()),
        Event::GameEnded(event) => (topic(GameEnded::DECLARATION), event.encode()),
        Event::VariantStarted(event) => (topic(VariantStarted::DECLARATION), event.encode()),
        Event::MoveMade(event) => (topic(MoveMade::DECLARATION), event.encode()),
        Event::PlayerLeft(event) => (topic(PlayerLeft::DECLARATION), event.encode()),
        Event::VariantEnded(event) => (topic(VariantEnded::DECLARATION), event.encode()),
        event => panic!("{event:?}"),
    }
}

/// The standings of a league after these events, each in a block of its own, with these records.
pub(super) fn standings(
    league: League,
    events: &[Event],
    times: impl Fn(u32) -> Option<u64>,
    recorded: &Recorded,
) -> Standings {
    let mut games: BTreeMap<Slot, Vec<Told>> = BTreeMap::new();
    for (block, event) in (0..).zip(events) {
        let (topic, data) = encoded(event);
        let told = Told {
            block,
            hash: H256::zero(),
            time: times(block),
            payer: None,
            event: Emitted {
                contract: Address::ZERO,
                index: 0,
                place: 0,
                topic,
                data,
            },
        };
        let game = event.game().unwrap();
        games.entry(Slot::new(game)).or_default().push(told);
    }
    let mut leagues = count(endings(games, Folded::of, recorded));
    leagues.remove(&league).unwrap_or_default()
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
