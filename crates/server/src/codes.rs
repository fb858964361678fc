//! `web/host/codes.js`: the contracts that the page knows.

use connect4_testing::contracts::{FAST, GAMES, MATCHES, RECORDS, STAKES, earlier};
use connect4_testing::declarations::compare;
use sp_crypto_hashing::sha2_256;

const CODES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/host/codes.js");

/// SHA-256 of the built contracts, by which the page of a public host knows them.
fn codes() -> String {
    let mut made = String::from(
        "// SHA-256 of the contracts that this page was made for, those of artifacts/, and of those of earlier
// versions.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server codes`
// writes it again.

export const CODES = {
",
    );
    for (kind, codes) in [
        ("games", &[GAMES, earlier::GAMES][..]),
        (
            "matches",
            &[MATCHES, earlier::FOURTH_MATCHES, earlier::MATCHES],
        ),
        ("fast", &[FAST, earlier::FAST]),
        ("records", &[RECORDS]),
        ("stakes", &[STAKES]),
    ] {
        let mut hashes: Vec<_> = codes.iter().map(|code| sha2_256(code)).collect();
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
