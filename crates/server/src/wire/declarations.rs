//! `web/wire.d.ts`: the wire format for the page's code, made of the types.

use connect4_testing::contracts::{FAST, GAMES, MATCHES, earlier};
use connect4_testing::declarations::{Declarations, compare};
use sp_crypto_hashing::sha2_256;
use ts_rs::TypeVisitor as _;

use super::*;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/wire.d.ts");
const HEAD: &str = "\
// The wire format: every JSON value that the program writes or reads, made of its Rust types.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server declarations`
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
    declarations.text(HEAD, "")
}

#[test]
fn the_declarations_of_the_page_are_those_of_the_types() {
    compare(FILE, &declarations(), "connect4-server");
}

const CODES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/host/codes.js");

/// SHA-256 of the built contracts, by which the page of a public host knows them.
fn codes() -> String {
    let mut made = String::from(
        "// SHA-256 of the contracts that this page was made for, those of artifacts/, and of those of earlier
// versions.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server declarations`
// writes it again.

export const CODES = {
",
    );
    for (kind, codes) in [
        ("games", [GAMES, earlier::GAMES]),
        ("matches", [MATCHES, earlier::MATCHES]),
        ("fast", [FAST, earlier::FAST]),
    ] {
        let mut hashes = codes.map(sha2_256).to_vec();
        hashes.dedup();
        let hashes = hashes
            .iter()
            .map(|hash| format!("'0x{}'", hex::encode(hash)));
        // As the formatter of the page's code has it.
        match &hashes.collect::<Vec<_>>()[..] {
            [one] => made.push_str(&format!("\t{kind}: [{one}],\n")),
            more => {
                let lines = more.join(",\n\t\t");
                made.push_str(&format!("\t{kind}: [\n\t\t{lines},\n\t],\n"));
            }
        }
    }
    made.push_str("};\n");
    made
}

#[test]
fn the_page_knows_the_built_contracts() {
    compare(CODES, &codes(), "connect4-server");
}
