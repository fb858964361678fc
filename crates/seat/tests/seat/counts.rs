//! What occurs in random sequences.

use std::collections::BTreeMap;

use connect4_testing::sequences::Sequences;

/// How often something occurred, by what it is.
pub type Counts = BTreeMap<&'static str, u64>;

/// Plays the sequences that are asked for, by their seeds, and prints what occurred in them. In so many
/// as usual, all that is wanted has to.
pub fn play_all(usual: u64, wanted: &[&str], play: impl Fn(u64) -> Counts + Sync) {
    let sequences = Sequences::asked_for(usual);
    let mut counts = Counts::new();
    sequences.play(
        || (),
        |(), seed| play(seed),
        |one| {
            for (what, count) in one {
                *counts.entry(what).or_default() += count;
            }
        },
    );
    println!("{counts:?}");
    if sequences.are_usual {
        for what in wanted {
            assert!(counts.contains_key(what), "{what} never occurs: {counts:?}");
        }
    }
}
