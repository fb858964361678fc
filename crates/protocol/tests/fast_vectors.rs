//! Test vectors of fast play, for other implementations: `fast-vectors.json` beside this crate's
//! manifest. `CONNECT4_WRITE_VECTORS=1` writes them anew; without it, a value that differs fails the
//! test.
#![cfg(feature = "sign")]

mod common;

use codec::Encode;
use connect4_protocol::fast::wire::presence;
use connect4_protocol::fast::{
    AccountSignature, Agreed, Digest, Domain, Ending, Evidence, FIRST, FastGame, GameTerms, Kind,
    Moves, Native, Party, PlayedGame, RecordedGame, Session, SessionKey, SignedSession,
    SignedTerms, Statement, StatementVersion,
};
use connect4_protocol::{Address, Error};
use connect4_rules::{ByPlayer, Player, Shape};
use serde_json::{Value, json};

use common::fast::Signers;
use common::terms::{self, DOMAIN, NOW};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fast-vectors.json");
const GAME: u32 = FIRST + 3;

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

/// The number of a game as JSON has it: that of terms is too large for a number there.
fn game_of(statement: &Statement) -> Value {
    match statement.game.on_chain() {
        Some(number) => json!(number),
        None => json!(statement.game.to_string()),
    }
}

/// The names of the types, and what of EIP-712 is signed.
fn typed(statement: &Statement) -> (&'static str, Value) {
    let moves = hex_of(statement.moves);
    let game = game_of(statement);
    match statement.kind {
        Kind::Position => ("Position", json!({ "game": game, "moves": moves })),
        Kind::Resignation => ("Resignation", json!({ "game": game, "moves": moves })),
        Kind::Draw { until } => (
            "Draw",
            json!({ "game": game, "moves": moves, "until": until.to_string() }),
        ),
        Kind::Press { until } => (
            "Press",
            json!({ "game": game, "moves": moves, "until": until.to_string() }),
        ),
    }
}

fn statement_vector(by: Player, statement: &Statement) -> Value {
    statement_of(by, statement, &DOMAIN)
}

fn statement_of(by: Player, statement: &Statement, domain: &Domain) -> Value {
    let (name, message) = typed(statement);
    signed_vector(name, message, statement.digest(domain, &Native), by)
}

fn signed_vector(name: &str, message: Value, digest: Digest, by: Player) -> Value {
    json!({
        "type": name,
        "message": message,
        "digest": hex_of(digest),
        "by": hex_of(key(by).address().0),
        "signature": key(by).sign(&digest).to_string(),
    })
}

