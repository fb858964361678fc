//! `web/ask.d.ts`: what the page asks the module and is answered, made of the types; and
//! `web/host/init-code.js`, by what it knows where contracts were deployed, and `web/host/public-chains.js`, by what it
//! knows chains.

use connect4_protocol::public_chains::NAMED_CHAINS;
use connect4_protocol::transaction::MORTALITY;
use connect4_protocol::{Address, ClockSpec, End, GameId, GameName, selector};
use connect4_rules::variant::{Colour, Powers};
use connect4_rules::{Cell, ShapeSpec};
use connect4_testing::declarations::{Declarations, compare};
use connect4_wire::{Hint, Level, Line, Move, MoveAsked, Refusals, Reviewed, Targets, Terms};
use sp_crypto_hashing::keccak_256;
use ts_rs::TypeVisitor as _;

use crate::computer::{ComputerAnswers, ComputerRequests};
use crate::player::{PlayerAnswers, PlayerRequests};
use crate::request::{Answers, Requests};
use crate::sponge::Sponge;
use crate::written::{RecordAnswers, RecordRequests};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/ask.d.ts");
const HEAD: &str = "\
// What the page asks its module of WebAssembly, and what that answers, made of its Rust types.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser declarations`
// writes it again.
";

fn declarations() -> alloc::string::String {
    let mut declarations = Declarations::default();
    macro_rules! import {
        ($($shared:ty),* $(,)?) => { $(declarations.import::<$shared>();)* };
    }
    import![
        Address, Cell, ClockSpec, Colour, End, GameId, GameName, Hint, Level, Line, Move,
        MoveAsked, Powers, Refusals, Reviewed, ShapeSpec, Targets, Terms,
    ];
    declarations.visit::<Requests>();
    declarations.visit::<Answers>();
    declarations.visit::<ComputerRequests>();
    declarations.visit::<ComputerAnswers>();
    declarations.visit::<PlayerRequests>();
    declarations.visit::<PlayerAnswers>();
    declarations.visit::<RecordRequests>();
    declarations.visit::<RecordAnswers>();
    declarations.visit::<crate::failure::Failure>();
    declarations.text(HEAD, "./wire.d.ts")
}

#[test]
fn the_declarations_of_the_page_are_those_of_the_types() {
    compare(FILE, &declarations(), "connect4-browser");
}

// The built contracts, without the chain on which `connect4_testing` runs them.
const GAMES: &[u8] = include_bytes!("../../../artifacts/connect4.polkavm");
const VARIANTS: &[u8] = include_bytes!("../../../artifacts/connect4_variants.polkavm");
const STAKES: &[u8] = include_bytes!("../../../artifacts/connect4_stakes.polkavm");
const INIT_CODE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/host/init-code.js");

#[test]
fn the_page_knows_what_the_contracts_were_deployed_with() {
    let constructor = selector("new");
    let [games, variants] =
        [GAMES, VARIANTS].map(|code| hex::encode(keccak_256(&[code, &constructor].concat())));
    let stakes = [STAKES, &constructor].concat();
    let stakes = hex::encode(Sponge::begin(&stakes));
    let expected = alloc::format!(
        "\
// Keccak-256 of what the contracts of the games and of the variants are deployed with: their code of artifacts/, and the
// input of their constructors. Of the contract of the stakes the hash is begun, as the chain's first block is part of it: the state
// after the last whole block, and the bytes after that.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser deployed_with`
// writes it again.

export const INIT_CODES = {{
	games: '0x{games}',
	variants: '0x{variants}',
	stakes:
		'0x{stakes}',
}};
"
    );
    compare(INIT_CODE, &expected, "connect4-browser");
}

const CHAINS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../web/host/public-chains.js"
);

#[test]
fn the_page_knows_the_same_public_chains() {
    use core::fmt::Write as _;

    let mut expected = alloc::format!(
        "\
// Chains that many people know, by their first block and by their number for wallets of Ethereum; and for how many
// blocks a transaction of a Polkadot SDK chain is valid. Made of `connect4_protocol`.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser public_chains`
// writes it again.

export const MORTALITY = {MORTALITY};

export const CHAINS = [
"
    );
    for chain in NAMED_CHAINS {
        let genesis = hex::encode(chain.genesis);
        let (chain_id, name, symbol) = (chain.chain_id, chain.name, chain.symbol);
        write!(
            expected,
            "\t{{\n\t\tgenesis: '0x{genesis}',\n\t\tchainId: {chain_id},\n\t\tname: '{name}',\n\t\tsymbol: '{symbol}',\n\t}},\n"
        )
        .expect("a text takes all");
    }
    expected.push_str("];\n");
    compare(CHAINS, &expected, "connect4-browser");
}
