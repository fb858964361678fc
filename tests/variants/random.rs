//! Random calls at the contract and at the model, which have to agree.
//!
//! | module | has |
//! |---|---|
//! | `mood` | which step comes next |
//! | `pair` | the contract and the model side by side |
//! | `seen` | what has to occur |

mod mood;
mod pair;
mod seen;

use connect4_testing::Seen;
use connect4_testing::dice::Dice;
use connect4_testing::sequences::Sequences;

use crate::world::World;
use mood::{Mood, Step};
use pair::Pair;

/// Plays a sequence on a new contract.
fn play(world: &mut World, seed: u64) -> Seen {
    world.deploy_anew();
    let mut dice = Dice(seed);
    let mood = Mood::new(&mut dice);
    let mut pair = Pair::new(world, seed);
    for _ in 0..mood.steps {
        match mood.step(&mut dice, &pair.model) {
            Step::Wait(seconds) => pair.wait(seconds),
            Step::Call(who, call) => pair.call(who, &call, dice.once_in(5)),
        }
    }
    pair.compare_all(1 + dice.below(3) as u8);
    pair.clear();
    pair.seen
}

/// `CONNECT4_SEQUENCES` is the number of sequences, `CONNECT4_SEED` the seed of the first.
#[test]
fn contract_and_model_agree_after_every_random_call() {
    let sequences = Sequences::asked_for(60);
    let mut seen = seen::nothing();
    sequences.play(World::new, play, |its| seen.add(its));
    println!("{} sequences", sequences.count);
    let missed = seen.report();
    if sequences.are_usual {
        assert!(missed.is_empty(), "these did not occur: {missed:#?}");
    }
}
