//! What has to occur in the random play, and how often it did.

use std::collections::HashMap;

use connect4_protocol::Error;

/// The documented errors of each message. Three are left out, as no sequence reaches them: nobody
/// has a stake of which two exceed a `u128`, accounts do not refuse payments, and none of them is the
/// zero address.
pub const REFUSALS: [(&str, &[Error]); 21] = {
    use Error::*;
    [
        ("start_game", &[SamePlayer, BadShape]),
        (
            "drop_disc",
            &[
                NoSuchGame,
                GameOver,
                NotAPlayer,
                NotYourTurn,
                OutOfTime,
                NoSuchBin,
                BinFull,
            ],
        ),
        (
            "challenge",
            &[SamePlayer, BadShape, BadClock, StakeNeedsClock],
        ),
        (
            "accept",
            &[NoSuchChallenge, SamePlayer, NotChallenged, WrongStake],
        ),
        ("decline", &[NoSuchChallenge, NotChallenged]),
        ("cancel", &[NoSuchChallenge, NotChallenger]),
        ("resign", &[NoSuchGame, GameOver, NotAPlayer]),
        ("claim_timeout", &[NoSuchGame, GameOver, NoClock, TimeLeft]),
        (
            "offer_draw",
            &[NoSuchGame, GameOver, NotAPlayer, AlreadyOffered, OutOfTime],
        ),
        ("accept_draw", &[NoSuchGame, GameOver, NotAPlayer, NoOffer]),
        ("decline_draw", &[NoSuchGame, GameOver, NotAPlayer, NoOffer]),
        (
            "offer_rematch",
            &[
                NoSuchGame,
                GameNotOver,
                NotAPlayer,
                RematchStarted,
                AlreadyOffered,
                WrongStake,
            ],
        ),
        (
            "accept_rematch",
            &[
                NoSuchGame,
                GameNotOver,
                NotAPlayer,
                RematchStarted,
                NoOffer,
                WrongStake,
            ],
        ),
        (
            "decline_rematch",
            &[NoSuchGame, GameNotOver, NotAPlayer, RematchStarted, NoOffer],
        ),
        ("settle", &[NoSuchGame, GameNotOver, NothingToSettle]),
        ("withdraw", &[GameNotOver, NothingToWithdraw]),
        ("withdraw_to", &[GameNotOver, NothingToWithdraw]),
        ("free", &[NoSuchGame, GameNotOver, NotPayer]),
        ("start_match", &[NotReferee]),
        ("end_match", &[NotReferee]),
        ("remove", &[NotReferee]),
    ]
};

/// Situations that have to occur in the default run.
pub const SIGHTS: [&str; 19] = [
    "a game ended by a line",
    "a game ended on a full board",
    "a game ended by resignation",
    "a game ended by agreement",
    "a game ended on time",
    "a game ended aborted",
    "a move at the deadline",
    "a claim a second after the deadline",
    "a claim by a stranger",
    "a draw was accepted that was offered before a move",
    "a move ended an offer of a draw",
    "an offer of a draw was taken back",
    "a claim after an offer of a draw had lapsed",
    "a rematch of a rematch",
    "a freed game was not settled",
    "a freed game had an offer of a rematch",
    "a freed game had had its rematch",
    "a payment for several games at once",
    "a payment skipped a game that was freed",
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

    fn times(&self, message: &'static str, answer: Result<(), Error>) -> u32 {
        let times = self.answers.get(&(message, answer));
        times.copied().unwrap_or_default()
    }

    /// Counts the answer of a message.
    pub fn answered(&mut self, message: &'static str, answer: Result<(), Error>) {
        *self.answers.entry((message, answer)).or_default() += 1;
    }

    /// Prints all counts, and returns what did not occur. An answer that is not documented fails
    /// the test.
    pub fn report(&self) -> Vec<String> {
        let mut missed = Vec::new();
        for (message, refusals) in REFUSALS {
            let taken = self.times(message, Ok(()));
            print!("{message}: {taken} taken");
            // Nobody but the referee may make the calls that answer `NotReferee`.
            if taken == 0 && refusals != [Error::NotReferee] {
                missed.push(message.to_owned());
            }
            for &error in refusals {
                let times = self.times(message, Err(error));
                print!(", {times} {error:?}");
                if times == 0 {
                    missed.push(format!("{message}: {error:?}"));
                }
            }
            println!();
        }
        for sight in SIGHTS {
            let times = self.sights.get(sight).copied().unwrap_or_default();
            println!("{sight}: {times}");
            if times == 0 {
                missed.push(sight.into());
            }
        }
        for (message, answer) in self.answers.keys() {
            if let Err(error) = answer {
                let (_, refusals) = REFUSALS.iter().find(|(name, _)| name == message).unwrap();
                assert!(
                    refusals.contains(error),
                    "{message} is not documented to return {error:?}"
                );
            }
        }
        missed
    }
}
