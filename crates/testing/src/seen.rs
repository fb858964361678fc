//! What has to occur in random play, how often it did, and the story of a sequence that fails.

use std::collections::HashMap;
use std::fmt;

use connect4_protocol::Error;

use crate::sequences::{SEED, SEQUENCES};

/// The documented errors of each message.
pub type Refusals = [(&'static str, &'static [Error])];

/// How often each answer and each situation occurred.
pub struct Seen {
    refusals: &'static Refusals,
    sights: &'static [&'static str],
    answers: HashMap<(&'static str, Result<(), Error>), u32>,
    seen: HashMap<&'static str, u32>,
    /// Calls that were made.
    pub steps: u32,
    /// Those of them that were sent as transactions.
    pub sent: u32,
}

impl Seen {
    /// Nothing so far. The documented errors and these situations have to occur in a usual run, and
    /// no others may.
    #[must_use]
    pub fn new(refusals: &'static Refusals, sights: &'static [&'static str]) -> Self {
        Self {
            refusals,
            sights,
            answers: HashMap::new(),
            seen: HashMap::new(),
            steps: 0,
            sent: 0,
        }
    }

    pub fn saw(&mut self, sight: &'static str) {
        assert!(self.sights.contains(&sight), "{sight}");
        *self.seen.entry(sight).or_default() += 1;
    }

    /// Counts the answer of a message. One that is not documented fails the test.
    pub fn answered(&mut self, message: &'static str, answer: Result<(), Error>) {
        let mut listed = self.refusals.iter();
        let (_, documented) = listed.find(|(name, _)| *name == message).expect("listed");
        if let Err(error) = answer {
            assert!(
                documented.contains(&error),
                "{message} is not documented to return {error:?}"
            );
        }
        *self.answers.entry((message, answer)).or_default() += 1;
    }

    pub fn add(&mut self, other: Self) {
        for (answer, times) in other.answers {
            *self.answers.entry(answer).or_default() += times;
        }
        for (sight, times) in other.seen {
            *self.seen.entry(sight).or_default() += times;
        }
        self.steps += other.steps;
        self.sent += other.sent;
    }

    /// Prints all counts, and returns what did not occur.
    #[must_use]
    pub fn report(&self) -> Vec<String> {
        let mut missed = Vec::new();
        let mut count = |what: String, times: Option<&u32>| match times {
            Some(times) => println!("{what}: {times}"),
            None => missed.push(what),
        };
        for &(message, refusals) in self.refusals {
            count(message.into(), self.answers.get(&(message, Ok(()))));
            for &error in refusals {
                let times = self.answers.get(&(message, Err(error)));
                count(format!("{message}: {error:?}"), times);
            }
        }
        for &sight in self.sights {
            count(sight.into(), self.seen.get(sight));
        }
        println!("{} calls, {} of them sent", self.steps, self.sent);
        missed
    }
}

/// What happened in a sequence, printed if it fails.
#[derive(Debug)]
pub struct Story {
    seed: u64,
    lines: String,
}

impl Story {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            lines: String::new(),
        }
    }

    pub fn tell(&mut self, line: impl fmt::Display) {
        self.lines.push_str(&format!("{line}\n"));
    }
}

impl Drop for Story {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "\nWhat happened ({SEED}={} {SEQUENCES}=1 plays it again):\n{}",
                self.seed, self.lines
            );
        }
    }
}
