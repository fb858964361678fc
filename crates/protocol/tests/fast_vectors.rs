//! Test vectors of fast play, for other implementations: `fast-vectors.json` beside this crate's
//! manifest. `CONNECT4_WRITE_VECTORS=1` writes them anew; without it, a value that differs fails the
//! test.
#![cfg(feature = "sign")]

mod common;

use codec::Encode;
use connect4_protocol::fast::{
    Agreed, Domain, Ending, Evidence, FIRST, FastGame, Kind, Native, SessionKey, SignedChallenge,
    Statement,
};
use connect4_protocol::{Address, Challenge, ClockSpec, Error, Terms};
use connect4_rules::{ByPlayer, Player, Shape};
use serde_json::{Value, json};

use common::fast::Signers;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fast-vectors.json");
const NOW: u64 = 1_800_000_000;
const GAME: u32 = FIRST + 3;
const DOMAIN: Domain = Domain {
    chain_id: 420_420_420,
    contract: Address([0xcc; 20]),
};

fn key(player: Player) -> SessionKey {
    let secret = match player {
        Player::One => [0x11; 32],
        Player::Two => [0x22; 32],
    };
    SessionKey::from_secret(&secret).expect("a key")
}

fn hex_of(bytes: impl AsRef<[u8]>) -> String {
    format!("0x{}", hex::encode(bytes))
}

/// The names of the types, and what of EIP-712 is signed.
fn typed(statement: &Statement) -> (&'static str, Value) {
    let moves = hex_of(statement.moves);
    let game = statement.game;
    match statement.kind {
        Kind::Position => ("Position", json!({ "game": game, "moves": moves })),
        Kind::Resignation => ("Resignation", json!({ "game": game, "moves": moves })),
        Kind::Draw { until } => (
            "Draw",
            json!({ "game": game, "moves": moves, "until": until }),
        ),
    }
}

fn statement_vector(by: Player, statement: &Statement) -> Value {
    let (name, message) = typed(statement);
    let digest = statement.digest(&DOMAIN, &Native);
    json!({
        "type": name,
        "message": message,
        "digest": hex_of(digest),
        "by": hex_of(key(by).address().0),
        "signature": key(by).sign(&digest).to_string(),
    })
}

fn evidence(bins: &[u8], ending: Option<Ending>) -> Evidence {
    let (keys, game, domain) = (ByPlayer::from_fn(key), GAME, DOMAIN);
    Signers { keys, game, domain }.evidence(bins, ending)
}

/// A fast game after these moves, as the contract knows it.
fn known(bins: &[u8]) -> FastGame {
    let agreed = Agreed {
        players: ByPlayer {
            one: Address([0xa; 20]),
            two: Address([0xb; 20]),
        },
        keys: ByPlayer::from_fn(|player| key(player).address()),
        payer: Address([0xb; 20]),
        shape: Shape::STANDARD.into(),
        clock: None,
    };
    let mut fast = FastGame::start(&agreed).expect("two keys");
    if !bins.is_empty() {
        let evidence = evidence(bins, None);
        let taken = fast.advance(GAME, &evidence, &DOMAIN, &Native, NOW);
        taken.expect("signed and legal");
    }
    fast
}

/// What a contract that knows `before` makes of evidence.
fn evidence_vector(name: &str, before: &[u8], evidence: &Evidence) -> Value {
    let mut fast = known(before);
    let result = match fast.advance(GAME, evidence, &DOMAIN, &Native, NOW) {
        Err(error) => json!({ "refused": format!("{error:?}"), "number": error as u8 }),
        Ok(_) => json!({
            "turns": fast.game.turns(),
            "end": fast.game.end().map(|end| format!("{end:?}")),
            "final": fast.is_final(),
            "winner": fast.game.winner().map(|winner| winner as u8 + 1),
        }),
    };
    json!({
        "name": name,
        "known": hex_of(before),
        "scale": hex_of(evidence.encode()),
        "result": result,
    })
}

