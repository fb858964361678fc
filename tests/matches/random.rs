//! Random calls at both contracts and at the model, which have to agree.
//!
//! | module | has |
//! |---|---|
//! | `ledger` | credits and balance, from the events alone |
//! | `mood` | which step comes next |
//! | `table` | contracts and model side by side |
//! | `seen` | what has to occur |

mod ledger;
mod mood;
mod seen;
mod table;

use connect4_testing::Seen;
use connect4_testing::dice::Dice;
use connect4_testing::sequences::Sequences;

use crate::world::World;
use mood::{Mood, Step};
use table::Table;

/// Plays a sequence on new contracts.
fn play(world: &mut World, seed: u64) -> Seen {
    world.deploy_anew();
    let mut dice = Dice(seed);
    let mood = Mood::new(&mut dice);
    let mut table = Table::new(world, seed);
    for _ in 0..mood.steps {
        match mood.step(&mut dice, &table.model) {
            Step::Wait(seconds) => table.wait(seconds),
            Step::Call(who, call) => {
                // A refusal is an answer, too: the table has compared it.
                let _ = table.call(who, &call, dice.once_in(10));
            }
        }
    }
    table.compare_all(1 + dice.below(4) as u8);
    table.clear(&mut dice);
    table.seen
}

/// `CONNECT4_SEQUENCES` is the number of sequences, `CONNECT4_SEED` the seed of the first.
#[test]
fn contracts_and_model_agree_after_every_random_call() {
    let sequences = Sequences::asked_for(500);
    let begun = std::time::Instant::now();
    let mut seen = seen::nothing();
    sequences.play(World::new, play, |its| seen.add(its));
    println!(
        "{} sequences, {:.1} s",
        sequences.count,
        begun.elapsed().as_secs_f64()
    );
    let missed = seen.report();
    if sequences.are_usual {
        assert!(missed.is_empty(), "these did not occur: {missed:#?}");
    }
}
