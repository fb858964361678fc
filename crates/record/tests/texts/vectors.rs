//! `vectors.json`: records with what they say and prove, and texts that are refused, for other programs.
//! `CONNECT4_WRITE_VECTORS=1 cargo test --package connect4-record vectors` writes it again.

use codec::Decode as _;
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::{Chain, Ending, Finished, Native};
use connect4_record::{Proof, Record, read};
use connect4_testing::dice::Dice;
use connect4_testing::keys::session_key;
use connect4_testing::signed::{CHAIN, SignedPlay};
use serde_json::{Value, json};

use crate::walks::{BY_TERMS, FAST, NOW, any, signed};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors.json");

fn of(name: &str, text: &str) -> Value {
    let found = read(text).next().expect("a game");
    let record = match found {
        Ok(found) => found.record,
        Err(error) => {
            return json!({
                "name": name, "text": text, "proof": "none",
                "line": error.line, "error": error.fault.to_string(),
            });
        }
    };
    let steps: Vec<String> = record.steps.iter().map(ToString::to_string).collect();
    let (proof, keys) = match record.prove(&Native) {
        Ok(Proof::Ended { keys, .. }) => ("ended", [Some(keys.one), Some(keys.two)]),
        Ok(Proof::Nothing) if record.earlier.is_some() => ("earlier", [None, None]),
        Ok(Proof::Nothing) => ("chain", [None, None]),
        Err(fault) => {
            return json!({
                "name": name, "text": text, "proof": "none", "error": fault.to_string(),
            });
        }
    };
    json!({
        "name": name,
        "text": text,
        "game": record.name(),
        "players": record.players.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "terms": record.terms.to_string(),
        "steps": steps,
        "end": record.end.map(|end| end.to_string()),
        "result": record.result(),
        "proof": proof,
        "keys": keys.map(|key| key.map(|key| key.to_string())),
    })
}

/// A signed game in which an account of Substrate plays, whose signatures differ each time: that of the vectors of signed
/// games.
fn substrate() -> Record {
    let vectors = include_str!("../../../protocol/signed-vectors.json");
    let vectors: Value = serde_json::from_str(vectors).expect("JSON");
    let digits = vectors["finished"][1]["scale"].as_str().expect("digits");
    let digits = digits.strip_prefix("0x").expect("0x");
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("digits");
    let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
    let finished = Finished::decode(&mut &bytes[..]).expect("a game");
    let chain = Chain {
        id: 420_420_420,
        ..CHAIN
    };
    let record = Record::of_finished(&finished, chain, &Native).expect("a game");
    assert!(record.to_string().contains(" sr25519 "), "{record}");
    record
}

