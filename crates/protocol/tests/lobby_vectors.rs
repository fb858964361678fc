//! Test vectors of the lobby and of rooms by signed terms, for other implementations: `lobby-vectors.json` beside
//! this crate's manifest. `CONNECT4_WRITE_VECTORS=1` writes them anew; without it, a value that differs fails the
//! test.
#![cfg(feature = "sign")]

use codec::{DecodeAll, Encode};
use connect4_protocol::fast::lobby::{
    self, Answer, FromLobby, NotPaired, Seek, Side, SignedSeek, ToLobby, commitment,
    seeker_is_first,
};
use connect4_protocol::fast::wire::{self, FromRelay, Offer, Present, Refusal, ToRelay, presence};
use connect4_protocol::fast::{
    AccountSignature, Domain, Ending, Evidence, GameTerms, Kind, Moves, Native, Party, Rematch,
    Session, SessionKey, Signature, SignedSession, SignedTerms, Statement,
};
use connect4_protocol::{Address, ClockSpec, Error};
use connect4_rules::{ByPlayer, Player, ShapeSpec};
use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/lobby-vectors.json");
const NOW: u64 = 1_800_000_000;
const DOMAIN: Domain = Domain::new(420_420_420, Address([0xcc; 20]));
const SECRET: [u8; 32] = [0x5e; 32];
const NONCE: [u8; 32] = [7; 32];
const INVITE: [u8; 16] = [0x1d; 16];

fn key(byte: u8) -> SessionKey {
    SessionKey::from_secret(&[byte; 32]).expect("a key")
}

fn hex_of(bytes: impl AsRef<[u8]>) -> String {
    format!("0x{}", hex::encode(bytes))
}

/// The seeker: an account of Ethereum, with a session key.
fn seeker() -> (Party, SignedSession) {
    let (wallet, key) = (key(0x33), key(0x11));
    let (account, key) = (wallet.address(), key.address());
    let until = NOW + 3_600;
    let named = Session {
        account,
        key,
        until,
    };
    let signature = wallet.sign(&named.digest(&DOMAIN, &Native));
    let session = SignedSession {
        until,
        signature: AccountSignature::Ethereum(signature),
    };
    (Party::new(account, key), session)
}

fn signed_seek() -> SignedSeek {
    let (party, session) = seeker();
    let seek = Seek {
        party,
        shape: ShapeSpec {
            bins: 8,
            capacity: 7,
            line: 4,
        },
        pie_rule: true,
        pool: 0x0102,
        program: false,
        clock: Some(ClockSpec {
            bank: 300,
            increment: 5,
        }),
        side: Side::Random,
        commitment: commitment(&SECRET, &Native),
        time: NOW,
    };
    SignedSeek {
        seek,
        nonce: NONCE,
        session: Some(session),
        signature: key(0x11).sign(&seek.digest(NONCE, &DOMAIN, &Native)),
    }
}

/// The answer of a guest, a program.
fn answer(seek: &Seek, nonce: u32) -> Answer {
    let key = key(0x22);
    let terms = seek.answered_by(Party::Guest(key.address()), true, NOW + 5, nonce);
    let sign = |terms: &GameTerms| key.sign(&terms.digest(&DOMAIN, &Native));
    Answer {
        terms,
        session: None,
        signature: sign(&terms),
        swapped: Some(sign(&terms.swapped())),
    }
}

fn accepted(signed: &SignedSeek, answer: &Answer) -> SignedTerms {
    let decided = answer.decided(&signed.seek, &SECRET, &Native);
    let (terms, _) = decided.expect("its secret");
    let signature = key(0x11).sign(&terms.digest(&DOMAIN, &Native));
    let accepted = answer.accepted(signed, &SECRET, signature, &Native);
    let accepted = accepted.expect("its secret");
    let start = accepted.start(Address::ZERO, &DOMAIN, &Native);
    start.expect("both have signed");
    accepted
}

/// A message by its name in docs/programs.md, and its bytes. It is read back.
fn message<M: Encode + DecodeAll + PartialEq + core::fmt::Debug>(
    name: &str,
    message: &M,
    longest: usize,
) -> Value {
    let bytes = message.encode();
    assert!(bytes.len() <= longest, "{name} has {} bytes", bytes.len());
    let read = M::decode_all(&mut &*bytes).expect("a message");
    assert_eq!(read, *message);
    json!({ "name": name, "scale": hex_of(bytes) })
}

