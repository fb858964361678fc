//! The JSON that is printed is the JSON that the help describes.

use std::collections::{BTreeMap, BTreeSet};

use connect4_client::{Action, Deployment, Gap, Owed, Standing, Unrated};
use connect4_opponent::{Verdict, Worth};
use connect4_protocol::Match;
use connect4_protocol::message::ContractKind;
use connect4_rules::variant::Colour;
use connect4_rules::{Bin, Player};
use connect4_wire::warnings::Warning;
use serde_json::{Value, json};

use crate::args::Seat;
use crate::args::json::{COMMANDS, EVENTS, Entry, PLACE, REPORTS, TYPES};
use crate::machines::Machines;
use crate::play::variant::VariantScreen;
use crate::play::{Greeting, Note, Screen};
use crate::report::{
    self, Account, Deed, Deployed, Dropped, GameAt, Hosting, Incomplete, Moved, OwedTo, PageFiles,
    Paid, Relaying, Report, Serving, StandingOf, StandingsOf, Started, TakenBack, Turn, VariantAt,
    VariantLeft, VariantMoved, VariantOpened, VariantReport,
};
use crate::samples::{
    self, Output, challenge, events, game, occurrence, receipt, signer, variant_events,
};

/// Checks that a value has the fields that an entry lists, and no others.
#[track_caller]
fn check(value: &Value, fields: &str) {
    match value {
        Value::Null => {}
        Value::Array(values) => {
            for value in values {
                check(value, fields);
            }
        }
        Value::Object(object) => {
            let described = read(fields);
            let printed: BTreeSet<&str> = object.keys().map(String::as_str).collect();
            let listed: BTreeSet<&str> = described.keys().copied().collect();
            assert_eq!(printed, listed, "printed and listed in {fields:?}: {value}");
            for (name, inner) in described {
                if let Some(inner) = inner {
                    check_typed(&value[name], inner);
                }
            }
        }
        value => panic!("no object of {fields}: {value}"),
    }
}

/// Checks a value that is described by `{fields}` or by the name of a type.
#[track_caller]
fn check_typed(value: &Value, described: &str) {
    let fields = described
        .strip_prefix('{')
        .and_then(|fields| fields.strip_suffix('}'));
    match (fields, described) {
        (Some(fields), _) => check(value, fields),
        (None, "Worth") => {}
        (None, name) => check(value, of(TYPES, name)),
    }
}

/// The names in `a, b: Type, c: {d, e}`, each with what stands behind its colon.
fn read(fields: &str) -> BTreeMap<&str, Option<&str>> {
    let mut depth = 0;
    let parts = fields.split(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        character == ',' && depth == 0
    });
    parts
        .map(|part| match part.split_once(':') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (part.trim(), None),
        })
        .collect()
}

/// The fields of the entry with this name.
#[track_caller]
fn of(entries: &[Entry], name: &str) -> &'static str {
    entries
        .iter()
        .find(|entry| entry.names.split(", ").any(|found| found == name))
        .unwrap_or_else(|| panic!("the help does not list {name}"))
        .fields
}

/// Machines, and the lines that they print.
struct Printer {
    machines: Machines,
    output: Output,
}

impl Printer {
    fn new() -> Self {
        let output = Output::default();
        Self {
            machines: Machines::on(Box::new(output.clone())),
            output,
        }
    }

    /// The only line that was printed since the last call.
    #[track_caller]
    fn line(&self) -> Value {
        let text = self.output.take();
        assert_eq!(text.lines().count(), 1, "{text}");
        serde_json::from_str(&text).expect("JSON")
    }

    #[track_caller]
    fn command(&self, name: &str) {
        check(&self.line(), of(COMMANDS, name));
    }

    /// Checks a report, and returns its event.
    #[track_caller]
    fn report(&self) -> String {
        let line = self.line();
        let event = line["event"].as_str().expect("an event").to_owned();
        check(&line, &format!("event, {}", of(REPORTS, &event)));
        event
    }
}

