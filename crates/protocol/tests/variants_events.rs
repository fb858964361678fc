//! Events, messages and ends of the contract of the variants.

use codec::{Decode, Encode};
use connect4_protocol::message::{ContractKind, Message};
use connect4_protocol::variants::event::{
    MoveMade, PlayerJoined, PlayerLeft, TableClosed, TableOpened, VariantEnded, VariantFreed,
    VariantStarted,
};
use connect4_protocol::variants::message::{
    FreeVariant, Join, MakeMove, OpenTable, OpenTables, StartVariant, VARIANTS, VariantCount,
};
use connect4_protocol::variants::{End, Game, Page};
use connect4_protocol::{Address, Error, Event, GameId};
use connect4_rules::variant::{
    Colour, LeaveError, Move, MoveError, Outcome, VariantError, VariantSpec,
};
use connect4_rules::{Cell, Cells, Shape, ShapeError};

const ALICE: Address = Address([1; 20]);
const BOB: Address = Address([2; 20]);

fn terms() -> VariantSpec {
    VariantSpec::classic(Shape::STANDARD)
}

/// Every event, in the order of the declarations, about game 9.
fn every_event() -> Vec<Event> {
    let game = 9;
    vec![
        TableOpened {
            game,
            opener: ALICE,
            players: vec![ALICE, BOB],
            variant: terms(),
            limit: Some(60),
        }
        .into(),
        PlayerJoined {
            game,
            player: BOB,
            seat: 1,
        }
        .into(),
        PlayerLeft {
            game,
            player: BOB,
            late: true,
            deadline: Some(77),
        }
        .into(),
        TableClosed {
            game,
            opener: ALICE,
        }
        .into(),
        VariantStarted {
            game,
            players: vec![ALICE, BOB],
            variant: terms(),
            limit: None,
            deadline: None,
        }
        .into(),
        MoveMade {
            game,
            player: BOB,
            action: Move::Take(Cell::new(2, 1)),
            turn: 7,
            deadline: Some(77),
        }
        .into(),
        VariantEnded {
            game,
            winner: Some(ALICE),
            end: End::Line,
            winning_cells: Cells::from_bits(0b1111),
        }
        .into(),
        VariantFreed { game, payer: ALICE }.into(),
    ]
}

/// Their declarations are the last ones of all.
fn declarations() -> &'static [&'static str] {
    let first = Event::DECLARATIONS.len() - every_event().len();
    &Event::DECLARATIONS[first..]
}

#[test]
fn every_event_is_about_a_game_of_a_variant() {
    assert_eq!(declarations()[0], TableOpened::DECLARATION);
    for event in every_event() {
        assert_eq!(event.game(), Some(GameId::Variant(9)));
    }
}

/// The fields in order, and nothing else.
fn data(event: &Event) -> Vec<u8> {
    let variant = [7_u8, 6, 4, 2, 0, 0, 0, 0, 0];
    let both = vec![ALICE, BOB];
    match event {
        Event::TableOpened(_) => (9_u32, ALICE, both, variant, Some(60_u32)).encode(),
        Event::PlayerJoined(_) => (9_u32, BOB, 1_u8).encode(),
        Event::PlayerLeft(_) => (9_u32, BOB, true, Some(77_u64)).encode(),
        Event::TableClosed(_) => (9_u32, ALICE).encode(),
        Event::VariantStarted(_) => (9_u32, both, variant, None::<u32>, None::<u64>).encode(),
        Event::MoveMade(_) => (9_u32, BOB, [2_u8, 2, 1], 7_u8, Some(77_u64)).encode(),
        Event::VariantEnded(_) => (9_u32, Some(ALICE), 0_u8, 0b1111_u128).encode(),
        Event::VariantFreed(_) => (9_u32, ALICE).encode(),
        other => panic!("{other:?} is of another contract"),
    }
}

#[cfg(feature = "decode")]
#[test]
fn an_event_decodes_by_its_first_topic() {
    use connect4_protocol::topic;

    for (declaration, event) in declarations().iter().zip(every_event()) {
        println!("{declaration}");
        let topic = topic(declaration);
        let data = data(&event);
        assert_eq!(Event::decode(&topic, &data), Ok(Some(event)));
        let short = data.split_last().expect("data").1;
        assert!(Event::decode(&topic, short).is_err(), "cut short");
        assert!(
            Event::decode(&topic, &[&data[..], &[0]].concat()).is_err(),
            "too long"
        );
    }
    assert_eq!(Event::decode(&[0; 32], &[]), Ok(None));
}

#[test]
fn an_event_is_encoded_as_its_fields_in_order() {
    for event in every_event() {
        let encoded = match &event {
            Event::TableOpened(event) => event.encode(),
            Event::PlayerJoined(event) => event.encode(),
            Event::PlayerLeft(event) => event.encode(),
            Event::TableClosed(event) => event.encode(),
            Event::VariantStarted(event) => event.encode(),
            Event::MoveMade(event) => event.encode(),
            Event::VariantEnded(event) => event.encode(),
            Event::VariantFreed(event) => event.encode(),
            other => panic!("{other:?} is of another contract"),
        };
        assert_eq!(encoded, data(&event), "{event:?}");
    }
}