fn evidence(bins: &[u8], ending: Option<Ending>) -> Evidence {
    let (keys, game, domain) = (ByPlayer::from_fn(key), GAME.into(), DOMAIN);
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
        pie_rule: false,
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

const TERMS_FIELDS: [(&str, &str); 16] = [
    ("version", "uint8"),
    ("accountOne", "address"),
    ("accountTwo", "address"),
    ("keyOne", "address"),
    ("keyTwo", "address"),
    ("bins", "uint8"),
    ("capacity", "uint8"),
    ("line", "uint8"),
    ("pieRule", "bool"),
    ("pool", "uint16"),
    ("programOne", "bool"),
    ("programTwo", "bool"),
    ("bank", "uint32"),
    ("increment", "uint32"),
    ("time", "uint64"),
    ("nonce", "uint32"),
];

/// A statement for a contract of an earlier version.
fn earlier() -> Value {
    let domain = Domain {
        version: StatementVersion::One,
        ..DOMAIN
    };
    let statement = Statement {
        game: GAME.into(),
        kind: Kind::Position,
        moves: &[3],
    };
    statement_of(Player::One, &statement, &domain)
}

/// Terms of two guests, and of a guest and an account of Ethereum with a session key.
fn terms() -> [GameTerms; 2] {
    let guests = GameTerms {
        players: ByPlayer::from_fn(|player| Party::Guest(key(player).address())),
        pool: 258,
        nonce: 0x0102_0304,
        ..terms::guests()
    };
    let mut accounts = guests;
    accounts.players.one = Party::Account {
        account: wallet().address(),
        key: key(Player::One).address(),
    };
    accounts.clock = None;
    accounts.pie_rule = false;
    [guests, accounts]
}

/// The account that names a session key.
fn wallet() -> SessionKey {
    SessionKey::from_secret(&[0x33; 32]).expect("a key")
}

fn session() -> Session {
    Session {
        account: wallet().address(),
        key: key(Player::One).address(),
        until: NOW + 60,
    }
}

fn sessions(terms: &GameTerms) -> ByPlayer<Option<SignedSession>> {
    let signature = wallet().sign(&session().digest(&DOMAIN, &Native));
    let has_session = matches!(terms.players.one, Party::Account { .. });
    ByPlayer {
        one: has_session.then_some(SignedSession {
            until: session().until,
            signature: AccountSignature::Ethereum(signature),
        }),
        two: None,
    }
}

fn terms_vectors() -> Value {
    let vectors = terms().map(|terms| {
        let digest = terms.digest(&DOMAIN, &Native);
        let ByPlayer { one, two } = terms.players;
        let (bank, increment) = terms.clock.map_or((0, 0), |it| (it.bank, it.increment));
        let message = json!({
            "version": GameTerms::VERSION,
            "accountOne": hex_of(one.account().0),
            "accountTwo": hex_of(two.account().0),
            "keyOne": hex_of(one.key().0),
            "keyTwo": hex_of(two.key().0),
            "bins": 7, "capacity": 6, "line": 4,
            "pieRule": terms.pie_rule,
            "pool": terms.pool,
            "programOne": terms.programs.one,
            "programTwo": terms.programs.two,
            "bank": bank,
            "increment": increment,
            "time": terms.time,
            "nonce": terms.nonce,
        });
        let signed = SignedTerms {
            terms,
            sessions: sessions(&terms),
            signatures: ByPlayer::from_fn(|player| key(player).sign(&digest)),
        };
        signed
            .start(Address::ZERO, &DOMAIN, &Native)
            .expect("signed by both");
        json!({
            "scale": hex_of(signed.encode()),
            "signed": Player::ALL.map(|by| signed_vector("Terms", message.clone(), digest, by)),
        })
    });
    let digest = session().digest(&DOMAIN, &Native);
    json!({
        "guests": vectors[0],
        "accountAndGuest": vectors[1],
        "session": {
            "type": "Session",
            "message": {
                "account": hex_of(session().account.0),
                "key": hex_of(session().key.0),
                "until": session().until,
            },
            "digest": hex_of(digest),
            "by": hex_of(wallet().address().0),
            "signature": wallet().sign(&digest).to_string(),
        },
        "wallet": { "secret": hex_of(wallet().secret()), "address": hex_of(wallet().address().0) },
    })
}

/// What becomes of a game that is recorded.
fn played_vector(name: &str, terms: &GameTerms, moves: &[u8], ending: Option<Ending>) -> Value {
    let number = terms.number(&DOMAIN, &Native);
    let (keys, domain) = (ByPlayer::from_fn(key), DOMAIN);
    let played = PlayedGame {
        terms: *terms,
        sessions: sessions(terms),
        evidence: Signers {
            keys,
            game: number,
            domain,
        }
        .evidence(moves, ending),
    };
    let result = match played.check(&DOMAIN, &Native) {
        Err(error) => json!({ "refused": format!("{error:?}"), "number": error as u8 }),
        Ok((_, game)) => json!({
            "end": game.end().map(|end| format!("{end:?}")),
            "winner": game.winner().map(|winner| winner as u8 + 1),
        }),
    };
    json!({
        "name": name,
        "game": number.to_string(),
        "moves": hex_of(moves),
        "scale": hex_of(RecordedGame::of(&played).expect("its sessions are there").encode()),
        "result": result,
    })
}

fn played_vectors() -> Value {
    const SWAP: u8 = Moves::SWAP;
    let [guests, accounts] = terms();
    let swapped = [3, SWAP, 2, 3, 2, 3, 2, 3];
    let line = [3, 4, 3, 4, 3, 4, 3];
    let lost = Some(Ending::Resignation(Player::Two));
    let for_good = Some(Ending::Draw {
        until: Ending::FOR_GOOD,
    });
    let until = NOW + 60;
    let mut bad = guests;
    bad.players.two = bad.players.one;
    json!([
        played_vector("a line", &guests, &line, None),
        played_vector("a line to which the loser agrees", &accounts, &line, lost),
        played_vector("a line with the disc of the swap", &guests, &swapped, None),
        played_vector("a swap without the pie rule", &accounts, &swapped, None),
        played_vector("a second swap", &guests, &[3, SWAP, SWAP], None),
        played_vector("a swap as the first move", &guests, &[SWAP, 3], None),
        played_vector("a draw for good", &guests, &line[..4], for_good),
        played_vector(
            "a draw with a last second",
            &guests,
            &line[..4],
            Some(Ending::Draw { until })
        ),
        played_vector(
            "a press",
            &guests,
            &line[..4],
            Some(Ending::Press { until })
        ),
        played_vector("it goes on", &guests, &line[..4], None),
        played_vector("one has signed nothing", &guests, &line[..1], None),
        played_vector("both are one", &bad, &line, None),
    ])
}

fn vectors() -> Value {
    let win = [3, 4, 3, 4, 3, 4, 3];
    let statement = |kind, moves| Statement {
        game: GAME.into(),
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
    json!({
        "domain": {
            "name": "Connect Four",
            "version": "2",
            "chainId": DOMAIN.chain_id,
            "verifyingContract": hex_of(DOMAIN.contract.0),
        },
        "types": {
            "Position": [
                { "name": "game", "type": "uint256" },
                { "name": "moves", "type": "bytes" },
            ],
            "Resignation": [
                { "name": "game", "type": "uint256" },
                { "name": "moves", "type": "bytes" },
            ],
            "Draw": [
                { "name": "game", "type": "uint256" },
                { "name": "moves", "type": "bytes" },
                { "name": "until", "type": "uint64" },
            ],
            "Press": [
                { "name": "game", "type": "uint256" },
                { "name": "moves", "type": "bytes" },
                { "name": "until", "type": "uint64" },
            ],
            "Presence": [
                { "name": "game", "type": "uint256" },
                { "name": "nonce", "type": "bytes32" },
            ],
            "Session": [
                { "name": "account", "type": "address" },
                { "name": "key", "type": "address" },
                { "name": "until", "type": "uint64" },
            ],
            "Terms": TERMS_FIELDS.map(|(name, of_type)| json!({ "name": name, "type": of_type })),
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
            statement_vector(Player::One, &statement(Kind::Press { until }, &win[..3])),
        ],
        "earlier": earlier(),
        "presence": signed_vector(
            "Presence",
            json!({ "game": GAME, "nonce": hex_of([7; 32]) }),
            presence(GAME, [7; 32], &DOMAIN, &Native),
            Player::One,
        ),
        "terms": terms_vectors(),
        "played": played_vectors(),
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
            evidence_vector("a press in a game without a clock", &[], &evidence(&win[..3], Some(Ending::Press { until }))),
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