#[test]
fn commands_print_what_the_help_lists() {
    let mut printer = Printer::new();
    let (alice, bob) = (signer("alice"), signer("bob"));
    let contract = alice.address();
    let game = game("6151413");
    let at = GameAt {
        contract,
        number: 7,
        game: &game,
    };
    let sent = receipt(());

    let deployment = Deployment {
        address: contract,
        uploaded: vec![
            (ContractKind::Games, receipt(())),
            (ContractKind::Fast, receipt(())),
        ],
        receipt: Some(receipt(contract)),
    };
    let deployed = Deployed {
        contract,
        games: contract,
        fast: Some(contract),
        deployer: &alice,
        deployment: &deployment,
        variants: &deployment,
    };
    printer.machines.deployed(&deployed).unwrap();
    printer.command("deploy");

    let started = Started {
        contract,
        red: contract,
        blue: bob.address(),
        shape: game.shape().into(),
        deployment: None,
        number: 7,
        sent: (&sent).into(),
    };
    printer.machines.started(&started).unwrap();
    printer.command("start");

    let dropped = Dropped {
        bin: Bin::new(2),
        row: 0,
        after: at,
        sent: (&sent).into(),
    };
    printer.machines.dropped(&dropped).unwrap();
    printer.command("drop");

    let owed = Owed {
        account: contract,
        credit: 3,
        fast_credit: 2,
        unsettled: vec![(7, 10)],
    };
    let owed = OwedTo {
        owed: &owed,
        command: "connect4 withdraw".into(),
    };
    let of_match = Match::default();
    printer.machines.shown(&at, &of_match, &[owed]).unwrap();
    let mut shown = printer.line();
    let owed = shown.as_object_mut().unwrap().remove("owed").unwrap();
    assert_eq!(owed, json!({ "red": "15", "blue": "0" }));
    let of_match = shown.as_object_mut().unwrap().remove("match").unwrap();
    check(&of_match, of(TYPES, "Match"));
    check(&shown, of(TYPES, "Game"));
    printer.machines.listed(contract, 7, Some(&game)).unwrap();
    assert_eq!(printer.line(), shown);
    let of_match = Match::default();
    printer.machines.watching(&at, &of_match).unwrap();
    assert_eq!(printer.line(), shown);

    let variant = samples::variant("12t1.1");
    let at = VariantAt {
        contract,
        number: 7,
        game: &variant,
    };
    printer.machines.variant_shown(&at).unwrap();
    let shown = printer.line();
    assert_eq!(shown["game"], "v7");
    check(&shown, of(TYPES, "Variant"));
    let listed = printer.machines.variant_listed(contract, 7, Some(&variant));
    listed.unwrap();
    assert_eq!(printer.line(), shown);
    printer.machines.watching_variant(&at).unwrap();
    assert_eq!(printer.line(), shown);

    let turn = Turn {
        number: 5,
        player: Player::Two,
        bin: Bin::new(0),
    };
    let verdict = Verdict {
        made: Worth::LosesIn(1),
        best: Worth::Draw,
        best_bins: vec![Bin::new(3)],
    };
    printer.machines.reviewed(turn, &verdict).unwrap();
    printer.command("review");

    let warnings = [Warning::Program];
    let listed = printer.machines.open_challenge(3, &challenge(), &warnings);
    listed.unwrap();
    check(&printer.line(), of(TYPES, "Challenge"));

    let standing = Standing {
        account: contract,
        wins: 1,
        draws: 2,
        losses: 3,
        rated: 4,
        rating: 1500.4,
    };
    let unrated = Unrated {
        frequent: 2,
        ..Unrated::default()
    };
    for games in [StandingOf::Classic, StandingOf::Two, StandingOf::More] {
        printer
            .machines
            .standing(games, true, &standing, true)
            .unwrap();
        printer.command("standings");
        printer.machines.unrated(games, unrated).unwrap();
        check(&printer.line(), of(TYPES, "Unrated"));
    }
    for contract in [StandingsOf::Classic, StandingsOf::Variants] {
        let incomplete = Incomplete {
            of: contract,
            gaps: vec![Gap {
                first: 1,
                last: 9,
                since: Some(1_763_748_309),
                until: None,
            }],
            recorded: 2,
            lost: 1,
        };
        printer.machines.incomplete(&incomplete).unwrap();
        check(&printer.line(), of(TYPES, "Incomplete"));
    }

    let account = Account {
        signer: &alice,
        balance: 5,
        is_mapped: true,
    };
    printer.machines.account(&account).unwrap();
    printer.command("accounts");
}

