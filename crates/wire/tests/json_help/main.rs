//! `program/json.txt` and `program/json-schema.json`: the lines of `--json` for the program's help, made of their types.

#![cfg(all(feature = "declarations", feature = "program"))]

mod schema;

use std::collections::BTreeMap;

use connect4_testing::declarations::compare;
use connect4_wire::JsonLine;
use ts_rs::{Config, TS, TypeVisitor};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/program/json.txt");
const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/program/json-schema.json");
/// How both are written again.
const COMMAND: &str = "connect4-wire --all-features --test json_help";
const INTRODUCTION: &str = "\
With --json every result is one object per line. Amounts are decimal strings in the token's smallest
unit, addresses and hashes are strings, times are in seconds, and points in time in seconds since
1970. Bins, rows, turns and blocks count from 0. Missing values are null; fields with ? may be left
out. The types are written as in TypeScript; `connect4 help schema` has them as a JSON Schema. This is
version 3 of the API.";

/// How a variant begins that has an `event`.
const EVENT: &str = r#"{"event": ""#;
/// Where the enums are declared whose variants have an `event`: their comments say what has happened.
const SOURCES: [&str; 2] = [
    include_str!("../../src/program/report.rs"),
    include_str!("../../src/program/event.rs"),
];

#[test]
fn the_help_of_json_is_made_of_the_types() {
    let types = types();
    let mut text = format!("{INTRODUCTION}\n\nLines, by command:");
    for (name, commands) in JsonLine::DOCS {
        text.push_str(&entry(name, commands.join("").trim()));
    }
    for (name, declared) in &types {
        if declared.contains(EVENT) {
            let (common, events) = by_event(declared);
            text.push_str(&format!("\n\n{name}{common}, by event:"));
            for (event, fields) in events {
                let docs = docs_of(name, &event, declared);
                text.push_str(&entry(&event, &docs));
                text.push_str(&entry("", &fields));
            }
        }
    }
    text.push_str("\n\nTypes:");
    for (name, declared) in &types {
        if !declared.contains(EVENT) {
            text.push_str(&entry(name, declared));
        }
    }
    compare(FILE, &(text + "\n"), COMMAND);
}

#[test]
fn the_schema_of_json_is_made_of_the_types() {
    let lines: Vec<&str> = JsonLine::DOCS.iter().map(|(name, _)| *name).collect();
    compare(SCHEMA, &schema::schema(&lines, &types()), COMMAND);
}

/// The types of lines, and those that they use.
fn types() -> BTreeMap<String, String> {
    let mut found = Found(BTreeMap::new());
    found.visit::<JsonLine>();
    let Found(mut types) = found;
    types.remove("JsonLine");
    types
}

/// Types by name, as they are written in TypeScript on one line.
struct Found(BTreeMap<String, String>);

impl TypeVisitor for Found {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let config = Config::new().with_large_int("number");
        let name = T::ident(&config);
        if self.0.contains_key(&name) {
            return;
        }
        // Strings, lists and the like have no declaration.
        if T::output_path().is_some() {
            let declared = plain(&T::decl(&config));
            let declared = declared.split_once(" = ").map_or("", |(_, value)| value);
            let declared = declared.trim_end_matches(';').to_owned();
            self.0.insert(name, declared);
        }
        T::visit_generics(self);
        T::visit_dependencies(self);
    }
}

/// A declaration without its comments, on one line.
fn plain(declared: &str) -> String {
    let mut text = String::new();
    let mut rest = declared;
    while let Some((before, comment)) = rest.split_once("/**") {
        text.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ").replace(", }", " }");
    text.replace("{ ", "{").replace(" }", "}")
}

/// The fields that all events of a union have, and the events, each with its other fields.
fn by_event(declared: &str) -> (String, Vec<(String, String)>) {
    let mut parts = declared.split(EVENT);
    let common = parts.next().unwrap_or_default();
    let common = common.trim_end_matches(['(', '&', ' ']).to_owned();
    let events = parts.filter_map(|event| event.split_once('"'));
    let events = events
        .map(|(name, fields)| {
            let fields = fields.trim_end_matches([' ', '|']);
            let opened = fields.matches('(').count();
            let fields = match fields.matches(')').count() > opened {
                true => fields.trim_end_matches(')'),
                false => fields,
            };
            let fields = match fields.strip_prefix("} & ") {
                Some(other) => other.to_owned(),
                None => format!("{{{}", fields.trim_start_matches([',', ' '])),
            };
            (name.to_owned(), fields)
        })
        .collect();
    let common = match common.is_empty() {
        true => common,
        false => format!(" {common} and more"),
    };
    (common, events)
}

/// What the comment on a variant says, which is named by its event.
fn docs_of(name: &str, event: &str, declared: &str) -> String {
    let variant: String = event
        .split('_')
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect();
    // What is flattened has no declaration of its own.
    let names = [name.to_owned(), name.replace("Event", "Happened")];
    let source = names.iter().find_map(|name| {
        let head = format!("pub enum {name} {{");
        SOURCES.iter().find_map(|source| source.split_once(&head))
    });
    let (_, source) =
        source.unwrap_or_else(|| panic!("{name} is in none of the sources: {declared}"));
    let mut docs = Vec::new();
    for line in source.lines() {
        let line = line.strip_prefix("    ").unwrap_or(line);
        if let Some(doc) = line.strip_prefix("/// ") {
            docs.push(doc);
        } else if line.starts_with(&format!("{variant} "))
            || line.starts_with(&format!("{variant}("))
        {
            return docs.join(" ");
        } else if !line.starts_with(['#', ' ']) {
            docs.clear();
        }
    }
    panic!("{name} has no {variant}");
}

/// The lines of an entry: the name at the left, the rest wrapped beyond it.
fn entry(name: &str, text: &str) -> String {
    const NAMES: usize = 14;
    const WIDTH: usize = 100;
    let mut lines = vec![format!("  {name:<NAMES$}")];
    if name.len() > NAMES {
        lines.push(" ".repeat(NAMES + 2));
    }
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is one");
        if line.chars().count() + 1 + word.len() > WIDTH {
            lines.push(format!("{} {word}", " ".repeat(NAMES + 2)));
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    format!("\n{}", lines.join("\n"))
}
