//! What has to occur in the random play, and how often it did.

use std::collections::HashMap;

use connect4_protocol::Error;

/// The documented errors of each message.
pub const REFUSALS: [(&str, &[Error]); 7] = {
    use Error::*;
    [
        (
            "start_game",
            &[BadShape, BadVariant, WrongPlayers, SamePlayer],
        ),
        (
            "open_table",
            &[BadShape, BadVariant, WrongPlayers, SamePlayer, BadLimit],
        ),
        (
            "join",
            &[NoSuchGame, AlreadyStarted, AlreadyJoined, NotInvited],
        ),
        ("leave", &[NoSuchGame, GameOver, NotAPlayer, HasLeft]),
        (
            "make_move",
            &[
                NoSuchGame,
                NotStarted,
                GameOver,
                NotAPlayer,
                HasLeft,
                NotYourTurn,
                OutOfTime,
                NotInVariant,
                NoPowerLeft,
                NoSwapNow,
                NoSuchBin,
                NoSuchRow,
                BinFull,
                NotYourDisc,
                NoDisc,
                OwnDisc,
                RowEmpty,
                NotAboveTop,
            ],
        ),
        (
            "remove_late",
            &[NoSuchGame, NotStarted, GameOver, NoLimit, TimeLeft],
        ),
        ("free", &[NoSuchGame, NotPayer, NotStarted, GameNotOver]),
    ]
};

/// Situations that have to occur in the default run. The draw after 250 turns is one of the examples.
pub const SIGHTS: [&str; 19] = [
    "a game ended by a line",
    "a game ended as the last player was left",
    "a game ended without a legal move",
    "a game was abandoned",
    "a move uncovered an opponent's line",
    "a drop",
    "a pop",
    "a take",
    "a clear",
    "a float",
    "a swap",
    "a table for anyone filled up",
    "a table for named players filled up",
    "a table was closed between two others",
    "a table filled up between two others",
    "a move at the deadline",
    "a player was removed a second after the deadline",
    "a player was removed by a stranger",
    "a game went on without a player",
];

/// How often each answer and each situation occurred.
#[derive(Default)]
pub struct Seen {
    answers: HashMap<(&'static str, Result<(), Error>), u32>,
    sights: HashMap<&'static str, u32>,
    /// Calls that were made, and those of them that were sent as transactions.
    pub steps: u32,
    pub sent: u32,
}

impl Seen {
    /// Counts a situation, one of [`SIGHTS`].
    pub fn saw(&mut self, sight: &'static str) {
        assert!(SIGHTS.contains(&sight), "{sight}");
        *self.sights.entry(sight).or_default() += 1;
    }

    /// Adds the counts of another sequence.
    pub fn add(&mut self, other: Self) {
        for (answer, times) in other.answers {
            *self.answers.entry(answer).or_default() += times;
        }
        for (sight, times) in other.sights {
            *self.sights.entry(sight).or_default() += times;
        }
        self.steps += other.steps;
        self.sent += other.sent;
    }

    /// Counts the answer of a message. One that is not documented fails the test.
    pub fn answered(&mut self, message: &'static str, answer: Result<(), Error>) {
        let (_, documented) = REFUSALS
            .iter()
            .find(|(name, _)| *name == message)
            .expect("listed");
        if let Err(error) = answer {
            assert!(
                documented.contains(&error),
                "{message} is not documented to return {error:?}"
            );
        }
        *self.answers.entry((message, answer)).or_default() += 1;
    }

    /// Prints all counts, and returns what did not occur.
    pub fn report(&self) -> Vec<String> {
        let mut missed = Vec::new();
        for (message, refusals) in REFUSALS {
            let answers = [Ok(())].into_iter();
            for answer in answers.chain(refusals.iter().copied().map(Err)) {
                let times = self.answers.get(&(message, answer)).copied();
                println!("{message}, {answer:?}: {}", times.unwrap_or_default());
                if times.is_none() {
                    missed.push(format!("{message}: {answer:?}"));
                }
            }
        }
        for sight in SIGHTS {
            let times = self.sights.get(sight).copied();
            println!("{sight}: {}", times.unwrap_or_default());
            if times.is_none() {
                missed.push(sight.into());
            }
        }
        missed
    }
}
