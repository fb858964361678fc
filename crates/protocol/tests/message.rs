//! Messages: their names, contracts and arguments.

use codec::Encode;
use connect4_protocol::message::ContractKind;
use connect4_protocol::message::{
    Accept, CreditOf, DropDisc, EndMatch, GAMES, GameCount, MATCHES, MakeChallenge, Message,
    OpenChallenges, StartGame, Version, WithdrawTo,
};
use connect4_protocol::{Address, Challenge, ClockSpec, Game, Terms};
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
    let ended = Game::start(ALICE, BOB, shape).unwrap();
    assert_eq!(
        EndMatch { game: 9, ended }.encode(),
        (9_u32, ended).encode()
    );
    let clock = Some(ClockSpec {
        bank: 60,
        increment: 5,
    });
    let challenge = MakeChallenge {
        opponent: Some(BOB),
        challenger_first: true,
        shape,
        clock,
        expires: Some(77),
    };
    let (board, time) = ([7_u8, 6, 4], Some((60_u32, 5_u32)));
    let arguments = (Some(BOB), true, board, time, Some(77_u64));
    assert_eq!(challenge.encode(), arguments.encode());
    let seen = Challenge {
        challenger: ALICE,
        opponent: None,
        challenger_first: false,
        expires: Some(77),
        terms: Terms {
            shape,
            clock,
            stake: 8,
        },
    };
    let terms = (board, time, 8_u128);
    let challenge = (ALICE, None::<Address>, false, Some(77_u64), terms);
    assert_eq!(
        Accept { challenge: 9, seen }.encode(),
        (9_u32, challenge).encode(),
        "the number, then the challenge"
    );
    assert!(Version {}.encode().is_empty());
    let from = Some(4);
    assert_eq!(
        OpenChallenges { from, limit: 50 }.encode(),
        (Some(4_u32), 50_u8).encode()
    );
    let withdraw = WithdrawTo {
        games: vec![1, 2],
        receiver: BOB,
    };
    assert_eq!(withdraw.encode(), (vec![1_u32, 2], BOB).encode());
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
        (MakeChallenge::NAME, MakeChallenge::CONTRACT),
        ("challenge", ContractKind::Matches)
    );
    assert!(GAMES.contains(&DropDisc::NAME) && MATCHES.contains(&MakeChallenge::NAME));
    let mut names = [GAMES, MATCHES].concat();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}
