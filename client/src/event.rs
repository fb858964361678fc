//! What the contract tells the world.

use connect4_rules::{Cells, ShapeSpec};
use sp_crypto_hashing::blake2_256;
use subxt::PolkadotConfig;
use subxt::events::EventDetails;

use crate::{Address, abi, value};

/// The events as the contract declares them. The hash of such a line is an event's first topic.
const GAME_STARTED: &str = "GameStarted(u32,Address,Address,ShapeSpec)";
const DISC_DROPPED: &str = "DiscDropped(u32,Address,u8,u8,u8)";
const GAME_ENDED: &str = "GameEnded(u32,Option<Address>,Cells)";

/// An event of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A game started.
    GameStarted {
        /// Its number, from 0.
        game: u32,
        /// Who plays red and moves first.
        player_one: Address,
        /// Who plays blue.
        player_two: Address,
        /// The shape of the board.
        shape: ShapeSpec,
    },
    /// A disc was dropped.
    DiscDropped {
        /// The game.
        game: u32,
        /// Who dropped it.
        player: Address,
        /// The bin, from 0 at the left.
        bin: u8,
        /// Where in it the disc came to lie, from 0 at the bottom.
        row: u8,
        /// Which turn of the game it was, from 0: red has the even ones.
        turn: u8,
    },
    /// A game ended.
    GameEnded {
        /// The game.
        game: u32,
        /// Who won; none if it is a draw.
        winner: Option<Address>,
        /// The cells of the winner's lines; empty after a draw.
        cells: Cells,
    },
}

impl Event {
    /// The game it is about.
    #[must_use]
    pub const fn game(&self) -> u32 {
        match self {
            Self::GameStarted { game, .. }
            | Self::DiscDropped { game, .. }
            | Self::GameEnded { game, .. } => *game,
        }
    }
}

/// The event, if it is one of this contract's.
pub(crate) fn of(
    event: &EventDetails<PolkadotConfig>,
    contract: Address,
) -> Result<Option<Event>, String> {
    if (event.pallet_name(), event.variant_name()) != ("Revive", "ContractEmitted") {
        return Ok(None);
    }
    let fields = event.field_values().map_err(|error| error.to_string())?;
    let bytes = |name: &str| {
        value::in_composite(&fields, name)
            .and_then(value::bytes)
            .ok_or_else(|| format!("its contract event has no {name}"))
    };
    if bytes("contract")? != contract.0 {
        return Ok(None);
    }
    // The first 32 bytes of all topics are the first topic.
    let topics = bytes("topics")?;
    decode(topics.get(..32).unwrap_or_default(), &bytes("data")?)
}

/// The event with this first topic; none if it is not known.
fn decode(topic: &[u8], data: &[u8]) -> Result<Option<Event>, String> {
    let is = |declaration: &str| topic == blake2_256(declaration.as_bytes());
    Ok(Some(if is(GAME_STARTED) {
        let (game, player_one, player_two, shape) = abi::decode_all(data)?;
        Event::GameStarted {
            game,
            player_one,
            player_two,
            shape,
        }
    } else if is(DISC_DROPPED) {
        let (game, player, bin, row, turn) = abi::decode_all(data)?;
        Event::DiscDropped {
            game,
            player,
            bin,
            row,
            turn,
        }
    } else if is(GAME_ENDED) {
        let (game, winner, cells) = abi::decode_all(data)?;
        Event::GameEnded {
            game,
            winner,
            cells,
        }
    } else {
        return Ok(None);
    }))
}

#[cfg(test)]
mod tests {
    use codec::Encode;

    use super::*;

    #[test]
    fn events_decode_by_their_first_topic() {
        let (one, two) = (Address([1; 20]), Address([2; 20]));
        let shape = ShapeSpec {
            bins: 7,
            capacity: 6,
            line: 4,
        };
        let topic = |declaration: &str| blake2_256(declaration.as_bytes());
        assert_eq!(
            decode(&topic(GAME_STARTED), &(9u32, one, two, shape).encode()),
            Ok(Some(Event::GameStarted {
                game: 9,
                player_one: one,
                player_two: two,
                shape
            }))
        );
        assert_eq!(
            decode(&topic(DISC_DROPPED), &(9u32, two, 3u8, 1u8, 8u8).encode()),
            Ok(Some(Event::DiscDropped {
                game: 9,
                player: two,
                bin: 3,
                row: 1,
                turn: 8
            }))
        );
        let cells = Cells::from_bits(0b1111);
        assert_eq!(
            decode(&topic(GAME_ENDED), &(9u32, Some(one), cells).encode()),
            Ok(Some(Event::GameEnded {
                game: 9,
                winner: Some(one),
                cells
            }))
        );
        assert_eq!(decode(&[0; 32], &[]), Ok(None));
        assert_eq!(decode(&[], &[]), Ok(None));
        assert!(decode(&topic(DISC_DROPPED), &[1, 2]).is_err());
        assert!(decode(&topic(DISC_DROPPED), &[0; 99]).is_err());
    }

    /// The contract's own metadata has the same selectors and topics.
    #[test]
    fn selectors_and_topics_are_the_contracts() {
        let metadata: serde_json::Value =
            serde_json::from_str(include_str!("../../artifacts/connect4.json")).unwrap();
        let spec = &metadata["spec"];
        for message in spec["messages"].as_array().unwrap() {
            let name = message["label"].as_str().unwrap();
            let selector = format!("0x{}", hex::encode(crate::selector(name)));
            assert_eq!(message["selector"], selector, "{name}");
        }
        let constructor = format!("0x{}", hex::encode(crate::selector("new")));
        assert_eq!(spec["constructors"][0]["selector"], constructor);
        let mut topics: Vec<String> = spec["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| event["signature_topic"].as_str().unwrap().to_owned())
            .collect();
        topics.sort();
        let mut ours = [GAME_STARTED, DISC_DROPPED, GAME_ENDED]
            .map(|declaration| format!("0x{}", hex::encode(blake2_256(declaration.as_bytes()))));
        ours.sort();
        assert_eq!(topics, ours);
    }
}
