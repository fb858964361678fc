//! Signatures and keys that are written in another way: contract and programs take the same ones, for the same reason.

use connect4_protocol::fast::{
    AccountSignature, Crypto as _, Ending, Native, Party, PlayedGame, RecordedGame, RecordedPlayer,
    Signature, SignedSession,
};
use connect4_protocol::message::Record;
use connect4_protocol::{Address, Error};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::Account::{Bob, Eve};
use connect4_testing::fast::{ORDER, TermsPlay, Wallet, other_form};
use connect4_testing::games;

use crate::world::{World, session_key};

/// The order of the group of sr25519, from the lowest byte.
const SR25519_ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

fn line() -> Vec<u8> {
    games::bins(games::SHORT).collect()
}

/// Whether the game is taken: by the contract and by programs alike.
fn is_taken(world: &World, game: &RecordedGame, what: &str) -> bool {
    let games = vec![*game];
    let fast = world.fast;
    let by_contract = world.tries(Eve, 0, Record { fast, games });
    let by_programs = game.check(&world.domain(), &Native, world.now());
    let by_contract = by_contract.map(drop);
    assert_eq!(by_contract, by_programs.map(drop), "{what}");
    by_contract.is_ok()
}

/// Other bytes in the place of a signature of Ethereum, of which none but the first is one.
fn forms(Signature(bytes): &Signature) -> Vec<(String, Signature)> {
    let mut forms = vec![(
        "with the other s".to_owned(),
        other_form(&Signature(*bytes)),
    )];
    let mut add = |what: &str, change: &dyn Fn(&mut [u8; 65])| {
        let mut changed = *bytes;
        change(&mut changed);
        forms.push((what.to_owned(), Signature(changed)));
    };
    for v in [0, 1, 26, 29, 30, 31, 255] {
        add(&format!("v of {v}"), &|bytes| bytes[64] = v);
    }
    add("the other v", &|bytes| bytes[64] = 55 - bytes[64]);
    for (name, place) in [("r", 0), ("s", 32)] {
        let zero = [0; 32];
        let most = [0xff; 32];
        for (what, value) in [("0", &zero), ("the order", &ORDER), ("too much", &most)] {
            add(&format!("{name} of {what}"), &|bytes| {
                bytes[place..place + 32].copy_from_slice(value);
            });
        }
    }
    forms
}

#[test]
fn contract_and_programs_take_the_same_forms_of_signatures_of_ethereum() {
    let world = World::new();
    let wallets = ByPlayer {
        one: Wallet::Ethereum(session_key(99)),
        two: Wallet::Guest,
    };
    let play = TermsPlay::new(world.domain(), world.now(), 1, wallets);
    let good = play.recorded(&line(), Some(Ending::Resignation(Player::Two)));
    assert!(is_taken(&world, &good, "as it is"));
    for player in Player::ALL {
        for (number, (what, form)) in forms(good.evidence.signatures.get(player))
            .iter()
            .enumerate()
        {
            let mut game = good;
            game.evidence.signatures[player] = *form;
            let what = format!("a statement of {player}, {what}");
            assert_eq!(is_taken(&world, &game, &what), number == 0, "{what}");
        }
    }
    let RecordedPlayer::Ethereum { signature, .. } = good.players.one else {
        panic!("{good:?}");
    };
    for (number, (what, form)) in forms(&signature).into_iter().enumerate() {
        let mut game = good;
        if let RecordedPlayer::Ethereum { signature, .. } = &mut game.players.one {
            *signature = form;
        }
        let what = format!("a session, {what}");
        assert_eq!(is_taken(&world, &game, &what), number == 0, "{what}");
    }
}

#[test]
fn contract_and_programs_take_one_form_of_signatures_of_substrate() {
    let world = World::new();
    let wallets = ByPlayer {
        one: Wallet::Guest,
        two: Wallet::Substrate(Bob),
    };
    let play = TermsPlay::new(world.domain(), world.now(), 1, wallets);
    let good = play.recorded(&line(), None);
    assert!(is_taken(&world, &good, "as it is"));
    let refused = |what: &str, change: &dyn Fn(&mut [u8; 32], &mut [u8; 64])| {
        let mut game = good;
        let RecordedPlayer::Sr25519 {
            public_key,
            signature,
            ..
        } = &mut game.players.two
        else {
            panic!("{good:?}");
        };
        change(public_key, signature);
        assert!(!is_taken(&world, &game, what), "{what}");
    };
    refused("without the mark", &|_, signature| signature[63] &= 0x7f);
    // The same number, but for the order of the group.
    refused("s and the order", &|_, signature| {
        let mut carried = 0_u16;
        for (byte, add) in signature[32..].iter_mut().zip(SR25519_ORDER) {
            let sum = u16::from(*byte) + u16::from(add) + carried;
            *byte = sum as u8;
            carried = sum >> 8;
        }
        signature[63] |= 0x80;
    });
    refused("zeros", &|_, signature| *signature = [0; 64]);
    for at in 0..32 {
        for bit in [0, 7] {
            refused(&format!("bit {bit} of byte {at} of the key"), &|key, _| {
                key[at] ^= 1 << bit;
            });
        }
    }
    for at in 0..64 {
        for bit in [0, 7] {
            refused(&format!("bit {bit} of byte {at}"), &|_, signature| {
                signature[at] ^= 1 << bit;
            });
        }
    }
}

/// The key of 32 zeros is a point for which everybody can sign: nobody's account, for contract and programs.
#[test]
fn what_everybody_can_sign_for_is_the_same_for_contract_and_programs() {
    let world = World::new();
    let mut play = TermsPlay::guests(world.domain(), world.now(), 1);
    let account = Address::of_hash(&Native.keccak256(&[0; 32]));
    let key = play.terms.players.two.key();
    play.terms.players.two = Party::Account { account, key };
    let mut signature = [0; 64];
    signature[63] = 0x80;
    play.sessions.two = Some(SignedSession {
        until: play.terms.time,
        signature: AccountSignature::Sr25519 {
            public_key: [0; 32],
            signature,
        },
    });
    let played = PlayedGame {
        terms: play.terms,
        sessions: play.sessions,
        evidence: play.evidence(&line(), None),
    };
    let game = RecordedGame::of(&played).expect("it has a session");
    // Whatever it is: both say the same.
    is_taken(&world, &game, "the key of zeros");
    let late = SignedSession {
        until: play.terms.time - 1,
        ..play.sessions.two.expect("it is there")
    };
    let over = PlayedGame {
        sessions: ByPlayer {
            two: Some(late),
            ..play.sessions
        },
        ..played
    };
    assert_eq!(
        over.check(&world.domain(), &Native).map(drop),
        Err(Error::BadSession)
    );
}
