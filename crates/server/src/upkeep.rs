//! The index of past events, kept up while the page is served.

use tokio::sync::watch;
use tokio::task::AbortHandle;

use crate::link::{Chain, Link};

/// The index is brought up to date after so many blocks. Nodes keep the states of 256 blocks or more.
const BLOCKS: u32 = 16;

/// The task that reads new blocks into the index, so that no event is lost on a node that discards
/// states, and games are found there at once. It ends when this is dropped.
pub struct Upkeep(AbortHandle);

impl Upkeep {
    pub fn of(chain: &Chain) -> Self {
        Self(tokio::spawn(run(chain.links())).abort_handle())
    }
}

impl Drop for Upkeep {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn run(mut links: watch::Receiver<Link>) {
    let mut next = 0;
    loop {
        let link = links.borrow_and_update().clone();
        if let Link::Up { at, block } = link
            && block >= next
        {
            let (contract, variants) = (at.contract(), at.variants());
            let client = &at.connection.client;
            let kept = client.keep_up(contract.as_ref(), variants.as_ref());
            // What fails now is read the next time.
            if kept.await.is_ok() {
                next = block.saturating_add(BLOCKS);
            }
        }
        if links.changed().await.is_err() {
            return;
        }
    }
}
