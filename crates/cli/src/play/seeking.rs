//! Waiting for an opponent at a relay: what a person is told meanwhile, and what can be played in place of waiting.

use std::pin::pin;
use std::time::Duration;

use connect4_client::Stakes;
use connect4_client::signed::{GameOffer, PairingError, Search, SignedPlayer, Standing};
use connect4_protocol::signed::lobby::Counts;
use tokio::time::{Instant, sleep_until};

use super::offered::staked_in_words;
use super::turn::Typed;
use crate::failure::Failure;
use crate::output::Output;
use crate::said::{Said, Seeking, SeekingNews};
use crate::words::how_many;

/// After how long something else than a person is offered.
const LONG: Duration = Duration::from_secs(60);
/// The word by which a player agrees to play a program.
const PROGRAM: &str = "program";

/// What is waited for.
#[derive(Clone, Copy)]
pub struct Waiting<'a> {
    /// In words.
    pub said: &'a str,
    /// Whether a program can be played meanwhile, or the computer elsewhere.
    pub is_open: bool,
    /// The contract that holds the stake, if there is one.
    pub stakes: Option<&'a Stakes>,
}

/// Waits until somebody is found. An opponent who is not there after a minute is waited for on.
pub async fn found(
    mut search: Search,
    paired: impl Future<Output = Result<SignedPlayer, PairingError>>,
    waiting: Waiting<'_>,
    typed: &mut Typed,
    out: &mut Output,
) -> Result<Result<SignedPlayer, PairingError>, Failure> {
    let progress = out.progress();
    progress.say(waiting.said);
    let begun = Instant::now();
    let mut paired = pin!(paired);
    let (mut standing, mut told) = (Standing::default(), Told::default());
    loop {
        let first = async {
            tokio::select! {
                biased;
                paired = &mut paired => Ok(First::Paired(Box::new(paired))),
                standing = search.changed() => Ok(First::Standing(Box::new(standing))),
                () = sleep_until(begun + LONG), if waiting.is_open && !told.is_late => Ok(First::Late),
                // What is piped in before is for the game.
                line = typed.next(), if told.is_late && !typed.has_ended => line.map(First::Line),
            }
        };
        match out.wait_for(first).await?? {
            First::Paired(paired) => return Ok(*paired),
            First::Standing(now) => {
                // Nothing is paid before it is shown for what: its player has not accepted yet.
                if let (Some(offer), Some(stakes)) = (&now.staked, waiting.stakes)
                    && now.staked != standing.staked
                {
                    out.say(Said::Notice(&staked_in_words(offer, stakes)))?;
                }
                standing = *now;
            }
            First::Late => told.is_late = true,
            First::Line(None) => typed.has_ended = true,
            First::Line(Some(line)) => match &told.program {
                Some(program) if line.trim().eq_ignore_ascii_case(PROGRAM) => {
                    search.plays(program.clone());
                }
                _ if out.is_terminal() => {
                    let text = format!("type {PROGRAM} once one is there, or wait; Ctrl-C leaves");
                    out.say(Said::Notice(&text))?;
                }
                _ => typed.keep(line),
            },
        }
        for news in told.news(&standing) {
            if let Some(counts) = standing.counts {
                progress.say(&format!("{}; {}", waiting.said, how_many(counts)));
            }
            out.say(Said::Seeking(&Seeking {
                counts: standing.counts,
                waited: begun.elapsed(),
                news,
            }))?;
        }
    }
}

/// What comes first while an opponent is looked for.
enum First {
    Paired(Box<Result<SignedPlayer, PairingError>>),
    Standing(Box<Standing>),
    Late,
    /// A line of input; none if the input has ended.
    Line(Option<String>),
}

/// What a person who waits was told.
#[derive(Default)]
struct Told {
    counts: Option<Counts>,
    /// Whether it has waited for long.
    is_late: bool,
    /// The program that it can play.
    program: Option<GameOffer>,
    /// Whether it was told that none is there.
    is_alone: bool,
}

impl Told {
    /// What is new in how the search stands.
    fn news(&mut self, standing: &Standing) -> Vec<SeekingNews> {
        let mut news = Vec::new();
        if standing.counts != self.counts {
            news.push(match self.counts {
                None => SeekingNews::Counted,
                Some(_) => SeekingNews::Changed,
            });
            self.counts = standing.counts;
        }
        if !self.is_late {
            return news;
        }
        let account = |program: &GameOffer| program.party().account();
        let before = self.program.as_ref().map(account);
        self.program.clone_from(&standing.program);
        match &self.program {
            // A program that offers anew is told of once.
            Some(program) if before != Some(account(program)) => {
                news.push(SeekingNews::Program(Box::new(program.clone())));
            }
            Some(_) => {}
            None if !self.is_alone => {
                self.is_alone = true;
                news.push(SeekingNews::Computer);
            }
            None => {}
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::Address;
    use connect4_protocol::signed::{Chain, Domain, Party, Terms};
    use connect4_rules::Shape;

    use super::*;

    fn program(account: u8, nonce: u32) -> GameOffer {
        let chain = Chain {
            id: 1,
            genesis: [2; 32],
        };
        let terms = Terms {
            nonce,
            ..Terms::on(Shape::STANDARD)
        };
        let party = Party::Guest(Address([account; 20]));
        GameOffer::new(Domain::without_stake(chain), party, terms, 5)
    }

    #[test]
    fn after_a_minute_a_program_is_offered_once_and_else_the_computer() {
        let counts = |waiting| {
            Some(Counts {
                waiting,
                playing: 4,
            })
        };
        let standing = |waiting, program| Standing {
            counts: counts(waiting),
            program,
            staked: None,
        };
        let mut told = Told::default();
        assert!(told.news(&Standing::default()).is_empty());
        let first = told.news(&standing(1, Some(program(9, 1))));
        assert_eq!(first, [SeekingNews::Counted]);
        assert!(told.news(&standing(1, Some(program(9, 1)))).is_empty());
        assert_eq!(told.news(&standing(2, None)), [SeekingNews::Changed]);
        told.is_late = true;
        assert_eq!(told.news(&standing(2, None)), [SeekingNews::Computer]);
        let comes = told.news(&standing(2, Some(program(9, 1))));
        assert_eq!(comes, [SeekingNews::Program(Box::new(program(9, 1)))]);
        // It has made its offer anew, which is the one that is taken.
        assert!(told.news(&standing(2, Some(program(9, 2)))).is_empty());
        assert_eq!(told.program, Some(program(9, 2)));
        let other = told.news(&standing(2, Some(program(8, 3))));
        assert_eq!(other, [SeekingNews::Program(Box::new(program(8, 3)))]);
        assert!(told.news(&standing(2, None)).is_empty());
        assert_eq!(told.program, None);
    }
}