/// Whether a record is one of this kind.
type Kind = (&'static str, fn(&Record) -> bool);

const KINDS: [Kind; 12] = [
    ("a signed game, a line by its witness", |record| {
        is_witnessed(record) && ends(record, "by a line")
    }),
    ("a signed game, a lapse of time", |record| {
        is_witnessed(record) && ends(record, "on time")
    }),
    ("a signed game, a resignation", |record| {
        is_witnessed(record) && ends(record, "by resignation")
    }),
    ("a signed game, a draw after a swap", |record| {
        let is_swapped = record.to_string().contains(" s ");
        is_witnessed(record) && ends(record, "by agreement") && is_swapped
    }),
    ("a signed game, accounts, tournament and series", |record| {
        let text = record.to_string();
        let tags = ["Session1", "Session2", "Event", "Previous"];
        is_witnessed(record) && tags.iter().all(|tag| text.contains(&format!("[{tag} ")))
    }),
    ("a signed game, a line without a witness", |record| {
        is_unwitnessed(record) && ends(record, "by a line")
    }),
    ("a signed game, a draw without a witness", |record| {
        is_unwitnessed(record) && ends(record, "by agreement")
    }),
    ("of a chain, a resignation", |record| {
        record.signed_game.is_none() && ends(record, "by resignation")
    }),
    ("of a chain, a variant with players who left", |record| {
        record.terms.players() > 2 && record.to_string().contains(" q")
    }),
    ("of a chain, abandoned", |record| ends(record, "abandoned")),
    ("of nobody, with comments", |record| {
        record.game.is_none() && record.terms.players() == 2 && record.comments.len() > 2
    }),
    ("of nobody, with other tags", |record| {
        record.game.is_none() && record.other.len() > 2
    }),
];

fn is_witnessed(record: &Record) -> bool {
    let game = record.signed_game.filter(|_| record.steps.len() < 40);
    game.is_some_and(|game| game.witness.is_some())
}

fn is_unwitnessed(record: &Record) -> bool {
    let game = record.signed_game.filter(|_| record.steps.len() < 40);
    game.is_some_and(|game| game.witness.is_none())
}

fn ends(record: &Record, how: &str) -> bool {
    record.end.is_some_and(|end| end.to_string() == how)
}

#[test]
fn the_vectors_are_what_this_crate_makes() {
    let mut vectors = vec![of(
        "a signed game, an account of Substrate",
        &substrate().to_string(),
    )];
    for (name, is_one) in KINDS {
        let record = (0..)
            .map(|seed| any(&mut Dice(seed), seed as u32))
            .find(is_one);
        vectors.push(of(name, &record.expect("one").to_string()));
    }
    // What their players have signed is passed over.
    vectors.push(of("by signed terms, session keys", BY_TERMS));
    vectors.push(of("a fast game, signed", FAST));
    vectors.extend(refused());
    vectors.extend(refused_of_signed());
    let made = serde_json::to_string_pretty(&json!({ "records": vectors })).expect("JSON") + "\n";
    if std::env::var_os("CONNECT4_WRITE_VECTORS").is_some() {
        std::fs::write(FILE, made).expect("written");
        return;
    }
    let kept = std::fs::read_to_string(FILE).expect("the vectors");
    assert!(
        kept == made,
        "run it with CONNECT4_WRITE_VECTORS=1, and look at the difference"
    );
}

/// Texts that are no records, whatever game is in them.
fn refused() -> Vec<Value> {
    let text = BY_TERMS;
    let changed = [
        (
            "another first tag",
            text.replacen("[Connect4", "[Connect5", 1),
        ),
        (
            "a newer version",
            text.replacen("[Connect4 \"1", "[Connect4 \"3", 1),
        ),
        (
            "no result",
            text.trim_end()
                .rsplit_once(' ')
                .expect("a result")
                .0
                .to_owned(),
        ),
        (
            "terms of the other version",
            text.replacen("[Connect4 \"1\"]", "[Connect4 \"2\"]", 1),
        ),
        ("a column too far", text.replacen("\n\n", "\n\n(99) ", 1)),
        ("no empty line", text.replacen("\n\n", "\n", 1)),
    ];
    let vectors = changed.map(|(name, text)| {
        let vector = of(name, &text);
        assert_eq!(vector["proof"], "none", "{name}: {vector}");
        vector
    });
    vectors.into()
}

/// A signed game of which one thing is changed.
fn refused_of_signed() -> Vec<Value> {
    let is_one = |record: &Record| {
        let game = record.signed_game.filter(|_| is_witnessed(record));
        let is_alone = game.is_some_and(|game| game.event.is_none() && game.previous.is_none());
        is_alone && ends(record, "by a line")
    };
    let of_seed = |seed| {
        let finished = signed(&mut Dice(seed), seed as u32);
        Record::of_finished(&finished, CHAIN, &Native).expect("a game")
    };
    let text = (0..).map(of_seed).find(is_one).expect("one").to_string();
    let line = |name: &str| {
        let start = format!("[{name} ");
        let line = text
            .split_inclusive('\n')
            .find(|line| line.starts_with(&start));
        line.unwrap_or_else(|| panic!("{name}: {text}"))
    };
    let without = |name: &str| text.replacen(line(name), "", 1);
    let with = |tag: &str| text.replacen("[End ", &format!("{tag}\n[End "), 1);
    let other = |name: &str, from: &str, to: &str| {
        text.replacen(line(name), &line(name).replacen(from, to, 1), 1)
    };
    let signature = |name: &str| {
        let (_, digits) = line(name).split_once("0x").expect("digits");
        digits.trim_end_matches("\"]\n").to_owned()
    };
    let of_witness = signature("WitnessSignature");
    let changed = [
        ("the end a millisecond later", {
            let at = line("EndedAt");
            let digit = &at[at.len() - 5..at.len() - 4];
            let to = if digit == "7" { "8" } else { "7" };
            let later = format!("{}{to}Z\"]\n", &at[..at.len() - 5]);
            text.replacen(at, &later, 1)
        }),
        ("on another chain", other("Genesis", "0x9e", "0x9f")),
        ("by another witness", {
            let player = line("Player1").replacen("Player1", "Witness", 1);
            text.replacen(line("Witness"), &player, 1)
        }),
        (
            "signed by a player for the witness",
            text.replacen(&of_witness, &signature("Signature1"), 1),
        ),
        (
            "without its witness's signature",
            without("WitnessSignature"),
        ),
        ("without the time of its end", without("EndedAt")),
        (
            "without all that its witness says",
            without("WitnessSignature").replacen(line("EndedAt"), "", 1),
        ),
        ("without a player's signature", without("Signature2")),
        ("capital letters", {
            let digits = signature("Signature1");
            text.replacen(&digits, &digits.to_uppercase(), 1)
        }),
        ("without an end", {
            let (moves, _) = text.trim_end().rsplit_once(' ').expect("a result");
            format!("{moves} *\n").replacen(line("End"), "", 1)
        }),
        (
            "another tournament",
            with(&format!("[Event \"0x{}\"]", "7".repeat(64))),
        ),
        (
            "a tournament of zeros",
            with(&format!("[Event \"0x{}\"]", "0".repeat(64))),
        ),
        (
            "a game before",
            with(&format!("[Previous \"0x{}\"]", "7".repeat(64))),
        ),
        ("a stake", with("[Stake \"1000\"]")),
        (
            "a contract",
            with(&format!("[Contract \"0x{}\"]", "c".repeat(40))),
        ),
        (
            "what a tag of the other version signs",
            with("[Signed \"position\"]"),
        ),
        ("without the chain's first block", without("Genesis")),
    ];
    let vectors = changed.map(|(what, text)| {
        let name = format!("a signed game, {what}");
        let vector = of(&name, &text);
        assert_eq!(vector["proof"], "none", "{name}: {vector}");
        vector
    });
    vectors.into()
}

/// The signed game in the document.
#[test]
fn the_example_of_the_document_is_what_this_crate_makes() {
    let clock = ClockSpec {
        bank: 300,
        increment: 5,
    };
    let witness = session_key(80);
    let play = SignedPlay::new(41, witness.address(), Some(clock), NOW);
    let at = (NOW + 73) * 1000 + 42;
    let finished = play.finished(&[3, 2, 3, 2, 3, 1, 3], Ending::Board, &witness, at);
    let mut record = Record::of_finished(&finished, CHAIN, &Native).expect("a game");
    let left = ["[%clk 0:04:57.250]", "[%clk 0:04:51.900]"];
    record.comments = (1..).zip(left.map(Into::into)).collect();
    let text = record.to_string();
    let page = include_str!("../../../../docs/records.md");
    assert!(page.contains(&format!("```text\n{text}```\n")), "{text}");
    let read = read(&text).next().expect("a game").expect("it reads");
    assert_eq!(read.record, record);
    // Each tag that says something, and one that nobody signs.
    let hash = format!("0x{}", "7".repeat(64));
    let account = format!("0x{}", "7".repeat(40));
    let proof = record.prove(&Native).expect("it is proven");
    for (name, value) in [
        ("Game", &*hash),
        ("Chain", "1"),
        ("Genesis", &hash),
        ("Started", &format!("12 {hash}")),
        ("Ended", &format!("12 {hash}")),
        ("Player1", &account),
        ("Player2", &account),
        ("Terms", "7x6, line 4, pie rule"),
        ("Clock", "301 s + 5 s a move"),
        ("Time", "2026-11-24T20:38:16Z"),
        ("Pool", "4"),
        ("Programs", "1"),
        ("Nonce", "2"),
        ("Witness", &account),
        ("Event", &hash),
        ("Previous", &hash),
        ("EndedAt", "2026-11-24T20:39:30.043Z"),
        ("Venue", "Rome"),
    ] {
        let lines = text.split_inclusive('\n');
        let is_other = |line: &&str| !line.starts_with(&format!("[{name} \""));
        let others: String = lines.filter(is_other).collect();
        let tag = format!("\n[{name} \"{value}\"]\n[End ");
        let changed = others.replacen("\n[End ", &tag, 1);
        let found = connect4_record::read(&changed).next().expect("a game");
        let changed = found.expect("it reads").record;
        assert!(changed.facts().iter().any(|fact| fact == name), "{name}");
        assert_eq!(
            changed.prove(&Native).is_err(),
            proof.covers(name),
            "{name}"
        );
        assert_eq!(proof.is_of_witness(name), name == "EndedAt", "{name}");
    }
    assert!(proof.covers("End") && proof.is_of_witness("End"));
}