fn vectors() -> Value {
    let win = [3, 4, 3, 4, 3, 4, 3];
    let statement = |kind, moves| Statement {
        game: GAME,
        kind,
        moves,
    };
    let until = NOW + 60;
    let draw = Some(Ending::Draw { until });
    let late = Some(Ending::Draw { until: NOW - 1 });
    let mut missing = evidence(&win[..3], None);
    missing.signatures.two = Evidence::start().signatures.two;
    let mut swapped = evidence(&win[..3], None);
    swapped.signatures = swapped.signatures.swapped();
    let challenge = Challenge {
        challenger: key(Player::One).address(),
        opponent: Some(Address([0xb; 20])),
        challenger_first: true,
        expires: Some(NOW + 600),
        key: Some(key(Player::Two).address()),
        terms: Terms {
            shape: Shape::STANDARD.into(),
            clock: Some(ClockSpec {
                bank: 300,
                increment: 5,
            }),
            stake: 0,
        },
    };
    let digest = SignedChallenge::digest(&challenge, &DOMAIN, &Native).expect("complete");
    json!({
        "domain": {
            "name": "Connect Four",
            "version": "1",
            "chainId": DOMAIN.chain_id,
            "verifyingContract": hex_of(DOMAIN.contract.0),
        },
        "types": {
            "Position": [
                { "name": "game", "type": "uint32" },
                { "name": "moves", "type": "bytes" },
            ],
            "Resignation": [
                { "name": "game", "type": "uint32" },
                { "name": "moves", "type": "bytes" },
            ],
            "Draw": [
                { "name": "game", "type": "uint32" },
                { "name": "moves", "type": "bytes" },
                { "name": "until", "type": "uint64" },
            ],
            "Challenge": [
                { "name": "challenger", "type": "address" },
                { "name": "opponent", "type": "address" },
                { "name": "challengerFirst", "type": "bool" },
                { "name": "bins", "type": "uint8" },
                { "name": "capacity", "type": "uint8" },
                { "name": "line", "type": "uint8" },
                { "name": "bank", "type": "uint32" },
                { "name": "increment", "type": "uint32" },
                { "name": "expires", "type": "uint64" },
                { "name": "key", "type": "address" },
            ],
        },
        "now": NOW,
        "game": GAME,
        "keys": {
            "one": { "secret": hex_of(key(Player::One).secret()), "address": hex_of(key(Player::One).address().0) },
            "two": { "secret": hex_of(key(Player::Two).secret()), "address": hex_of(key(Player::Two).address().0) },
        },
        "statements": [
            statement_vector(Player::One, &statement(Kind::Position, &win[..1])),
            statement_vector(Player::Two, &statement(Kind::Position, &win[..2])),
            statement_vector(Player::One, &statement(Kind::Position, &win)),
            statement_vector(Player::Two, &statement(Kind::Resignation, &[])),
            statement_vector(Player::Two, &statement(Kind::Resignation, &win[..3])),
            statement_vector(Player::One, &statement(Kind::Draw { until }, &win[..4])),
        ],
        "challenge": {
            "type": "Challenge",
            "message": {
                "challenger": hex_of(challenge.challenger.0),
                "opponent": hex_of([0xb; 20]),
                "challengerFirst": true,
                "bins": 7, "capacity": 6, "line": 4,
                "bank": 300, "increment": 5,
                "expires": NOW + 600,
                "key": hex_of(key(Player::Two).address().0),
            },
            "digest": hex_of(digest),
            "by": hex_of(challenge.challenger.0),
            "signature": key(Player::One).sign(&digest).to_string(),
        },
        "evidence": [
            evidence_vector("the first move", &[], &evidence(&win[..1], None)),
            evidence_vector("a later position", &win[..1], &evidence(&win[..3], None)),
            evidence_vector("the same position again", &win[..3], &evidence(&win[..3], None)),
            evidence_vector("a line", &[], &evidence(&win, None)),
            evidence_vector("a line to which the loser agrees", &[], &evidence(&win, Some(Ending::Resignation(Player::Two)))),
            evidence_vector("a line by who resigns", &[], &evidence(&win, Some(Ending::Resignation(Player::One)))),
            evidence_vector("a signature is missing", &[], &missing),
            evidence_vector("the signatures are swapped", &[], &swapped),
            evidence_vector("a bin that the board has not", &[], &evidence(&[3, 7], None)),
            evidence_vector("a resignation on the turn", &[], &evidence(&win[..4], Some(Ending::Resignation(Player::One)))),
            evidence_vector("a resignation after one's own move", &[], &evidence(&win[..3], Some(Ending::Resignation(Player::One)))),
            evidence_vector("an old resignation", &win[..5], &evidence(&win[..2], Some(Ending::Resignation(Player::Two)))),
            evidence_vector("a draw", &win[..2], &evidence(&win[..3], draw)),
            evidence_vector("a draw at fewer moves", &win[..4], &evidence(&win[..3], draw)),
            evidence_vector("a draw that has lapsed", &[], &evidence(&win[..3], late)),
        ],
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
        "fast-vectors.json is not what the code makes"
    );
}

#[test]
fn the_vectors_show_every_refusal_of_evidence() {
    let vectors = vectors();
    let evidence = vectors["evidence"].as_array().expect("a list");
    let refused = |error: Error| {
        let name = format!("{error:?}");
        evidence
            .iter()
            .any(|vector| vector["result"]["refused"] == name.as_str())
    };
    for error in [
        Error::NotNewer,
        Error::BadSignature,
        Error::NoSuchBin,
        Error::NoOffer,
        Error::GameOver,
    ] {
        assert!(refused(error), "{error:?}");
    }
}
