//! The time by which payments count.

use std::time::Instant;

use connect4_client::{Client, Error, Task};
use connect4_wire::words;

/// Time in seconds since 1970: the earlier one of the chain's, as the node says, and of this machine's. Either clock can
/// be set ahead and back, and a day's budget would be spent twice in a day by that one alone.
///
/// Between blocks the chain's goes on by the time that has passed for this program, as some chains make a block only for
/// a transaction.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    time: u64,
    since: Instant,
}

impl Clock {
    /// The time of the best block.
    pub async fn start(client: &Client) -> Result<Self, Error> {
        Ok(Self {
            time: time_of_best(client).await?,
            since: Instant::now(),
        })
    }

    /// Goes on to the time of the best block, if that is later.
    pub async fn follow(&mut self, client: &Client) -> Result<(), Error> {
        let time = time_of_best(client).await?;
        if time > self.of_chain() {
            *self = Self {
                time,
                since: Instant::now(),
            };
        }
        Ok(())
    }

    pub fn now(&self) -> u64 {
        self.of_chain().min(words::now())
    }

    fn of_chain(&self) -> u64 {
        self.time.saturating_add(self.since.elapsed().as_secs())
    }
}

async fn time_of_best(client: &Client) -> Result<u64, Error> {
    let best = client.best_block().await?;
    let time = client.block_seconds(best).await;
    time.ok_or_else(|| Error::Unexpected {
        task: Task::ReadHeight,
        reason: format!("block {} has no time", best.number),
    })
}