#[test]
fn reports_have_the_fields_that_the_help_lists() {
    let mut printer = Printer::new();
    let alice = signer("alice");
    let contract = alice.address();
    let game = game("6151413");
    let at = GameAt {
        contract,
        number: 7,
        game: &game,
    };
    let receipt = receipt(());
    let sent = (&receipt).into();
    let mut seen = BTreeSet::new();

    let serving = Serving {
        addr: ([0, 0, 0, 0], 4444).into(),
        key: "key".into(),
        place: "a chain in memory",
    };
    printer.machines.serving(&serving).unwrap();
    seen.insert(printer.report());
    let written = PageFiles {
        folder: "page".as_ref(),
        files: 7,
        sha256: "07",
    };
    printer.machines.page_written(&written).unwrap();
    seen.insert(printer.report());
    let hosting = Hosting {
        addr: ([0, 0, 0, 0], 4480).into(),
        place: "a chain elsewhere",
    };
    printer.machines.hosting(&hosting).unwrap();
    seen.insert(printer.report());
    let relaying = Relaying {
        addr: ([0, 0, 0, 0], 4404).into(),
        place: "a chain in memory",
    };
    printer.machines.relaying(&relaying).unwrap();
    seen.insert(printer.report());
    printer.machines.node_away("ws://127.0.0.1:9944").unwrap();
    seen.insert(printer.report());
    let lasted = std::time::Duration::from_secs(7);
    let back = printer.machines.node_back("ws://127.0.0.1:9944", lasted);
    back.unwrap();
    seen.insert(printer.report());
    printer.machines.raised("bins raised").unwrap();
    seen.insert(printer.report());
    let greeting = Greeting {
        at,
        of_match: &Match::default(),
        place: "a chain in memory".into(),
        seat: Seat::Both,
        invitation: None,
        computer: None,
    };
    printer.machines.greet(&greeting).unwrap();
    seen.insert(printer.report());
    for sent in [None, Some(sent)] {
        let moved = Moved {
            player: Player::One,
            bin: Bin::new(2),
            row: 0,
            after: at,
            sent,
        };
        printer.machines.moved(&moved).unwrap();
        seen.insert(printer.report());
    }
    let taken = TakenBack {
        text: "Undone: the last disc".into(),
        count: 1,
        after: at,
    };
    printer.machines.taken_back(&taken).unwrap();
    seen.insert(printer.report());
    printer.machines.invalid(Player::One, "full").unwrap();
    seen.insert(printer.report());
    printer.machines.refused(Player::One, "no clock").unwrap();
    seen.insert(printer.report());
    let note = Note::Performed {
        player: Some(Player::One),
        signer: "alice".into(),
        action: Action::OfferDraw,
        has_ended: false,
        sent,
    };
    printer.machines.note(&note).unwrap();
    seen.insert(printer.report());
    let challenge = challenge();
    let made = report::ChallengeMade {
        contract,
        number: 3,
        challenge: Some(&challenge),
        warnings: &[Warning::Program],
        deployment: None,
        sent,
        reach: "",
    };
    printer.machines.challenge_made(&made).unwrap();
    seen.insert(printer.report());
    for number in [Some(3), None] {
        printer.machines.accepted(number, &at, sent).unwrap();
        seen.insert(printer.report());
    }
    let signed = report::SignedText {
        text: "connect4:00",
        challenge: &challenge,
        deployment: None,
        reach: "",
    };
    printer.machines.challenge_signed(&signed).unwrap();
    seen.insert(printer.report());
    let state = report::FastState {
        signed: 4,
        on_chain: 0,
        relay: true,
        opponent: false,
    };
    printer.machines.fast_state(&state).unwrap();
    seen.insert(printer.report());
    printer.machines.rematch(6, &at, sent).unwrap();
    seen.insert(printer.report());
    printer.machines.ended(&at, Some(sent)).unwrap();
    seen.insert(printer.report());
    let owed = OwedTo {
        owed: &Owed {
            account: contract,
            credit: 3,
            fast_credit: 2,
            unsettled: vec![(7, 10)],
        },
        command: "connect4 withdraw".into(),
    };
    printer.machines.owed(&owed).unwrap();
    seen.insert(printer.report());
    let paid = Paid {
        signer: &alice,
        player: None,
        amount: 10,
        sent,
    };
    printer.machines.paid(&paid).unwrap();
    seen.insert(printer.report());
    for deed in [
        Deed::Declined(3),
        Deed::Cancelled(3),
        Deed::DrawOffered(7),
        Deed::DrawDeclined(7),
        Deed::RematchOffered(7),
        Deed::RematchDeclined(7),
        Deed::Freed(7),
    ] {
        printer.machines.done(deed, sent).unwrap();
        seen.insert(printer.report());
    }
    variant_reports(&mut printer, &mut seen);
    assert_all_seen(&seen, REPORTS);
}

