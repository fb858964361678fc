//! Messages between the players of a game with a stake and a relay.
use codec::{Encode, MaxEncodedLen};
use connect4_protocol::signed::relay::{Present, Refusal};
use connect4_protocol::signed::staked_room::{FromStakedRoom, MAX_LEN, Offer, ToStakedRoom, read};
use connect4_protocol::signed::{
    Chain, Domain, Evidence, GameNumber, Kind, Moves, Native, SessionKey, Signature, SignedEnd,
    Statement,
};
use connect4_protocol::{Address, Error};
use connect4_rules::{ByPlayer, Player};

const GAME: GameNumber = GameNumber([0xcd; 32]);
const DOMAIN: Domain = Domain {
    chain: Chain {
        id: 420_420_421,
        genesis: [9; 32],
    },
    stakes: Some(Address([0xcc; 20])),
};

fn key(player: Player) -> SessionKey {
    let secret = match player {
        Player::One => [1; 32],
        Player::Two => [2; 32],
    };
    SessionKey::from_secret(&secret).expect("a key")
}

fn addresses() -> ByPlayer<Address> {
    ByPlayer::from_fn(|player| key(player).address())
}

fn moves(bins: &[u8]) -> Moves {
    Moves::from_bins(bins).expect("few moves")
}

fn offer(by: Player, until: u64, bins: &[u8]) -> Offer {
    let mut offer = Offer {
        by,
        until,
        moves: moves(bins),
        signature: Signature::NONE,
    };
    offer.signature = key(by).sign(&offer.statement(GAME).digest(&DOMAIN, &Native));
    offer
}

#[test]
fn the_longest_message_fits_into_a_frame() {
    let longest = ToStakedRoom::Position(Evidence {
        end: Some(SignedEnd::Draw { until: u64::MAX }),
        moves: moves(&[6; Moves::MAX]),
        ..Evidence::start()
    });
    assert_eq!(longest.encode().len(), 270);
    // The first message of a player is longer, with the terms.
    assert!(ToStakedRoom::max_encoded_len() <= MAX_LEN);
    assert!(FromStakedRoom::max_encoded_len() <= MAX_LEN);
    assert_eq!(read(&longest.encode()), Some(longest));
}

#[test]
fn messages_are_encoded_as_they_ever_were() {
    let position = Evidence {
        moves: moves(&[3, 4]),
        ..Evidence::start()
    };
    let none = "00".repeat(65);
    let sent = [
        (
            ToStakedRoom::Position(position),
            format!("0100{none}{none}080304"),
        ),
        (
            ToStakedRoom::Offer(Offer {
                by: Player::Two,
                until: 258,
                moves: moves(&[3]),
                signature: Signature::NONE,
            }),
            format!("020102010000000000000403{none}"),
        ),
    ];
    for (message, hex) in sent {
        assert_eq!(hex::encode(message.encode()), hex);
        assert_eq!(read(&message.encode()), Some(message));
    }
    let told = [
        (
            FromStakedRoom::Welcome { nonce: [7; 32] },
            format!("00{}", "07".repeat(32)),
        ),
        (
            FromStakedRoom::Position {
                by: Player::Two,
                evidence: position,
            },
            format!("010100{none}{none}080304"),
        ),
        (
            FromStakedRoom::Present(Present {
                players: ByPlayer {
                    one: true,
                    two: false,
                },
                watchers: 2,
            }),
            "0301000200".into(),
        ),
        (FromStakedRoom::Refused(Refusal::NoSuchGame), "0400".into()),
        (
            FromStakedRoom::Refused(Refusal::ChainUnreachable),
            "0401".into(),
        ),
        (FromStakedRoom::Refused(Refusal::Full), "0402".into()),
        (FromStakedRoom::Refused(Refusal::BadMessage), "0403".into()),
        (FromStakedRoom::Refused(Refusal::TooMany), "0404".into()),
        (
            FromStakedRoom::Refused(Refusal::Invalid(Error::BinFull)),
            "040504".into(),
        ),
        (
            FromStakedRoom::Refused(Refusal::OtherPosition),
            "0406".into(),
        ),
        (FromStakedRoom::Refused(Refusal::Replaced), "0407".into()),
    ];
    for (message, hex) in told {
        assert_eq!(hex::encode(message.encode()), hex);
        assert_eq!(read(&message.encode()), Some(message));
    }
}

#[test]
fn a_frame_is_one_message_and_nothing_else() {
    let offered = ToStakedRoom::Offer(offer(Player::One, 5, &[3]));
    let mut frame = offered.encode();
    frame.push(0);
    assert_eq!(read::<ToStakedRoom>(&frame), None, "one byte more");
    frame.truncate(frame.len() - 2);
    assert_eq!(read::<ToStakedRoom>(&frame), None, "one byte less");
    assert_eq!(read::<ToStakedRoom>(&[]), None);
    assert_eq!(read::<ToStakedRoom>(&[9]), None, "no such message");
    assert_eq!(
        read::<Vec<u8>>(&vec![0_u8; 1000].encode()),
        None,
        "too long"
    );
}

#[test]
fn an_offer_is_half_of_a_draw() {
    let until = 1_800_000_000;
    for by in Player::ALL {
        let offer = offer(by, until, &[3, 4, 3]);
        assert_eq!(offer.check(GAME, &addresses(), &DOMAIN, &Native), Ok(()));
        let statement = offer.statement(GAME);
        let draw = offer.accepted(key(by.opponent()).sign(&statement.digest(&DOMAIN, &Native)));
        assert_eq!(draw.end, Some(SignedEnd::Draw { until }));
        assert_eq!(draw.check(GAME, &addresses(), &DOMAIN, &Native), Ok(()));
    }
}

#[test]
fn an_offer_of_another_game_key_position_or_time_is_none() {
    let good = offer(Player::One, 5, &[3, 4]);
    let other_time = Offer { until: 6, ..good };
    let other_player = Offer {
        by: Player::Two,
        ..good
    };
    let other_moves = Offer {
        moves: moves(&[3, 5]),
        ..good
    };
    let mut other_kind = good;
    let position = Statement {
        game: GAME,
        kind: Kind::Position,
        moves: &other_kind.moves.clone(),
    };
    other_kind.signature = key(Player::One).sign(&position.digest(&DOMAIN, &Native));
    for bad in [other_time, other_player, other_moves, other_kind] {
        let result = bad.check(GAME, &addresses(), &DOMAIN, &Native);
        assert_eq!(result, Err(Error::BadSignature));
    }
    let other_game = good.check(GameNumber([1; 32]), &addresses(), &DOMAIN, &Native);
    assert_eq!(other_game, Err(Error::BadSignature));
}

#[test]
fn a_refusal_says_whether_the_socket_is_closed() {
    assert!(!Refusal::OtherPosition.closes());
    for refusal in [
        Refusal::NoSuchGame,
        Refusal::ChainUnreachable,
        Refusal::Full,
        Refusal::BadMessage,
        Refusal::TooMany,
        Refusal::Invalid(Error::BadSignature),
        Refusal::Replaced,
    ] {
        assert!(refusal.closes(), "{refusal:?}");
    }
}