#[test]
fn a_message_has_its_name_contract_and_arguments() {
    assert_eq!(
        (MakeMove::NAME, MakeMove::CONTRACT),
        ("make_move", ContractKind::Variants)
    );
    let action = Move::Float(Cell::new(3, 5));
    assert_eq!(MakeMove { game: 9, action }.encode(), [9, 0, 0, 0, 4, 3, 5]);
    let players = vec![ALICE, BOB];
    let start = StartVariant {
        players: players.clone(),
        variant: terms(),
    };
    assert_eq!(start.encode(), (&players, terms()).encode());
    let open = OpenTable {
        players: Vec::new(),
        variant: terms(),
        limit: Some(60),
    };
    let none: Vec<Address> = Vec::new();
    assert_eq!(open.encode(), (none, terms(), Some(60_u32)).encode());
    assert_eq!(Join { game: 9 }.encode(), [9, 0, 0, 0]);
    assert!(VariantCount {}.encode().is_empty());
    let page = OpenTables {
        from: None,
        limit: 50,
    };
    assert_eq!(page.encode(), [0, 50]);
    let mut names = VARIANTS.to_vec();
    assert!(names.contains(&FreeVariant::NAME));
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}

#[test]
fn a_page_of_tables_reads_back() {
    let table = Game::open(ALICE, &[], terms(), None, 5).expect("a table");
    let page = Page {
        tables: vec![(7, table), (3, table)],
        next: Some(2),
    };
    assert_eq!(Page::decode(&mut page.encode().as_slice()), Ok(page));
    assert_eq!(Page::default().encode(), [0, 0]);
}

#[test]
fn ends_have_numbers_of_their_own_on_the_chain() {
    use connect4_protocol::End as Any;

    let red = Colour::Red;
    for (number, outcome, end, any) in [
        (0, Some(Outcome::Line(red)), End::Line, Any::Line),
        (
            1,
            Some(Outcome::LastLeft(red)),
            End::LastLeft,
            Any::LastLeft,
        ),
        (2, Some(Outcome::NoMove), End::NoMove, Any::NoMove),
        (3, Some(Outcome::TurnLimit), End::TurnLimit, Any::TurnLimit),
        (4, None, End::Abandoned, Any::Abandoned),
    ] {
        assert_eq!(end as u8, number);
        assert_eq!(end.encode(), [number]);
        assert_eq!(End::decode(&mut [number].as_slice()), Ok(end));
        assert_eq!(Any::from(end), any);
        if let Some(outcome) = outcome {
            assert_eq!((End::from(outcome), Any::from(outcome)), (end, any));
        }
    }
    assert!(End::decode(&mut [5].as_slice()).is_err());
}

#[test]
fn refusals_of_the_rules_are_errors() {
    for (refusal, error) in [
        (MoveError::GameOver, Error::GameOver),
        (MoveError::NotInVariant, Error::NotInVariant),
        (MoveError::NoPowerLeft, Error::NoPowerLeft),
        (MoveError::NoSwapNow, Error::NoSwapNow),
        (MoveError::NoSuchBin, Error::NoSuchBin),
        (MoveError::NoSuchRow, Error::NoSuchRow),
        (MoveError::BinFull, Error::BinFull),
        (MoveError::NotYourDisc, Error::NotYourDisc),
        (MoveError::NoDisc, Error::NoDisc),
        (MoveError::OwnDisc, Error::OwnDisc),
        (MoveError::RowEmpty, Error::RowEmpty),
        (MoveError::NotAboveTop, Error::NotAboveTop),
    ] {
        assert_eq!(Error::from(refusal), error);
    }
    assert_eq!(Error::from(LeaveError::GameOver), Error::GameOver);
    assert_eq!(Error::from(LeaveError::NotPlaying), Error::HasLeft);
    let shape = VariantError::Shape(ShapeError::TooLarge);
    assert_eq!(Error::from(shape), Error::BadShape);
    for error in [
        VariantError::PlayersOutOfBounds,
        VariantError::PieRuleNeedsTwo,
        VariantError::TooManyPowers,
    ] {
        assert_eq!(Error::from(error), Error::BadVariant);
    }
}

/// Clients know the errors by their numbers.
#[test]
fn errors_of_variants_keep_their_numbers() {
    let errors = [
        Error::NotStarted,
        Error::AlreadyStarted,
        Error::AlreadyJoined,
        Error::NotInvited,
        Error::HasLeft,
        Error::BadVariant,
        Error::WrongPlayers,
        Error::BadLimit,
        Error::NoLimit,
        Error::NotInVariant,
        Error::NoPowerLeft,
        Error::NoSwapNow,
        Error::NoSuchRow,
        Error::NotYourDisc,
        Error::NoDisc,
        Error::OwnDisc,
        Error::RowEmpty,
        Error::NotAboveTop,
    ];
    for (number, error) in (18..).zip(errors) {
        assert_eq!(error as u8, number);
        assert_eq!(error.encode(), [number]);
    }
}
