//! Events decode by their first topic; data of another event are refused.
#![cfg(feature = "decode")]

use codec::Encode;
use connect4_protocol::event::{ChallengeMade, DiscDropped, GameEnded, GameStarted};
use connect4_protocol::{Address, End, Event, Terms, topic};
use connect4_rules::{Cells, Shape};

const ALICE: Address = Address([1; 20]);
const BOB: Address = Address([2; 20]);

#[test]
fn declarations_are_as_documented() {
    assert_eq!(
        Event::DECLARATIONS,
        [
            "GameStarted(u32,Address,Address,ShapeSpec)",
            "DiscDropped(u32,Address,u8,u8,u8,Option<u64>)",
            "GameEnded(u32,Option<Address>,End,Cells)",
            "ChallengeMade(u32,Address,Option<Address>,bool,Terms)",
            "ChallengeWithdrawn(u32,Address)",
            "MatchStarted(u32,Option<u32>,Option<u32>,Option<ClockSpec>,u128)",
            "DrawOffered(u32,Address)",
            "DrawDeclined(u32,Address)",
            "RematchOffered(u32,Address)",
            "RematchDeclined(u32,Address)",
            "Settled(u32,u128,u128)",
            "Withdrawn(Address,u128)",
            "GameFreed(u32,Address)",
        ]
    );
}

#[test]
fn an_event_decodes_by_its_first_topic() {
    let started = GameStarted {
        game: 9,
        player_one: ALICE,
        player_two: BOB,
        shape: Shape::STANDARD.into(),
    };
    // The fields in order, and nothing else.
    let data = (9_u32, ALICE, BOB, [7_u8, 6, 4]).encode();
    assert_eq!(started.encode(), data);
    assert_eq!(
        Event::decode(&topic(GameStarted::DECLARATION), &data),
        Ok(Some(started.into()))
    );

    let dropped = DiscDropped {
        game: 9,
        player: BOB,
        bin: 3,
        row: 1,
        turn: 8,
        deadline: Some(77),
    };
    let data = (9_u32, BOB, 3_u8, 1_u8, 8_u8, Some(77_u64)).encode();
    assert_eq!(
        Event::decode(&topic(DiscDropped::DECLARATION), &data),
        Ok(Some(dropped.into()))
    );

    let ended = GameEnded {
        game: 9,
        winner: Some(ALICE),
        end: End::Line,
        winning_cells: Cells::from_bits(0b1111),
    };
    let data = (9_u32, Some(ALICE), 0_u8, 0b1111_u128).encode();
    assert_eq!(
        Event::decode(&topic(GameEnded::DECLARATION), &data),
        Ok(Some(ended.into()))
    );

    let made = ChallengeMade {
        challenge: 4,
        challenger: ALICE,
        opponent: Some(BOB),
        challenger_first: true,
        terms: Terms {
            shape: Shape::STANDARD.into(),
            clock: None,
            stake: 0,
        },
    };
    assert_eq!(
        Event::decode(&topic(ChallengeMade::DECLARATION), &made.encode()),
        Ok(Some(made.into()))
    );
}

#[test]
fn what_is_no_event_is_not_taken_for_one() {
    assert_eq!(Event::decode(&[0; 32], &[]), Ok(None));
    assert_eq!(Event::decode(&[], &[]), Ok(None));
    let topic = topic(DiscDropped::DECLARATION);
    assert!(Event::decode(&topic, &[1, 2]).is_err(), "cut short");
    assert!(Event::decode(&topic, &[0; 99]).is_err(), "too long");
}
