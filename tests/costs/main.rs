//! What playing costs, held against `COSTS.md`.
//!
//! `scripts/costs` writes the table anew; without it, a figure that differs fails this test. The
//! figures are weights, sizes and deposits, which are the same on every machine.
//!
//! | module | has |
//! |---|---|
//! | `later` | what the same calls take on the pallet that public chains are about to have |
//! | `measure` | the contracts on a chain, and the cost of each call |
//! | `signed_records` | the rows of the contract of the records of signed games |
//! | `stakes` | the rows of the contract of the stakes |
//! | `text` | Markdown of the table |
//! | `variants` | the rows of the contract of the variants |
//! | `whole` | whole games beside each other |

mod later;
mod measure;
mod signed_records;
mod stakes;
mod text;
mod variants;
mod whole;

use std::fmt::Write as _;

use codec::Encode;
use connect4_chain::dev;
use connect4_chain::runtime::{RuntimeCall, currency::UNITS};
use connect4_protocol::message::{
    DropDisc, Free, GameCount, ReadBoard, ReadGame, ReadWinner, ReadWinningCells, Resign,
};
use connect4_protocol::{Error, Message};
use connect4_rules::{Outcome, Player, Shape};
use connect4_testing::Account::{Alice, Bob, Charlie};
use connect4_testing::contracts::{FLIPPER, GAMES, SIGNED_RECORDS, STAKES, VARIANTS};
use connect4_testing::{ContractCall, data, games};
use frame_support::weights::Weight;

use crate::measure::{Contracts, Cost, deploy, limits, query, send, start_game};
use crate::text::{HEAD, grouped, row};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../COSTS.md");

/// Largest proof size of a move, and largest code, in bytes.
const MOST_PROOF_SIZE: u64 = 40_000;
const MOST_CODE: usize = 9_000;

fn games_rows(table: &mut String) {
    let (contracts, deployment) = Contracts::games();
    row(table, "deploy the code and the contract", deployment);
    let (first, start) = contracts.start(Shape::STANDARD);
    row(table, "start a game", start);
    let (short, outcome) = contracts.play(first, games::SHORT);
    assert_eq!(outcome, Some(Outcome::Won(Player::One)));
    row(table, "first move", short[0]);
    row(table, "later move", short[1]);
    row(table, "winning move", short[6]);

    let (second, start_again) = contracts.start(Shape::STANDARD);
    let (draw, outcome) = contracts.play(second, games::DRAW);
    assert_eq!(outcome, Some(Outcome::Draw));
    row(table, "move that fills the board", draw[41]);
    let (third, _) = contracts.start(Shape::STANDARD);
    assert_eq!((first, second, third), (0, 1, 2));
    for (name, game, error) in [
        ("the game has ended", second, Error::GameOver),
        ("not a player", third, Error::NotAPlayer),
    ] {
        let (answer, cost) = contracts.send(Charlie, DropDisc { game, bin: 0 });
        assert_eq!(answer, Err(error));
        row(table, &format!("refused move ({name})"), cost);
    }
    let (_, cost) = contracts.pay(Bob, 0, Resign { game: third });
    row(table, "resign", cost);
    let (_, cost) = contracts.pay(Alice, 0, Free { game: third });
    row(table, "free a game's storage", cost);
    query_row(table, &contracts, ReadGame { game: first });
    query_row(table, &contracts, ReadBoard { game: first });
    query_row(table, &contracts, ReadWinner { game: first });
    query_row(table, &contracts, ReadWinningCells { game: first });
    query_row(table, &contracts, GameCount {});
    let whole = |start: Cost, moves: &[Cost]| start + moves.iter().copied().sum();
    row(table, "a whole game of 7 drops", whole(start, &short));
    row(table, "a whole draw of 42 drops", whole(start_again, &draw));

    let proof_sizes = short
        .iter()
        .chain(&draw)
        .map(|cost| cost.weight.proof_size());
    let largest = proof_sizes.max().unwrap();
    assert!(
        largest <= MOST_PROOF_SIZE,
        "a move takes {largest} of {MOST_PROOF_SIZE} bytes"
    );
    assert!(
        GAMES.len() <= MOST_CODE,
        "{} bytes of {MOST_CODE}",
        GAMES.len()
    );
    let moves_alike = |costs: &[Cost]| {
        let mut middle = costs[1..costs.len() - 1].iter();
        middle.all(|cost| cost.weight.proof_size() == costs[1].weight.proof_size())
    };
    assert!(
        moves_alike(&short) && moves_alike(&draw),
        "every move takes the same proof"
    );
}

fn query_row<M: Message>(table: &mut String, contracts: &Contracts, message: M) {
    let (_, cost) = query(&contracts.local, &contracts.call(Charlie, message));
    row(table, &format!("query `{}`", M::NAME), cost);
}

fn flipper_rows(table: &mut String) {
    let (local, contract, deployment) = deploy(FLIPPER, data("new", false));
    row(table, "deploy the code and the contract", deployment);
    let call = |name| ContractCall {
        caller: Alice,
        contract,
        value: 0,
        data: data(name, ()),
    };
    let (_, flip) = send(&local, &call("flip"));
    row(table, "`flip`: one read, one write", flip);
    let (_, get) = query(&local, &call("get"));
    row(table, "query `get`: one read", get);
}

