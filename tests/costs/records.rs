//! The rows of the contract of the records.

use std::fmt::Write as _;

use codec::Encode as _;
use connect4_chain::runtime::Runtime;
use connect4_protocol::fast::{Domain, Ending, GameTerms, PackedSigned, RecordedGame};
use connect4_protocol::message::{Advance, ClaimFastTimeout, FreeFast, Record, StartSigned};
use connect4_rules::{ByPlayer, Player};
use connect4_testing::Account::{Alice, Bob, Charlie};
use connect4_testing::fast::{TermsPlay, Wallet, session_key};
use connect4_testing::games;
use sp_core::Get;

use crate::measure::{Contracts, Cost};
use crate::text::{grouped, later, row, tokens};

/// Largest proof size of a call with one game.
const MOST_SINGLE: u64 = 25_000;
/// How many games are recorded by one call for the figures of each.
const GAMES: u32 = 30;
/// Largest proof size and fee of each, in the chain's smallest unit.
const MOST_OF_GUESTS: (u64, u128) = (4_700, 16_000_000);
const MOST_OF_WALLETS: (u64, u128) = (8_800, 30_000_000);

#[derive(Clone, Copy)]
pub enum Players {
    /// Two accounts that are their own session keys.
    Guests,
    /// Accounts with session keys, one of Ethereum and one of Substrate.
    Wallets,
}

fn play(contracts: &Contracts, nonce: u32, players: Players) -> TermsPlay {
    let chain_id = <Runtime as pallet_revive::Config>::ChainId::get();
    let wallets = match players {
        Players::Guests => ByPlayer::from_fn(|_| Wallet::Guest),
        Players::Wallets => ByPlayer {
            one: Wallet::Ethereum(session_key(99)),
            two: Wallet::Substrate(Bob),
        },
    };
    let domain = Domain::new(chain_id, contracts.fast());
    TermsPlay::new(domain, contracts.local.now(), nonce, wallets)
}

/// The end of a game as it is recorded: the loser of a line has agreed to it.
fn recorded(contracts: &Contracts, nonce: u32, moves: &str, players: Players) -> RecordedGame {
    let lost = Some(Ending::Resignation(Player::Two)).filter(|_| moves != games::DRAW);
    let bins: Vec<u8> = games::bins(moves).collect();
    play(contracts, nonce, players).recorded(&bins, lost)
}

fn record(contracts: &Contracts, count: u32, moves: &str, players: Players) -> Cost {
    let games = (0..count)
        .map(|nonce| recorded(contracts, nonce, moves, players))
        .collect();
    let fast = contracts.fast();
    let (recorded, cost) = contracts.pay::<_, u32, _>(Charlie, 0, Record { fast, games });
    assert_eq!(recorded, count);
    cost
}

/// What it costs to record one game by itself.
pub fn single(moves: &str, players: Players) -> Cost {
    let (contracts, _) = Contracts::with_records();
    let cost = record(&contracts, 1, moves, players);
    let proof_size = cost.weight.proof_size();
    assert!(
        proof_size <= MOST_SINGLE,
        "a game takes {proof_size} of {MOST_SINGLE} bytes"
    );
    cost
}

pub fn rows(rows: &mut String) {
    let (contracts, deployment) = Contracts::with_records();
    row(
        rows,
        "deploy the code and the contract of the records",
        deployment,
    );
    for (name, players, most) in [
        ("two guests", Players::Guests, MOST_OF_GUESTS),
        ("two wallets", Players::Wallets, MOST_OF_WALLETS),
    ] {
        for (drops, moves) in [("7", games::SHORT), ("42", games::DRAW)] {
            let one = record(&contracts, 1, moves, players);
            row(
                rows,
                &format!("record a game of {name}, {drops} drops"),
                one,
            );
            let all = record(&contracts, GAMES, moves, players);
            row(rows, &format!("record {GAMES} of them"), all);
            let each = (
                all.weight.proof_size() / u64::from(GAMES),
                all.fee / u128::from(GAMES),
            );
            assert!(
                each.0 <= most.0,
                "{name}: {} of {} bytes each",
                each.0,
                most.0
            );
            assert!(
                each.1 <= most.1,
                "{name}: a fee of {} of {}",
                each.1,
                most.1
            );
        }
    }
    let bob = play(&contracts, 1_000, Players::Wallets);
    let fast = contracts.fast();
    let signed = PackedSigned::from(&bob.signed_terms());
    let (game, cost) = contracts.pay::<_, u32, _>(Charlie, 0, StartSigned { fast, signed });
    row(rows, "start a game by signed terms, for a dispute", cost);
    let until = contracts.local.now() + 60;
    let moves: Vec<u8> = games::bins(games::SHORT).collect();
    let advance = |moves: &[u8], ending| {
        let message = Advance {
            game,
            press: false,
            evidence: bob.evidence(moves, ending),
        };
        contracts.pay::<_, (), _>(Charlie, 0, message).1
    };
    let cost = advance(&moves[..3], Some(Ending::Press { until }));
    row(rows, "advance by 3 moves and press, by signature", cost);
    contracts.local.wait(301);
    let (_, cost) = contracts.pay::<_, (), _>(Alice, 0, ClaimFastTimeout { game });
    row(rows, "claim the timeout", cost);
    contracts.local.wait(GameTerms::STARTS.into());
    let (_, cost) = contracts.pay::<_, (), _>(Charlie, 0, FreeFast { game });
    row(rows, "free the storage, a day after the terms", cost);
}

/// Adds what each of many games takes.
pub fn each(rows: &mut String) {
    rows.push_str(
        "\nWhat each of 30 games in a call takes. A signature is a call of a precompile, 2,056 bytes of proof \
         by the weights of the local chain, and 2,692 by those that Polkadot Hub has measured itself.\n\n\
         | | bytes | proof_size (bytes) | fee (DOT) | by 0.20.2 |\n|---|---:|---:|---:|---:|\n",
    );
    let (contracts, _) = Contracts::with_records();
    for (name, players) in [
        ("two guests", Players::Guests),
        ("two wallets", Players::Wallets),
    ] {
        for (drops, moves) in [("7", games::SHORT), ("42", games::DRAW)] {
            let all = record(&contracts, GAMES, moves, players);
            let bytes = recorded(&contracts, 0, moves, players).encode().len();
            let each = Cost {
                later: all.later.map(|later| later / u64::from(GAMES)),
                ..all
            };
            writeln!(
                rows,
                "| {name}, {drops} drops | {bytes} | {} | {} | {} |",
                grouped(all.weight.proof_size() / u64::from(GAMES)),
                tokens((all.fee / u128::from(GAMES)) as i128),
                later(each),
            )
            .unwrap();
        }
    }
}
