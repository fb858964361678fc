//! `web/wire.d.ts`: the wire format for the page's code, made of the types.

#![cfg(all(feature = "declarations", feature = "program"))]

use std::path::Path;

use connect4_protocol::signed::Pool;
use connect4_testing::declarations::{Declarations, compare, imported_from};
use connect4_wire::*;
use ts_rs::TypeVisitor as _;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/wire.d.ts");
const HEAD: &str = "\
// The wire format: the JSON values that the page gets or sends and names, made of their Rust types.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-wire --all-features --test page_types`
// writes it again.
";

fn declarations() -> String {
    let mut declarations = Declarations::default();
    macro_rules! visit {
        ($($root:ty),* $(,)?) => { $(declarations.visit::<$root>();)* };
    }
    // What is sent and read as a whole; the rest is found from there. Of all that the file has what the page names.
    visit![
        // Sockets, and answers to the page.
        Live,
        Reviewed,
        Line,
        Hint,
        Hello,
        GameNumber,
        Done,
        Transacted,
        Refusal,
        // What the index tells.
        people::AccountProfile,
        people::AccountAgainst,
        people::StandingsPage,
        people::GamesPage,
        people::GamesNow,
        people::SearchFound,
        // Requests of the page.
        Watched,
        StartGame,
        OpenTable,
        MakeMove,
        Perform,
        SeatComputer,
        // Public hosts.
        host::Prepare,
        host::Prepared,
        host::Sign,
        host::Signature,
        host::NameKey,
        host::KeyNamed,
        host::Submit,
        host::Submitted,
        host::SearchFrom,
        host::Searched,
        host::Look,
        host::AskEvents,
        host::FinalEvents,
        host::Looked,
        host::OfAccount,
        host::Holder,
    ];
    let used = imported_from(Path::new(PAGE), "wire.d.ts");
    declarations.only(used).text(HEAD, "")
}

#[test]
fn the_declarations_of_the_page_are_those_of_the_types() {
    compare(
        FILE,
        &declarations(),
        "connect4-wire --all-features --test page_types",
    );
}

#[test]
fn the_page_has_the_pools_that_there_are() {
    let text = |path| std::fs::read_to_string(Path::new(PAGE).join(path)).unwrap();
    let (form, words) = (text("index.html"), text("state/by-terms.js"));
    let names: Vec<String> = (Pool::ALL.iter())
        .map(|pool| format!("'{}'", pool.name()))
        .collect();
    let names = format!("const POOLS = [{}];", names.join(", "));
    assert!(words.contains(&names), "{names}");
    for pool in Pool::ALL {
        let shapes = pool.shapes().unwrap_or_default().iter();
        let boards: Vec<String> = shapes
            .map(|shape| format!("{}x{}x{}", shape.bins, shape.capacity, shape.line))
            .collect();
        let mut option = format!("<option value=\"{}\"", pool.number());
        if !boards.is_empty() {
            option += &format!(" data-boards=\"{}\"", boards.join(" "));
        }
        if pool.pie_rule() == Some(true) {
            option += " data-pie";
        }
        option.push('>');
        let boards = boards
            .iter()
            .map(|board| format!("<option value=\"{board}\">"));
        for option in boards.chain([option]) {
            assert!(form.contains(&option), "{option}");
        }
    }
}
