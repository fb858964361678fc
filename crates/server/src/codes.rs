//! `web/host/codes.js`: the contracts that the page knows.

use connect4_testing::contracts::{GAMES, STAKES, VARIANTS};
use connect4_testing::declarations::compare;
use sp_crypto_hashing::sha2_256;

const CODES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/host/codes.js");

/// SHA-256 of the built contracts, by which the page of a public host knows them.
fn codes() -> String {
    let mut made = String::from(
        "// SHA-256 of the contracts that this page was made for, those of artifacts/.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-server codes`
// writes it again.

export const CODES = {
",
    );
    let known = [("games", GAMES), ("variants", VARIANTS), ("stakes", STAKES)];
    for (kind, code) in known {
        let hash = hex::encode(sha2_256(code));
        made.push_str(&format!("\t{kind}: '0x{hash}',\n"));
    }
    made.push_str("};\n");
    made
}

#[test]
fn the_page_knows_the_built_contracts() {
    compare(CODES, &codes(), "connect4-server");
}
