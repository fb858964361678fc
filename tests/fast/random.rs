//! Honest players and cheats at random, at the contract and at a plain model of what it has to do.
//!
//! A cheat knows everything that was ever signed, signs whatever it likes, withholds what it likes and
//! calls the contract as it likes. An honest player signs one move for each turn, looks at the chain
//! before the time of a clock is over, and answers. What has to hold:
//!
//! - The contract does what the model does, and refuses for the same reason.
//! - Every game with an honest player ends.
//! - An honest player never ends worse than by the latest position that it held: its moves are the
//!   ones that it made, and it does not lose on time.
//! - All stakes are paid out.
//!
//! | module | has |
//! |---|---|
//! | `bench` | the contract on a chain, and its rules alone, which are a thousand times as fast |
//! | `model` | the terms a second time, plainly |
//! | `honest` | what an honest player does |
//! | `cheat` | what a cheat does |
//! | `sequence` | a game of both |

mod bench;
mod cheat;
mod honest;
mod model;
mod sequence;

use std::collections::BTreeMap;

use connect4_testing::dice::Dice;
use connect4_testing::sequences::Sequences;

use self::bench::{OnChain, OnPaper};
use self::sequence::Sequence;

/// Sequences at the rules alone, and at the contract on a chain, unless others are asked for.
const ON_PAPER: u64 = 10_000;
const ON_CHAIN: u64 = 300;

/// How often something occurred, by what it was.
type Seen = BTreeMap<String, u64>;

/// What has to occur in the usual sequences, or they would show little.
const EXPECTED: &[&str] = &[
    "advance: done",
    "advance: GameOver",
    "advance: NotNewer",
    "advance: OutOfTime",
    "advance: NoOffer",
    "advance: BadSignature",
    "advance: NoSuchBin",
    "advance and press: done",
    "advance and press: YourTurn",
    "press: done",
    "press: YourTurn",
    "press: ClockRuns",
    "drop: done",
    "drop: NotYourTurn",
    "drop: OutOfTime",
    "claim: done",
    "claim: NoClock",
    "claim: TimeLeft",
    "resign: done",
    "end: Line",
    "end: Timeout",
    "end: Resignation",
    "end: Agreement",
    "end: Abort",
    "line: taken back",
    "honest and honest",
    "honest and cheat",
    "cheat and cheat",
];

fn check(seen: &Seen, usual: bool) {
    for (what, times) in seen {
        println!("{times:>9} {what}");
    }
    if usual {
        let missing: Vec<_> = EXPECTED
            .iter()
            .filter(|what| !seen.contains_key(**what))
            .collect();
        assert!(missing.is_empty(), "never seen: {missing:?}");
    }
}

fn add(seen: &mut Seen, more: Seen) {
    for (what, times) in more {
        *seen.entry(what).or_default() += times;
    }
}

#[test]
fn no_cheat_harms_an_honest_player_by_the_rules() {
    let sequences = Sequences::asked_for(ON_PAPER);
    let mut seen = Seen::new();
    sequences.play(
        || (),
        |(), seed| Sequence::new(OnPaper::new(), Dice(seed)).play(),
        |more| add(&mut seen, more),
    );
    check(&seen, sequences.are_usual);
}

#[test]
fn no_cheat_harms_an_honest_player_on_the_chain() {
    let sequences = Sequences::asked_for(ON_CHAIN);
    let mut seen = Seen::new();
    sequences.play(
        || Some(OnChain::new()),
        |bench, seed| {
            let chain = bench.take().expect("left by the sequence before");
            let mut sequence = Sequence::new(chain.anew(), Dice(seed));
            let seen = sequence.play();
            *bench = Some(sequence.into_bench());
            seen
        },
        |more| add(&mut seen, more),
    );
    check(&seen, false);
}
