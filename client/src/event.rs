//! What the contract tells the world.

use connect4_rules::{Cells, ClockSpec, End, ShapeSpec, Terms};
use sp_crypto_hashing::blake2_256;
use subxt::PolkadotConfig;
use subxt::events::EventDetails;

use crate::{Address, abi, value};

/// The events as the two contracts declare them. The hash of such a line is an event's first topic.
const GAME_STARTED: &str = "GameStarted(u32,Address,Address,ShapeSpec)";
const DISC_DROPPED: &str = "DiscDropped(u32,Address,u8,u8,u8,Option<u64>)";
const GAME_ENDED: &str = "GameEnded(u32,Option<Address>,End,Cells)";
const CHALLENGE_MADE: &str = "ChallengeMade(u32,Address,Option<Address>,bool,Terms)";
const CHALLENGE_WITHDRAWN: &str = "ChallengeWithdrawn(u32,Address)";
const MATCH_STARTED: &str = "MatchStarted(u32,Option<u32>,Option<u32>,Option<ClockSpec>,u128)";
const DRAW_OFFERED: &str = "DrawOffered(u32,Address)";
const DRAW_DECLINED: &str = "DrawDeclined(u32,Address)";
const REMATCH_OFFERED: &str = "RematchOffered(u32,Address)";
const REMATCH_DECLINED: &str = "RematchDeclined(u32,Address)";
const SETTLED: &str = "Settled(u32,u128,u128)";
const WITHDRAWN: &str = "Withdrawn(Address,u128)";
const GAME_FREED: &str = "GameFreed(u32,Address)";

/// An event of the contracts. Amounts are in the unit in which a contract sees them, of which
/// [`Client::ratio`](crate::Client::ratio) make one of the chain's smallest; times in seconds since
/// 1970.
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
        /// Until when the other player may move; none without a clock and after the end.
        deadline: Option<u64>,
    },
    /// A game ended.
    GameEnded {
        /// The game.
        game: u32,
        /// Who won; none if it is a draw or was aborted.
        winner: Option<Address>,
        /// How it ended.
        end: End,
        /// The cells of the winner's lines; empty if it ended otherwise.
        cells: Cells,
    },
    /// Somebody made a challenge.
    ChallengeMade {
        /// Its number, from 0.
        challenge: u32,
        /// Who made it.
        challenger: Address,
        /// To whom; none: to anyone.
        opponent: Option<Address>,
        /// Whether the challenger moves first.
        challenger_first: bool,
        /// What for.
        terms: Terms,
    },
    /// A challenge was declined, or cancelled by who made it.
    ChallengeWithdrawn {
        /// Its number.
        challenge: u32,
        /// Who declined or cancelled it.
        by: Address,
    },
    /// A match started; its game did just before.
    MatchStarted {
        /// The game.
        game: u32,
        /// The challenge that was accepted; none: it is a rematch.
        challenge: Option<u32>,
        /// The game that it is the rematch of.
        previous: Option<u32>,
        /// The clock.
        clock: Option<ClockSpec>,
        /// What each of the two has paid in.
        stake: u128,
    },
    /// A player offered a draw.
    DrawOffered {
        /// The game.
        game: u32,
        /// Who offered it.
        by: Address,
    },
    /// A player declined a draw.
    DrawDeclined {
        /// The game.
        game: u32,
        /// Who declined it.
        by: Address,
    },
    /// A player offered a rematch.
    RematchOffered {
        /// The game that has ended.
        game: u32,
        /// Who offered it.
        by: Address,
    },
    /// The offer of a rematch was declined or taken back.
    RematchDeclined {
        /// The game that has ended.
        game: u32,
        /// Who declined it or took it back.
        by: Address,
    },
    /// The stakes of a game were credited.
    Settled {
        /// The game.
        game: u32,
        /// What player one was credited.
        one: u128,
        /// What player two was credited.
        two: u128,
    },
    /// An account was paid what it was owed.
    Withdrawn {
        /// The account.
        account: Address,
        /// How much.
        amount: u128,
    },
    /// The storage of a game that has ended was freed.
    GameFreed {
        /// The game.
        game: u32,
        /// Who got the deposit back.
        payer: Address,
    },
}

impl Event {
    /// The game it is about; none if it is about a challenge or an account.
    #[must_use]
    pub const fn game(&self) -> Option<u32> {
        match self {
            Self::GameStarted { game, .. }
            | Self::DiscDropped { game, .. }
            | Self::GameEnded { game, .. }
            | Self::MatchStarted { game, .. }
            | Self::DrawOffered { game, .. }
            | Self::DrawDeclined { game, .. }
            | Self::RematchOffered { game, .. }
            | Self::RematchDeclined { game, .. }
            | Self::Settled { game, .. }
            | Self::GameFreed { game, .. } => Some(*game),
            Self::ChallengeMade { .. }
            | Self::ChallengeWithdrawn { .. }
            | Self::Withdrawn { .. } => None,
        }
    }

