//! The guard of one game, with the chain and a relay around it.

use std::time::Duration;

use connect4_seat::{Duty, Guard, Heard, Subject};
use tokio::sync::mpsc;
use tokio::time::{Instant, Interval, interval};

use super::keyring::Keyring;
use super::relay::{FromRoom, RelayLink};
use super::sight::{Sight, Sights};
use super::telling::{perform, was_done};
use crate::account::Signer;
use crate::action::Performed;
use crate::contract::Contract;
use crate::error::Error;
use crate::receipt::Receipt;

/// How often it is looked whether something has to be done.
const TICK: Duration = Duration::from_secs(1);
/// Pause before the chain is told again.
const AGAIN: Duration = Duration::from_secs(2);

/// What a guard tells.
#[derive(Debug)]
pub enum GuardNews {
    /// It holds a position with so many moves that both have signed.
    Holds(u8),
    /// It has told the chain.
    Done(Duty, Box<Receipt<Performed>>),
    /// It could not tell the chain, which it tries again.
    NotDone(Error),
    /// The game is over; it is guarded no more.
    Over,
}

/// A guard at one game.
#[derive(Debug)]
pub struct Post {
    contract: Contract,
    signer: Signer,
    number: u32,
    guard: Guard,
    link: Option<RelayLink>,
    sights: Sights,
    tick: Interval,
    not_before: Instant,
}

impl Post {
    /// A guard at the game with this number, who pays by this signer; none if the game is over or
    /// not there.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn at(
        contract: Contract,
        number: u32,
        signer: Signer,
        relay: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        let sight = Sight::of(&contract, number).await?;
        let Some(seen) = sight.game.filter(|seen| !seen.is_final()) else {
            return Ok(None);
        };
        let subject = Subject::new(number, contract.domain()?, seen.value);
        Ok(Some(Self {
            sights: Sights::of(&contract, number),
            tick: interval(TICK),
            not_before: Instant::now(),
            contract,
            signer,
            number,
            guard: Guard::new(subject, seen.value, sight.now),
            link: relay.map(|url| RelayLink::open(url, &subject, None)),
        }))
    }

    /// Takes what the players' programs on this machine hold.
    pub fn know(&mut self, keyring: &Keyring) {
        let subject = *self.guard.subject();
        let keys = subject.keys();
        for key in [keys.one, keys.two] {
            // A player who sits elsewhere has no book here.
            if let Ok(book) = keyring.peek(key, &subject) {
                let _ = self.guard.hear(&book.held);
            }
        }
    }

    /// Guards the game until it is over or nobody listens.
    pub async fn run(mut self, news: mpsc::Sender<(u32, GuardNews)>) {
        let number = self.number;
        while let Some(told) = self.next().await {
            let is_over = matches!(told, GuardNews::Over);
            if news.send((number, told)).await.is_err() || is_over {
                return;
            }
        }
    }

    /// What is to be told next; none if the chain can't be read any more.
    async fn next(&mut self) -> Option<GuardNews> {
        loop {
            if self.guard.chain().is_final() {
                return Some(GuardNews::Over);
            }
            if Instant::now() >= self.not_before
                && let Some(duty) = self.guard.duty()
            {
                self.not_before = Instant::now() + AGAIN;
                match perform(&self.contract, &self.signer, self.number, &duty).await {
                    Ok((receipt, sight)) => {
                        self.see(sight);
                        return Some(GuardNews::Done(duty, Box::new(receipt)));
                    }
                    Err(error) if was_done(&error) => {}
                    Err(error) => return Some(GuardNews::NotDone(error)),
                }
            }
            tokio::select! {
                heard = from(&mut self.link) => {
                    if let FromRoom::Position(evidence) = heard
                        && let Ok(Heard::News) = self.guard.hear(&evidence)
                    {
                        if let Some(link) = &self.link {
                            link.tell(self.guard.evidence());
                        }
                        return Some(GuardNews::Holds(evidence.moves.turns()));
                    }
                }
                sight = self.sights.next() => match sight {
                    Ok(sight) => if !self.see(sight) {
                        return Some(GuardNews::Over);
                    },
                    Err(_) => return None,
                },
                _ = self.tick.tick() => {}
            }
        }
    }

    /// Returns whether the game is there.
    fn see(&mut self, sight: Sight) -> bool {
        match sight.game {
            Some(seen) => self.guard.see(seen.value, sight.now),
            None => return false,
        }
        true
    }
}

async fn from(link: &mut Option<RelayLink>) -> FromRoom {
    match link {
        Some(link) => link.next().await,
        None => std::future::pending().await,
    }
}
