//! Messages: their names, contracts and arguments.

use codec::Encode;
use connect4_protocol::Address;
use connect4_protocol::message::{
    ContractKind, DropDisc, Free, GAMES, GameCount, Message, Resign, StartGame,
};
use connect4_protocol::signed::message::{CreditOf, STAKES, WithdrawTo};
use connect4_protocol::variants::message::{OpenTables, VARIANTS};
use connect4_rules::Shape;

const ALICE: Address = Address([1; 20]);
const BOB: Address = Address([2; 20]);

#[test]
fn a_message_is_encoded_as_its_arguments_in_order() {
    let shape = Shape::STANDARD.into();
    let start = StartGame {
        player_one: ALICE,
        player_two: BOB,
        shape,
    };
    assert_eq!(start.encode(), (ALICE, BOB, [7_u8, 6, 4]).encode());
    assert_eq!(DropDisc { game: 9, bin: 3 }.encode(), [9, 0, 0, 0, 3]);
    assert!(GameCount {}.encode().is_empty());
    assert_eq!(Resign { game: 9 }.encode(), 9_u32.encode());
    assert_eq!(Free { game: 9 }.encode(), 9_u32.encode());
    let from = Some(4);
    assert_eq!(
        OpenTables { from, limit: 50 }.encode(),
        (Some(4_u32), 50_u8).encode()
    );
    assert_eq!(WithdrawTo { receiver: BOB }.encode(), BOB.encode());
    assert_eq!(CreditOf { account: BOB }.encode(), BOB.encode());
}

/// `9bae9d5e` is the selector of the constructor `new` of every ink! contract.
#[cfg(feature = "decode")]
#[test]
fn a_selector_is_the_beginning_of_a_hash() {
    use connect4_protocol::{selector, topic};

    assert_eq!(selector("new"), [0x9b, 0xae, 0x9d, 0x5e]);
    assert_eq!(topic("new")[..4], selector("new"));
    assert_ne!(selector(DropDisc::NAME), selector(StartGame::NAME));
}

#[test]
fn a_message_has_its_name_and_contract() {
    assert_eq!(
        (DropDisc::NAME, DropDisc::CONTRACT),
        ("drop_disc", ContractKind::Games)
    );
    assert_eq!(
        (WithdrawTo::NAME, WithdrawTo::CONTRACT),
        ("withdraw_to", ContractKind::Stakes)
    );
    assert!(GAMES.contains(&DropDisc::NAME) && STAKES.contains(&WithdrawTo::NAME));
    for names in [GAMES, STAKES, VARIANTS] {
        let mut names = names.to_vec();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }
}