    /// Whether it belongs to the game itself: its start, its moves, its end.
    #[must_use]
    pub const fn is_of_play(&self) -> bool {
        matches!(
            self,
            Self::GameStarted { .. } | Self::DiscDropped { .. } | Self::GameEnded { .. }
        )
    }
}

/// The event, if it is one of these contracts'.
pub(crate) fn of(
    event: &EventDetails<PolkadotConfig>,
    contracts: &[Address],
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
    let contract = bytes("contract")?;
    if !contracts.iter().any(|ours| contract == ours.0) {
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
        let (game, player, bin, row, turn, deadline) = abi::decode_all(data)?;
        Event::DiscDropped {
            game,
            player,
            bin,
            row,
            turn,
            deadline,
        }
    } else if is(GAME_ENDED) {
        let (game, winner, end, cells) = abi::decode_all(data)?;
        Event::GameEnded {
            game,
            winner,
            end,
            cells,
        }
    } else if is(CHALLENGE_MADE) {
        let (challenge, challenger, opponent, challenger_first, terms) = abi::decode_all(data)?;
        Event::ChallengeMade {
            challenge,
            challenger,
            opponent,
            challenger_first,
            terms,
        }
    } else if is(CHALLENGE_WITHDRAWN) {
        let (challenge, by) = abi::decode_all(data)?;
        Event::ChallengeWithdrawn { challenge, by }
    } else if is(MATCH_STARTED) {
        let (game, challenge, previous, clock, stake) = abi::decode_all(data)?;
        Event::MatchStarted {
            game,
            challenge,
            previous,
            clock,
            stake,
        }
    } else if is(DRAW_OFFERED) {
        let (game, by) = abi::decode_all(data)?;
        Event::DrawOffered { game, by }
    } else if is(DRAW_DECLINED) {
        let (game, by) = abi::decode_all(data)?;
        Event::DrawDeclined { game, by }
    } else if is(REMATCH_OFFERED) {
        let (game, by) = abi::decode_all(data)?;
        Event::RematchOffered { game, by }
    } else if is(REMATCH_DECLINED) {
        let (game, by) = abi::decode_all(data)?;
        Event::RematchDeclined { game, by }
    } else if is(SETTLED) {
        let (game, one, two) = abi::decode_all(data)?;
        Event::Settled { game, one, two }
    } else if is(WITHDRAWN) {
        let (account, amount) = abi::decode_all(data)?;
        Event::Withdrawn { account, amount }
    } else if is(GAME_FREED) {
        let (game, payer) = abi::decode_all(data)?;
        Event::GameFreed { game, payer }
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
        let dropped = (9u32, two, 3u8, 1u8, 8u8, Some(77u64));
        assert_eq!(
            decode(&topic(DISC_DROPPED), &dropped.encode()),
            Ok(Some(Event::DiscDropped {
                game: 9,
                player: two,
                bin: 3,
                row: 1,
                turn: 8,
                deadline: Some(77),
            }))
        );
        let cells = Cells::from_bits(0b1111);
        let ended = (9u32, Some(one), End::Line, cells);
        assert_eq!(
            decode(&topic(GAME_ENDED), &ended.encode()),
            Ok(Some(Event::GameEnded {
                game: 9,
                winner: Some(one),
                end: End::Line,
                cells
            }))
        );
        let terms = Terms {
            shape,
            clock: None,
            stake: 0,
        };
        let made = (4u32, one, Some(two), true, terms);
        assert_eq!(
            decode(&topic(CHALLENGE_MADE), &made.encode()),
            Ok(Some(Event::ChallengeMade {
                challenge: 4,
                challenger: one,
                opponent: Some(two),
                challenger_first: true,
                terms,
            }))
        );
        assert_eq!(decode(&[0; 32], &[]), Ok(None));
        assert_eq!(decode(&[], &[]), Ok(None));
        assert!(decode(&topic(DISC_DROPPED), &[1, 2]).is_err());
        assert!(decode(&topic(DISC_DROPPED), &[0; 99]).is_err());
    }

    /// The contracts' own metadata has the same selectors and topics.
    #[test]
    fn selectors_and_topics_are_the_contracts() {
        let of_games: &[&str] = &[GAME_STARTED, DISC_DROPPED, GAME_ENDED];
        let of_matches: &[&str] = &[
            CHALLENGE_MADE,
            CHALLENGE_WITHDRAWN,
            MATCH_STARTED,
            DRAW_OFFERED,
            DRAW_DECLINED,
            REMATCH_OFFERED,
            REMATCH_DECLINED,
            SETTLED,
            WITHDRAWN,
            GAME_FREED,
        ];
        for (metadata, declarations) in [
            (include_str!("../../artifacts/connect4.json"), of_games),
            (
                include_str!("../../artifacts/connect4_matches.json"),
                of_matches,
            ),
        ] {
            let metadata: serde_json::Value = serde_json::from_str(metadata).unwrap();
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
            let mut ours: Vec<String> = declarations
                .iter()
                .map(|declaration| format!("0x{}", hex::encode(blake2_256(declaration.as_bytes()))))
                .collect();
            ours.sort();
            assert_eq!(topics, ours);
        }
    }
}
