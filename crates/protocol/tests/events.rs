//! Events decode by their first topic; data of another event are refused.
use codec::Encode;
use connect4_protocol::event::{DiscDropped, GameEnded, GameFreed, GameStarted};
use connect4_protocol::signed::StakesEvent;
use connect4_protocol::signed::event::{Credited, Withdrawn};
use connect4_protocol::{Address, End, Event, GameId, topic};
use connect4_rules::{Cells, Shape};

const ALICE: Address = Address([1; 20]);
const BOB: Address = Address([2; 20]);

#[test]
fn declarations_are_as_documented() {
    assert_eq!(
        Event::DECLARATIONS,
        [
            "GameStarted(u32,Address,Address,ShapeSpec)",
            "DiscDropped(u32,Address,u8,u8,u8)",
            "GameEnded(u32,Option<Address>,End,Cells)",
            "GameFreed(u32,Address)",
            "TableOpened(u32,Address,Vec<Address>,VariantSpec,Option<u32>)",
            "PlayerJoined(u32,Address,u8)",
            "PlayerLeft(u32,Address,bool,Option<u64>)",
            "TableClosed(u32,Address)",
            "VariantStarted(u32,Vec<Address>,VariantSpec,Option<u32>,Option<u64>)",
            "MoveMade(u32,Address,Move,u8,Option<u64>)",
            "VariantEnded(u32,Option<Address>,End,Cells)",
            "VariantFreed(u32,Address)",
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
    };
    let data = (9_u32, BOB, 3_u8, 1_u8, 8_u8).encode();
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
}

#[test]
fn an_event_about_money_says_whose_it_is_and_how_much() {
    let decoded = |declaration, data: &[u8]| StakesEvent::decode(&topic(declaration), data);
    let credited = Credited {
        account: ALICE,
        amount: 7,
    };
    assert_eq!(
        decoded(Credited::DECLARATION, &(ALICE, 7_u128).encode()),
        Ok(Some(credited.into()))
    );
    let withdrawn = Withdrawn {
        account: ALICE,
        receiver: BOB,
        amount: 7,
    };
    assert_eq!(
        decoded(Withdrawn::DECLARATION, &(ALICE, BOB, 7_u128).encode()),
        Ok(Some(withdrawn.into()))
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

#[test]
fn an_event_is_about_a_game() {
    let game = 9;
    let events: [Event; 4] = [
        GameStarted {
            game,
            player_one: ALICE,
            player_two: BOB,
            shape: Shape::STANDARD.into(),
        }
        .into(),
        DiscDropped {
            game,
            player: ALICE,
            bin: 3,
            row: 0,
            turn: 0,
        }
        .into(),
        GameEnded {
            game,
            winner: None,
            end: End::FullBoard,
            winning_cells: Cells::EMPTY,
        }
        .into(),
        GameFreed { game, payer: ALICE }.into(),
    ];
    for event in events {
        assert_eq!(event.game(), Some(GameId::Classic(9)));
    }
}