fn to_lobby() -> Value {
    let seek = signed_seek();
    let answer = answer(&seek.seek, 7);
    let SignedTerms { signatures, .. } = accepted(&seek, &answer);
    let to = |name, told: &ToLobby| message(name, told, lobby::MAX_LEN);
    json!([
        to("seek", &ToLobby::Seek { seek, invite: None }),
        to(
            "seek by an invite",
            &ToLobby::Seek {
                seek,
                invite: Some(INVITE)
            }
        ),
        to("withdraw", &ToLobby::Withdraw),
        to("look", &ToLobby::Look(INVITE)),
        to("answer", &ToLobby::Answer { seek: 258, answer }),
        to(
            "accept",
            &ToLobby::Accept {
                answer: 259,
                secret: SECRET,
                signature: *signatures.get(seat_of_seeker())
            }
        ),
        to("decline", &ToLobby::Decline { answer: 259 }),
        to("list", &ToLobby::List { live: true }),
    ])
}

fn from_lobby() -> Value {
    let seek = signed_seek();
    let answer = answer(&seek.seek, 7);
    let SignedTerms { signatures, .. } = accepted(&seek, &answer);
    let from = |name, told: &FromLobby| message(name, told, lobby::MAX_LEN);
    let Domain {
        chain_id, contract, ..
    } = DOMAIN;
    let welcome = FromLobby::Welcome {
        nonce: NONCE,
        chain_id,
        contract,
        time: NOW,
    };
    json!([
        from("welcome", &welcome),
        from(
            "listed",
            &FromLobby::Listed {
                id: 258,
                invited: true,
                seek
            }
        ),
        from("gone", &FromLobby::Gone { id: 258 }),
        from("answered", &FromLobby::Answered { id: 259, answer }),
        from("refused", &FromLobby::Refused(Refusal::Busy)),
        from(
            "accepted",
            &FromLobby::Accepted {
                seek: 258,
                secret: SECRET,
                signature: *signatures.get(seat_of_seeker())
            }
        ),
        from(
            "not paired",
            &FromLobby::NotPaired {
                seek: 258,
                why: NotPaired::Silent
            }
        ),
        from("cleared", &FromLobby::Cleared),
        from("complete", &FromLobby::Complete),
    ])
}

fn seat_of_seeker() -> Player {
    match seeker_is_first(&SECRET, 7, &Native) {
        true => Player::One,
        false => Player::Two,
    }
}

/// Keys of the players of the game that the seek and the answer make.
fn keys() -> ByPlayer<SessionKey> {
    match seat_of_seeker() {
        Player::One => ByPlayer {
            one: key(0x11),
            two: key(0x22),
        },
        Player::Two => ByPlayer {
            one: key(0x22),
            two: key(0x11),
        },
    }
}

fn evidence(terms: &GameTerms, bins: &[u8], ending: Option<Ending>) -> Evidence {
    let number = terms.number(&DOMAIN, &Native);
    let mut evidence = Evidence {
        ending,
        moves: Moves::from_bins(bins).expect("few moves"),
        ..Evidence::start()
    };
    let unsigned = evidence;
    for player in Player::ALL {
        if let Some(statement) = unsigned.statement_of(player, number) {
            let digest = statement.digest(&DOMAIN, &Native);
            evidence.signatures[player] = keys().get(player).sign(&digest);
        }
    }
    evidence
}

