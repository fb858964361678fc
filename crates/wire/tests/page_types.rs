//! `web/wire.d.ts`: the wire format for the page's code, made of the types.

#![cfg(all(feature = "declarations", feature = "program"))]

use std::path::Path;

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
        MaybeGame,
        ChallengeNumber,
        Done,
        Warnings,
        Paid,
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
        TermsAndMoves,
        StartGame,
        OpenTable,
        MakeMove,
        OfferNext,
        Perform,
        SeatComputer,
        Withdraw,
        MakeChallenge,
        AnswerChallenge,
        AskWarnings,
        FromChallenge,
        OpenChallenges,
        // Public hosts.
        host::Prepare,
        host::Prepared,
        host::Submit,
        host::Submitted,
        host::SearchFrom,
        host::Searched,
        host::Ask,
        host::Answered,
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
