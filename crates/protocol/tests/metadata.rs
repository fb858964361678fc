//! The metadata of the built contracts has the same messages and events as this crate.
use connect4_protocol::signed::{self, RecordsEvent, StakesEvent};
use connect4_protocol::{Event, message, selector, topic, variants};
use serde_json::Value;

const GAMES: &str = include_str!("../../../artifacts/connect4.json");
const STAKES: &str = include_str!("../../../artifacts/connect4_stakes.json");
const SIGNED_RECORDS: &str = include_str!("../../../artifacts/connect4_signed_records.json");
const VARIANTS: &str = include_str!("../../../artifacts/connect4_variants.json");

fn spec(metadata: &str) -> Value {
    let metadata: Value = serde_json::from_str(metadata).expect("JSON");
    metadata["spec"].clone()
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().expect("a list").iter()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().expect("a text")
}

#[test]
fn messages_have_their_names_and_selectors() {
    for (metadata, messages) in [
        (GAMES, message::GAMES),
        (VARIANTS, variants::message::VARIANTS),
        (STAKES, signed::message::STAKES),
        (SIGNED_RECORDS, signed::message::RECORDS),
    ] {
        let spec = spec(metadata);
        let names: Vec<&str> = list(&spec, "messages")
            .map(|message| text(message, "label"))
            .collect();
        assert_eq!(names, messages);
        let callable = list(&spec, "messages").chain(list(&spec, "constructors"));
        for message in callable {
            let name = text(message, "label");
            let selector = format!("0x{}", hex::encode(selector(name)));
            assert_eq!(text(message, "selector"), selector, "{name}");
        }
    }
}

#[test]
fn events_have_their_first_topics() {
    let contracts = [GAMES, VARIANTS, STAKES, SIGNED_RECORDS];
    let specs = contracts.iter().map(|metadata| spec(metadata));
    let mut theirs: Vec<String> = specs
        .flat_map(|spec| list(&spec, "events").map(topic_of).collect::<Vec<_>>())
        .collect();
    let declarations = [
        Event::DECLARATIONS,
        StakesEvent::DECLARATIONS,
        RecordsEvent::DECLARATIONS,
    ]
    .concat();
    let mut ours: Vec<String> = declarations
        .iter()
        .map(|declaration| format!("0x{}", hex::encode(topic(declaration))))
        .collect();
    theirs.sort();
    ours.sort();
    assert_eq!(theirs, ours);
}

fn topic_of(event: &Value) -> String {
    text(event, "signature_topic").to_owned()
}

/// Each contract emits its own events only.
#[test]
fn each_contract_has_its_own_events() {
    let labels = |metadata| -> Vec<String> {
        let mut labels: Vec<String> = list(&spec(metadata), "events")
            .map(|event| text(event, "label").to_owned())
            .collect();
        labels.sort();
        labels
    };
    assert_eq!(
        labels(GAMES),
        ["DiscDropped", "GameEnded", "GameFreed", "GameStarted"]
    );
    assert_eq!(labels(VARIANTS).len(), 8);
    assert_eq!(
        labels(SIGNED_RECORDS),
        ["GameRecorded", "WitnessContradicted"]
    );
    assert_eq!(
        labels(STAKES),
        [
            "Advanced",
            "Credited",
            "DeadlineSet",
            "DiscDropped",
            "Funded",
            "GameEnded",
            "GameFreed",
            "Refunded",
            "Withdrawn",
        ]
    );
}
