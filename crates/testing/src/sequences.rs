//! Random sequences: how many are asked for, and playing them on all processors.

use std::panic::resume_unwind;
use std::thread::{available_parallelism, scope};

/// Environment variable with the seed of the first sequence of random calls.
pub const SEED: &str = "CONNECT4_SEED";
/// Environment variable with the number of sequences.
pub const SEQUENCES: &str = "CONNECT4_SEQUENCES";

/// The random sequences that a run plays.
#[derive(Clone, Copy, Debug)]
pub struct Sequences {
    /// Seed of the first one; each has one more than the one before.
    pub first: u64,
    pub count: u64,
    /// Whether nobody asked for others than usual: then all that has to occur in them does.
    pub are_usual: bool,
}

impl Sequences {
    /// Those that the environment asks for; so many from seed 1 if it asks for none.
    ///
    /// # Panics
    ///
    /// If a variable is not a number.
    #[must_use]
    pub fn asked_for(usual: u64) -> Self {
        let (seed, count) = (number(SEED), number(SEQUENCES));
        Self {
            first: seed.unwrap_or(1),
            count: count.unwrap_or(usual),
            are_usual: seed.is_none() && count.is_none(),
        }
    }

    /// Plays each sequence by its seed, in a world of the processor that plays it, and hands what
    /// comes of each to `add`.
    ///
    /// # Panics
    ///
    /// If a sequence does.
    pub fn play<W, T: Send>(
        self,
        world: impl Fn() -> W + Sync,
        play: impl Fn(&mut W, u64) -> T + Sync,
        mut add: impl FnMut(T),
    ) {
        let threads = available_parallelism().map_or(1, |threads| threads.get() as u64);
        scope(|scope| {
            let players: Vec<_> = (0..threads)
                .map(|thread| {
                    let (world, play) = (&world, &play);
                    scope.spawn(move || {
                        let mut world = world();
                        (thread..self.count)
                            .step_by(threads as usize)
                            .map(|sequence| play(&mut world, self.first.wrapping_add(sequence)))
                            .collect::<Vec<T>>()
                    })
                })
                .collect();
            for player in players {
                match player.join() {
                    Ok(played) => played.into_iter().for_each(&mut add),
                    Err(panic) => resume_unwind(panic),
                }
            }
        });
    }
}

/// The number in an environment variable; none if it is not set.
pub fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
    )
}
