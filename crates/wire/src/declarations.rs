//! `web/wire.d.ts`: the wire format for the page's code, made of the types.

use connect4_testing::declarations::{Declarations, compare};
use ts_rs::TypeVisitor as _;

use crate::*;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/wire.d.ts");
const HEAD: &str = "\
// The wire format: every JSON value that the page gets or sends, made of their Rust types.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-wire --all-features declarations`
// writes it again.
";

fn declarations() -> String {
    let mut declarations = Declarations::default();
    macro_rules! visit {
        ($($root:ty),* $(,)?) => { $(declarations.visit::<$root>();)* };
    }
    // What is sent and read as a whole; the rest is found from there.
    visit![
        // Sockets, and answers to the page.
        Live,
        ReviewMessage,
        ViewedLine,
        Hint,
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
        // What the index tells.
        people::AccountProfile,
        people::AccountAgainst,
        people::StandingsPage,
        people::GamesPage,
        people::GamesNow,
        people::SearchFound,
        // Requests of the page.
        Watched,
        ShapeAndMoves,
        AskHint,
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
        FromChallenge,
        OpenChallenges,
        VariantAndMoves,
        StartVariant,
        OpenTable,
        MakeMove,
        VariantAct,
        SeatVariantComputer,
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
    declarations.text(HEAD, "")
}

#[test]
fn the_declarations_of_the_page_are_those_of_the_types() {
    compare(FILE, &declarations(), "connect4-wire");
}