fn table() -> String {
    let mut table = format!(
        "# What playing costs\n\n\
         Weights are those of the contracts, without the transaction around them; every byte of a \
         contract's code counts once in each `proof_size`. The fee is all that the sender pays \
         except for the deposit, which is given back when the storage is freed; \
         [to whom](docs/public-chain.md#deposits) depends on the chain. Prices are Polkadot Hub's. A query \
         costs nothing, as it is no transaction.\n\n\
         Written by `scripts/costs`, checked by `tests/costs`, but for the last column: that is the `proof_size` of the \
         same calls on pallet-revive 0.20.2, which networks of validators have, and public chains are about to have. There \
         a storage item that was touched before costs less than one that was not. It was measured on {} by \
         `scripts/test-network costs`.\n\n\
         ## Connect Four: {} bytes of code\n\n{HEAD}",
        later::DAY,
        grouped(GAMES.len() as u64),
    );
    games_rows(&mut table);
    whole::compared(&mut table);
    write!(
        table,
        "\n## Stakes: {} bytes of code\n\n\
         Signed games with a stake, here of 1 DOT with a clock. There is no root cell to read, but for a withdrawal by \
         `withdraw` and for queries. What a player is owed is read and written by a payment that is not the stake. The \
         first to pay pays the deposit of the game, and gets it back by the refund or a day after the terms; who ends a \
         game pays for what the players are owed.\n\n{HEAD}",
        grouped(STAKES.len() as u64),
    )
    .unwrap();
    stakes::rows(&mut table);
    stakes::compared(&mut table);
    write!(
        table,
        "\n## Records of signed games: {} bytes of code\n\n\
         Ends of signed games without a stake, whose witness signs for each by itself, or once for all of a call. The \
         games are guests', but for those of wallets, which are one of Ethereum and one of Substrate.\n\n{HEAD}",
        grouped(SIGNED_RECORDS.len() as u64),
    )
    .unwrap();
    signed_records::rows(&mut table);
    signed_records::each(&mut table);
    write!(
        table,
        "\n## Variants: {} bytes of code\n\n\
         A contract of its own, so that plain moves do not pay for it. Moves are in a game of four \
         with every power on the largest board, except for the swap, which is for two players. \
         Who opens a table or starts a game pays the deposit, whoever else joins or moves.\n\n{HEAD}",
        grouped(VARIANTS.len() as u64),
    )
    .unwrap();
    variants::rows(&mut table);
    write!(
        table,
        "\n## The floor: ink!'s flipper, {} bytes of code\n\n\
         The least that a message of an ink! contract takes, built the same way.\n\n{HEAD}",
        grouped(FLIPPER.len() as u64),
    )
    .unwrap();
    flipper_rows(&mut table);
    table
}

#[test]
fn playing_costs_what_the_table_says() {
    let committed = std::fs::read_to_string(TABLE).unwrap_or_default();
    let measured = later::complete(&table(), &committed);
    if std::env::var_os("CONNECT4_WRITE_COSTS").is_some() {
        std::fs::write(TABLE, measured).unwrap();
        return;
    }
    assert!(
        !measured.contains(later::MARK),
        "costs changed, so that their last column is not known any more: look at them, run scripts/costs, and then \
         scripts/test-network costs"
    );
    let changed: Vec<String> = measured
        .lines()
        .zip(committed.lines().chain(std::iter::repeat("")))
        .filter(|(now, before)| now != before)
        .map(|(now, before)| format!("- {before}\n+ {now}"))
        .collect();
    assert!(
        measured == committed,
        "the costs changed; look at them and run scripts/costs:\n{}",
        changed.join("\n")
    );
}

/// Starts games until there are this many, then plays the last; weight and deposit of each move.
/// Not the fee, as a larger nonce makes a transaction longer by a byte or two.
fn a_game_among(many: u32) -> Vec<(Weight, i128)> {
    let (contracts, _) = Contracts::games();
    let chain = &contracts.local.chain;
    let call = contracts.call(Alice, start_game(Shape::STANDARD));
    let weight_limit = limits(&contracts.local.dry_run(&call)).weight;
    let first = chain.next_nonce(&Alice.to_account_id()).unwrap();
    for nonce in first..first + many - 1 {
        let call = RuntimeCall::Revive(pallet_revive::Call::call {
            dest: call.contract.0.into(),
            value: 0,
            weight_limit,
            storage_deposit_limit: UNITS,
            data: call.data.clone(),
        });
        let signed = dev::sign(&Alice.pair(), call, nonce, 0, chain.genesis_hash());
        // Refused while the pool is full; blocks empty it.
        while chain.submit_encoded(signed.encode()).is_err() {
            std::thread::yield_now();
        }
    }
    while !chain.pending().is_empty() {
        std::thread::yield_now();
    }
    let (last, _) = contracts.start(Shape::STANDARD);
    assert_eq!(last, many - 1);
    let (costs, _) = contracts.play(last, games::SHORT);
    costs
        .into_iter()
        .map(|cost| (cost.weight, cost.deposit))
        .collect()
}

#[test]
fn a_move_costs_the_same_among_a_thousand_games() {
    assert_eq!(a_game_among(1), a_game_among(1_000));
}

/// Takes minutes unless optimised: `cargo test --release --package connect4-tests --test costs --
/// --ignored`.
#[test]
#[ignore = "a hundred thousand transactions"]
fn a_move_costs_the_same_among_a_hundred_thousand_games() {
    assert_eq!(a_game_among(1), a_game_among(100_000));
}
