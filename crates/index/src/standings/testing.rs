//! Games for tests: variants by their events, signed games by their ends.

use std::collections::BTreeMap;

use codec::Encode as _;
use connect4_client::{Address, Emitted, Event, H256};
use connect4_protocol::variants::event::{MoveMade, PlayerLeft, VariantEnded, VariantStarted};
use connect4_protocol::{End, topic};
use connect4_rules::{Shape, ShapeSpec};

use super::{Recorded, Standings, count, endings};
use crate::finished::Finished;
use crate::game::{Ending, Folded, Told};
use crate::league::League;
use crate::slot::Slot;

/// The first topic and the data of an event.
fn encoded(event: &Event) -> ([u8; 32], Vec<u8>) {
    match event {
        Event::VariantStarted(event) => (topic(VariantStarted::DECLARATION), event.encode()),
        Event::MoveMade(event) => (topic(MoveMade::DECLARATION), event.encode()),
        Event::PlayerLeft(event) => (topic(PlayerLeft::DECLARATION), event.encode()),
        Event::VariantEnded(event) => (topic(VariantEnded::DECLARATION), event.encode()),
        event => panic!("{event:?}"),
    }
}

/// The standings of a league after these events, each in a block of its own, with these records.
pub(super) fn standings(league: League, events: &[Event], recorded: &Recorded) -> Standings {
    let mut games: BTreeMap<Slot, Vec<Told>> = BTreeMap::new();
    for (block, event) in (0..).zip(events) {
        let (topic, data) = encoded(event);
        let told = Told {
            block,
            hash: H256::zero(),
            time: None,
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

/// The pool of the signed games.
const LEAGUE: League = League::Witnessed(1);

/// The standings after these signed games.
pub(super) fn signed(games: &[Ending]) -> Standings {
    let mut leagues = count(games.to_vec());
    leagues.remove(&LEAGUE).unwrap_or_default()
}

/// The end of a signed game of so many turns on the standard board. Games end in the order of their numbers.
pub(super) fn game(
    number: u32,
    players: [Address; 2],
    turns: u32,
    winner: Option<Address>,
    end: End,
) -> Ending {
    game_on(Shape::STANDARD.into(), number, players, turns, winner, end)
}

/// The same on another board.
pub(super) fn game_on(
    shape: ShapeSpec,
    number: u32,
    players: [Address; 2],
    turns: u32,
    winner: Option<Address>,
    end: End,
) -> Ending {
    Ending {
        slot: Slot {
            line: Slot::OF_ENDS,
            number,
        },
        league: LEAGUE,
        at: Some((number, 0)),
        time: None,
        witness: None,
        finished: Finished::of_two(players, shape, turns, winner, end),
    }
}