/// Prints each report about variants, and adds their events.
fn variant_reports(printer: &mut Printer, seen: &mut BTreeSet<String>) {
    let contract = signer("alice").address();
    let receipt = receipt(());
    let sent = Some((&receipt).into());
    let (before, after) = (samples::variant("12"), samples::variant("12t1.1"));
    let at = VariantAt {
        contract,
        number: 7,
        game: &after,
    };
    let opened = VariantOpened {
        at,
        deployment: None,
        sent: (&receipt).into(),
    };
    printer.machines.variant_started(&opened).unwrap();
    seen.insert(printer.report());
    printer.machines.table_opened(&opened, "").unwrap();
    seen.insert(printer.report());
    printer.machines.variant(&at).unwrap();
    seen.insert(printer.report());
    printer.machines.joined(contract, &at, sent).unwrap();
    seen.insert(printer.report());
    let left = VariantLeft {
        account: contract,
        colour: Some(Colour::Red),
        late: true,
        after: at,
        sent,
    };
    printer.machines.left(&left).unwrap();
    seen.insert(printer.report());
    printer.machines.table_closed(7, (&receipt).into()).unwrap();
    seen.insert(printer.report());
    printer
        .machines
        .variant_freed(7, (&receipt).into())
        .unwrap();
    seen.insert(printer.report());
    let moved = VariantMoved {
        colour: Colour::Green,
        action: "t1.1".parse().unwrap(),
        before: before.position(),
        after: at,
        sent,
    };
    printer.machines.variant_moved(&moved).unwrap();
    seen.insert(printer.report());
    let taken = TakenBack {
        text: "Undone: the last move".into(),
        count: 1,
        after: at,
    };
    printer.machines.variant_taken_back(&taken).unwrap();
    seen.insert(printer.report());
    let refused = printer.machines.move_refused(Colour::Red, "full");
    refused.unwrap();
    seen.insert(printer.report());
    printer.machines.variant_ended(&at, sent).unwrap();
    seen.insert(printer.report());
}

#[track_caller]
fn assert_all_seen(seen: &BTreeSet<String>, entries: &[Entry]) {
    let listed: BTreeSet<String> = entries
        .iter()
        .flat_map(|entry| entry.names.split(", "))
        .map(str::to_owned)
        .collect();
    assert_eq!(*seen, listed);
}

#[test]
fn events_have_the_fields_that_the_help_lists() {
    let mut printer = Printer::new();
    let of_game = game("6151413");
    let mut seen = BTreeSet::new();
    for event in events() {
        let has_game = event.game().is_some();
        let at = occurrence(event);
        printer.machines.event(&at, Some(&of_game)).unwrap();
        let line = printer.line();
        let name = line["event"].as_str().expect("an event");
        let place = if has_game {
            PLACE
        } else {
            PLACE.trim_start_matches("game, ")
        };
        check(&line, &format!("event, {}, {place}", of(EVENTS, name)));
        seen.insert(name.to_owned());
        let what = name.to_owned();
        printer
            .machines
            .event_taken_back(&at, Some(&of_game))
            .unwrap();
        seen.insert(taken_back(&printer, &what, place));
    }
    let of_variant = samples::variant("12t1.1");
    for event in variant_events() {
        let at = occurrence(event);
        let printed = printer.machines.variant_event(&at, Some(&of_variant), None);
        printed.unwrap();
        let line = printer.line();
        assert_eq!(line["game"], "v7");
        let name = line["event"].as_str().expect("an event");
        check(&line, &format!("event, {}, {PLACE}", of(EVENTS, name)));
        seen.insert(name.to_owned());
        let what = name.to_owned();
        let printed = printer
            .machines
            .variant_event_taken_back(&at, Some(&of_variant));
        printed.unwrap();
        seen.insert(taken_back(&printer, &what, PLACE));
    }
    assert_all_seen(&seen, EVENTS);
}

/// Checks the line that says that the event `what` was taken back, and returns its event.
#[track_caller]
fn taken_back(printer: &Printer, what: &str, place: &str) -> String {
    let line = printer.line();
    let name = line["event"].as_str().expect("an event");
    check(&line, &format!("event, {}, {place}", of(EVENTS, name)));
    assert_eq!(line["what"], what);
    name.to_owned()
}
