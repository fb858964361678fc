//! `web/wire.d.ts`: the wire format for the page's code, made of the types.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::{env, fs};

use ts_rs::{Config, TS, TypeVisitor};

use super::*;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/wire.d.ts");
const HEAD: &str = "\
// The wire format: every JSON value that the program writes or reads, made of its Rust types.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server declarations`
// writes it again.
";

/// Declarations by name, of the types visited and of all that they use.
struct Declarations<'a> {
    config: &'a Config,
    seen: BTreeSet<TypeId>,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Strings, lists and the like have no declaration.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let declaration = laid_out(&format!("{docs}export {}", T::decl(self.config)));
            self.found.insert(T::ident(self.config), declaration + "\n");
        }
        T::visit_generics(self);
        T::visit_dependencies(self);
    }
}

/// The same text on lines of its own for each field, as TypeScript is usually written.
fn laid_out(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    // Commas between generic arguments stay.
    let mut generics = 0;
    let mut rest = text;
    let indent = |out: &mut String, depth: usize| {
        let end = out.trim_end().len();
        out.truncate(end);
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    while let Some(next) = rest.chars().next() {
        let mut length = next.len_utf8();
        if rest.starts_with("/**") {
            length = rest.find("*/").map_or(rest.len(), |end| end + "*/".len());
            let words = rest[..length].lines().map(|line| {
                let line = line.trim();
                line.trim_start_matches("/**")
                    .trim_start_matches("* ")
                    .trim_start()
            });
            let words: Vec<&str> = words.filter(|words| !words.is_empty()).collect();
            if depth > 0 {
                indent(&mut out, depth);
            }
            out.push_str("/** ");
            out.push_str(words.join(" ").trim_end_matches("*/").trim_end());
            out.push_str(" */");
            indent(&mut out, depth);
        } else {
            match next {
                '{' => {
                    depth += 1;
                    out.push('{');
                    indent(&mut out, depth);
                }
                '}' => {
                    depth -= 1;
                    indent(&mut out, depth);
                    out.push('}');
                }
                ',' if depth > 0 && generics == 0 => {
                    out.push(';');
                    indent(&mut out, depth);
                }
                '<' | '>' => {
                    generics = if next == '<' {
                        generics + 1
                    } else {
                        generics - 1
                    };
                    out.push(next);
                }
                '\n' | ' ' if out.ends_with([' ', '\n']) => {}
                '\n' if depth > 0 => {}
                next => out.push(next),
            }
        }
        rest = &rest[length..];
    }
    out
}

fn declarations() -> String {
    let config = Config::new().with_large_int("number");
    let mut declarations = Declarations {
        config: &config,
        seen: BTreeSet::new(),
        found: BTreeMap::new(),
    };
    macro_rules! visit {
        ($($root:ty),* $(,)?) => { $(declarations.visit::<$root>();)* };
    }
    // What is sent and read as a whole; the rest is found from there.
    visit![
        // Sockets, and answers to the page.
        Live,
        ReviewMessage,
        ViewedLine,
        Hello,
        GameNumber,
        MaybeGame,
        ChallengeNumber,
        Done,
        Warnings,
        TakenTurn,
        Paid,
        Transacted,
        Refusal,
        ViewedVariantLine,
        VariantNumber,
        // Requests of the page.
        Watched,
        ShapeAndMoves,
        StartGame,
        TakeTurn,
        OfferNext,
        Perform,
        SeatComputer,
        Settle,
        Withdraw,
        MakeChallenge,
        AnswerChallenge,
        AskWarnings,
        VariantAndMoves,
        StartVariant,
        OpenTable,
        MakeMove,
        VariantAct,
        SeatVariantComputer,
        // Lines of the program.
        DevelopmentAccount,
        Event,
        Report,
        Deployed,
        Started,
        ShownGame,
        Dropped,
        Standing,
        Unrated,
        Incomplete,
        Failed,
        VariantEvent,
        VariantReport,
    ];
    let found: Vec<String> = declarations.found.into_values().collect();
    format!("{HEAD}\n{}", found.join("\n"))
}

#[test]
fn the_declarations_of_the_page_are_those_of_the_types() {
    let made = declarations();
    if env::var_os("CONNECT4_WRITE_WIRE").is_some() {
        fs::write(FILE, &made).unwrap();
    }
    let written = fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        made == written,
        "web/wire.d.ts is not what the types say; write it again by CONNECT4_WRITE_WIRE=1 cargo \
         test --package connect4-server declarations"
    );
}
