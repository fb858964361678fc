//! Events decode by their first topic; data of another event are refused.
use codec::Encode;
use connect4_protocol::event::{
    ChallengeMade, ChallengeWithdrawn, Credited, DiscDropped, DrawDeclined, DrawOffered, GameEnded,
    GameFreed, GameStarted, MatchStarted, RematchDeclined, RematchOffered, Settled, Withdrawn,
};
use connect4_protocol::{Address, End, Event, GameId, Terms, topic};
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
            "ChallengeMade(u32,Address,Option<Address>,bool,Option<u64>,Terms)",
            "ChallengeWithdrawn(u32,Address,Address,u128)",
            "MatchStarted(u32,Option<u32>,Option<u32>,Option<ClockSpec>,u128)",
            "DrawOffered(u32,Address)",
            "DrawDeclined(u32,Address)",
            "RematchOffered(u32,Address)",
            "RematchDeclined(u32,Address,Address,u128)",
            "Settled(u32,u128,u128)",
            "Credited(Address,u128)",
            "Withdrawn(Address,Address,u128)",
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
        expires: Some(77),
        terms: Terms {
            shape: Shape::STANDARD.into(),
            clock: None,
            stake: 0,
        },
    };
    let terms = ([7_u8, 6, 4], None::<()>, 0_u128);
    let data = (4_u32, ALICE, Some(BOB), true, Some(77_u64), terms).encode();
    assert_eq!(
        Event::decode(&topic(ChallengeMade::DECLARATION), &data),
        Ok(Some(made.into()))
    );
}

#[test]
fn an_event_about_money_says_whose_it_is_and_how_much() {
    let decoded = |declaration, data: &[u8]| Event::decode(&topic(declaration), data);
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
    let stake = 7;
    let returned = (9_u32, BOB, ALICE, stake).encode();
    let declined = RematchDeclined {
        game: 9,
        by: BOB,
        offered_by: ALICE,
        stake,
    };
    assert_eq!(
        decoded(RematchDeclined::DECLARATION, &returned),
        Ok(Some(declined.into()))
    );
    let declined = ChallengeWithdrawn {
        challenge: 9,
        by: BOB,
        challenger: ALICE,
        stake,
    };
    assert_eq!(
        decoded(ChallengeWithdrawn::DECLARATION, &returned),
        Ok(Some(declined.into()))
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

/// Every event, in the order of the declarations; those about a game are about game 9.
fn every_event() -> [Event; 14] {
    let (game, by) = (9, ALICE);
    [
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
            deadline: None,
        }
        .into(),
        GameEnded {
            game,
            winner: None,
            end: End::Agreement,
            winning_cells: Cells::EMPTY,
        }
        .into(),
        ChallengeMade {
            challenge: 4,
            challenger: ALICE,
            opponent: None,
            challenger_first: false,
            expires: None,
            terms: Terms {
                shape: Shape::STANDARD.into(),
                clock: None,
                stake: 0,
            },
        }
        .into(),
        ChallengeWithdrawn {
            challenge: 4,
            by,
            challenger: ALICE,
            stake: 7,
        }
        .into(),
        MatchStarted {
            game,
            challenge: Some(4),
            previous: None,
            clock: None,
            stake: 0,
        }
        .into(),
        DrawOffered { game, by }.into(),
        DrawDeclined { game, by }.into(),
        RematchOffered { game, by }.into(),
        RematchDeclined {
            game,
            by,
            offered_by: ALICE,
            stake: 7,
        }
        .into(),
        Settled {
            game,
            one: 7,
            two: 0,
        }
        .into(),
        Credited {
            account: ALICE,
            amount: 7,
        }
        .into(),
        Withdrawn {
            account: ALICE,
            receiver: BOB,
            amount: 7,
        }
        .into(),
        GameFreed { game, payer: ALICE }.into(),
    ]
}

#[test]
fn an_event_is_about_a_game_or_not() {
    let of_no_game = [3, 4, 11, 12];
    for (place, event) in every_event().iter().enumerate() {
        let declaration = Event::DECLARATIONS[place];
        println!("{declaration}");
        let game = (!of_no_game.contains(&place)).then_some(GameId::Classic(9));
        assert_eq!(event.game(), game);
    }
}
