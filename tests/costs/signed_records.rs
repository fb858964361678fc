//! The rows of the contract of the records of signed games.

use std::fmt::Write as _;

use codec::Encode as _;
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::message::{Contradict, Record};
use connect4_protocol::signed::wire::{Telling, Told};
use connect4_protocol::signed::{Ending, GameNumber, Group, RecordedEnd, Terms, Testimony};
use connect4_rules::{ByPlayer, Shape};
use connect4_testing::Account::{Bob, Charlie};
use connect4_testing::games;
use connect4_testing::keys::{Wallet, session_key};
use connect4_testing::signed::{SignedPlay, list_of, local_chain, told};

use crate::measure::{Contracts, Cost};
use crate::text::{grouped, later, row, tokens};

/// Largest proof size of a call with one game of guests, with the signature of its witness.
const MOST_SINGLE: u64 = 30_500;
/// How many games are recorded by one call for the figures of each.
const GAMES: u32 = 30;
/// Largest proof size of each.
const MOST: u64 = 5_200;
/// Largest fee of each, in the chain's smallest unit, after 7 drops and after 42: of guests, and of guests who have
/// played before.
const MOST_FEE: [u128; 2] = [17_000_000, 20_500_000];
const MOST_FEE_IN_SERIES: [u128; 2] = [19_000_000, 22_000_000];

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Two accounts that are their own session keys.
    Guests,
    /// The same, in a game after another one.
    InSeries,
    /// Accounts with session keys, one of Ethereum and one of Substrate.
    Wallets,
}

fn play(contracts: &Contracts, nonce: u32, kind: Kind) -> SignedPlay {
    let wallets = match kind {
        Kind::Guests | Kind::InSeries => ByPlayer::from_fn(|_| Wallet::Guest),
        Kind::Wallets => ByPlayer {
            one: Wallet::Ethereum(session_key(99)),
            two: Wallet::Substrate(Bob),
        },
    };
    let terms = Terms {
        clock: Some(ClockSpec {
            bank: 180,
            increment: 2,
        }),
        witness: Some(session_key(5).address()),
        previous: (kind == Kind::InSeries).then_some(GameNumber([9; 32])),
        pool: 2,
        time: contracts.local.now(),
        nonce,
        ..Terms::on(Shape::STANDARD)
    };
    let chain = local_chain(&contracts.local);
    SignedPlay::by_wallets(chain, terms, 1_000 + u64::from(nonce), &wallets)
}

/// The message that records so many games; with a list their witness signs once for all.
fn message(contracts: &Contracts, count: u32, moves: &str, kind: Kind, is_listed: bool) -> Record {
    let witness = session_key(5);
    let at = (contracts.local.now() + 90) * 1_000;
    let bins: Vec<u8> = games::bins(moves).collect();
    let plays = (0..count).map(|nonce| play(contracts, nonce, kind));
    let finished: Vec<_> = plays
        .map(|play| play.finished(&bins, Ending::Board, &witness, at))
        .collect();
    let chain = local_chain(&contracts.local);
    let list = is_listed.then(|| list_of(&finished, chain, &witness).1);
    Record {
        group: Group {
            genesis: chain.genesis,
            witness: Some(witness.address()),
            event: None,
            list,
        },
        games: finished
            .iter()
            .map(|finished| RecordedEnd::of(finished, is_listed).expect("its sessions are there"))
            .collect(),
    }
}

/// What it costs to record one game with these moves, alone.
pub fn single(moves: &str, kind: Kind) -> Cost {
    let (contracts, _) = Contracts::signed_records();
    record(&contracts, message(&contracts, 1, moves, kind, false))
}

fn record(contracts: &Contracts, message: Record) -> Cost {
    let count = message.games.len() as u32;
    let (recorded, cost) = contracts.pay::<_, u32, _>(Charlie, 0, message);
    assert_eq!(recorded, count);
    cost
}

pub fn rows(rows: &mut String) {
    let (contracts, deployment) = Contracts::signed_records();
    row(
        rows,
        "deploy the code and the contract of the records",
        deployment,
    );
    for (name, kind) in [("two guests", Kind::Guests), ("two wallets", Kind::Wallets)] {
        let one = record(
            &contracts,
            message(&contracts, 1, games::SHORT, kind, false),
        );
        row(rows, &format!("record a game of {name}, 7 drops"), one);
        let most = MOST_SINGLE;
        let proof_size = one.weight.proof_size();
        assert!(
            kind != Kind::Guests || proof_size <= most,
            "a game takes {proof_size} of {most} bytes"
        );
        let all = message(&contracts, GAMES, games::SHORT, kind, false);
        row(
            rows,
            &format!("record {GAMES} of them"),
            record(&contracts, all),
        );
        let all = message(&contracts, GAMES, games::SHORT, kind, true);
        let cost = record(&contracts, all);
        row(rows, &format!("record {GAMES} of them, by one list"), cost);
    }
    let play = play(&contracts, 0, Kind::Guests);
    let at = (contracts.local.now() + 90) * 1_000;
    let said = |at| {
        let left = ByPlayer {
            one: 180_000,
            two: 180_000,
        };
        let told: Told = told(
            &play,
            &[3, 4],
            at,
            Telling::Receipt { left },
            &session_key(5),
        );
        Testimony {
            told,
            list: Vec::new(),
        }
    };
    let contradict = Contradict {
        genesis: play.chain.genesis,
        terms: play.signed.terms,
        one: said(at),
        other: said(at + 1),
    };
    let (_, cost) = contracts.pay(Charlie, 0, contradict);
    row(rows, "show that a witness contradicts itself", cost);
}

/// Adds what each of many games takes.
pub fn each(rows: &mut String) {
    rows.push_str(
        "\nWhat each of 30 games in a call takes, with one signature of the witness for all.\n\n\
         | | bytes | proof_size (bytes) | fee (DOT) | by 0.20.2 |\n|---|---:|---:|---:|---:|\n",
    );
    let (contracts, _) = Contracts::signed_records();
    for (name, kind, most) in [
        ("two guests", Kind::Guests, Some(MOST_FEE)),
        (
            "two guests, in a series",
            Kind::InSeries,
            Some(MOST_FEE_IN_SERIES),
        ),
        ("two wallets", Kind::Wallets, None),
    ] {
        for (at, (drops, moves)) in [("7", games::SHORT), ("42", games::DRAW)]
            .into_iter()
            .enumerate()
        {
            let message = message(&contracts, GAMES, moves, kind, true);
            let bytes = message.games[0].encode().len();
            let all = record(&contracts, message);
            let each = (
                all.weight.proof_size() / u64::from(GAMES),
                all.fee / u128::from(GAMES),
            );
            if let Some(most) = most {
                assert!(
                    each.0 <= MOST && each.1 <= most[at],
                    "{name}, {drops} drops: {each:?} of {MOST} and {}",
                    most[at]
                );
            }
            writeln!(
                rows,
                "| {name}, {drops} drops | {bytes} | {} | {} | {} |",
                grouped(each.0),
                tokens(each.1 as i128),
                later(Cost {
                    later: all.later.map(|later| later / u64::from(GAMES)),
                    ..all
                }),
            )
            .unwrap();
        }
    }
}
