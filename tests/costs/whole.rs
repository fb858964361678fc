//! Whole games, on the chain and signed, beside each other.

use std::fmt::Write as _;

use connect4_rules::Shape;
use connect4_testing::games;

use crate::measure::{Contracts, Cost};
use crate::signed_records::{Kind, single};
use crate::text::{grouped, later, tokens};

/// Games by their numbers of drops. The first two are won by the player who moved first, the third is a draw.
const GAMES: [(&str, &str); 3] = [
    ("7 drops", games::SHORT),
    ("21 drops", "734642161743722652674"),
    ("42 drops", games::DRAW),
];

/// Adds the table of whole games.
pub fn compared(rows: &mut String) {
    rows.push_str(
        "\n## A whole game, on the chain and signed\n\n\
         From the start to the end. A signed game without a stake is recorded, if anybody wants it on the chain, and takes \
         no transaction else; one with a stake is below, under the contract of the stakes.\n\n\
         | | transactions | proof_size (bytes) | fee (DOT) | by 0.20.2 |\n|---|---:|---:|---:|---:|\n",
    );
    for (name, moves) in GAMES {
        let (contracts, _) = Contracts::games();
        let (game, start) = contracts.start(Shape::STANDARD);
        let (drops, outcome) = contracts.play(game, moves);
        assert!(outcome.is_some(), "{name} end the game");
        let on_chain = [&[start][..], &drops].concat();

        for (how, costs) in [
            ("on the chain", on_chain),
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
