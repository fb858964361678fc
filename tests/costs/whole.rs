//! Whole games, on the chain and signed, beside each other.

use std::fmt::Write as _;

use connect4_chain::runtime::currency::UNITS;
use connect4_protocol::message::{Accept, MakeChallenge, OpenChallenge, Withdraw};
use connect4_protocol::{Challenge, ClockSpec, Error};
use connect4_rules::{Player, Shape};
use connect4_testing::Account::{Alice, Bob};
use connect4_testing::{address, games};

use crate::measure::{Contracts, Cost};
use crate::signed_records::{Kind, single};
use crate::text::{grouped, later, tokens};

/// Games by their numbers of drops. The first two are won by the player who moved first, the third is a draw.
const GAMES: [(&str, &str); 3] = [
    ("7 drops", games::SHORT),
    ("21 drops", "734642161743722652674"),
    ("42 drops", games::DRAW),
];

/// A challenge of Alice to Bob for a stake of one token, with a clock; its number, and what it costs.
pub fn challenge(contracts: &Contracts) -> (u32, Cost) {
    let offer = MakeChallenge {
        opponent: Some(address(Bob)),
        challenger_first: true,
        shape: Shape::STANDARD.into(),
        clock: Some(ClockSpec {
            bank: 300,
            increment: 5,
        }),
        // As the program has it.
        expires: Some(contracts.local.now() + 24 * 60 * 60),
    };
    contracts.pay(Alice, UNITS, offer)
}

/// Bob accepts it; the number of the game, and what it costs.
pub fn accept(contracts: &Contracts, challenge: u32) -> (u32, Cost) {
    let look = contracts.call(Bob, OpenChallenge { challenge });
    let seen: Result<Challenge, Error> = contracts.local.dry_run(&look).answer();
    let seen = seen.expect("it is open");
    contracts.pay(Bob, UNITS, Accept { challenge, seen })
}

/// Adds the table of whole games.
pub fn compared(rows: &mut String) {
    rows.push_str(
        "\n## A whole game, on the chain and signed\n\n\
         From the start to the end, and with a stake to the payment of the winner, or of both after a \
         draw. A signed game without a stake is recorded, if anybody wants it on the chain, and takes no transaction \
         else; one with a stake is below, under the contract of the stakes.\n\n\
         | | transactions | proof_size (bytes) | fee (DOT) | by 0.20.2 |\n|---|---:|---:|---:|---:|\n",
    );
    for (name, moves) in GAMES {
        let (contracts, ..) = Contracts::all();
        let (game, start) = contracts.start(Shape::STANDARD);
        let (drops, outcome) = contracts.play(game, moves);
        assert!(outcome.is_some(), "{name} end the game");
        let on_chain = [&[start][..], &drops].concat();

        let (number, challenged) = challenge(&contracts);
        let (game, accepted) = accept(&contracts, number);
        let (drops, outcome) = contracts.play(game, moves);
        let paid: &[_] = match outcome.and_then(|outcome| outcome.winner()) {
            Some(Player::One) => &[Alice],
            Some(Player::Two) => &[Bob],
            None => &[Alice, Bob],
        };
        let mut staked = [&[challenged, accepted][..], &drops].concat();
        for who in paid {
            let games = vec![game];
            staked.push(contracts.pay(*who, 0, Withdraw { games }).1);
        }
        for (how, costs) in [
            ("on the chain", on_chain),
            ("for a stake, on the chain", staked),
            ("signed, two guests", vec![single(moves, Kind::Guests)]),
            ("signed, two wallets", vec![single(moves, Kind::Wallets)]),
        ] {
            let whole: Cost = costs.iter().copied().sum();
            writeln!(
                rows,
                "| {name}, {how} | {} | {} | {} | {} |",
                costs.len(),
                grouped(whole.weight.proof_size()),
                tokens(whole.fee as i128),
                later(whole),
            )
            .unwrap();
        }
    }
}
