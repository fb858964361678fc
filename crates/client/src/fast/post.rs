//! The guard of one game, with the chain and a relay around it.

use std::time::Duration;

use connect4_protocol::GameId;
use connect4_rules::{ByPlayer, Player};
use connect4_seat::{Duty, Guard, Journal, Received, Subject};
use tokio::sync::mpsc;
use tokio::time::{Instant, Interval, interval};

use super::clocks::machine;
use super::duty::{perform, was_done};
use super::keyring::Keyring;
use super::relay::{FromRoom, RelayLink};
use super::snapshot::{Snapshot, Snapshots};
use crate::accounts::account::Signer;
use crate::contracts::deployed::Contracts;
use crate::contracts::performed::Performed;
use crate::contracts::receipt::Receipt;
use crate::error::Error;

/// How often it is looked whether something has to be done, also in what is kept on this machine.
const TICK: Duration = Duration::from_secs(1);
/// Pause before something is sent to the chain again.
const AGAIN: Duration = Duration::from_secs(2);

/// What a guard tells.
#[derive(Debug)]
pub enum GuardNews {
    /// It holds a position with so many moves that both have signed.
    Holds(u8),
    /// It has sent to the chain what was due.
    Done(Duty, Box<Receipt<Performed>>),
    /// It could not tell or read the chain, which it tries again.
    NotDone(Error),
    /// The game is over; it is guarded no more.
    Over,
}

/// A guard at one game.
#[derive(Debug)]
pub struct Post {
    contract: Contracts,
    signer: Signer,
    game: GameId,
    guard: Guard,
    /// Where players' programs on this machine keep what they sign; none if that is not read.
    keyring: Option<Keyring>,
    /// What was read there last of each player.
    read: ByPlayer<Option<Journal>>,
    /// Time of the newest block that was seen, in seconds since 1970.
    block_time: u64,
    link: Option<RelayLink>,
    snapshots: Snapshots,
    tick: Interval,
    not_before: Instant,
}

impl Post {
    /// A guard at a fast game, who pays by this signer; none if the game is over or
    /// not there.
    ///
    /// # Errors
    ///
    /// If the chain cannot be reached.
    pub async fn at(
        contract: Contracts,
        game: GameId,
        signer: Signer,
        relay: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        let snapshot = Snapshot::of(&contract, game, false).await?;
        let Some(seen) = snapshot.game.filter(|seen| !seen.is_final()) else {
            return Ok(None);
        };
        let clock = contract.match_of(game).await?.clock;
        let subject = Subject::new(game.number(), contract.domain()?, seen.value);
        let subject = subject.with_clock(clock);
        let block_time = snapshot.now.unwrap_or_default();
        Ok(Some(Self {
            snapshots: Snapshots::of(&contract, game),
            tick: interval(TICK),
            not_before: Instant::now(),
            contract,
            signer,
            game,
            guard: Guard::new(subject, seen.value, block_time),
            keyring: None,
            read: ByPlayer::default(),
            block_time,
            link: relay.map(|url| RelayLink::open(url, &subject, None)),
        }))
    }

    /// The same guard, which also takes what the players' programs on this machine hold in this keyring,
    /// whenever it looks: a relay may keep from it what they sign.
    #[must_use]
    pub fn with_keyring(mut self, keyring: Keyring) -> Self {
        self.keyring = Some(keyring);
        self
    }

    /// Takes what the players' programs on this machine hold now. Returns whether something was new.
    fn know(&mut self) -> bool {
        let Some(keyring) = &self.keyring else {
            return false;
        };
        let subject = *self.guard.subject();
        let mut is_news = false;
        for player in Player::ALL {
            // A player who sits elsewhere has no journal here.
            let Ok(journal) = keyring.peek(*subject.keys().get(player), &subject) else {
                continue;
            };
            if self.read.get(player).as_ref() != Some(&journal) {
                is_news |= self.guard.read(&journal);
                self.read[player] = Some(journal);
            }
        }
        is_news
    }

    /// Guards the game until it is over or nobody listens.
    pub async fn run(mut self, news: mpsc::Sender<(GameId, GuardNews)>) {
        let game = self.game;
        loop {
            let told = self.next().await;
            let is_over = matches!(told, GuardNews::Over);
            if news.send((game, told)).await.is_err() || is_over {
                return;
            }
        }
    }

    /// What is to be told next.
    async fn next(&mut self) -> GuardNews {
        loop {
            if self.guard.chain().is_final() {
                return GuardNews::Over;
            }
            if self.know() {
                return self.holds();
            }
            if Instant::now() >= self.not_before
                && let Some(duty) = self.guard.duty()
            {
                self.not_before = Instant::now() + AGAIN;
                match perform(&self.contract, &self.signer, self.game, &duty).await {
                    Ok((receipt, snapshot)) => {
                        self.see(snapshot);
                        return GuardNews::Done(duty, Box::new(receipt));
                    }
                    Err(error) if was_done(&error) => {}
                    Err(error) => return GuardNews::NotDone(error),
                }
            }
            tokio::select! {
                heard = from(&mut self.link) => {
                    if let FromRoom::Position(evidence) = heard
                        && let Ok(Received::News) = self.guard.receive(&evidence)
                    {
                        return self.holds();
                    }
                }
                snapshot = self.snapshots.next() => match snapshot {
                    Ok(snapshot) => if !self.see(snapshot) {
                        return GuardNews::Over;
                    },
                    Err(error) => return GuardNews::NotDone(error),
                },
                _ = self.tick.tick() => self.guard.pass_time(machine()),
            }
        }
    }

    /// Has the room told of what is new.
    fn holds(&self) -> GuardNews {
        if let Some(link) = &self.link {
            link.tell(self.guard.evidence());
        }
        GuardNews::Holds(self.guard.journal().position.moves.turns())
    }

    /// Returns whether the game is there, and is the one that is guarded: a fork may have another one begin in
    /// its place, whose signatures are by other keys.
    fn see(&mut self, snapshot: Snapshot) -> bool {
        match snapshot.game {
            Some(seen) if self.guard.subject().is_of(&seen.value) => {
                self.block_time = snapshot.now.unwrap_or(self.block_time);
                self.guard.see(seen.value, self.block_time);
                true
            }
            _ => false,
        }
    }
}

async fn from(link: &mut Option<RelayLink>) -> FromRoom {
    match link {
        Some(link) => link.next().await,
        None => std::future::pending().await,
    }
}
