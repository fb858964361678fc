//! What the chain knows of a fast game, as it changes.

use connect4_protocol::fast::FastGame;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::contract::Contract;
use crate::error::Error;
use crate::seen::Seen;

/// A fast game as the chain knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The game, and the block after which it is so; none if there is no such game, or its storage was
    /// freed.
    pub game: Option<Seen<FastGame>>,
    /// The time in seconds since 1970: that of this machine, or of the best block if that is later.
    pub now: u64,
    /// When the chain was asked.
    pub asked: Instant,
}

impl Sight {
    /// The game as it is in the best block.
    pub(super) async fn of(contract: &Contract, number: u32) -> Result<Self, Error> {
        let asked = Instant::now();
        let game = contract.see_fast_game(number).await?;
        let now = contract.client().time().await?;
        Ok(Self { game, now, asked })
    }
}

/// A task that looks after each block. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Sights {
    seen: mpsc::Receiver<Result<Sight, Error>>,
    task: AbortHandle,
}

impl Drop for Sights {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Sights {
    pub(super) fn of(contract: &Contract, number: u32) -> Self {
        let (sender, seen) = mpsc::channel(1);
        let contract = contract.clone();
        let task = tokio::spawn(async move {
            if let Err(error) = look(&contract, number, &sender).await {
                let _ = sender.send(Err(error)).await;
            }
        });
        Self {
            seen,
            task: task.abort_handle(),
        }
    }

    /// The next sight. If the wait is given up, nothing is lost.
    pub(super) async fn next(&mut self) -> Result<Sight, Error> {
        match self.seen.recv().await {
            Some(sight) => sight,
            None => std::future::pending().await,
        }
    }
}

/// Sends what is seen after each block until nobody wants it any more.
async fn look(
    contract: &Contract,
    number: u32,
    sender: &mpsc::Sender<Result<Sight, Error>>,
) -> Result<(), Error> {
    let mut heads = contract.client().heads().await?;
    loop {
        heads.next().await?;
        // Only who is ready for it gets what is seen then.
        let Ok(place) = sender.reserve().await else {
            return Ok(());
        };
        place.send(Ok(Sight::of(contract, number).await?));
    }
}
