//! Signatures and keys that are written in another way: contract and programs take the same ones.

use connect4_protocol::Address;
use connect4_protocol::signed::{
    AccountSignature, Crypto as _, Ending, Finished, Native, Party, RecordedEnd, RecordedPlayer,
    RecordsError, Refused, Signature, SignedSession,
};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::Account::Bob;
use connect4_testing::keys::{Wallet, session_key};
use connect4_testing::signed::SignedPlay;

use crate::world::{World, line, packed};

/// The order of secp256k1.
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
    0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
];

/// The same signature with the other one of the two values of `s` that fit, as anybody can write it.
fn other_form(Signature(bytes): &Signature) -> Signature {
    let mut other = *bytes;
    let mut borrowed = 0_i16;
    for at in (0..32).rev() {
        let left = i16::from(ORDER[at]) - i16::from(bytes[32 + at]) - borrowed;
        borrowed = i16::from(left < 0);
        other[32 + at] = left.rem_euclid(256) as u8;
    }
    other[64] = 27 + 28 - bytes[64];
    Signature(other)
}

/// The order of the group of sr25519, from the lowest byte.
const SR25519_ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// Whether the game is taken: by the contract and by programs alike.
fn is_taken(world: &World, play: &SignedPlay, game: &RecordedEnd, what: &str) -> bool {
    let terms = play.signed.terms;
    let group = world.group(&terms);
    let by_contract = world.send(group, vec![*game]).map(drop);
    // The accounts of the players are those that the game names.
    let mut terms = terms;
    terms.players = game.players.map(|player| player.party(&Native));
    let judged = game.finished(terms).judge(world.chain(), &Native);
    let by_programs = judged
        .map(drop)
        .map_err(|refused| RecordsError::Game { place: 0, refused });
    assert_eq!(by_contract, by_programs, "{what}");
    by_contract.is_ok()
}

fn recorded(finished: &Finished) -> RecordedEnd {
    packed(finished, false)
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
    let play = SignedPlay::by_wallets(world.chain(), world.terms(), 1_000, &wallets);
    let good = recorded(&world.ended(&play, &line()[..6], Ending::Resignation(Player::Two)));
    assert!(is_taken(&world, &play, &good, "as it is"));
    for player in Player::ALL {
        for (number, (what, form)) in forms(good.signatures.get(player)).iter().enumerate() {
            let mut game = good;
            game.signatures[player] = *form;
            let what = format!("a statement of {player}, {what}");
            assert_eq!(is_taken(&world, &play, &game, &what), number == 0, "{what}");
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
        assert_eq!(is_taken(&world, &play, &game, &what), number == 0, "{what}");
    }
}

#[test]
fn contract_and_programs_take_one_form_of_signatures_of_substrate() {
    let world = World::new();
    let wallets = ByPlayer {
        one: Wallet::Guest,
        two: Wallet::Substrate(Bob),
    };
    let play = SignedPlay::by_wallets(world.chain(), world.terms(), 1_000, &wallets);
    let good = recorded(&world.ended(&play, &line(), Ending::Board));
    assert!(is_taken(&world, &play, &good, "as it is"));
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
        assert!(!is_taken(&world, &play, &game, what), "{what}");
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
    let mut play = world.guests(1);
    let account = Address::of_hash(&Native.keccak256(&[0; 32]));
    let mut terms = play.signed.terms;
    let key = terms.players.two.key();
    terms.players.two = Party::Account { account, key };
    play = SignedPlay::on(world.chain(), terms, play.keys);
    let mut signature = [0; 64];
    signature[63] = 0x80;
    let session = SignedSession {
        until: terms.time,
        signature: AccountSignature::Sr25519 {
            public_key: [0; 32],
            signature,
        },
    };
    play.signed.sessions.two = Some(session);
    let finished = world.ended(&play, &line(), Ending::Board);
    // Whatever it is: both say the same.
    is_taken(&world, &play, &recorded(&finished), "the key of zeros");
    let late = SignedSession {
        until: terms.time - 1,
        ..session
    };
    let over = Finished {
        sessions: ByPlayer {
            two: Some(late),
            ..finished.sessions
        },
        ..finished
    };
    assert_eq!(
        over.judge(world.chain(), &Native).map(drop),
        Err(Refused::BadSession(Player::Two))
    );
}