fn in_room() -> (Value, Value) {
    let seek = signed_seek();
    let signed = accepted(&seek, &answer(&seek.seek, 7));
    let terms = signed.terms;
    let number = terms.number(&DOMAIN, &Native);
    let moved = evidence(&terms, &[3, Moves::SWAP, 3], None);
    let until = Ending::FOR_GOOD;
    let mut offer = Offer {
        by: Player::One,
        until,
        moves: moved.moves,
        signature: Signature::NONE,
    };
    let statement = Statement {
        game: number,
        kind: Kind::Draw { until },
        moves: &moved.moves,
    };
    offer.signature = keys().one.sign(&statement.digest(&DOMAIN, &Native));
    let join = ToRelay::Join {
        player: Player::Two,
        signature: keys().two.sign(&presence(number, NONCE, &DOMAIN, &Native)),
    };
    let mut rematch = Rematch {
        time: NOW + 60,
        nonce: 8,
        signatures: ByPlayer::default(),
    };
    let digest = rematch.terms(&terms).digest(&DOMAIN, &Native);
    rematch.signatures.two = Some(keys().two.sign(&digest));
    let resigned = evidence(
        &terms,
        &[3, Moves::SWAP, 3],
        Some(Ending::Resignation(Player::Two)),
    );
    let to = |name, told: &ToRelay| message(name, told, wire::MAX_LEN);
    let from = |name, told: &FromRelay| message(name, told, wire::MAX_LEN);
    let present = Present {
        players: ByPlayer {
            one: true,
            two: false,
        },
        watchers: 258,
    };
    (
        json!([
            to("position", &ToRelay::Position(moved)),
            to("resignation", &ToRelay::Position(resigned)),
            to("offer", &ToRelay::Offer(offer)),
            to("join", &join),
            to("terms", &ToRelay::Terms(signed)),
            to("rematch", &ToRelay::Rematch(rematch)),
        ]),
        json!([
            from("welcome", &FromRelay::Welcome { nonce: NONCE }),
            from("position", &FromRelay::Position(moved)),
            from("offer", &FromRelay::Offer(offer)),
            from("present", &FromRelay::Present(present)),
            from("refused", &FromRelay::Refused(Refusal::Full)),
            from(
                "invalid",
                &FromRelay::Refused(Refusal::Invalid(Error::BadSignature))
            ),
            from("terms", &FromRelay::Terms(signed)),
            from("rematch", &FromRelay::Rematch(rematch)),
        ]),
    )
}

fn vectors() -> Value {
    let signed = signed_seek();
    signed.check(NOW, &DOMAIN, &Native).expect("it is signed");
    let answer = answer(&signed.seek, 7);
    answer
        .check(&signed.seek, NOW, &DOMAIN, &Native)
        .expect("it fits");
    let made = accepted(&signed, &answer).terms;
    let secrets = [("seeker", 0x11), ("answerer", 0x22), ("wallet", 0x33)];
    let keys = secrets.map(|(name, byte)| {
        let address = key(byte).address().to_string();
        (
            name.to_owned(),
            json!({ "secret": hex_of([byte; 32]), "address": address }),
        )
    });
    let coins: Vec<_> = (0..8_u32)
        .map(|nonce| json!({ "nonce": nonce, "seekerIsFirst": seeker_is_first(&SECRET, nonce, &Native) }))
        .collect();
    let (to_room, from_room) = in_room();
    json!({
        "domain": {
            "name": "Connect Four",
            "version": "2",
            "chainId": DOMAIN.chain_id,
            "verifyingContract": DOMAIN.contract.to_string(),
        },
        "keys": serde_json::Map::from_iter(keys),
        "now": NOW,
        "nonce": hex_of(NONCE),
        "invite": hex_of(INVITE),
        "secret": hex_of(SECRET),
        "coins": coins,
        "seek": {
            "type": "Seek(address account,address key,uint8 bins,uint8 capacity,uint8 line,bool pieRule,\
                     uint16 pool,bool program,uint32 bank,uint32 increment,uint8 side,bytes32 commitment,\
                     uint64 time,bytes32 nonce)",
            "digest": hex_of(signed.seek.digest(NONCE, &DOMAIN, &Native)),
        },
        "answer": hex_of(answer.terms.digest(&DOMAIN, &Native)),
        "game": made.number(&DOMAIN, &Native).to_string(),
        "rematch": hex_of(
            Rematch { time: NOW + 60, nonce: 8, signatures: ByPlayer::default() }
                .terms(&made)
                .digest(&DOMAIN, &Native),
        ),
        "toLobby": to_lobby(),
        "fromLobby": from_lobby(),
        "toRoom": to_room,
        "fromRoom": from_room,
    })
}

#[test]
fn the_vectors_are_those_of_the_file() {
    let made = format!("{:#}\n", vectors());
    if std::env::var_os("CONNECT4_WRITE_VECTORS").is_some() {
        std::fs::write(FILE, made).expect("the file is written");
        return;
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        made == committed,
        "lobby-vectors.json is not what the code makes"
    );
}
