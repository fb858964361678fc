//! A fast game on the chain, as it changes.

use std::time::Duration;

use connect4_protocol::GameId;
use connect4_protocol::fast::FastGame;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep};

use super::clocks::machine;
use crate::chain::seen::Seen;
use crate::contracts::deployed::Contracts;
use crate::error::Error;
use crate::task::Task;

/// Pause before the chain is looked at again after it could not be read.
const AGAIN: Duration = Duration::from_secs(2);

/// A fast game as it is on the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The game, and the block after which it is so; none if there is no such game, or its storage was
    /// freed.
    pub game: Option<Seen<FastGame>>,
    /// The time of that block in seconds since 1970; none if it can't be read.
    pub now: Option<u64>,
    /// The time of this machine at that moment, in seconds since 1970.
    pub machine: u64,
    /// When the chain was asked.
    pub asked: Instant,
    /// Whether the game has ended for good, or its storage was freed, and the block of that is final.
    pub is_settled: bool,
    /// The game after the newest final block; none if it was not asked for, or is not there yet.
    pub begun: Option<FastGame>,
}

impl Snapshot {
    /// The game as it is in the best block; also as it is in the final one if it is asked how it has
    /// `begun`.
    pub(super) async fn of(contract: &Contracts, id: GameId, begun: bool) -> Result<Self, Error> {
        let (asked, machine) = (Instant::now(), machine());
        let game = contract.see_game(id).await?;
        let now = match &game {
            Some(seen) => {
                let block = seen.block;
                contract.client().time_of(block.number, block.hash).await
            }
            None => None,
        };
        let mut snapshot = Self {
            game,
            now,
            machine,
            asked,
            is_settled: false,
            begun: None,
        };
        snapshot.is_settled = snapshot.is_over() && contract.is_fast_settled(id).await?;
        if begun {
            snapshot.begun = contract.final_game(id).await?;
        }
        Ok(snapshot)
    }

    /// Whether the game has ended for good in the best block, which may be replaced.
    fn is_over(&self) -> bool {
        self.game.is_none_or(|seen| seen.is_final())
    }
}

/// A task that looks after each block. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Snapshots {
    seen: mpsc::Receiver<Result<Snapshot, Error>>,
    task: AbortHandle,
}

impl Drop for Snapshots {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Snapshots {
    pub(super) fn of(contract: &Contracts, game: GameId) -> Self {
        let (sender, seen) = mpsc::channel(1);
        let contract = contract.clone();
        let task = tokio::spawn(async move {
            let mut has_begun = false;
            // A node may answer with an error: its state is discarded, or too much was asked.
            while let Err(error) = look(&contract, game, &sender, &mut has_begun).await {
                if sender.send(Err(error)).await.is_err() {
                    return;
                }
                sleep(AGAIN).await;
            }
        });
        Self {
            seen,
            task: task.abort_handle(),
        }
    }

    /// The next snapshot, or why the chain could not be read, which is tried again. If the wait is given up,
    /// nothing is lost.
    pub(super) async fn next(&mut self) -> Result<Snapshot, Error> {
        match self.seen.recv().await {
            Some(snapshot) => snapshot,
            None => std::future::pending().await,
        }
    }
}

/// Sends what is seen after each block until nobody wants it any more; with how the game has `begun`, until
/// that was final.
async fn look(
    contract: &Contracts,
    game: GameId,
    sender: &mpsc::Sender<Result<Snapshot, Error>>,
    has_begun: &mut bool,
) -> Result<(), Error> {
    let mut heads = contract.client().heads().await?;
    let mut finals = contract.client().final_heads(&Task::FollowChain).await?;
    let mut is_waiting = false;
    loop {
        tokio::select! {
            head = heads.next() => {
                head?;
            }
            // A block may become final without another one on top.
            last = finals.next() => {
                last?;
                if !is_waiting {
                    continue;
                }
            }
        }
        // Only who is ready for it gets what is seen then.
        let Ok(place) = sender.reserve().await else {
            return Ok(());
        };
        let snapshot = Snapshot::of(contract, game, !*has_begun).await?;
        *has_begun |= snapshot.begun.is_some();
        is_waiting = !*has_begun || (snapshot.is_over() && !snapshot.is_settled);
        place.send(Ok(snapshot));
    }
}
