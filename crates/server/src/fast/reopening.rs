//! Seats of fast games are played on, also if nobody looks at the game.

use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::tables::FastTables;
use crate::link::{Chain, Link};

/// The task that opens seats again which have ended before the game. It ends when this is dropped.
pub struct Reopening(AbortHandle);

impl Reopening {
    pub fn of(chain: &Chain, tables: Arc<FastTables>) -> Self {
        Self(tokio::spawn(run(chain.links(), tables)).abort_handle())
    }
}

impl Drop for Reopening {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn run(mut links: watch::Receiver<Link>, tables: Arc<FastTables>) {
    loop {
        let link = links.borrow_and_update().clone();
        if let Link::Up { at, .. } = link
            && let Some(contract) = at.contract()
        {
            for number in tables.lost() {
                // What fails now is tried again after the next block.
                match contract.is_fast_settled(number).await {
                    Ok(true) => tables.forget_lost(number),
                    Ok(false) => {
                        if let Ok(Some(chain)) = contract.fast_game(number).await {
                            tables.seats(&contract, number, &chain).await;
                        }
                    }
                    Err(_) => {}
                }
            }
        }
        if links.changed().await.is_err() {
            return;
        }
    }
}
