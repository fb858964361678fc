//! Random calls at both contracts and at the model, which have to agree.
//!
//! | module | has |
//! |---|---|
//! | `mood` | which step comes next |
//! | `table` | contracts and model side by side |
//! | `seen` | what has to occur, and how often it did |

mod mood;
mod seen;
mod table;

use connect4_testing::dice::{Dice, SEED, SEQUENCES, number};

use crate::world::World;
use mood::{Mood, Step};
use seen::Seen;
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
    std::mem::take(&mut table.seen)
}

/// `CONNECT4_SEQUENCES` is the number of sequences, `CONNECT4_SEED` the seed of the first.
#[test]
fn contracts_and_model_agree_after_every_random_call() {
    let (seed, sequences) = (number(SEED), number(SEQUENCES));
    let usual = seed.is_none() && sequences.is_none();
    let (first, sequences) = (seed.unwrap_or(1), sequences.unwrap_or(500));
    let begun = std::time::Instant::now();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let mut seen = Seen::default();
    std::thread::scope(|scope| {
        let players: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let mut world = World::new();
                    let mut seen = Seen::default();
                    for sequence in (thread..sequences).step_by(threads as usize) {
                        seen.add(play(&mut world, first.wrapping_add(sequence)));
                    }
                    seen
                })
            })
            .collect();
        for player in players {
            match player.join() {
                Ok(its) => seen.add(its),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    println!(
        "{sequences} sequences, {} calls, {} of them sent, {:.1} s",
        seen.steps,
        seen.sent,
        begun.elapsed().as_secs_f64()
    );
    let missed = seen.report();
    if usual {
        assert!(missed.is_empty(), "these did not occur: {missed:#?}");
    }
}
